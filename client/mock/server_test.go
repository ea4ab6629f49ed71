package mock_test

import (
	"net/http"
	"strings"
	"testing"

	"pgtower/client/mock"
)

// A valid id of the client comes back in header and body; otherwise the server chooses one.
func TestRequestID(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := handlerTarget(srv)
	id := func(sent string) string {
		r := c.request(t, http.MethodGet, "/nothing", "")
		r.Header.Set("X-Request-ID", sent)
		var body struct {
			RequestID string `json:"request_id"`
		}
		a := c.send(t, r)
		a.status = http.StatusOK
		if a.ok(t, &body); a.header.Get("X-Request-ID") != body.RequestID {
			t.Errorf("the header says %q, the body %q", a.header.Get("X-Request-ID"), body.RequestID)
		}
		return body.RequestID
	}
	if got := id("mine-1"); got != "mine-1" {
		t.Errorf("mine-1 came back as %q", got)
	}
	for _, bad := range []string{"", "a b", strings.Repeat("x", 200)} {
		if got := id(bad); got == bad || len(got) != 36 {
			t.Errorf("%q came back as %q", bad, got)
		}
	}
	r := c.request(t, http.MethodGet, "/projects", "")
	r.Header.Set("X-Request-ID", "mine-2")
	if a := c.send(t, r); a.status != http.StatusOK || a.header.Get("X-Request-ID") != "mine-2" {
		t.Errorf("a success: status %d, %v", a.status, a.header)
	}
}

// HEAD has the headers of the GET and no body, whether the resource exists or not.
func TestHead(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := overHTTP(t, srv)
	for _, path := range []string{"/api_keys", "/projects", "/projects/" + srv.BusiestProject() + "/operations?limit=2", "/projects?limit=0", "/nothing"} {
		get, head := c.call(t, http.MethodGet, path, ""), c.call(t, http.MethodHead, path, "")
		length := "Content-Length"
		if head.status != get.status || len(head.body) > 0 || head.header.Get(length) != get.header.Get(length) || get.header.Get(length) == "" {
			t.Errorf("%s: status %d and length %s, for GET %d and %s", path, head.status, head.header.Get(length), get.status, get.header.Get(length))
		}
	}
}

// Endpoints ignore unknown parameters.
func TestServerUnknownParameters(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := handlerTarget(srv)
	for _, path := range []string{
		"/api_keys?limit=none&x", "/projects?recoverable=true&tag=a&tag=b", "/projects/shared?x=1&x=2",
		"/projects/" + srv.BusiestProject() + "/operations?search=a&search=b&limit=1",
	} {
		c.get(t, path, new(any))
	}
	if a := c.call(t, http.MethodGet, "/%70rojects", ""); a.status != http.StatusOK {
		t.Errorf("an escaped letter: status %d", a.status)
	}
}

// Nothing is found outside of the base path.
func TestServerOutsideTheBasePath(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := overHTTP(t, srv)
	c.base = strings.TrimSuffix(c.base, mock.BasePath)
	for _, path := range []string{"", "/", "/api", "/api/v1/projects", "/api/v2x", "/projects"} {
		c.call(t, http.MethodGet, path, "").problem(t, http.StatusNotFound)
	}
}
