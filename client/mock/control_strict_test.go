package mock_test

import (
	"fmt"
	"strings"
	"testing"

	"pgtower/client/mock"
)

// Every invalid request gets a 4xx with a message, and changes nothing.
func TestControlRefusesInvalidRequests(t *testing.T) {
	t.Parallel()
	srv, _, c := controlled(t, mock.Options{})
	if err := srv.Set(0, 0); err != nil {
		t.Fatal(err)
	}
	ops := "/projects/" + srv.BusiestProject() + "/operations"
	state := func() string {
		now, speed := srv.Reading()
		return fmt.Sprint(now, speed, srv.Faults.All(), newest(t, handlerTarget(srv), srv.BusiestProject(), 1))
	}
	before := state()
	deep := strings.Repeat(`{"speed":`, 20_000)
	for _, tc := range []struct {
		method, path, body string
		status             int
	}{
		{"POST", "/clock", "", 400},
		{"POST", "/clock", "null", 400},
		{"POST", "/clock", "[]", 400},
		{"POST", "/clock", `{"speed": 10`, 400},
		{"POST", "/clock", `{"speed": 10}{}`, 400},
		{"POST", "/clock", `{"speed": "10"}`, 400},
		{"POST", "/clock", `{"speed": 1e999}`, 400},
		{"POST", "/clock", `{"fast": 10}`, 400},
		{"POST", "/clock", `{"speed": 10001}`, 422},
		{"POST", "/clock", `{"advance": "soon"}`, 400},
		{"POST", "/clock", `{"advance": "2000000h"}`, 422},
		{"POST", "/clock", deep, 413},
		{"POST", "/clock", deep[:60_000], 400},
		{"PUT", "/clock", `{"speed": 10}`, 405},
		{"POST", "/faults", "", 400},
		{"POST", "/faults", "bananas", 400},
		{"POST", "/faults", `{"status": 503}`, 400},
		{"POST", "/faults", strings.Repeat("x", 65<<10), 413},
		{"PUT", "/faults", "503", 405},
		{"DELETE", "/faults/1", "", 404},
		{"DELETE", "/faults/one", "", 400},
		{"DELETE", "/faults/9223372036854775808", "", 400},
		{"POST", ops, "", 400},
		{"POST", ops, "{}", 422},
		{"POST", ops, `{"action": ""}`, 422},
		{"POST", ops, `{"action": 1}`, 400},
		{"POST", ops, `{"action": "a", "fail": "yes"}`, 400},
		{"POST", ops, `{"action": "a", "run": 5}`, 400},
		{"POST", ops, `{"action": "a", "run": "long"}`, 400},
		{"POST", ops, `{"action": "a", "wait": "-1s"}`, 422},
		{"POST", ops, `{"action": "a", "project_id": "b"}`, 400},
		{"POST", "/projects/no-such-1/operations", `{"action": "a"}`, 404},
		{"POST", "/projects/NO/operations", `{"action": "a"}`, 404},
		{"GET", ops, "", 405},
		{"POST", ops + "/abc/fail", "", 404},
		{"POST", ops + "/6f1f2d3c-0000-4000-8000-000000000000/fail", "", 404},
		{"GET", ops + "/6f1f2d3c-0000-4000-8000-000000000000/fail", "", 405},
		{"POST", "/clock", `{"advance": "-1d"}`, 400},
		{"POST", "/clock", `{"advance": "d"}`, 400},
		{"POST", "/faults", "503 of /branches", 400},
		{"POST", "/faults", "503 count=0", 400},
		{"DELETE", "/", "", 405},
		{"OPTIONS", "/clock", "", 405},
		{"GET", "/nothing", "", 404},
		{"GET", "/clock/", "", 404},
		{"GET", "//clock", "", 404},
		{"GET", "/x/../clock", "", 404},
	} {
		r := c.request(t, tc.method, tc.path, tc.body)
		r.Header.Del("Content-Type") // whatever the content type
		a := c.send(t, r)
		if a.status != tc.status {
			t.Errorf("%s %s %.60s", tc.method, tc.path, tc.body)
		}
		a.problem(t, tc.status)
		if strings.Contains(string(a.body), "Go struct") {
			t.Errorf("%s %s %.60s names the program's types: %s", tc.method, tc.path, tc.body, a.body)
		}
	}
	if after := state(); after != before {
		t.Errorf("%s became %s", before, after)
	}
}
