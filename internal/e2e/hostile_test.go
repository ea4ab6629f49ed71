//go:build unix

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgtower/internal/termtest"
	"pgtower/models"
)

// hostile tries to act on the terminal in every possible way; harmless has the same width.
const hostile = "a\x1b[2J\x1b]0;owned\x07\u009b31m\u009d0;owned\u009c\u202Eevil\u200B\r\n\tb\x1b[10;1H\x1bPq\x1b\\\u2066\x7f"

func harmless() string { return strings.ReplaceAll(models.Clean(hostile), "\uFFFD", "Ж") }

// sessionKey is the key of the sessions of walk.
const sessionKey = "napi_hostile-test"

// everywhere is a service in which every text is the same.
func everywhere(text string) http.Handler {
	operation := map[string]any{
		"id": "op-1" + text, "project_id": "p1", "branch_id": text, "endpoint_id": text, "action": text, "status": text, "error": text,
		text: text, // without times: ages would change during the test
	}
	project := map[string]any{
		"id": "p1", "name": text, "platform_id": text, "region_id": text, "provisioner": text, "proxy_host": text,
		"created_at": "2022-11-09T20:47:27Z", "updated_at": "2022-11-09T20:47:27Z",
	}
	answer := func(w http.ResponseWriter, status int, v any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(v)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/projects", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]any{"projects": []any{project}})
	})
	mux.HandleFunc("/projects/p1/operations", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]any{"operations": []any{operation}, "pagination": map[string]any{"cursor": text}})
	})
	mux.HandleFunc("/projects/p1/operations/{id}", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]any{"operation": operation})
	})
	mux.HandleFunc("/api_keys", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusForbidden, map[string]any{"message": text, "request_id": text, "code": text})
	})
	return mux
}

// walk visits the pages of a service and returns their screens.
func walk(t *testing.T, text string) (shown []termtest.Screen, p *program) {
	t.Helper()
	srv := httptest.NewServer(everywhere(text))
	t.Cleanup(srv.Close)
	config := filepath.Join(t.TempDir(), "config.toml")
	columns := "[layout]\nprojects = ['name', 'health', 'region', 'provisioner']\n" // not how long ago each was read
	if err := os.WriteFile(config, []byte(columns), 0o600); err != nil {
		t.Fatal(err)
	}
	p = start(t, termtest.Options{
		Args: []string{"--interval", "5m", "--config", config},
		Env:  []string{"PGTOWER_BASE_URL=" + srv.URL, "PGTOWER_API_KEY=" + sessionKey},
	})
	look := func(wait ...string) {
		p.Wait(wait...)
		p.Settle(settled)
		shown = append(shown, p.Screen())
	}
	p.Wait("● live, every 5m")
	p.Press("k", "d")
	look("project_id")
	p.Press("enter", "enter")
	p.Wait(`"operation": {`)
	p.leave(`"operation": {`)
	p.Wait("STATUS")
	p.Press("y")
	look("of the whole operation")
	p.leave("of the whole operation")
	p.Press("2")
	look("REGION")
	look("provisioner")
	p.Press("3")
	look("status 403")
	return shown, p
}

// No text of the service can change anything on the screen but its own cells.
func TestHostileServiceStaysInItsCells(t *testing.T) {
	t.Parallel()
	got, p := walk(t, hostile)
	want, other := walk(t, harmless())
	for i := range want {
		if diff := firstDifference(got[i], want[i]); diff != "" {
			t.Errorf("screen %d: %s\n%s\n\nwant\n%s", i, diff, got[i], want[i])
		}
	}
	if p.Title() != strings.ReplaceAll(other.Title(), "Ж", "\uFFFD") || p.Bells() != other.Bells() {
		t.Errorf("title %q, want %q; %d bells, want %d", p.Title(), other.Title(), p.Bells(), other.Bells())
	}
	for _, bad := range []string{"\x1b]0;owned", "\u009b", "\u009d", "\x9b31m", "\u202E", "\u2066", "\u200B", "\x1bPq", "\x1b[10;1H\x1bP"} {
		if bytes.Contains(p.Wrote(), []byte(bad)) {
			t.Errorf("%q was written to the terminal", bad)
		}
	}
	p.quit()
	other.quit()
}

// A service may quote the session's key in every text. It never appears on the screen or in a file.
func TestKeyInEveryText(t *testing.T) {
	t.Parallel()
	_, p := walk(t, sessionKey)
	dir := t.TempDir()
	p.Press("1")
	p.Wait("failures_count")
	for _, name := range []string{"feed.csv", "feed.json"} {
		path := filepath.Join(dir, name)
		p.Press("e")
		p.Wait("Saves the")
		p.Press("ctrl+u")
		p.enter(path)
		p.Wait("saved to", name)
		if b, err := os.ReadFile(path); err != nil || bytes.Contains(b, []byte(sessionKey)) || !bytes.Contains(b, []byte("op-1•••")) {
			t.Errorf("%v: %s", err, b)
		}
	}
	p.Press("!")
	p.Wait("status 403")
	p.leave("status 403")
	p.quit()
	p.neverShowed(sessionKey)
}

// firstDifference compares all cells below the header, which contains the time.
func firstDifference(got, want termtest.Screen) string {
	for y := 1; y < want.Rows; y++ {
		for x := range want.Cols {
			g, w := got.Cell(x, y), want.Cell(x, y)
			if g.Text == "\uFFFD" && w.Text == "Ж" {
				g.Text = w.Text
			}
			if digits := "0123456789"; strings.ContainsAny(g.Text, digits) && strings.ContainsAny(w.Text, digits) {
				g.Text = w.Text // of the time at which the project was read
			}
			if g.Text == " " && w.Text == " " {
				// Blanks differ invisibly: the program may have erased the cells or written spaces, whichever was
				// shorter.
				g.Fg, g.Bold, g.Faint = w.Fg, w.Bold, w.Faint
			}
			if g != w {
				return fmt.Sprintf("line %d, column %d is %+v, want %+v", y, x, g, w)
			}
		}
	}
	return ""
}
