package metrics

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// serve listens on an address until the test ends, and returns where.
func serve(t *testing.T, address string, remote bool) *Listener {
	t.Helper()
	l, err := Listen(t.Context(), address, remote)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() {
		served <- l.Serve(ctx, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "metrics") }))
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return l
}

// ask returns the status and the body of an answer, to a request with a Host header, or with the right one.
func ask(t *testing.T, method, url, host string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// A web page whose name leads to this computer gets nothing; whatever names this computer does.
func TestHostMustBeThisComputer(t *testing.T) {
	t.Parallel()
	l := serve(t, "127.0.0.1:0", false)
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]int{
		"": 200, "localhost": 200, "LOCALHOST:" + port: 200, "127.0.0.1": 200, "127.1.2.3:1": 200, "[::1]:" + port: 200, "[::1]": 200,
		"evil.example": 421, "evil.example:" + port: 421, "localhost.evil.example": 421, "10.0.0.1:" + port: 421, "127.0.0.1.nip.io": 421,
	} {
		if status, _ := ask(t, http.MethodGet, l.URL(), host); status != want {
			t.Errorf("%q: %d, want %d", host, status, want)
		}
	}
}

// Without a host, the server is on loopback. It has the metrics and a page that points to them, and no other.
func TestPages(t *testing.T) {
	t.Parallel()
	l := serve(t, ":0", false)
	if !strings.HasPrefix(l.URL(), "http://127.0.0.1:") {
		t.Errorf("without a host, it is at %s", l.URL())
	}
	root := strings.TrimSuffix(l.URL(), "/metrics")
	for _, c := range []struct {
		method, path string
		status       int
		body         string
	}{
		{http.MethodGet, "/metrics", 200, "metrics"},
		{http.MethodHead, "/metrics", 200, ""},
		{http.MethodPost, "/metrics", 405, "Method Not Allowed\n"},
		{http.MethodGet, "/", 200, "pgtower: the metrics are at /metrics\n"},
		{http.MethodGet, "/debug/pprof/", 404, "404 page not found\n"},
	} {
		if status, body := ask(t, c.method, root+c.path, ""); status != c.status || body != c.body {
			t.Errorf("%s %s: %d %q", c.method, c.path, status, body)
		}
	}
}

// Other machines reach it only where that is allowed, and then by any name.
func TestRemoteIsAllowedFirst(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"0.0.0.0:0", "[::]:0", "192.0.2.1:9187"} {
		if _, err := Listen(t.Context(), address, false); !errors.Is(err, ErrRemote) {
			t.Errorf("%s: %v", address, err)
		}
	}
	l := serve(t, "0.0.0.0:0", true)
	if !l.Remote() || !strings.HasPrefix(l.URL(), "http://127.0.0.1:") {
		t.Errorf("%s: %t", l.URL(), l.Remote())
	}
	if status, _ := ask(t, http.MethodGet, l.URL(), "metrics.example"); status != http.StatusOK {
		t.Errorf("%d", status)
	}
}

// An address in use and one that is no host:port are errors that name it.
func TestAddressThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	taken := serve(t, "127.0.0.1:0", false).Addr().String()
	for address, want := range map[string]string{
		taken: taken + " is already in use", "9187": "is not host:port", "127.0.0.1:port": "is not host:port", "127.0.0.1:99999": "is not host:port",
	} {
		if _, err := Listen(t.Context(), address, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", address, err)
		}
	}
}
