package metrics

import (
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/keys"
)

// scrape returns the samples that a scrape gets, however long it takes.
func scrape(t *testing.T, s *Set) map[string]string {
	t.Helper()
	answer := httptest.NewRecorder()
	s.handler(log.New(io.Discard, "", 0), 0).ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	if answer.Code != http.StatusOK {
		t.Fatalf("%d: %s", answer.Code, answer.Body)
	}
	samples := map[string]string{}
	for line := range strings.Lines(answer.Body.String()) {
		if name, value, found := strings.Cut(strings.TrimSpace(line), "} "); found && !strings.HasPrefix(line, "#") {
			samples[name+"}"] = value
		} else if name, value, found := strings.Cut(strings.TrimSpace(line), " "); found && name != "#" {
			samples[name] = value
		}
	}
	return samples
}

// wantSamples checks the values of some samples of a scrape.
func wantSamples(t *testing.T, s *Set, want map[string]string) {
	t.Helper()
	samples := scrape(t, s)
	for name, value := range want {
		if samples[name] != value {
			t.Errorf("%s is %q, want %q", name, samples[name], value)
		}
	}
}

// ended is the sample of ended operations of the project p.
func ended(action, status string) string {
	return fmt.Sprintf("pgtower_operations_ended_total{action=%q,project=\"p\",status=%q}", action, status)
}

func noon() time.Time { return time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC) }

// event is an operation that has a status after so many seconds.
func event(project, id, action string, status models.Status, after int) *feed.Event {
	return &feed.Event{Project: project, Kind: feed.Changed, Operation: &models.Operation{
		ID: id, ProjectID: project, Action: models.Action(action), Status: status,
		CreatedAt: noon(), UpdatedAt: noon().Add(time.Duration(after) * time.Second),
	}}
}

func everything(string, string) bool { return true }

// Before anything was read, nothing is claimed: there is no sample, not even a 0.
func TestNoSampleBeforeAnythingIsRead(t *testing.T) {
	t.Parallel()
	s := New(15 * time.Minute)
	if samples := scrape(t, s); len(samples) > 0 {
		t.Errorf("%v", samples)
	}
	s.Show(Present{Projects: []Project{{ID: "p", State: Unread}}})
	samples := scrape(t, s)
	for name := range samples {
		if !strings.HasPrefix(name, "pgtower_projects{") && !strings.HasPrefix(name, "pgtower_project_info{") {
			t.Errorf("%s of a project that was not read", name)
		}
	}
	if samples[`pgtower_projects{state="unread"}`] != "1" {
		t.Errorf("%v", samples)
	}
}

// An operation counts once in each status in which it ends, however often it is told.
func TestEndsAreCountedOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		statuses []models.Status
		want     map[string]string
	}{
		"it runs":                        {[]models.Status{"scheduling", "running"}, nil},
		"it finishes, and is told again": {[]models.Status{"running", "finished", "finished"}, map[string]string{"finished": "1"}},
		"it fails, is tried again, fails": {
			[]models.Status{"failed", "running", "failed", "failed"}, map[string]string{"failed": "1"},
		},
		"it fails, and finishes later": {
			[]models.Status{"failed", "running", "finished"}, map[string]string{"failed": "1", "finished": "1"},
		},
		"it is cancelled": {[]models.Status{"cancelling", "cancelled"}, map[string]string{"cancelled": "1"}},
	} {
		s, got := New(time.Hour), map[string]string(nil)
		for i, status := range c.statuses {
			s.Tell([]*feed.Event{event("p", "1", "create_branch", status, i+1)}, everything)
		}
		for name, value := range scrape(t, s) {
			if _, status, isEnd := strings.Cut(name, `pgtower_operations_ended_total{action="create_branch",project="p",status="`); isEnd {
				if got == nil {
					got = map[string]string{}
				}
				got[strings.TrimSuffix(status, `"}`)] = value
			}
		}
		if !maps.Equal(got, c.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// An operation that the service no longer knows before it ended is gone. One that had failed is no second end.
func TestGoneIsAnEnd(t *testing.T) {
	t.Parallel()
	s := New(time.Hour)
	running, failed := event("p", "1", "a", "running", 1), event("p", "2", "a", "failed", 1)
	s.Tell([]*feed.Event{running, failed}, everything)
	for _, e := range []*feed.Event{running, failed} {
		gone := *e.Operation
		gone.Gone = true
		s.Tell([]*feed.Event{{Kind: feed.Changed, Project: "p", Operation: &gone}}, everything)
	}
	wantSamples(t, s, map[string]string{ended("a", "gone"): "1", ended("a", "failed"): "1"})
}

// The counter of failures is there before the first failure, so that this is an increase.
func TestFailuresBeginWithZero(t *testing.T) {
	t.Parallel()
	s := New(time.Hour)
	s.Known("p", []*models.Operation{{ID: "1", Action: "create_branch", Status: "running"}})
	wantSamples(t, s, map[string]string{ended("create_branch", "failed"): "0"})
}

// Only what finished tells how long operations take.
func TestDurations(t *testing.T) {
	t.Parallel()
	s := New(time.Hour)
	s.Tell([]*feed.Event{
		event("p", "1", "create_branch", "finished", 7), event("q", "2", "create_branch", "finished", 40),
		event("p", "3", "create_branch", "failed", 500),
	}, everything)
	const took = "pgtower_operation_duration_seconds"
	wantSamples(t, s, map[string]string{
		took + `_bucket{action="create_branch",le="5"}`: "0", took + `_bucket{action="create_branch",le="10"}`: "1",
		took + `_bucket{action="create_branch",le="60"}`: "2", took + `_count{action="create_branch"}`: "2",
		took + `_sum{action="create_branch"}`: "47",
	})
}

// A gap that is told is open until it is filled.
func TestGaps(t *testing.T) {
	t.Parallel()
	s := New(time.Hour)
	gap := func(kind feed.EventKind) { s.Tell([]*feed.Event{{Kind: kind, Project: "p"}}, everything) }
	gap(feed.Missing)
	gap(feed.Missing)
	gap(feed.Filled)
	s.Show(Present{Projects: []Project{{ID: "p", State: Current, Read: noon()}}})
	wantSamples(t, s, map[string]string{"pgtower_gaps_told_total": "2", "pgtower_gaps_open": "1"})
}

// A hostile or a huge account makes no more series than the bounds, no scrape fails, and sums stay right.
func TestSeriesAreBounded(t *testing.T) {
	t.Parallel()
	s, events, projects := New(time.Hour), []*feed.Event(nil), []Project(nil)
	const many = mostProjects + 500
	for i := range many {
		id := fmt.Sprintf("project-%05d", i)
		projects = append(projects, Project{ID: id, State: Current, Read: noon().Add(time.Duration(-i) * time.Second), Running: 2})
		for n := range 8 {
			events = append(events, event(id, fmt.Sprintf("%d-%d", i, n), fmt.Sprintf("action-%d", (i+n)%70), "finished", 1))
		}
		events = append(events, event(id, fmt.Sprintf("%d-odd", i), "odd", models.Status(fmt.Sprintf("status-%d", i%20)), 1))
	}
	s.Tell(events, everything)
	s.Show(Present{Projects: slices.Clone(projects)})
	samples := scrape(t, s)
	count, series := map[string]int{}, map[string]int{}
	for name, value := range samples {
		metric, _, _ := strings.Cut(name, "{")
		series[metric]++
		n, err := strconv.ParseFloat(value, 64)
		if err != nil {
			t.Fatal(err)
		}
		count[metric] += int(n)
	}
	shared := mostActions * mostStatuses // of other
	if n := series["pgtower_operations_ended_total"]; n < mostSeries || n > mostSeries+shared {
		t.Errorf("%d series of ended operations", n)
	}
	if n := count["pgtower_operations_ended_total"]; n != 8*many {
		t.Errorf("%d operations ended, not %d", n, 8*many)
	}
	if n := series["pgtower_operation_duration_seconds_count"]; n != mostActions+1 {
		t.Errorf("%d actions", n)
	}
	if n := series["pgtower_operations_running"]; n != mostProjects+1 || count["pgtower_operations_running"] != 2*many {
		t.Errorf("%d projects have %d operations", n, count["pgtower_operations_running"])
	}
	oldest := strconv.FormatFloat(seconds(projects[many-1].Read), 'g', -1, 64)
	if got := samples[`pgtower_project_read_timestamp_seconds{project="other"}`]; got != oldest {
		t.Errorf("the others were read at %s, not %s", got, oldest)
	}
	if samples[`pgtower_projects{state="current"}`] != strconv.Itoa(many) {
		t.Errorf("%s projects are current", samples[`pgtower_projects{state="current"}`])
	}
}

// Labels are valid and short, and each project is named once, whatever the service sends.
func TestLabelsOfHostileNames(t *testing.T) {
	t.Parallel()
	s, long := New(time.Hour), strings.Repeat("ä", 5000)
	s.Show(Present{Projects: []Project{
		{ID: "a", Name: "x\xff\"\n\x1b[31m", OrgName: long}, {ID: "a"}, {ID: long + "1"}, {ID: long + "2"}, {ID: "other"}, {ID: ""},
	}, Keys: []KeyList{{}, {}, {Org: long + "1"}, {Org: long + "2"}, {Org: "other"}}})
	s.Tell([]*feed.Event{event("a", "1", "", "", 1), event("a", "2", "x\xff", "finished", 1)}, everything)
	info := 0
	for name := range scrape(t, s) {
		if strings.HasPrefix(name, "pgtower_project_info") {
			info++
		}
		if len(name) > 1000 || strings.Contains(name, "\x1b") || !utf8.ValidString(name) {
			t.Errorf("%q", name)
		}
	}
	if info != 3 { // a project is listed twice, and two ids are the same as far as a label has them
		t.Errorf("%d projects are named", info)
	}
}

// Operations that have no more events are forgotten, and only those.
func TestCountedOperationsAreForgotten(t *testing.T) {
	t.Parallel()
	s := New(time.Hour)
	for i := range 50_000 {
		newest := func(_, id string) bool {
			n, err := strconv.Atoi(id)
			return err == nil && n > i-100
		}
		s.Tell([]*feed.Event{event("p", strconv.Itoa(i), "a", "finished", 1)}, newest)
		s.Tell([]*feed.Event{event("p", strconv.Itoa(max(0, i-50)), "a", "finished", 1)}, newest)
	}
	if n := len(s.counted); n > 2000 {
		t.Errorf("%d operations are remembered", n)
	}
	wantSamples(t, s, map[string]string{ended("a", "finished"): "50000"})
}

// Each state of a rotation has a sample once the list was read.
func TestRotations(t *testing.T) {
	t.Parallel()
	s := New(time.Hour)
	s.Show(Present{Keys: []KeyList{{Org: "acme", Read: noon(), Rotations: []keys.Phase{keys.CanGo, keys.Behind, keys.CanGo}}}})
	samples := scrape(t, s)
	var states []string
	for name, value := range samples {
		if state, isState := strings.CutPrefix(name, `pgtower_rotations{organization="acme",state="`); isState {
			states = append(states, strings.TrimSuffix(state, `"}`)+" "+value)
		}
	}
	slices.Sort(states)
	want := []string{
		"can-go 2", "may-be-replaced 0", "nobody-has-it 0", "quiet-too-short 0", "still-used 1", "successor-is-own 0",
		"successor-not-listed 0", "successor-unused 0", "unknown 0",
	}
	if !slices.Equal(states, want) || samples[`pgtower_keys_read_timestamp_seconds{organization="acme"}`] != "1.7957808e+09" {
		t.Errorf("%q, %v", states, samples)
	}
}

// Requests are counted by their outcomes. One that was canceled does not count.
func TestRequests(t *testing.T) {
	t.Parallel()
	s := New(time.Hour)
	for _, err := range []error{
		nil, nil, &models.Error{Kind: models.KindRateLimited, Status: 429}, &models.Error{Kind: models.KindServer, Status: 503},
		&models.Error{Kind: models.KindUnreachable}, &models.Error{Kind: models.KindCanceled}, errors.New("other"),
	} {
		s.Requested(err)
	}
	wantSamples(t, s, map[string]string{
		`pgtower_requests_total{outcome="ok"}`: "2", `pgtower_requests_total{outcome="rate_limited"}`: "1",
		`pgtower_requests_total{outcome="error"}`: "1", `pgtower_requests_total{outcome="no_response"}`: "2",
	})
}

// Scrapes see whole states while others are made, and no counter goes back. The race detector watches.
func TestScrapesBesideChanges(t *testing.T) {
	t.Parallel()
	s := New(time.Hour)
	var scrapes sync.WaitGroup
	done := make(chan struct{})
	for range 3 {
		scrapes.Go(func() {
			last := 0
			for {
				samples := scrape(t, s)
				// Each present has as many operations as projects.
				if p, n := samples[`pgtower_projects{state="current"}`], samples[`pgtower_operations_running{project="first"}`]; p != n {
					t.Errorf("%s projects with %s operations", p, n)
				}
				count, _ := strconv.Atoi(samples[ended("a", "finished")])
				if count < last {
					t.Errorf("%d after %d", count, last)
				}
				last = count
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for i := range 300 {
		projects := []Project{{ID: "first", State: Current, Read: noon(), Running: i%40 + 1}}
		for n := range i % 40 {
			projects = append(projects, Project{ID: strconv.Itoa(n), State: Current, Read: noon()})
		}
		s.Known("p", []*models.Operation{{ID: "1", Action: models.Action(strconv.Itoa(i))}})
		s.Tell([]*feed.Event{event("p", strconv.Itoa(i), "a", "finished", 1)}, everything)
		s.Requested(nil)
		s.Show(Present{Projects: projects})
	}
	close(done)
	scrapes.Wait()
	wantSamples(t, s, map[string]string{ended("a", "finished"): "300"})
}

// A failure is one until it finishes, or the window is over. While it is tried again, it stays one.
func TestFailures(t *testing.T) {
	t.Parallel()
	var f Failures
	at := func(seconds int) time.Time { return noon().Add(time.Duration(seconds) * time.Second) }
	change := func(id string, status models.Status, after int) {
		f.Learn("p", feed.Change{Changed: []feed.Revision{{After: event("p", id, "a", status, after).Operation}}})
	}
	f.Learn("p", feed.Change{Added: []*models.Operation{event("p", "1", "a", "failed", 10).Operation}})
	change("2", "error", 20)
	change("3", "failed", 30)
	change("3", "running", 40)
	change("4", "finished", 40)
	if n := f.Since("p", at(0)); n != 3 {
		t.Errorf("%d failed", n)
	}
	change("3", "finished", 50)
	if n := f.Since("p", at(0)); n != 2 {
		t.Errorf("%d failed after one finished", n)
	}
	if n := f.Since("p", at(15)); n != 1 {
		t.Errorf("%d failed in the window", n)
	}
	if n := f.Since("p", at(60)) + f.Since("q", at(0)); n != 0 || len(f.ended) != 0 {
		t.Errorf("%d failed in the end, %v", n, f.ended)
	}
}
