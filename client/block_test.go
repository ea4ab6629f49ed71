package client

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/models"
)

// After a failure that only the user can fix, nothing is sent until a retry. A name that does not exist is looked up again
// after half a minute.
func TestBlocks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cause   error
		sent    int // within a minute of polls, each second
		passing bool
	}{
		"a proxy forbids":       {&proxyError{http.StatusForbidden}, 1, false},
		"a proxy wants a login": {&proxyError{http.StatusProxyAuthRequired}, 1, false},
		"a malformed address":   {&proxyAddressError{"https_proxy"}, 1, false},
		"a certificate":         {x509.HostnameError{Certificate: &x509.Certificate{}, Host: "x"}, 1, false},
		"no TLS":                {tls.RecordHeaderError{Msg: "no TLS"}, 1, false},
		"an unknown name":       {&net.DNSError{IsNotFound: true}, 2, false},
		"the name of a proxy":   {&net.OpError{Op: "proxyconnect", Err: &net.DNSError{IsNotFound: true}}, 2, false},
		"a reset":               {errors.New("connection reset"), 0, true},
		"a proxy that fails":    {&proxyError{http.StatusBadGateway}, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				sent, broken := 0, true
				client := through(t, func(*http.Request) (*http.Response, error) {
					sent++
					if broken {
						return nil, c.cause
					}
					return answer(200, emptyPage), nil
				})
				for range 60 {
					began := time.Now()
					if err := listOperations(t.Context(), client); err == nil || models.Passing(err) != c.passing {
						t.Fatalf("%v; it may pass: %t", err, models.Passing(err))
					}
					time.Sleep(max(0, time.Second-time.Since(began)))
				}
				if c.passing && sent < 60 || !c.passing && sent != c.sent {
					t.Errorf("sent %d times in a minute, want %d", sent, c.sent)
				}
				broken, sent = false, 0
				if err := listOperations(t.Context(), client); models.Repeated(err) != (c.sent == 1) {
					t.Errorf("before a retry: %v", err)
				}
				client.Retry()
				if err := listOperations(t.Context(), client); err != nil || sent == 0 {
					t.Errorf("after a retry: %v, sent %d times", err, sent)
				}
			})
		})
	}
}

// A change is sent in spite of a block, and its response ends the block for reads, too.
func TestBlocksDoNotStopChanges(t *testing.T) {
	t.Parallel()
	sent := 0
	c := through(t, func(r *http.Request) (*http.Response, error) {
		sent++
		if sent == 1 {
			return nil, &proxyError{http.StatusForbidden}
		}
		if r.Method == http.MethodDelete {
			return answer(404, `{"message":"no such key"}`), nil
		}
		return answer(200, emptyPage), nil
	})
	first, second := listOperations(t.Context(), c), listOperations(t.Context(), c)
	if models.Repeated(first) || !models.Repeated(second) || models.AdviceOf(second) != hintProxyRefused || sent != 1 {
		t.Errorf("%v, %v, sent %d times", first, second, sent)
	}
	_, err := c.RevokeAPIKey(t.Context(), keyOf(7))
	wantKind(t, err, models.KindNotFound)
	if err := listOperations(t.Context(), c); err != nil {
		t.Error(err)
	}
}
