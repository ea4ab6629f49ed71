package mock_test

import (
	"bufio"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
)

// What net/http refuses by itself is refused in the API's words, and logged.
func TestUnreadableRequests(t *testing.T) {
	t.Parallel()
	srv, clock := newServer(t, mock.Options{})
	log := make(journal, 100)
	l, err := mock.Listen(t.Context(), srv, mock.ListenOptions{Unreadable: slog.NewJSONHandler(log, nil), Clock: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	const get = "GET /api/v2/projects HTTP/1.1\r\nHost: x\r\n"
	for sent, want := range map[string]struct {
		status int
		words  string
	}{
		"nonsense\r\n\r\n": {400, "cannot be read"},
		"GET /api/v2/projects%ZZ HTTP/1.1\r\nHost: x\r\n\r\n":  {400, "cannot be read"},
		"GET /api/v2/projects\r\n\r\n":                         {400, "cannot be read"},
		"GET /api/v2/projects HTTP/9.1\r\nHost: x\r\n\r\n":     {400, "unsupported protocol version"},
		"GET /api/v2/projects HTTP/1.1\r\n\r\n":                {400, "missing required Host header"},
		get + "A: " + strings.Repeat("a", 80<<10) + "\r\n\r\n": {431, "larger than 65536 bytes"},
		get + "Content-Length: many\r\n\r\n":                   {400, "cannot be read"},
		get + "Transfer-Encoding: gzip\r\n\r\n":                {400, "Unsupported transfer encoding"},
	} {
		a := raw(t, l.Addr(), sent)
		a.problem(t, want.status)
		if !strings.Contains(string(a.body), want.words) {
			t.Errorf("%.60q: %s", sent, a.body)
		}
		_, lines := log.next(t, 1)
		var body record
		if err := json.Unmarshal(a.body, &body); err != nil {
			t.Fatal(err)
		}
		line := lines[0]
		if line["status"] != float64(want.status) || line["bytes"] != float64(len(a.body)) || line["unreadable"] != body["message"] ||
			line["request_id"] != body["request_id"] || a.header.Get("X-Request-ID") != body["request_id"] {
			t.Errorf("%s is logged as %v", a.body, line)
		}
	}
}

// What a handler answers is left as it is, however much it looks like net/http's own.
func TestAnswersAreNotReworded(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := overHTTP(t, srv)
	say(t, srv, `400 body="400 Bad Request" type="text/plain; charset=utf-8"`)
	a := c.call(t, http.MethodGet, "/projects", "")
	if a.status != 400 || string(a.body) != "400 Bad Request" || !strings.HasPrefix(a.header.Get("Content-Type"), "text/plain") {
		t.Errorf("%d %v %s", a.status, a.header, a.body)
	}
	addr := strings.TrimSuffix(strings.TrimPrefix(c.base, "http://"), mock.BasePath)
	for _, sent := range []string{
		"OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
		"CONNECT x:1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
	} {
		if a := raw(t, addr, sent); a.status/100 != 4 {
			t.Errorf("%q: %d", sent, a.status)
		}
	}
}

// raw sends bytes and reads one answer and the end of the connection.
func raw(t *testing.T, addr, sent string) answer {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	_, _ = io.WriteString(conn, sent)
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		t.Fatalf("%.60q: %v", sent, err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%.60q: %v", sent, err)
	}
	if _, err := r.ReadByte(); err == nil {
		t.Errorf("%.60q: there is more after the answer", sent)
	}
	return answer{resp.StatusCode, resp.Header, body}
}
