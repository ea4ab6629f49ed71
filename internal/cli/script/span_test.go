package script

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/client"
	"pgtower/client/mock"
	"pgtower/internal/cli/exit"
	"pgtower/internal/driver"
	"pgtower/internal/faultserver"
	"pgtower/models"
	"pgtower/models/control"
	"pgtower/models/moment"
)

// noon is the time of the service in these tests.
func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

// asked is a mock whose clock stands still at noon, as a computer sees it whose clock is ahead of it.
type asked struct {
	t       *testing.T
	options Options
	ahead   time.Duration
	undated bool
	// around changes the API of the connection; it may be nil.
	around func(control.API) control.API
}

// source returns a source of the mock, and what is printed.
func (a asked) source() (from *Source, printed func() (stdout, stderr string)) {
	t := a.t
	t.Helper()
	server, err := mock.New(mock.Options{Seed: 3, Clock: noon, Live: true, DemoIncidents: true})
	if err != nil {
		t.Fatal(err)
	}
	clock := func() time.Time { return noon().Add(a.ahead) }
	api := clientOf(t, server, client.Options{Clock: clock, Transport: transport(func(r *http.Request) (*http.Response, error) {
		answer, err := faultserver.InProcess{Handler: server}.RoundTrip(r)
		if err == nil && a.undated {
			answer.Header.Del("Date")
		}
		return answer, err
	})})
	return a.connected(control.Connection{API: api, Skew: api.Skew}, clock)
}

// connected returns a source of a connection.
func (a asked) connected(c control.Connection, clock func() time.Time) (from *Source, printed func() (stdout, stderr string)) {
	a.t.Helper()
	files := driver.NewFiles(a.t, "")
	if a.around != nil {
		c.API = a.around(c.API)
	}
	o := a.options
	o.Interval, o.PageSize, o.Budget = 5*time.Second, 1000, cmp.Or(o.Budget, 1000)
	now := func() time.Time {
		if c.Skew == nil {
			return clock()
		}
		return clock().Add(c.Skew().Value)
	}
	return NewSource(Process{Clock: clock, Stdout: files.Out, Stderr: files.Err}, &o, c, now), files.Printed
}

func given(t *testing.T, text string) moment.Time {
	t.Helper()
	at, ok := moment.Parse(text)
	if !ok {
		t.Fatalf("%q is no time", text)
	}
	return at
}

// report returns the report since a time.
func (a asked) report(since string) (stdout, stderr string, err error) {
	a.t.Helper()
	from, printed := a.source()
	err = writeReport(a.t.Context(), from, ReportOptions{Since: given(a.t, since)})
	stdout, stderr = printed()
	return stdout, stderr, err
}

// operations lists the operations since a time, as JSON.
func (a asked) operations(since string) (stdout, stderr string, err error) {
	a.t.Helper()
	a.options.JSON = true
	from, printed := a.source()
	err = listOperations(a.t.Context(), from, Listing{Since: given(a.t, since)})
	stdout, stderr = printed()
	return stdout, stderr, err
}

// oldest returns how many operations were listed, and when the oldest began.
func oldest(t *testing.T, lines string) (n int, at time.Time) {
	t.Helper()
	for line := range strings.Lines(lines) {
		var op struct {
			CreatedAt time.Time `json:"created_at"`
		}
		if err := json.Unmarshal([]byte(line), &op); err != nil {
			t.Fatal(err)
		}
		if n++; at.IsZero() || op.CreatedAt.Before(at) {
			at = op.CreatedAt
		}
	}
	return n, at
}

// A span has the same operations whatever this computer's clock shows: the service's clock is asked for first.
func TestSpanIsByTheServicesClock(t *testing.T) {
	t.Parallel()
	// What other texts mean is known in models/moment.
	for _, since := range []string{"15m", "11:45"} {
		right := asked{t: t}
		wanted, _, err := right.report(since)
		if err != nil || !strings.Contains(wanted, "2026-11-21 11:45:00 to 12:00:00 UTC") || strings.Contains(wanted, "\n0 operations") {
			t.Fatalf("%s: %v\n%s", since, err, wanted)
		}
		listed, _, err := right.operations(since)
		count, first := oldest(t, listed)
		if begin := noon().Add(-15 * time.Minute); err != nil || count == 0 || first.Before(begin) || first.After(begin.Add(time.Minute)) {
			t.Fatalf("%s: %d since %v, %v", since, count, first, err)
		}
		for _, ahead := range []time.Duration{-50 * time.Minute, 50 * time.Minute} {
			wrong := asked{t: t, ahead: ahead}
			report, said, err := wrong.report(since)
			// The clock is known within half a second.
			same := strings.Split(wanted, "\n")[2] == strings.Split(report, "\n")[2]
			if err != nil || said != "" || !same {
				t.Errorf("%s, %v ahead: %v, said %q:\n%s\nnot\n%s", since, ahead, err, said, report, wanted)
			}
			listed, said, err := wrong.operations(since)
			if n, at := oldest(t, listed); err != nil || said != "" || n != count || !at.Equal(first) {
				t.Errorf("%s, %v ahead: %d since %v, not %d since %v; %v, said %q", since, ahead, n, at, count, first, err, said)
			}
		}
	}
}

// A filter's time is by the service's clock, too, also where it alone says how far back to list.
func TestFilterIsByTheServicesClock(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{-50 * time.Minute, 0, 50 * time.Minute} {
		a := asked{t: t, ahead: ahead, options: Options{JSON: true, Filter: "after:11:45", Since: moment.Ago(time.Minute)}}
		from, printed := a.source()
		err := listOperations(t.Context(), from, Listing{})
		listed, _ := printed()
		n, first := oldest(t, listed)
		if begin := noon().Add(-15 * time.Minute); err != nil || n == 0 || first.Before(begin) || first.After(begin.Add(time.Minute)) {
			t.Errorf("%v ahead: %d since %v, %v", ahead, n, first, err)
		}
	}
}

// Answers without a date give this computer's clock, and the span says so.
func TestSpanByThisComputersClockIsNamed(t *testing.T) {
	t.Parallel()
	const note = "by this computer's clock: the service sent no readable date"
	a := asked{t: t, ahead: -10 * time.Minute, undated: true}
	report, _, err := a.report("15m")
	if err != nil || !strings.Contains(report, "2026-11-21 11:35:00 to 11:50:00 UTC") ||
		!strings.Contains(report, "\nThe span is "+note+".\n") {
		t.Errorf("%v:\n%s", err, report)
	}
	listed, said, err := a.operations("15m")
	n, first := oldest(t, listed)
	want := "pgtower: since 2026-11-21 11:35:00 UTC, " + note + "\n"
	if begin := noon().Add(-25 * time.Minute); err != nil || n == 0 || first.Before(begin) || first.After(begin.Add(time.Minute)) || said != want {
		t.Errorf("%d since %v, %v, said %q", n, first, err, said)
	}
}

// A time that is still to come by the service's clock is a wrong call.
func TestSpanBeginsBeforeNow(t *testing.T) {
	t.Parallel()
	a := asked{t: t, ahead: 50 * time.Minute} // by this computer's clock it is past
	for name, run := range map[string]func(string) (string, string, error){"report": a.report, "operations": a.operations} {
		stdout, _, err := run("2026-11-21 12:10")
		_, usage := errors.AsType[exit.UsageError](err)
		if !usage || stdout != "" || err.Error() != "--since: 2026-11-21 12:10 is still to come" {
			t.Errorf("%s: %v\n%s", name, err, stdout)
		}
	}
}

// nameless is a service that answers nothing about a single project.
type nameless struct{ control.API }

func (nameless) Project(context.Context, string) (models.Project, error) {
	return models.Project{}, &models.Error{Kind: models.KindUnreachable}
}

// With --project, the first answer may be one of operations: the span waits for it, and --follow misses nothing of it.
func TestSpanWaitsForAnAnswer(t *testing.T) {
	t.Parallel()
	right := asked{t: t, options: Options{JSON: true}}
	listed, _, err := right.operations("15m")
	if err != nil {
		t.Fatal(err)
	}
	project := ""
	for line := range strings.Lines(listed) {
		_, rest, _ := strings.Cut(line, `"project_id":"`)
		id, _, _ := strings.Cut(rest, `"`)
		project = cmp.Or(project, id)
	}
	right.options.Projects = []string{project}
	listed, _, err = right.operations("15m")
	count, first := oldest(t, listed)
	if err != nil || count == 0 {
		t.Fatalf("%d, %v", count, err)
	}
	for _, ahead := range []time.Duration{-50 * time.Minute, 50 * time.Minute} {
		a := right
		a.ahead, a.around = ahead, func(api control.API) control.API { return nameless{api} }
		listed, _, err := a.operations("15m")
		if n, at := oldest(t, listed); err != nil || n != count || !at.Equal(first) {
			t.Errorf("%v ahead: %d since %v, not %d since %v; %v", ahead, n, at, count, first, err)
		}
		from, printed := a.source()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		ended := make(chan error)
		go func() { ended <- listOperations(ctx, from, Listing{Since: given(t, "15m"), Follow: true}) }()
		n := 0
		for ; n < count && ctx.Err() == nil; time.Sleep(time.Millisecond) {
			followed, _ := printed()
			n = strings.Count(followed, "\n")
		}
		cancel()
		if err := <-ended; n != count {
			t.Errorf("%v ahead: %d are followed, not %d; %v", ahead, n, count, err)
		}
	}
}

// busy is a nameless service whose first page of operations has one that began just before.
type busy struct{ noKinds }

func (busy) Project(ctx context.Context, id string) (models.Project, error) {
	return nameless{}.Project(ctx, id)
}

func (busy) Projects(context.Context, models.ListID, models.PageRequest) (p models.Page[models.Project], err error) {
	return p, &models.Error{Kind: models.KindUnreachable}
}

func (busy) Operations(_ context.Context, _ string, r models.PageRequest) (p models.Page[models.Operation], err error) {
	time.Sleep(time.Second)
	p.Limit, p.AsOf, p.ServiceTime = r.Limit, time.Now(), time.Now()
	p.Items = []models.Operation{{ID: "new", ProjectID: "p", Status: models.StatusRunning, CreatedAt: time.Now()}}
	return p, nil
}

// The answer that tells the clock has news.
func TestFollowBeginsWithTheFirstAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := asked{t: t, options: Options{Projects: []string{"p-1"}}}
		from, printed := a.connected(control.Connection{API: busy{}}, time.Now)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		err := listOperations(ctx, from, Listing{Follow: true})
		cancel()
		time.Sleep(time.Minute) // until what is under way has ended
		if stdout, _ := printed(); !strings.HasPrefix(stdout, "added\tnew\t") || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v:\n%s", err, stdout)
		}
	})
}

// mute is a service that never answers.
type mute struct {
	control.API

	asked *atomic.Int64
}

func (m mute) unanswered() error {
	m.asked.Add(1)
	time.Sleep(time.Second)
	return &models.Error{Kind: models.KindUnreachable, Message: "connection refused"}
}

func (m mute) Auth(context.Context) (models.Auth, error) { return models.Auth{}, m.unanswered() }

func (m mute) Organizations(context.Context) ([]models.Organization, error) {
	return nil, m.unanswered()
}

func (m mute) Project(context.Context, string) (models.Project, error) {
	return models.Project{}, m.unanswered()
}

func (m mute) Projects(context.Context, models.ListID, models.PageRequest) (p models.Page[models.Project], err error) {
	return p, m.unanswered()
}

func (m mute) Operations(context.Context, string, models.PageRequest) (p models.Page[models.Operation], err error) {
	return p, m.unanswered()
}

// Without any answer there is no span and no count, but the error of the requests.
func TestSpanNeedsAnAnswer(t *testing.T) {
	t.Parallel()
	for _, projects := range [][]string{nil, {"rapid-pond-264373"}} {
		for _, command := range []string{"report", "operations"} {
			t.Run(command+strings.Join(projects, ","), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					service := mute{asked: new(atomic.Int64)}
					a := asked{t: t, options: Options{Projects: slices.Clone(projects)}}
					skew := func() (unknown models.Opt[time.Duration]) { return unknown }
					from, printed := a.connected(control.Connection{API: service, Skew: skew}, time.Now)
					var err error
					if command == "report" {
						err = writeReport(t.Context(), from, ReportOptions{Since: given(t, "15m")})
					} else {
						err = listOperations(t.Context(), from, Listing{Since: given(t, "15m")})
					}
					time.Sleep(time.Minute) // until what is under way has ended
					stdout, stderr := printed()
					if models.KindOf(err) != models.KindUnreachable || stdout != "" || strings.Contains(stderr, "since") {
						t.Errorf("%v, %d requests, said %q:\n%s", err, service.asked.Load(), stderr, stdout)
					}
				})
			})
		}
	}
}
