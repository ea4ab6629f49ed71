package mock_test

import (
	"net/http"
	"strings"
	"testing"

	"pgtower/client/mock"
)

// A body must be plain JSON, by its Content-Type and Content-Encoding, or have no type.
func TestContentTypeOfABody(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := handlerTarget(srv)
	for _, tc := range []struct {
		header, value string
		status        int
	}{
		{"Content-Type", "", 200},
		{"Content-Type", "application/json", 200},
		{"Content-Type", "application/json; charset=utf-8", 200},
		{"Content-Type", "Application/JSON", 200},
		{"Content-Type", "application/json; charset=UTF-8", 200},
		{"Content-Type", "application/x-www-form-urlencoded", 415},
		{"Content-Type", "text/plain", 415},
		{"Content-Type", ";;", 415},
		{"Content-Encoding", "gzip", 415},
	} {
		r := c.request(t, http.MethodPost, "/api_keys", `{"key_name":"a","later":[{}]}`)
		r.Header.Set(tc.header, tc.value)
		a := c.send(t, r)
		if tc.status == http.StatusOK {
			a.ok(t, &record{})
			continue
		}
		a.problem(t, tc.status)
	}
}

// A body of any size gets a response.
func TestBodiesThatAreLarge(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := overHTTP(t, srv)
	for range 5 {
		c.call(t, http.MethodPost, "/api_keys", strings.Repeat(" ", 8<<20)).problem(t, http.StatusRequestEntityTooLarge)
	}
}

// Names of keys are kept as they are, up to 64 characters of any script.
func TestKeyNamesThatAreAccepted(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := handlerTarget(srv)
	for _, name := range []string{"a", "ci deploy", "ключ", "<b>&", strings.Repeat("ü", 64)} {
		id, _ := createKey(t, c, name)
		if k := findKey(t, c, id); k["name"] != name {
			t.Errorf("%q came back as %v", name, k["name"])
		}
	}
}
