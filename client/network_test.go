package client

import (
	"context"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/models"
)

// listen accepts connections and passes them to serve, which closes them.
func listen(t *testing.T, serve func(net.Conn)) (address string) {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { _ = l.Close(); <-done })
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			serve(c)
		}
	}()
	return l.Addr().String()
}

// A connection that takes too long is a timeout.
func TestConnectingTakesTooLong(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	silent := listen(t, func(c net.Conn) { <-hang; _ = c.Close() })
	t.Cleanup(func() { close(hang) })
	c := connect(t, Options{BaseURL: "https://" + silent, Timeouts: Timeouts{Connect: 50 * time.Millisecond}})
	_, err := c.APIKeys(t.Context(), models.ListID{})
	wantKind(t, err, models.KindTimeout)
}

// The caller's own deadline is a timeout, whatever those of the client.
func TestCallersDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := through(t, func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := c.APIKeys(ctx, models.ListID{})
		wantKind(t, err, models.KindTimeout)
	})
}
