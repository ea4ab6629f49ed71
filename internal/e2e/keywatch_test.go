//go:build unix

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// watching is a running pgtower apikeys watch.
type watching struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdout termtest.Buffer
	stderr termtest.Buffer
}

// watchKeys watches the keys as the user of a shell.
func (s *shell) watchKeys() *watching {
	s.t.Helper()
	w := &watching{t: s.t}
	w.cmd = exec.CommandContext(s.t.Context(), termtest.Binary(s.t), "apikeys", "watch", "--json", "--interval", "10s")
	w.cmd.Env, w.cmd.Dir, w.cmd.Stdout, w.cmd.Stderr = s.env, s.home, &w.stdout, &w.stderr
	if err := w.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = w.cmd.Wait() }) // the end of the test's context has killed it
	return w
}

// toldEvent has the fields that identify a line of the output.
type toldEvent struct {
	Event      string `json:"event"`
	ID         int64  `json:"id"`
	LastUsedAt string `json:"last_used_at"`
}

// told returns the events that were printed.
func (w *watching) told() (events []toldEvent) {
	w.t.Helper()
	for line := range strings.Lines(w.stdout.String()) {
		if !strings.HasSuffix(line, "\n") {
			continue // it is being written
		}
		var event toldEvent
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			w.t.Fatalf("%v: %s", err, line)
		}
		events = append(events, event)
	}
	return events
}

// Two watchers of one home report each event once between them, and run the program of the view once. They say when a list
// cannot be read and when it can again, and record the uses of a month.
func TestWatchersTellEachEventOnce(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	s := b.shell()
	s.config(`[[views]]
name = "New keys"
page = "apikeys"
filter = "event:new-key"
alert = true
run = ["sh", "-c", "echo $0 >> ran", "{name}"]
`)
	watchers := []*watching{s.watchKeys(), s.watchKeys()}
	await(t, "both have read the list", func() bool { return b.count("GET /api_keys") >= len(watchers) })
	await(t, "the list is written down", func() bool { return len(s.uses()) > 0 })
	before := len(s.uses())

	b.shell().run("", "apikeys", "create", "made-elsewhere", "--everything", "--print").ends(0)
	id, secret := b.createdKey()
	count := func(event string, id int64) (n int) {
		for _, w := range watchers {
			for _, e := range w.told() {
				if e.Event == event && e.ID == id {
					n++
				}
			}
		}
		return n
	}
	await(t, "the new key is told", func() bool { return count("new-key", id) > 0 })

	// The command has tried its new key: the address of this machine is the key's first one, and so none that is new.
	await(t, "a use from this machine", func() bool { return strings.Contains(strings.Join(s.uses(), ""), `"name":"made-elsewhere"`) })
	b.ahead.Add(int64(time.Hour))
	b.UseKey(secret, "203.0.113.7")
	await(t, "the new address is told", func() bool { return count("new-address", id) > 0 })

	b.ahead.Store(int64(30 * 24 * time.Hour))
	await(t, "uses of the month", func() bool { return len(s.uses()) > before })

	b.stop()
	for _, w := range watchers {
		w.stderr.Wait(t, "cannot read")
	}
	b.restart()
	b.ahead.Add(int64(time.Hour)) // uses from before the outage must not be reported again
	for _, w := range watchers {
		w.stderr.Wait(t, "can read the account's keys again")
	}
	for _, w := range watchers {
		if err := w.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if _ = w.cmd.Wait(); w.cmd.ProcessState.ExitCode() != 130 {
			t.Errorf("exit code %d: %s", w.cmd.ProcessState.ExitCode(), w.stderr.String())
		}
	}

	once := map[toldEvent]bool{}
	for _, w := range watchers {
		for _, e := range w.told() {
			if once[e] {
				t.Errorf("told twice: %v", e)
			}
			once[e] = true
		}
	}
	for _, event := range []string{"new-key", "new-address"} {
		if n := count(event, id); n != 1 {
			t.Errorf("%s was told %d times", event, n)
		}
	}
	ran, err := os.ReadFile(filepath.Join(s.home, "ran"))
	if err != nil || string(ran) != "made-elsewhere\n" {
		t.Errorf("the program of the view ran for %q, %v", ran, err)
	}
}

// uses returns the uses that were seen, as the command prints them.
func (s *shell) uses() (lines []string) {
	s.t.Helper()
	out := s.run("", "apikeys", "uses", "--json", "--since", "90d").ends(0).stdout
	for line := range strings.Lines(out) {
		lines = append(lines, line)
	}
	return lines
}

// await waits for a condition. The failure shows what programs have written.
func await(t *testing.T, what string, wanted func() bool, written ...*termtest.Buffer) {
	t.Helper()
	for end := time.Now().Add(deadline); !wanted(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not in time\n%v", what, written)
		}
	}
}
