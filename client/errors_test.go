package client

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
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

// A failed connection has the kind and the advice of its cause, with real servers.
func TestHints(t *testing.T) {
	t.Parallel()
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/projects" {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = io.WriteString(w, "<!doctype html><title>Console</title>")
	}))
	t.Cleanup(page.Close)
	secured := func(config *tls.Config) *httptest.Server {
		server := httptest.NewUnstartedServer(http.NotFoundHandler())
		server.Config.ErrorLog, server.TLS = log.New(io.Discard, "", 0), config
		server.StartTLS()
		t.Cleanup(server.Close)
		return server
	}
	secure := secured(nil)
	old := secured(&tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11})
	strict := secured(&tls.Config{ClientAuth: tls.RequireAnyClientCert, MaxVersion: tls.VersionTLS12})
	// A server without newer versions does not refuse: it chooses TLS 1.1.
	older := listen(t, func(c net.Conn) {
		hello := "\x16\x03\x02\x00\x2a" + "\x02\x00\x00\x26\x03\x02" + strings.Repeat("r", 32) + "\x00\x00\x2f\x00"
		_, _ = io.WriteString(c, hello)
		_, _ = io.Copy(io.Discard, c)
		_ = c.Close()
	})
	free := listen(t, func(c net.Conn) { _ = c.Close() })

	for name, c := range map[string]struct {
		o    Options
		kind models.Kind
		want string
	}{
		"a web page":         {Options{BaseURL: page.URL}, models.KindMalformed, hintWebPage},
		"nothing of it":      {Options{BaseURL: page.URL + "/api"}, models.KindNotFound, hintWebPage},
		"connection refused": {Options{BaseURL: "http://127.0.0.1:1/api/v2"}, models.KindUnreachable, hintRefused},
		"hangs up":           {Options{BaseURL: "http://" + free}, models.KindUnreachable, models.KindUnreachable.Advice()},
		"unknown authority":  {Options{BaseURL: secure.URL}, models.KindTLS, hintAuthority},
		"another name": {
			Options{BaseURL: strings.Replace(secure.URL, "127.0.0.1", "localhost", 1), RootCAs: authorities(secure)},
			models.KindTLS, hintHostname,
		},
		"old TLS":             {Options{BaseURL: old.URL, RootCAs: authorities(old)}, models.KindTLS, hintOldTLS},
		"TLS 1.1 alone":       {Options{BaseURL: "https://" + older}, models.KindTLS, hintOldTLS},
		"wants a certificate": {Options{BaseURL: strict.URL, RootCAs: authorities(strict)}, models.KindTLS, models.KindTLS.Advice()},
		"http at the port":    {Options{BaseURL: "https" + strings.TrimPrefix(page.URL, "http")}, models.KindTLS, hintPlain},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := connect(t, c.o).Projects(t.Context(), models.ListID{}, models.PageRequest{Limit: 1})
			e := wantError(t, err, c.kind)
			if got := e.Advice(); got != c.want {
				t.Errorf("%v: got %q, want %q", err, got, c.want)
			}
			// Nothing is sent before the connection is secure.
			if before := c.want == hintRefused || c.kind == models.KindTLS; e.NotConnected != before {
				t.Errorf("%v: not connected is %t", err, e.NotConnected)
			}
		})
	}
}

// A network error has the kind, the hint and the block of its cause, also for causes that no server of a test can make.
func TestHintsOfCauses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err   error
		kind  models.Kind
		want  string
		block models.Block
	}{
		{x509.CertificateInvalidError{Reason: x509.Expired}, models.KindTLS, hintClock, models.UserBlock},
		{x509.CertificateInvalidError{Reason: x509.TooManyConstraints}, models.KindTLS, "", models.UserBlock},
		{tls.RecordHeaderError{}, models.KindTLS, hintPlain, models.UserBlock},
		{&net.OpError{Op: "remote error", Err: errors.New("tls: internal error")}, models.KindTLS, "", models.NoBlock},
		{&net.DNSError{IsNotFound: true}, models.KindUnreachable, hintName, models.NameBlock},
		{&net.DNSError{IsTemporary: true}, models.KindUnreachable, "", models.NoBlock},
		{fmt.Errorf("127.1.2.3 %w", errNotLoopback), models.KindUnreachable, hintNotLoopback, models.UserBlock},
	} {
		client := through(t, nil)
		if got := client.transportError(t.Context(), c.err, true); got.Kind != c.kind || got.Hint != c.want || got.Block != c.block {
			t.Errorf("%v: got %v, %q, want %q (%v)", c.err, got.Kind, got.Hint, c.want, got.Block)
		}
	}
}

// The hint of a response depends on the base URL: one that ends in the version is not blamed. A 404 of a list means that the
// API is elsewhere, unless the service's own words refuse the key.
func TestHintsOfResponses(t *testing.T) {
	t.Parallel()
	const block = "<!doctype html><html><head><TITLE lang=en>\n  Access denied &mdash; ACME\x1b[31m\n</TITLE></head>"
	blocked := func(status int) string {
		return fmt.Sprintf("Something between pgtower and the service answered %d: “Access denied — ACME\uFFFD[31m”.", status)
	}
	const untitled = "Something between pgtower and the service answered 404 with a web page."
	notFound := models.KindNotFound.Advice()
	for _, a := range []struct {
		status             int
		body               string
		listing, operation string // with a base URL that ends in the version
		elsewhere          string // of the list with another one; empty: the same
	}{
		{404, "", hintHost, notFound, hintBaseURL},
		{404, "404 page not found", hintHost, notFound, hintBaseURL},
		{404, `{"code":""}`, hintHost, notFound, hintBaseURL},
		{404, `{"message":"no such route"}`, hintHost, notFound, hintBaseURL},
		{404, `{"message":"not allowed for project-scoped API keys"}`, notFound, notFound, ""},
		{404, "<html>", untitled, untitled, hintWebPage},
		{403, block, blocked(403), blocked(403), hintWebPage},
		{431, block, blocked(431), blocked(431), hintWebPage},
		{503, "<html>", "", "", ""},
		{401, "", models.KindUnauthorized.Advice(), models.KindUnauthorized.Advice(), ""},
		{400, `{"message":"org_id is required"}`, "", "", ""},
		{200, "", hintBetween, hintBetween, hintBaseURL},
		{200, "\x1f\x8b\x08\x00", hintBetween, hintBetween, hintBaseURL}, // compressed, although nothing says so
		{200, "[]", hintBetween, hintBetween, hintBaseURL},
	} {
		synctest.Test(t, func(t *testing.T) {
			for base, want := range map[string]string{"/api/v2": a.listing, "/v3": cmp.Or(a.elsewhere, a.listing)} {
				answers := respond(a.status, a.body)
				c := connect(t, Options{BaseURL: "https://console.example" + base, Transport: answers, Clock: time.Now})
				_, err := c.Projects(t.Context(), models.ListID{}, models.PageRequest{})
				if got := models.AdviceOf(err); got != want {
					t.Errorf("%v at %s: got %q, want %q", err, base, got, want)
				}
				_, err = c.Operation(t.Context(), "p1", "o1")
				if got := models.AdviceOf(err); got != a.operation && base == "/api/v2" {
					t.Errorf("%v: got %q, want %q", err, got, a.operation)
				}
			}
		})
	}
}

// A web page instead of the API is named with its title, also with status 200, and without the key.
func TestHintsOfPages(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<title>Sign in to "+testKey+"</title>")
	})
	_, err := c.Projects(t.Context(), models.ListID{}, models.PageRequest{})
	e := wantError(t, err, models.KindMalformed)
	if e.Advice() != "Something between pgtower and the service answered 200: “Sign in to •••”." || e.Body != models.WebPage {
		t.Errorf("%v %q", err, e.Advice())
	}
}

// A probe sends no key, and tells the protocol, the certificate, the status and the clock; after an error, as far as it got.
func TestProbe(t *testing.T) {
	t.Parallel()
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, sent := r.Header["Authorization"]; sent {
			t.Error("a key was sent")
		}
		w.Header().Set("Date", now().Add(-3*time.Minute).Format(http.TimeFormat))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
	}))
	srv.EnableHTTP2 = true
	srv.StartTLS()
	t.Cleanup(srv.Close)
	o := Options{BaseURL: srv.URL + "/api/v2", RootCAs: authorities(srv), Clock: now, Key: models.NewSecret(testKey)}
	r, err := Probe(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	want := Route{
		TLS: "TLS 1.3", CertificateEnds: srv.Certificate().NotAfter, HTTP: "HTTP/2.0", Status: http.StatusUnauthorized,
		Skew: known(time.Second/2 - 3*time.Minute),
	}
	if !r.CertificateEnds.Equal(want.CertificateEnds) || r.Skew != want.Skew || r.TLS != want.TLS ||
		r.HTTP != want.HTTP || r.Status != want.Status {
		t.Errorf("got %+v, want %+v", r, want)
	}

	// The last stage that was reached: the name was resolved, but the certificate is for another host.
	o.BaseURL = strings.Replace(o.BaseURL, "127.0.0.1", "localhost", 1)
	r, err = Probe(t.Context(), o)
	if e := wantError(t, err, models.KindTLS); e.Advice() != hintHostname || e.Path != "/api/v2/projects" {
		t.Errorf("%q of %s", e.Advice(), e.Path)
	}
	if r.HTTP != "" {
		t.Errorf("got %+v", r)
	}
}
