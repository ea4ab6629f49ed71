//go:build unix

package e2e

import (
	"net/http"
	"strings"
	"testing"
)

// control is the control surface of the same process.
func (a api) control() api {
	a.base, a.key = strings.TrimSuffix(a.base, "/api/v2")+"/_mock", ""
	return a
}

func TestMockIsControlledByFlagsAndOverHTTP(t *testing.T) {
	t.Parallel()
	a, stop := startMock(t, []string{"--speed", "0", "--latency", "1ms±1ms", "--fault", "429 of list_keys retry-after=2"}, nil)
	status, header := a.call(http.MethodGet, "/api_keys", "", nil)
	if status != http.StatusTooManyRequests || header.Get("Retry-After") != "2" {
		t.Errorf("status %d, %v", status, header)
	}
	c := a.control()
	var before, after record
	c.call(http.MethodGet, "/clock", "", &before)
	c.call(http.MethodGet, "/clock", "", &after)
	if before["now"] == nil || before["now"] != after["now"] {
		t.Errorf("time did not stand: %v, then %v", before, after)
	}
	var list struct{ Faults []record }
	if status, _ := c.call(http.MethodDelete, "/faults/2", "", &list); status != http.StatusOK || len(list.Faults) != 1 {
		t.Errorf("status %d, faults %v", status, list)
	}
	if !a.accepts(a.key) || !a.hasKey("ci-deploy") {
		t.Error("it is still out of order")
	}
	if code := stop(); code != 0 {
		t.Errorf("exit code %d after SIGINT", code)
	}
}

func TestMockWithoutControl(t *testing.T) {
	t.Parallel()
	a, stop := startMock(t, []string{"--control=false"}, nil)
	if status, _ := a.control().call(http.MethodGet, "/clock", "", nil); status != http.StatusNotFound {
		t.Errorf("status %d", status)
	}
	if code := stop(); code != 0 {
		t.Errorf("exit code %d after SIGINT", code)
	}
}

func TestMockRefusesInvalidFlags(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--fault", "bananas"}, {"--latency", "soon"}, {"--speed", "-1"}, {"--state", "state.json"}} {
		stdout, stderr, code := run(t, append([]string{"mock", "--listen", "127.0.0.1:0"}, args...)...)
		if code != 2 || stdout != "" || !strings.Contains(stderr, "See pgtower") {
			t.Errorf("%q: exit code %d, %q, %q", args, code, stdout, stderr)
		}
	}
}
