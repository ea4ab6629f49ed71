//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"pgtower/internal/termtest"
)

// sessionKey is the key of the sessions with commands.
const sessionKey = "napi_hostile-test"

// printer prints its arguments, a line each, and how many variables of its environment have the key of the session.
const printer = `for a; do printf '<%s>\n' "$a"; done; printf 'keys %s\n' "$(env | grep -c hostile-test)"`

// withCommands runs pgtower with commands on projects with these names; the first is selected.
func withCommands(t *testing.T, commands string, names ...string) (p *program, home string) {
	t.Helper()
	var projects []any
	for i, name := range names {
		projects = append(projects, map[string]any{"id": "p" + strconv.Itoa(i), "name": name, "proxy_host": "db.example"})
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/projects", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"projects": projects})
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprint(w, `{"operations": []}`)
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	home = t.TempDir()
	path := filepath.Join(home, "config.toml")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(commands, "PRINTER", strconv.Quote(printer))), 0o600); err != nil {
		t.Fatal(err)
	}
	p = start(t, termtest.Options{
		Args: []string{"--interval", "5m", "--read-only"}, Home: home,
		Env: []string{
			"PGTOWER_BASE_URL=" + srv.URL, "PGTOWER_API_KEY=" + sessionKey, "NEON_API_KEY=" + sessionKey,
			"PGTOWER_CONFIG=" + path, unwatched,
		},
	})
	p.Sees("● live")
	return p, home
}

// A project's name stays within one argument of a program, which no shell reads, and is no option.
func TestCommandsWithHostileNames(t *testing.T) {
	t.Parallel()
	const commands = `
[[commands]]
name = "show"
key = "f5"
page = "projects"
run = ["sh", "-c", PRINTER, "sh", "name={name}", "{name}", "{id}"]
where = "output"

[[commands]]
name = "dashing"
key = "f6"
page = "projects"
run = ["sh", "-c", PRINTER, "sh", "{name}"]
where = "output"
allow_dash = true
`
	names := []string{"-rf", "$(touch owned)`touch owned`;touch owned", "a 'b' \"c\" \\", "two\nlines\x1b[2J", "{id} *"}
	shown := []string{"", names[1], names[2], "two\uFFFDlines\uFFFD[2J", names[4]}
	p, home := withCommands(t, commands, names...)
	p.Projects()
	for i := range names {
		p.Press("f5")
		if i == 0 {
			p.Sees(`Can't run show: the argument "-rf" would begin with a dash`)
			p.Press("f6")
			p.Sees("<-rf>", "keys 0", "✓ dashing ended")
		} else {
			p.Sees("<name="+shown[i]+">", "<"+shown[i]+">", "<p"+strconv.Itoa(i)+">", "keys 0", "✓ show ended")
		}
		p.Press("esc")
		p.SeesNot("keys 0")
		p.Press("j")
	}
	if found, _ := filepath.Glob(filepath.Join(home, "owned")); len(found) > 0 {
		t.Error("a shell has read a name")
	}
	p.neverShowed(sessionKey)
	p.quit()
}

// A command is an action: it has a key, is listed in help, palette and footer, and asks first if configured.
func TestCommandsAreActions(t *testing.T) {
	t.Parallel()
	p, _ := withCommands(t, `
[[commands]]
name = "tell"
key = "f5"
page = "projects"
run = ["sh", "-c", "printf 'first\nlast %s\n' \"$1\"; exit 3", "sh", "{name}"]
where = "background"
confirm = "Tell of {name}?"
footer = true

[[commands]]
name = "lost"
page = "projects"
run = ["no-such-program-of-pgtower", "{name}"]
where = "background"

[[commands]]
name = "wrong"
key = "r"
page = "projects"
run = ["true"]
`, "shop")
	p.Sees(`Ignored config.toml:19:1: key: "r" is already the key of refresh`) // until the first key
	p.Projects()
	p.Sees("f5 tell")
	p.Press("f5")
	asked := p.Question("tell")
	asked.Reads("Tell of shop?")
	asked.Leave()
	p.Press("f5")
	asked.Confirm()
	p.Sees("✗ tell failed (exit status 3): last shop")
	p.Press("?")
	p.Sees("f5 tell")
	p.Dialog("Projects: keys").Leave()
	p.Command("lost")
	p.Sees("✗ lost could not run (no-such-program-of-pgtower")
	p.quit()
}

// A program has the terminal and its signals to itself, and the screen is restored afterwards.
func TestCommandInTheTerminal(t *testing.T) {
	t.Parallel()
	p, _ := withCommands(t, `
[[commands]]
name = "ask"
key = "f5"
page = "projects"
run = ["sh", "-c", "trap 'echo interrupted' INT; trap 'echo quit' QUIT; echo asking about $1; while :; do read -r l || continue; case $l in bye) exit 0;; fail) exit 4;; *) echo got $l;; esac; done", "sh", "{name}"]
`, "shop")
	p.Projects()
	for round := range 2 {
		p.Press("f5")
		p.Sees("asking about shop")
		p.SeesNot("REGION")
		// The first round's output still shows in the second one.
		hello := fmt.Sprint("hello", round)
		p.Send(hello + "\n")
		p.Sees("got " + hello)
		p.Press("ctrl+c")
		p.Sees("interrupted")
		p.Send("\x1c\n")
		p.Sees("quit")
		p.Send("bye\n")
		p.Sees("REGION", "✓ ask ended")
		p.Press("1")
		p.SeesNot("REGION")
		p.Projects()
	}
	p.Press("f5")
	p.Sees("asking about shop")
	p.SeesNot("REGION")
	p.Send("fail\n")
	p.Sees("failed (exit status 4). Press enter to return to pgtower.")
	p.Send("\n")
	p.Sees("REGION", "✗ ask failed (exit status 4)")
	p.Press("f5")
	p.Sees("asking about shop")
	p.SeesNot("REGION")
	p.Signal(syscall.SIGTERM)
	p.ended()
}

// Background programs and their children end with pgtower.
func TestCommandsEndWithPgtower(t *testing.T) {
	t.Parallel()
	p, home := withCommands(t, `
[[commands]]
name = "stay"
key = "f5"
page = "projects"
run = ["sh", "-c", "sleep 600 & echo $! >new; mv new pid; wait"]
where = "background"
`, "shop")
	p.Projects()
	p.Press("f5")
	p.Sees("stay is running")
	p.until("the program", func() bool { _, err := os.Stat(filepath.Join(home, "pid")); return err == nil })
	p.quit()
	pid := pidIn(t, home)
	p.until("the end of its child", func() bool { return !alive(pid) })
}

// alive reports whether a process runs. An ended one may still wait for its parent.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return syscall.Kill(pid, 0) == nil && (err != nil || !strings.Contains(string(stat), ") Z "))
}
