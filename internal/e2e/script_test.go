//go:build unix

package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/client/mock/sim"
	"pgtower/internal/termtest"
)

// operations returns the operations of a project.
func (b *backend) operations(project string) (all []sim.Operation) {
	b.t.Helper()
	for cursor := ""; ; {
		page, next, err := b.Operations(project, cursor, 1000)
		if err != nil {
			b.t.Fatal(err)
		}
		if all = append(all, page...); next == "" {
			return all
		}
		cursor = next
	}
}

// inject adds a fault.
func (b *backend) inject(fault string) {
	b.t.Helper()
	if _, err := b.Inject(fault); err != nil {
		b.t.Fatal(err)
	}
}

// shell runs commands against the backend.
func (b *backend) shell() *shell { return newShell(b.t, b.env()...) }

type record = map[string]any

// following is a running pgtower operations --follow --json.
type following struct {
	cmd    *exec.Cmd
	stderr termtest.Buffer

	mu    sync.Mutex
	added map[string]int
	last  map[string]record
	gaps  map[string]bool // that are not filled yet
	wrong []string
}

func (b *backend) follow(args ...string) *following {
	b.t.Helper()
	f := &following{added: map[string]int{}, last: map[string]record{}, gaps: map[string]bool{}}
	cmd, out := b.shell().begin(&f.stderr, append([]string{"operations", "--follow", "--json", "--interval", "1s"}, args...)...)
	f.cmd = cmd
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			f.take(lines.Bytes())
		}
	}()
	return f
}

func (f *following) take(text []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var line record
	if err := json.Unmarshal(text, &line); err != nil {
		f.wrong = append(f.wrong, err.Error())
		return
	}
	id, _ := line["id"].(string)
	gap := fmt.Sprint(line["project_id"], line["since"], line["until"])
	switch before := f.last[id]; line["event"] {
	case "gap":
		f.gaps[gap] = true
		return
	case "filled":
		if !f.gaps[gap] {
			f.wrong = append(f.wrong, string(text))
		}
		delete(f.gaps, gap)
		return
	case "added":
		f.added[id]++
	case "changed":
		if f.added[id] != 1 || line["updated_at"].(string) < before["updated_at"].(string) {
			f.wrong = append(f.wrong, fmt.Sprint(before, " then ", line))
		}
	default:
		f.wrong = append(f.wrong, string(text))
	}
	f.last[id] = line
}

// tells reports whether it printed an operation as added once, and its last status.
func (f *following) tells(o sim.Operation) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.added[o.ID] == 1 && f.last[o.ID]["status"] == o.Status
}

// over reports whether an operation has ended for good: the mock tries those that fail again within 90 seconds, if at all.
func (b *backend) over(o sim.Operation) bool {
	b.t.Helper()
	updated, err := time.Parse(time.RFC3339Nano, o.UpdatedAt)
	if err != nil {
		b.t.Fatal(err)
	}
	return o.Status == "finished" || o.Status == "failed" && b.Now().Sub(updated) > 2*time.Minute
}

// Despite faults, sleep and a restart, each new operation is added once, and followed to its end.
func TestFollowPrintsEveryOperation(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{Operations: 10_000})
	f := b.follow("--since", "1m")
	b.begin(b.project("scratchpad"), "create_branch")
	wait := func(what string, is func() bool) { t.Helper(); await(t, what, is, &f.stderr) }
	wait("begin", func() bool { f.mu.Lock(); defer f.mu.Unlock(); return len(f.added) > 0 })
	b.inject("503 of list_operations p=0.2")
	began := time.Now()
	b.ahead.Store(int64(2 * time.Hour)) // hundreds of operations, many pages
	b.stop()
	wait("outage", func() bool { return strings.Contains(f.stderr.String(), "no response") })
	b.inject("429 of list_operations count=1 retry-after=1") // not before: ongoing trouble is reported once
	b.restart()
	projects, err := b.Projects("", "", "", 400)
	if err != nil {
		t.Fatal(err)
	}
	for _, project := range projects {
		var made []sim.Operation
		b.Faults.Clear()
		for _, o := range b.operations(project.ID) {
			created, _ := time.Parse(time.RFC3339Nano, o.CreatedAt)
			if created.After(began) && b.over(o) {
				made = append(made, o)
			}
		}
		if project.Name == "storefront" && len(made) < 200 {
			t.Fatalf("%d operations were made", len(made))
		}
		wait(project.Name, func() bool { return !slices.ContainsFunc(made, func(o sim.Operation) bool { return !f.tells(o) }) })
	}
	// What an outage left out for a while is said to be there again.
	wait("gaps", func() bool { f.mu.Lock(); defer f.mu.Unlock(); return len(f.gaps) == 0 })
	// A failure during the recovery from an outage is reported a minute later.
	wait("recovery", func() bool { return strings.Contains(f.stderr.String(), "responds again") })
	b.inject("403 of GET /projects/" + b.project("scratchpad") + "/operations")
	for _, line := range []string{"cannot read scratchpad: ", "can read scratchpad again"} {
		wait(line, func() bool { return strings.Count(f.stderr.String(), line) == 1 })
		b.Faults.Clear()
	}
	if err := f.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = f.cmd.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	for id, n := range f.added {
		if n != 1 {
			f.wrong = append(f.wrong, fmt.Sprint(id, " was added ", n, " times"))
		}
	}
	said := strings.Count(f.stderr.String(), "no response") == 1 && strings.Contains(f.stderr.String(), "responds again")
	if code := f.cmd.ProcessState.ExitCode(); code != 130 || len(f.wrong) > 0 || !said {
		t.Errorf("exit code %d, %q, said:\n%s", code, f.wrong, f.stderr.String())
	}
}
