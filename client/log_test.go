package client

import (
	"bufio"
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"pgtower/internal/faultserver"
	"pgtower/models"
)

// logged makes calls and returns their log lines.
func logged(t *testing.T, fault faultserver.Fault, calls func(*Client)) (lines []map[string]any, raw string) {
	t.Helper()
	var out bytes.Buffer
	s := faultserver.Start(t, fault)
	calls(connect(t, Options{
		BaseURL: s.URL() + "/api/v2", Log: slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}))
	raw = out.String()
	for lines := bufio.NewScanner(&out); lines.Scan(); {
		if !json.Valid(lines.Bytes()) {
			t.Errorf("not JSON: %s", lines.Text())
		}
	}
	for line := range strings.Lines(raw) {
		var one map[string]any
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		lines = append(lines, one)
	}
	return lines, raw
}

// Each attempt is one line with its outcome: level, status, kind, request id, and the bytes that were read.
func TestLogOfRequests(t *testing.T) {
	t.Parallel()
	lines, _ := logged(t, faultserver.Sequence(
		faultserver.JSON(503, `{"message":"not\u001b now"}`, "X-Request-Id: r-1"),
		faultserver.Reset(""),
		faultserver.JSON(200, `{"operations":[]}`, "X-Request-Id: r-3"),
	), func(c *Client) {
		for range 3 {
			_, _ = c.Operations(t.Context(), "a b", models.PageRequest{Limit: 7})
		}
	})
	if len(lines) != 3 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, want := range []map[string]any{
		{"level": "WARN", "status": 503.0, "kind": "the service failed", "request_id": "r-1", "bytes": 27.0},
		{"level": "WARN", "status": 0.0, "kind": "the service cannot be reached", "request_id": "", "bytes": 0.0},
		{"level": "DEBUG", "status": 200.0, "kind": "ok", "request_id": "r-3", "bytes": 17.0},
	} {
		want["msg"], want["method"], want["path"] = "request", "GET", "/api/v2/projects/a%20b/operations?limit=7"
		want["time"], want["duration"] = "2025-03-02T12:00:00Z", 0.0
		for name, v := range want {
			if lines[i][name] != v {
				t.Errorf("line %d: %s is %v, want %v", i, name, lines[i][name], v)
			}
		}
	}
	if said := lines[0]["error"].(string); !strings.Contains(said, "not\uFFFD now") {
		t.Errorf("the error is %q", said)
	}
}

// A key never gets into the log: not the session's, wherever the server echoes it, and not a new one.
func TestLogIsWithoutKeys(t *testing.T) {
	t.Parallel()
	const fresh = "napi_just-created"
	lines, raw := logged(t, faultserver.Sequence(
		faultserver.JSON(200, `{"id":1,"key":"`+fresh+`"}`, "X-Request-Id: "+testKey),
		faultserver.JSON(400, `{"message":"Bearer `+testKey+`","request_id":"`+testKey+`"}`),
		faultserver.JSON(302, "{}", "Location: https://elsewhere.example/"+testKey),
		faultserver.Raw("HTTP/1.1 200 OK\r\nContent-Type: text/"+testKey+"\r\n\r\n"),
		faultserver.Raw(testKey+"\r\n\r\n"),
	), func(c *Client) {
		if _, err := c.CreateAPIKey(t.Context(), "n", models.Reach{}); err != nil {
			t.Error(err)
		}
		for range 4 {
			_, _ = c.RevokeAPIKey(t.Context(), keyOf(1))
		}
	})
	if len(lines) != 5 || strings.Contains(raw, fresh) || strings.Contains(strings.ToLower(raw), testKey) || !strings.Contains(raw, "•••") {
		t.Errorf("logged %s", raw)
	}
}

// A request whose address would have the key is not sent, and logged without the key.
func TestLogOfRequestsThatWereNotMade(t *testing.T) {
	t.Parallel()
	lines, raw := logged(t, faultserver.JSON(200, emptyPage), func(c *Client) {
		_, err := c.Operations(t.Context(), "p-"+testKey, models.PageRequest{})
		wantKind(t, err, models.KindInvalid)
		_, err = c.Operations(t.Context(), "p", models.PageRequest{Cursor: testKey})
		wantKind(t, err, models.KindInvalid)
		_, err = c.Projects(t.Context(), models.ListID{Org: testKey}, models.PageRequest{})
		wantKind(t, err, models.KindInvalid)
	})
	if len(lines) != 3 || strings.Contains(raw, testKey) {
		t.Errorf("logged %s", raw)
	}
}
