package client

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgtower/internal/faultserver"
	"pgtower/models"
)

// A request ends when its context is canceled, at every stage.
func TestCancelAtEachStage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault  faultserver.Fault
		secure bool
		kind   models.Kind
	}{
		"in the TLS handshake": {faultserver.Stall(""), true, models.KindCanceled},
		"before the headers":   {faultserver.Stall(""), false, models.KindCanceled},
		"in the headers":       {faultserver.Stall("HTTP/1.1 200 OK\r\nContent"), false, models.KindCanceled},
		"in the body":          {faultserver.Stall(begun + `{"operations":[`), false, models.KindCanceled},
		"in a body in drips":   {faultserver.Repeat(begun, " ", time.Millisecond), false, models.KindCanceled},
		"in hints":             {faultserver.Stall("HTTP/1.1 103 Early Hints\r\n\r\n"), false, models.KindCanceled},
		"in an error's body":   {faultserver.Stall("HTTP/1.1 404 No\r\nContent-Length: 9\r\n\r\n"), false, models.KindNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := faultserver.Start(t, c.fault)
			base := s.URL()
			if c.secure {
				// The kernel accepts the connection, and nothing ever responds on it.
				l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = l.Close() })
				base = "https://" + l.Addr().String()
			}
			ctx, cancel := context.WithCancel(t.Context())
			o := Options{BaseURL: base}
			if c.kind == models.KindCanceled {
				time.AfterFunc(300*time.Millisecond, cancel) // most machines have got there by then
			} else { // as soon as the headers are there
				network := &http.Transport{}
				t.Cleanup(network.CloseIdleConnections)
				o.Transport = tripper(func(r *http.Request) (*http.Response, error) {
					defer cancel()
					return network.RoundTrip(r)
				})
			}
			own := connect(t, o)
			err := listOperations(ctx, own)
			wantKind(t, err, c.kind)
			if c.kind == models.KindCanceled && !errors.Is(err, context.Canceled) {
				t.Errorf("%v is not context.Canceled", err)
			}
			again := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
				GetConn: func(string) { t.Error("sent after it was canceled") },
			})
			wantKind(t, listOperations(again, own), models.KindCanceled)
		})
	}
}

// A connection that breaks in the moment of a cancellation does not hide it.
func TestCancelAsTheConnectionBreaks(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	own := connect(t, Options{
		BaseURL: "http://127.0.0.1",
		Transport: tripper(func(*http.Request) (*http.Response, error) {
			cancel()
			return nil, syscall.ECONNRESET
		}),
	})
	err := listOperations(ctx, own)
	if wantKind(t, err, models.KindCanceled); !errors.Is(err, context.Canceled) {
		t.Errorf("%v is not context.Canceled", err)
	}
}

// The limits of a request also apply to HTTP/2.
func TestFaultsOverHTTP2(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			t.Errorf("asked by %s", r.Proto)
		}
		switch project := strings.Split(r.URL.Path, "/")[2]; project {
		case "endless":
			writeJSON(w, `{"operations":["`)
			for _, err := io.WriteString(w, "x"); err == nil; _, err = io.WriteString(w, strings.Repeat("x", 1<<10)) {
			}
		case "broken":
			writeJSON(w, `{"operations":[`)
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		case "stalled":
			writeJSON(w, `{"operations":[`)
			_ = http.NewResponseController(w).Flush()
			fallthrough
		case "silent":
			select {
			case <-r.Context().Done():
			case <-gone:
			}
		}
	}))
	srv.EnableHTTP2 = true
	srv.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	srv.StartTLS()
	t.Cleanup(srv.Close)
	t.Cleanup(func() { close(gone) })
	const short = 100 * time.Millisecond
	for project, want := range map[string]struct {
		timeouts Timeouts
		kind     models.Kind
	}{
		"endless": {Timeouts{}, models.KindTooLarge},
		"broken":  {Timeouts{}, models.KindCutOff},
		"stalled": {Timeouts{Body: short}, models.KindStalled},
		"silent":  {Timeouts{Headers: short}, models.KindTimeout},
	} {
		t.Run(project, func(t *testing.T) {
			t.Parallel()
			c := connect(t, Options{BaseURL: srv.URL, RootCAs: authorities(srv), Timeouts: want.timeouts})
			_, err := c.Operations(t.Context(), project, models.PageRequest{})
			wantKind(t, err, want.kind)
		})
	}
}
