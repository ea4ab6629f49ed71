package client

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
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

func TestUnreachable(t *testing.T) {
	t.Parallel()
	for name, base := range map[string]string{
		"refused":      "http://127.0.0.1:1/api/v2",
		"no such host": "https://no-such-host.invalid/api/v2",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := connect(t, Options{BaseURL: base})
			_, err := c.CreateAPIKey(t.Context(), "name")
			wantKind(t, err, models.KindUnreachable)
		})
	}
}

func TestTLS(t *testing.T) {
	t.Parallel()
	secure := func(change func(*tls.Config)) *httptest.Server {
		srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, "[]") }))
		srv.Config.ErrorLog = log.New(io.Discard, "", 0)
		srv.EnableHTTP2 = true
		srv.TLS = &tls.Config{}
		change(srv.TLS)
		srv.StartTLS()
		t.Cleanup(srv.Close)
		return srv
	}
	srv := secure(func(*tls.Config) {})
	old := secure(func(c *tls.Config) { c.MaxVersion = tls.VersionTLS11 })
	strict := secure(func(c *tls.Config) { c.ClientAuth = tls.RequireAnyClientCert; c.MaxVersion = tls.VersionTLS12 })
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, "[]") }))
	t.Cleanup(plain.Close)

	c := connect(t, Options{BaseURL: srv.URL, RootCAs: authorities(srv)})
	if _, err := c.APIKeys(t.Context()); err != nil {
		t.Errorf("trusted: %v", err)
	}
	for name, o := range map[string]Options{
		"unknown authority": {BaseURL: srv.URL},
		"another name":      {BaseURL: strings.Replace(srv.URL, "127.0.0.1", "localhost", 1), RootCAs: authorities(srv)},
		"old version":       {BaseURL: old.URL, RootCAs: authorities(old)},
		"alert":             {BaseURL: strict.URL, RootCAs: authorities(strict)},
		"http at the port":  {BaseURL: "https" + strings.TrimPrefix(plain.URL, "http")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := connect(t, o).APIKeys(t.Context())
			wantKind(t, err, models.KindTLS)
		})
	}
}

func TestHTTP2(t *testing.T) {
	t.Parallel()
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			t.Errorf("asked by %s", r.Proto)
		}
		writeJSON(w, "[]")
	}))
	srv.EnableHTTP2 = true
	srv.StartTLS()
	t.Cleanup(srv.Close)
	if _, err := connect(t, Options{BaseURL: srv.URL, RootCAs: authorities(srv)}).APIKeys(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestTimeouts(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	silent := listen(t, func(c net.Conn) { <-hang; _ = c.Close() })
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/operations") {
			writeJSON(w, `{"operations":[`)
			_ = http.NewResponseController(w).Flush()
		}
		<-hang
	}))
	t.Cleanup(srv.Close)
	t.Cleanup(func() { close(hang) })
	const short = 50 * time.Millisecond
	for name, o := range map[string]Options{
		"connect": {BaseURL: "https://" + silent, Timeouts: Timeouts{Connect: short}},
		"headers": {BaseURL: srv.URL, Timeouts: Timeouts{Headers: short}},
		"whole":   {BaseURL: srv.URL, Timeouts: Timeouts{Whole: short}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := connect(t, o)
			_, err := c.APIKeys(t.Context())
			wantKind(t, err, models.KindTimeout)
			if name == "whole" {
				_, err = c.Operations(t.Context(), "p", models.PageRequest{})
				wantKind(t, err, models.KindStalled)
			}
		})
	}
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
		_, err := c.APIKeys(ctx)
		wantKind(t, err, models.KindTimeout)
	})
}
