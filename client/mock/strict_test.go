package mock_test

import (
	"net/http"
	"strings"
	"testing"

	"pgtower/client/mock"
)

// Every invalid request gets a 4xx with a message.
func TestStrictBadRequests(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := overHTTP(t, srv)
	ops := "/projects/" + srv.BusiestProject() + "/operations"
	cases := []struct {
		name, method, path, body string
		status                   int
	}{
		{"no body", "POST", "/api_keys", "", 400},
		{"white space", "POST", "/api_keys", " \n", 400},
		{"not JSON", "POST", "/api_keys", "name", 400},
		{"half of it", "POST", "/api_keys", `{"key_name":"a"`, 400},
		{"more after it", "POST", "/api_keys", `{"key_name":"a"} {}`, 400},
		{"no commas", "POST", "/api_keys", `{"key_name":"a" "x":1}`, 400},
		{"a comma at the end", "POST", "/api_keys", `{"key_name":"a",}`, 400},
		{"only the end", "POST", "/api_keys", `}`, 400},
		{"a list", "POST", "/api_keys", `["a"]`, 400},
		{"null", "POST", "/api_keys", `null`, 400},
		{"deep", "POST", "/api_keys", strings.Repeat("[", 30_000), 400},
		{"no name", "POST", "/api_keys", `{}`, 400},
		{"name in capitals", "POST", "/api_keys", `{"KEY_NAME":"a"}`, 400},
		{"name is null", "POST", "/api_keys", `{"key_name":null}`, 400},
		{"name is a number", "POST", "/api_keys", `{"key_name":1}`, 400},
		{"name is empty", "POST", "/api_keys", `{"key_name":""}`, 422},
		{"name is blank", "POST", "/api_keys", `{"key_name":"  "}`, 422},
		{"name is too long", "POST", "/api_keys", `{"key_name":"` + strings.Repeat("ü", 65) + `"}`, 422},
		{"name with a line break", "POST", "/api_keys", `{"key_name":"a\nb"}`, 422},
		{"name with an escape", "POST", "/api_keys", `{"key_name":"a\u001b[31m"}`, 422},
		{"too large", "POST", "/api_keys", `{"key_name":"` + strings.Repeat("a", 65<<10) + `"}`, 413},
		{"unknown key", "DELETE", "/api_keys/1", "", 404},
		{"key id is a word", "DELETE", "/api_keys/abc", "", 400},
		{"key id with a sign", "DELETE", "/api_keys/+1", "", 400},
		{"key id beyond 64 bits", "DELETE", "/api_keys/9223372036854775808", "", 400},
		{"limit 0", "GET", ops + "?limit=0", "", 400},
		{"limit below 0", "GET", ops + "?limit=-1", "", 400},
		{"limit too high", "GET", ops + "?limit=1001", "", 400},
		{"limit with a sign", "GET", ops + "?limit=%2B5", "", 400},
		{"limit with a fraction", "GET", ops + "?limit=5.0", "", 400},
		{"semicolon in the query", "GET", ops + "?limit=1;cursor=a", "", 400},
		{"limit is a word", "GET", ops + "?limit=all", "", 400},
		{"limit is empty", "GET", ops + "?limit=", "", 400},
		{"cursor is empty", "GET", ops + "?cursor=", "", 400},
		{"projects cursor is empty", "GET", "/projects?cursor=", "", 400},
		{"projects limit is empty", "GET", "/projects?limit=", "", 400},
		{"limit beyond 64 bits", "GET", ops + "?limit=99999999999999999999", "", 400},
		{"bad escape in the query", "GET", ops + "?limit=%zz", "", 400},
		{"cursor is a word", "GET", ops + "?cursor=next", "", 400},
		{"cursor with an unescaped plus", "GET", ops + "?cursor=2026-01-01T00:00:00+00:00", "", 400},
		{"projects limit too high", "GET", "/projects?limit=401", "", 400},
		{"projects cursor unknown", "GET", "/projects?cursor=nowhere", "", 400},
		{"unknown project", "GET", "/projects/no-such-1/operations", "", 404},
		{"project id in capitals", "GET", "/projects/ABC/operations", "", 404},
		{"project id of dots", "GET", "/projects/%2e%2e/operations", "", 404},
		{"project id too long", "GET", "/projects/" + strings.Repeat("a", 61) + "/operations", "", 404},
		{"operation id is a word", "GET", ops + "/abc", "", 404},
		{"operation id unknown", "GET", ops + "/6f1f2d3c-0000-4000-8000-000000000000", "", 404},
		{"wrong method for the list", "PUT", "/api_keys", `{}`, 405},
		{"wrong method for a key", "GET", "/api_keys/1", "", 405},
		{"wrong method for projects", "DELETE", "/projects", "", 405},
		{"wrong method for operations", "POST", ops, `{}`, 405},
		{"wrong method for the shared", "POST", "/projects/shared", "", 405},
		{"options", "OPTIONS", "/projects", "", 405},
		{"one project", "GET", "/projects/" + srv.BusiestProject(), "", 404},
		{"trailing slash", "GET", "/projects/", "", 404},
		{"two slashes", "GET", "//projects", "", 404},
		{"dots", "GET", "/x/../projects", "", 404},
		{"escaped slash", "GET", "%2Fprojects", "", 404},
		{"trailing slash of a list", "GET", ops + "/", "", 404},
		{"trailing slash of a write", "POST", "/api_keys/", `{"key_name":"a"}`, 404},
		{"method of its own", "FROBNICATE", "/projects", "", 405},
		{"trace", "TRACE", "/api_keys", "", 405},
		{"patch of a key", "PATCH", "/api_keys/1", `{"key_name":"a"}`, 405},
		{"the base", "GET", "", "", 404},
		{"another path", "GET", "/branches", "", 404},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			a := c.call(t, tc.method, tc.path, tc.body)
			a.problem(t, tc.status)
			if (tc.status == http.StatusMethodNotAllowed) != (a.header.Get("Allow") != "") {
				t.Errorf("Allow is %q", a.header.Get("Allow"))
			}
		})
	}
}

// Cursors of any time are valid, however far away.
func TestStrictFarCursors(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := handlerTarget(srv)
	for cursor, some := range map[string]bool{
		"0001-01-01T00:00:00Z":           false,
		"1970-01-01T00:00:00Z":           false,
		"9999-12-31T23:59:59.999999999Z": true,
		"2026-03-01T12:00:00.000001Z":    true,
		"2026-03-01T12:00:00.5Z":         true,
	} {
		var page operationPage
		c.get(t, "/projects/"+srv.BusiestProject()+"/operations?cursor="+cursor, &page)
		if (len(page.Operations) > 0) != some {
			t.Errorf("%s: %d operations", cursor, len(page.Operations))
		}
	}
}
