package mock_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pgtower/client/mock"
)

// FuzzRequests sends arbitrary requests with a valid key. There is no 5xx and no panic, and every body is JSON: a
// record, or an error with a message.
func FuzzRequests(f *testing.F) {
	const project = "{project}" // stands for the busiest project's id
	for _, path := range []string{
		"/api_keys", "/api_keys/165154", "/projects?limit=3&cursor=a&search=b&org_id=c", "/projects/shared",
		"/projects/" + project + "/operations?limit=1000&cursor=2026-01-01T00:00:00.000001Z",
		"/projects/" + project + "/operations/6f1f2d3c-0000-4000-8000-000000000000", "/%2e%2e//x/?%zz;=&limit=-1",
	} {
		for _, method := range []string{"GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT", "CONNECT"} {
			f.Add(method, path, "application/json", `{"key_name":"a"}`)
		}
	}
	f.Add("POST", "/api_keys", "text/plain", `{"key_name":"a","key_name":[{}]} x`)
	f.Add("POST", "/api_keys", "application/json; x", "{\"key_name\":\"\\ud800\\u0000\xff\"}")
	f.Fuzz(func(t *testing.T, method, path, contentType, body string) {
		srv, _ := newServer(t, mock.Options{})
		path = mock.BasePath + strings.ReplaceAll(path, project, srv.BusiestProject())
		raw := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
			method, path, srv.APIKey(), contentType, len(body), body)
		// Invalid HTTP does not reach the server.
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(raw)))
		if err != nil {
			t.Skip(err)
		}
		w := httptest.NewRecorder()
		srv.ServeHTTP(w, r.WithContext(t.Context()))
		a := answer{w.Code, w.Header(), w.Body.Bytes()}
		switch {
		case a.status >= 400 && a.status < 500:
			a.problem(t, a.status)
		case a.status != http.StatusOK || !json.Valid(bytes.TrimSpace(a.body)):
			t.Errorf("%s %q: status %d, %s", r.Method, r.RequestURI, a.status, a.body)
		}
	})
}
