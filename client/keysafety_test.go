package client

import (
	"context"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"pgtower/models"
	keychange "pgtower/models/keys"
)

// everyMethod makes a call with each HTTP method.
func everyMethod(ctx context.Context, c *Client) map[string]error {
	_, get := c.APIKeys(ctx, models.ListID{})
	_, post := c.CreateAPIKey(ctx, "name", models.Reach{})
	_, del := c.RevokeAPIKey(ctx, keyOf(1))
	return map[string]error{"GET": get, "POST": post, "DELETE": del}
}

// keyCatcher is a server that counts the requests with a key.
func keyCatcher(t *testing.T) (address *url.URL, reached *atomic.Int32) {
	t.Helper()
	reached = &atomic.Int32{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			reached.Add(1)
		}
		writeJSON(w, "[]")
	}))
	t.Cleanup(srv.Close)
	u, err := url.Parse(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u, reached
}

// The key never follows a redirect, with any method and status. The error names the target without its query.
func TestRedirectsAreRefused(t *testing.T) {
	t.Parallel()
	for _, status := range []int{301, 302, 303, 307, 308} {
		for name, secure := range map[string]bool{"to another port": false, "to another name": false, "from https to http": true} {
			t.Run(fmt.Sprint(status, " ", name), func(t *testing.T) {
				t.Parallel()
				to, reached := keyCatcher(t)
				if name == "to another name" {
					to.Host = "localhost:" + to.Port()
				}
				from := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Location", to.String()+r.URL.Path+"?code=s3cret#fragment")
					w.WriteHeader(status)
				}))
				if secure {
					from.StartTLS()
				} else {
					from.Start()
				}
				t.Cleanup(from.Close)
				c := connect(t, Options{BaseURL: from.URL + "/api/v2", RootCAs: authorities(from)})
				for method, err := range everyMethod(t.Context(), c) {
					e := wantError(t, err, models.KindRedirect)
					if e.Status != status || !strings.Contains(err.Error(), to.Host+"/api/v2/api_keys") {
						t.Errorf("%s: %q does not name the target", method, err)
					}
					if strings.Contains(err.Error(), "s3cret") {
						t.Errorf("%s: %q repeats the target's query", method, err)
					}
				}
				if n := reached.Load(); n != 0 {
					t.Errorf("the key arrived %d times", n)
				}
			})
		}
	}
}

func authorities(srv *httptest.Server) *x509.CertPool {
	if srv.Certificate() == nil {
		return nil
	}
	pool := x509.NewCertPool()
	pool.AddCert(srv.Certificate())
	return pool
}

// A redirect on the same host, or without a valid target, is refused after one request.
func TestRedirectOnTheSameHostIsRefused(t *testing.T) {
	t.Parallel()
	for _, location := range []string{"/api/v2/other", "", "http://[bad", "//evil.example/\u202e", "https://" + testKey + "@evil.example/" + testKey} {
		var asked atomic.Int32
		c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			asked.Add(1)
			w.Header()["Location"] = []string{location}
			w.WriteHeader(http.StatusFound)
		})
		for _, err := range everyMethod(t.Context(), c) {
			wantKind(t, err, models.KindRedirect)
			if here := location == "/api/v2/other"; strings.Contains(err.Error(), "redirected to http://127.0.0.1:") != here ||
				!strings.Contains(err.Error(), "(302), which pgtower does not follow") || keychange.Refused(err) ||
				(models.AdviceOf(err) == hintSignIn) != here || strings.Contains(err.Error(), "elsewhere") {
				t.Errorf("%q: %v %s", location, err, models.AdviceOf(err))
			}
		}
		if n := asked.Load(); n != 3 {
			t.Errorf("%q: asked %d times", location, n)
		}
	}
}

// A resolver may resolve localhost to another machine.
func TestPlainHTTPStaysOnThisMachine(t *testing.T) {
	t.Parallel()
	for address, allowed := range map[string]bool{
		"127.0.0.1:80": true, "[::1]:80": true, "[::ffff:127.0.0.1]:80": true,
		"192.0.2.1:80": false, "[2001:db8::1]:80": false, "nonsense": false,
	} {
		if err := loopbackOnly("tcp", address, nil); (err == nil) != allowed {
			t.Errorf("%s: %v", address, err)
		}
	}
}
