//go:build unix

package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// lines returns the printed objects, one a line.
func (o outcome) lines() (all []record) {
	o.t.Helper()
	d := json.NewDecoder(strings.NewReader(o.stdout))
	d.UseNumber()
	for d.More() {
		var one record
		if err := d.Decode(&one); err != nil {
			o.t.Fatalf("%v in %q", err, o.stdout)
		}
		all = append(all, one)
	}
	return all
}

// all returns the operations of a project, from the service's pages.
func (a api) all(project string) (all []record) {
	a.t.Helper()
	for query := "?limit=1000"; ; {
		var page struct {
			Operations []record
			Pagination struct{ Cursor string }
		}
		a.call(http.MethodGet, "/projects/"+project+"/operations"+query, "", &page)
		all = append(all, page.Operations...)
		if len(page.Operations) == 0 || page.Pagination.Cursor == "" {
			return all
		}
		query = "?limit=1000&cursor=" + url.QueryEscape(page.Pagination.Cursor)
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

// Despite faults, the lines are the service's operations, each once and newest first.
func TestOperationsAreThoseOfTheService(t *testing.T) {
	t.Parallel()
	m := serveJSON(t, "127.0.0.1:0", "--operations", "4000", "--start", "2026-11-21T12:00:00Z", "--speed", "0")
	defer m.stop(syscall.SIGTERM)
	// The service's clock is known to the second only.
	want, least, most := m.api().all(m.BusiestProject), 0, 0
	for _, project := range m.api().projects() {
		for _, o := range m.api().all(project["id"].(string)) {
			switch at := o["created_at"].(string); {
			case at >= "2026-11-21T06:00:02Z":
				least++
				most++
			case at >= "2026-11-21T05:59:58Z":
				most++
			}
		}
	}
	for _, fault := range []string{
		"503 of list_operations p=0.1", "429 of list_operations count=2 retry-after=1", "truncate of list_operations p=0.05",
	} {
		m.api().control().call(http.MethodPost, "/faults", fault, nil)
	}
	s := newShell(t, "PGTOWER_BASE_URL="+m.BaseURL, "PGTOWER_API_KEY="+m.APIKey)
	got := s.run("", "operations", "--project", m.BusiestProject, "--json", "--limit", "20000", "--budget", "100",
		"--page-size", "400").ends(0).lines()
	if len(got) != len(want) || len(got) < 4_000 {
		t.Fatalf("%d lines of %d operations", len(got), len(want))
	}
	for i := range want {
		if name := got[i]["project_name"]; name != "storefront" {
			t.Fatalf("project %v", name)
		}
		delete(got[i], "project_name")
		delete(got[i], "duration_ms")
		if w, g := fmt.Sprint(want[i]), fmt.Sprint(got[i]); w != g {
			t.Fatalf("line %d is\n%s, not\n%s", i+1, g, w)
		}
	}

	merged := s.run("", "operations", "--json", "--since", "6h", "--budget", "100").ends(0).lines()
	newestFirst := func(a, b record) int { return strings.Compare(b["created_at"].(string), a["created_at"].(string)) }
	if len(merged) < least || len(merged) > most || !slices.IsSortedFunc(merged, newestFirst) {
		t.Errorf("%d lines of all projects, %d to %d operations", len(merged), least, most)
	}
	s.run("", "operations", "--filter", "is:failed", "--limit", "3", "--csv").ends(0, "id,project_id,project_name", ",failed,")
	m.api().control().call(http.MethodPost, "/faults", "403 of GET /projects/"+m.BusiestProject+"/operations", nil)
	s.run("", "operations", "--limit", "1").ends(1, "incomplete: cannot read storefront", "403")
}

// A report names every failure of its span, and what could not be read.
func TestReportOfIncidents(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{
		Start: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), Speed: new(float64), Live: true, DemoIncidents: true,
	})
	s := b.shell()
	text := s.run("", "report", "--since", "2026-11-21 11:30", "--until", "2026-11-21 11:58").ends(0, "Failed: ").stdout
	for _, project := range b.api.projects() {
		for _, o := range b.api.all(project["id"].(string)) {
			began, ended := o["created_at"].(string), o["updated_at"].(string)
			in := o["status"] == "failed" && began < "2026-11-21T11:58:00Z" && ended >= "2026-11-21T11:30:00Z"
			if id := o["id"].(string); in && strings.Count(text, id) != 1 {
				t.Errorf("%s is %d times in\n%s", id, strings.Count(text, id), text)
			}
		}
	}
	if !strings.Contains(text, "no free capacity in the region") || !strings.Contains(text, "Nothing: all operations") {
		t.Error(text)
	}
	s.run("", "report", "--since", "soon").ends(2, "must be a time or a duration")
	s.run("", "report", "--since", "1h", "--until", "2h").ends(2, "is not after")
	b.inject("403 of GET /projects/" + b.project("storefront") + "/operations")
	s.run("", "report", "--since", "15m", "--markdown").ends(1, "## Not read", "cannot read storefront")
}

// Times and durations use the service's clock, however far that is from the local one.
func TestScriptsGoByTheServicesClock(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{-2400 * time.Hour, 26 * time.Hour, 2400 * time.Hour} {
		b := serve(t, mock.Options{Start: time.Now().Add(ahead)})
		now, project := b.Now(), b.project("storefront")
		since := now.Add(-time.Hour)
		want := 0
		for _, o := range b.api.all(project) {
			if created, _ := time.Parse(time.RFC3339Nano, o["created_at"].(string)); created.After(since.Add(time.Minute)) {
				want++
			}
		}
		for _, args := range [][]string{
			{"--since", "1h"}, {"--filter", "age:<1h"}, {"--filter", "after:" + since.UTC().Format("2006-01-02T15:04:05")},
		} {
			args = append([]string{"operations", "--project", project, "--json", "--budget", "100", "--time", "utc"}, args...)
			got := b.shell().run("", args...).ends(0).lines()
			if want < 20 || len(got) < want || len(got) > want+60 {
				t.Errorf("%v ahead, %q: %d lines of at least %d", ahead, args, len(got), want)
			}
		}
		f := b.follow("--project", project, "--since", "1h")
		for end := time.Now().Add(deadline); !f.has(want) && time.Now().Before(end); {
			time.Sleep(20 * time.Millisecond)
		}
		_ = f.cmd.Process.Signal(syscall.SIGINT)
		_ = f.cmd.Wait()
		if !f.has(want) {
			t.Errorf("%v ahead: %d operations were followed of %d", ahead, len(f.added), want)
		}
	}
}

// following is a running pgtower operations --follow --json.
type following struct {
	cmd    *exec.Cmd
	stderr lockedBuffer

	mu    sync.Mutex
	added map[string]int
	last  map[string]record
	wrong []string
}

func (b *backend) follow(args ...string) *following {
	b.t.Helper()
	f := &following{added: map[string]int{}, last: map[string]record{}}
	f.cmd = exec.CommandContext(b.t.Context(), termtest.Binary(b.t),
		append([]string{"operations", "--follow", "--json", "--interval", "1s", "--budget", "50"}, args...)...)
	f.cmd.Env, f.cmd.Stderr = b.shell().env, &f.stderr
	out, err := f.cmd.StdoutPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := f.cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
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
	switch before := f.last[id]; line["event"] {
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

// has reports whether it printed n operations.
func (f *following) has(n int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.added) >= n
}

// tells reports whether it printed an operation as added once, and its last status.
func (f *following) tells(o record) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	id := o["id"].(string)
	return f.added[id] == 1 && f.last[id]["status"] == o["status"]
}

// Despite faults, sleep and a restart, each new operation is added once, and followed to its end.
func TestFollowPrintsEveryOperation(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{Operations: 10_000})
	f := b.follow("--since", "1m")
	b.begin(b.project("scratchpad"), "create_branch", time.Hour)
	wait := func(what string, is func() bool) {
		for end := time.Now().Add(deadline); !is(); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: not in time\n%s", what, f.stderr.String())
			}
		}
	}
	wait("begin", func() bool { f.mu.Lock(); defer f.mu.Unlock(); return len(f.added) > 0 })
	b.inject("503 of list_operations p=0.2")
	b.inject("429 of list_operations count=1 retry-after=1")
	began := time.Now()
	b.ahead.Store(int64(2 * time.Hour)) // hundreds of operations, many pages
	b.stop()
	wait("outage", func() bool { return strings.Contains(f.stderr.String(), "no response") })
	b.restart()
	for _, project := range b.api.projects() {
		var made []record
		b.Faults.Clear()
		for _, o := range b.api.all(project["id"].(string)) {
			created, _ := time.Parse(time.RFC3339Nano, o["created_at"].(string))
			done := o["status"] == "finished" || o["status"] == "failed"
			if created.After(began) && done {
				made = append(made, o)
			}
		}
		if project["name"] == "storefront" && len(made) < 200 {
			t.Fatalf("%d operations were made", len(made))
		}
		wait(project["name"].(string), func() bool { return !slices.ContainsFunc(made, func(o record) bool { return !f.tells(o) }) })
	}
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

func TestWait(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	s, project := b.shell(), b.project("scratchpad")
	start := func(run time.Duration, fail bool) string {
		started, err := b.Start(mock.Task{ProjectID: project, Action: "create_branch", Wait: time.Millisecond, Run: run, Fail: fail})
		if err != nil {
			t.Fatal(err)
		}
		return started.ID
	}
	s.run("", "wait", start(time.Second, false), "--interval", "1s").ends(0, "finished\t", "scratchpad")
	fails, long := start(time.Second, true), start(time.Hour, false)
	s.run("", "wait", fails, "--project", project, "--json", "--interval", "1s", "--retry-within", "1s").ends(1, `"result":"failed"`, `"project_name":"scratchpad"`)
	late := s.run("", "wait", start(time.Hour, false), "--interval", "1m", "--timeout", "1s", "--json").ends(4).lines()
	if ms, err := late[0]["duration_ms"].(json.Number).Int64(); err != nil || ms < 400 { // the clocks are known within half a second
		t.Errorf("it was running for %d ms when the wait ended (%v)", ms, err)
	}
	for range 15 { // push it off the newest page
		start(time.Millisecond, false)
	}
	s.run("", "wait", "--project", project, "--timeout", "1s", "--page-size", "10").ends(4, "timeout\t"+long, "not ended after 1s")
	s.run("", "wait", "--project", project, "00000000-0000-4000-8000-000000000000").ends(1, "gone\t", "is not an operation of "+project)
	s.run("", "wait", "--project", "no-such-project", long).ends(1, "list operations of no-such-project", "404")
	s.run("", "wait").ends(2, "nothing to wait for")
	s.run("", "wait", "--project", project, "").ends(2, `must be an operation id such as 5dfaa84f-1a6b-4d4c-8c8d-0f8f3f3c0a51, not ""`)
	s.run("", "wait", "not-an-id").ends(2, `must be an operation id such as 5dfaa84f-1a6b-4d4c-8c8d-0f8f3f3c0a51, not "not-an-id"`)
	s.run("", "wait", "--project", project+",other").ends(2, `--project: must be a project id`, "repeat --project for several")
	s.run("", "wait", "--project", project, "--timeout", "-1s").ends(2, "--timeout: must be a duration")
	b.inject("403 of GET /projects/" + project + "/operations/*")
	s.run("", "wait", "00000000-0000-4000-8000-000000000000").ends(1, "403")
	b.Faults.Clear()
	s.run("", "wait", "00000000-0000-4000-8000-000000000000").ends(1, "gone", "is not an operation of any project")
	partial := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if !strings.HasSuffix(r.URL.Path, "/projects") {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = io.WriteString(w, `{"projects":[{"id":"p1","name":"one"}],"pagination":{"cursor":5}}`)
	}))
	t.Cleanup(partial.Close)
	s.run("", "wait", "00000000-0000-4000-8000-000000000000", "--base-url", partial.URL+"/api/v2").ends(1, "there may be more")
	b.inject("503 of list_projects")
	s.run("", "operations", "--limit", "1", "--project", project).ends(0, "the name of").never("responds again")
	b.Faults.Clear()
	b.inject("429 of list_projects retry-after=90")
	s.run("", "projects").ends(1, "429", "try again in 90s")
	b.Faults.Clear()
	b.inject("latency=1h of list_projects")
	s.run("", "wait", "--project", project, "--timeout", "1s").ends(4, "could not list the unfinished operations within 1s")
	b.Faults.Clear()
	b.ahead.Store(int64(2 * time.Hour))
	s.run("", "wait", "--project", project).ends(1, "no unfinished operation began in the last 24 hours, and none came")
	s.run("", "wait", "--project", project, "--idle", "5s").ends(0)
	answer := fmt.Sprintf(`{"operations":[{"id":%q,"project_id":%q}]}`, start(time.Millisecond, false), project)
	s.run(answer, "wait", "-").ends(0, "finished\t", "scratchpad")
	started, err := b.Start(mock.Task{ProjectID: project, Action: "apply_config", Run: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	s.run("", "wait", "--branch", started.BranchID, "--action", "apply_config").ends(0, "finished\t"+started.ID)
	s.run("", "wait", "-", "--project", project, "--action", "a").ends(2, "cannot be combined")
	s.run("", "wait", "--project", project, "--idle", "0").ends(2, "--idle must be longer than 0")
	s.env = append(s.env, "PGTOWER_API_KEY=revoked")
	s.run("", "wait", "--project", project).ends(3, "refused")
}

// The lists are the service's, and a reader that stops reading ends --follow silently.
func TestListsForPrograms(t *testing.T) {
	t.Parallel()
	now := time.Now()
	b := serve(t, mock.Options{Clock: func() time.Time { return now }}) // two reads of a project are the same
	s := b.shell()
	got, want := s.run("", "projects", "--json").ends(0).lines(), b.api.projects()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("projects %v, not %v", got, want)
	}
	var keys []record
	for _, k := range s.run("", "apikeys", "--json", "--filter", "!never:used").ends(0).lines() {
		if k["last_used_at"] == nil {
			t.Errorf("never used: %v", k)
		}
		keys = append(keys, k)
	}
	if len(keys) < 5 {
		t.Errorf("keys %v", keys)
	}
	s.run("", "projects", "--filter", "colour:red").ends(2, "--filter", "colour")
	s.run("", "projects", "--json", "--csv").ends(2, "cannot be combined")
	newShell(t).run("", "projects").ends(2, "PGTOWER_API_KEY")
	b.inject("reset of list_operations count=4") // more requests than are retried
	s.run("", "operations", "--project", b.project("billing"), "--interval", "1s").ends(0, "\t").never("no response")
	newShell(t).run("", "operations", "--demo", "--limit", "1").ends(0, "\t")
	if out := s.sh(`"$0" operations --follow --since 10m | head -n 1`); strings.Count(out, "\n") != 1 {
		t.Error(out)
	}
	s.sh(`"$0" operations --follow --base-url http://127.0.0.1:9/api/v2 | true`)
	s.sh(`if "$0" doctor --base-url http://127.0.0.1:9/api/v2 | true; then exit 1; fi`)
}
