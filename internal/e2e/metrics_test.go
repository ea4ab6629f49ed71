//go:build unix

package e2e

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/client/mock/sim"
	"pgtower/internal/termtest"
)

// metering is a running pgtower metrics.
type metering struct {
	t      *testing.T
	cmd    *exec.Cmd
	url    string
	stderr termtest.Buffer
}

func (b *backend) metrics(args ...string) *metering {
	b.t.Helper()
	m := &metering{t: b.t}
	cmd, out := b.shell().begin(&m.stderr, append([]string{"metrics", "--listen", "127.0.0.1:0", "--interval", "1s"}, args...)...)
	m.cmd = cmd
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.t.Fatalf("%v: %s", err, m.stderr.String())
	}
	_ = out.Close() // nobody reads on
	m.url = strings.TrimSpace(line)
	return m
}

// samples are those of a scrape, by their names with labels.
type samples map[string]float64

// scrape returns the samples of now.
func (m *metering) scrape() samples {
	m.t.Helper()
	r, err := http.NewRequestWithContext(m.t.Context(), http.MethodGet, m.url, nil)
	if err != nil {
		m.t.Fatal(err)
	}
	r.Header.Set("Accept", "application/openmetrics-text; version=1.0.0")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		m.t.Fatalf("%v: %s", err, m.stderr.String())
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK || !strings.HasSuffix(string(body), "# EOF\n") {
		m.t.Fatalf("%d, %v: %s", answer.StatusCode, err, body)
	}
	got := samples{}
	for line := range strings.Lines(string(body)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		at := strings.LastIndexByte(line, ' ')
		value, err := strconv.ParseFloat(strings.TrimSpace(line[at:]), 64)
		if err != nil {
			m.t.Fatalf("%q: %v", line, err)
		}
		got[line[:at]] = value
	}
	return got
}

// wait scrapes until the samples are as wanted.
func (m *metering) wait(what string, is func(samples) bool) samples {
	m.t.Helper()
	for end := time.Now().Add(deadline); ; time.Sleep(50 * time.Millisecond) {
		got := m.scrape()
		if is(got) {
			return got
		}
		if time.Now().After(end) {
			m.t.Fatalf("%s: not in time: %v\n%s", what, got, m.stderr.String())
		}
	}
}

// end sends a signal, and returns the exit code.
func (m *metering) end(by syscall.Signal) int {
	m.t.Helper()
	if err := m.cmd.Process.Signal(by); err != nil {
		m.t.Fatal(err)
	}
	return m.code()
}

func (m *metering) code() int {
	_ = m.cmd.Wait() // the exit code has the result
	return m.cmd.ProcessState.ExitCode()
}

func current(n int) func(samples) bool {
	return func(got samples) bool { return got[`pgtower_projects{state="current"}`] == float64(n) }
}

func requests(got samples, outcome string) int {
	return int(got[fmt.Sprintf("pgtower_requests_total{outcome=%q}", outcome)])
}

// ends counts the operations of a project that ended at a time or later, by action and status. With again, an operation that
// was tried again counts as failed, too.
func (b *backend) ends(project string, from time.Time, again bool) map[string]int {
	b.t.Helper()
	count := map[string]int{}
	for _, o := range b.operations(project) {
		updated, err := time.Parse(time.RFC3339Nano, o.UpdatedAt)
		if err != nil {
			b.t.Fatal(err)
		}
		if updated.Before(from.Truncate(time.Second)) {
			continue
		}
		add := func(status string) {
			count[fmt.Sprintf("pgtower_operations_ended_total{action=%q,project=%q,status=%q}", o.Action, project, status)]++
		}
		if o.Status == "finished" || o.Status == "failed" {
			add(o.Status)
		}
		if again && o.Status != "failed" && o.FailuresCount > 0 {
			add("failed")
		}
	}
	return count
}

// The counters count each end of an operation once, as the service has it, after an incident, an outage with hundreds of
// operations, and a rate limit. They count the requests that the service got.
func TestMetricsCountWhatTheServiceHas(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{Operations: 2000, Incidents: []sim.Incident{{From: 10 * time.Minute, Share: 0.5}}})
	projects, err := b.Projects("", "", "", 400)
	if err != nil {
		t.Fatal(err)
	}
	before := b.Now()
	m := b.metrics("--budget", "50")
	m.wait("begin", current(len(projects)))
	began := b.Now()
	b.stop()
	m.wait("outage", func(got samples) bool { return requests(got, "no_response") > 0 })
	b.ahead.Store(int64(time.Hour)) // hundreds of operations, many pages
	b.inject("429 of list_operations count=2 retry-after=1")
	b.restart()
	m.wait("limit", func(got samples) bool { return requests(got, "rate_limited") == 2 })
	b.ahead.Store(int64(time.Hour + 5*time.Minute)) // all operations have ended

	total := 0
	right := func(got samples) bool {
		total = 0
		for i := range projects {
			most := b.ends(projects[i].ID, before, true)
			for name, n := range b.ends(projects[i].ID, began.Add(time.Second), false) {
				if counted := int(got[name]); counted < n || counted > most[name] {
					return false
				}
				total += n
			}
		}
		return true
	}
	got := m.wait("counts", right)
	if total < 200 {
		t.Errorf("only %d operations ended", total)
	}
	for name, n := range got {
		project, isEnd := strings.CutPrefix(name, "pgtower_operations_ended_total{")
		if _, project, _ = strings.Cut(project, `project="`); !isEnd {
			continue
		}
		project, _, _ = strings.Cut(project, `"`)
		if most := b.ends(project, before, true)[name]; int(n) > most {
			t.Errorf("%s %v, of %d", name, n, most)
		}
	}
	failed := got.sum("pgtower_operations_ended_total", `status="failed"`)
	if failed < 50 || got.sum("pgtower_operations_failed", "") == 0 {
		t.Errorf("%v failed in the incident, %v lately", failed, got.sum("pgtower_operations_failed", ""))
	}
	if finished := got.sum("pgtower_operation_duration_seconds_count", ""); finished != got.sum("pgtower_operations_ended_total", `status="finished"`) {
		t.Errorf("%v durations", finished)
	}
	asked := b.count("")
	got = m.scrape()
	if n := requests(got, "ok") + requests(got, "error") + requests(got, "rate_limited"); n < asked-20 || n > b.count("") {
		t.Errorf("%d requests, of %d", n, asked)
	}
	if code := m.end(syscall.SIGTERM); code != 130 {
		t.Errorf("exit code %d: %s", code, m.stderr.String())
	}
	// It depends on the time of its look whether the outage or the limit is reported first.
	if said := m.stderr.String(); !strings.Contains(said, "no response") && !strings.Contains(said, "rate limited") {
		t.Errorf("said: %s", said)
	}
}

// sum returns the sum of the samples of a metric that have a label.
func (s samples) sum(metric, label string) (sum float64) {
	for name, value := range s {
		if rest, found := strings.CutPrefix(name, metric+"{"); found && strings.Contains(rest, label) {
			sum += value
		}
	}
	return sum
}

// Before the first response there are only samples of requests, and after it all of them. A port that is in use is refused,
// and a refused key ends the program.
func TestMetricsFromTheFirstAnswerToTheLast(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{Organizations: 2})
	b.stop()
	m := b.metrics()
	got := m.wait("no answer", func(got samples) bool { return requests(got, "no_response") > 0 })
	for name := range got {
		if !strings.HasPrefix(name, "pgtower_requests_total") {
			t.Errorf("%s, before anything was read", name)
		}
	}
	b.restart()
	projects, err := b.Projects("", "", "", 400)
	if err != nil {
		t.Fatal(err)
	}
	got = m.wait("begin", func(got samples) bool {
		return got[`pgtower_projects{state="unread"}`] == 0 && got.sum("pgtower_keys_read_timestamp_seconds", "") > 0
	})
	for i := range projects {
		label := fmt.Sprintf("project=%q", projects[i].ID)
		if got.sum("pgtower_project_info", label) != 1 || got.sum("pgtower_project_read_timestamp_seconds", label) == 0 {
			t.Errorf("%s: %v", label, got)
		}
	}
	if got.sum("pgtower_project_info", `organization_name="Acme"`) == 0 {
		t.Errorf("no organization has a name: %v", got)
	}
	taken := strings.TrimSuffix(strings.TrimPrefix(m.url, "http://"), "/metrics")
	second := b.shell().run("", "metrics", "--listen", taken)
	if second.code != 2 || !strings.HasPrefix(second.stderr, "pgtower: --listen: "+taken+" is already in use") || second.stdout != "" {
		t.Errorf("a second one: %+v", second)
	}
	b.inject("401")
	if code := m.code(); code != 3 {
		t.Errorf("exit code %d: %s", code, m.stderr.String())
	}
	if strings.Contains(m.stderr.String(), b.APIKey()) {
		t.Error("the key was printed")
	}
}

// If lists of keys are refused, there are no samples of keys, but all others.
func TestMetricsWithoutListsOfKeys(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{Organizations: 2})
	b.inject("403 of list_keys")
	b.inject("403 of GET /organizations/*/api_keys")
	m := b.metrics()
	got := m.wait("refusals", func(got samples) bool {
		return got[`pgtower_projects{state="unread"}`] == 0 && requests(got, "error") > 2 && b.count("GET /api_keys") > 0
	})
	for name := range got {
		if strings.HasPrefix(name, "pgtower_rotations") || strings.HasPrefix(name, "pgtower_keys") {
			t.Errorf("%s of a list that was refused", name)
		}
	}
	if code := m.end(syscall.SIGINT); code != 130 {
		t.Errorf("exit code %d: %s", code, m.stderr.String())
	}
}
