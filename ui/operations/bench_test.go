package operations

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/internal/driver"
	"pgtower/models"
	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// service is the projects of a service, newest operations first.
type service map[string][]models.Operation

func (s service) Operations(_ context.Context, project string, r models.PageRequest) (models.Page[models.Operation], error) {
	p, err := s.page(project, r, time.Now())
	p.Items = slices.Clone(p.Items) // the test changes them later
	time.Sleep(10 * time.Millisecond)
	return p, err
}

func (s service) Operation(_ context.Context, project, id string) (op models.Operation, _ error) {
	if _, known := s[project]; !known {
		return op, errBroken
	}
	return *s.find(project, id), nil
}

func (service) OperationJSON(context.Context, string, string) ([]byte, error) {
	return []byte(`{"id": "op"}`), nil
}

// errBroken is why a project that the service does not have cannot be read.
var errBroken error = &models.Error{Kind: models.KindServer, Status: 500}

// errTimeout is the error of a service that does not answer.
var errTimeout error = &models.Error{Kind: models.KindTimeout}

// refusing is a service whose requests fail.
type refusing struct {
	service

	failure *error
}

func (s refusing) Operations(context.Context, string, models.PageRequest) (models.Page[models.Operation], error) {
	return models.Page[models.Operation]{}, *s.failure
}

// Branches is that of a service that tells no names.
func (s service) Branches(context.Context, string, models.PageRequest) (page models.Page[models.Branch], err error) {
	return page, errUntold
}

// Endpoints is that of a service that tells no names.
func (s service) Endpoints(context.Context, string) (page models.Page[models.Endpoint], err error) {
	return page, errUntold
}

var errUntold = &models.Error{Kind: models.KindNotFound, Status: 404, Message: "no such path in this API"}

// page returns a page of a project's operations as of a time.
func (s service) page(project string, r models.PageRequest, asOf time.Time) (models.Page[models.Operation], error) {
	p := models.Page[models.Operation]{Cursor: r.Cursor, AsOf: asOf}
	all, known := s[project]
	if !known {
		return p, errBroken
	}
	at := slices.IndexFunc(all, func(o models.Operation) bool {
		return !o.CreatedAt.After(asOf) && (r.Cursor == "" || o.ID < r.Cursor)
	})
	if at >= 0 {
		p.Items = all[at:min(at+r.Limit, len(all))]
		if at+r.Limit < len(all) {
			p.Next = all[at+r.Limit-1].ID
		}
	}
	return p, nil
}

// add adds an operation to a project.
func (s service) add(project string, status models.Status, at time.Time) *models.Operation {
	id := fmt.Sprintf("%s-%05d", project, len(s[project]))
	o := models.Operation{ID: id, ProjectID: project, Action: "create_branch", Status: status, CreatedAt: at, UpdatedAt: at}
	s[project] = slices.Insert(s[project], 0, o)
	return &s[project][0]
}

// find returns the operation with an id.
func (s service) find(project, id string) *models.Operation {
	return &s[project][slices.IndexFunc(s[project], func(o models.Operation) bool { return o.ID == id })]
}

// bench runs a page on a service, whose project names are the ids in upper case.
type bench struct {
	*Page
	*driver.Bench

	service service
}

// onBench runs a test with a page that has read a service with an operation a minute in each project over the last two
// hours.
func onBench(t *testing.T, o Options, test func(b *bench), projects ...string) {
	t.Helper()
	onBenchApart(t, o, time.Minute, test, projects...)
}

// onBenchApart is onBench with operations so far apart in the first project.
func onBenchApart(t *testing.T, o Options, apart time.Duration, test func(b *bench), projects ...string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		o.Interval, o.Budget, o.PageSize = 5*time.Second, 10, 20
		session := driver.NewSession(t.Context(), time.Now, o.Budget)
		defer func() {
			session.End()
			time.Sleep(time.Second) // until all requests have ended
		}()
		b := &bench{service: service{}}
		o.ViewText = func(v query.SavedView) string { return "the TOML of " + v.Name }
		b.Page = New(session, b.service, o)
		b.Bench = driver.NewBench(t, b.Page, session).InTime()
		list := page.ProjectList{Complete: true}
		for _, id := range projects {
			list.Projects = append(list.Projects, models.Project{ID: id, Name: strings.ToUpper(id)})
			for i := range 120 {
				b.service.add(id, models.StatusFinished, time.Now().Add(time.Duration(i-120)*apart))
			}
			apart = time.Minute
		}
		b.Do(b.Update(list))
		b.Wait(2 * time.Second)
		b.Take()
		test(b)
	})
}

// description returns what is around the rows in a frame.
func (b *bench) description(f page.Frame) (d table.Description[*row]) {
	b.describe(f, &d)
	return d
}

// run runs an action, with an optional argument, after which the root tells that the user is there.
func (b *bench) run(id string, arg ...string) {
	b.Do(b.Action(id, arg...))
	b.Do(b.Update(page.UserActive{}))
	b.Wait(0)
}

// filter replaces the filter, and waits for what it needs.
func (b *bench) filter(text string) {
	b.Do(b.list.table.SetQuery(text))
	b.Wait(time.Second)
}

// effects returns the effects since the last call, notices and alerts as their texts. Some alerts ring.
func (b *bench) effects() (texts []string) {
	for _, e := range b.Take() {
		switch e := e.(type) {
		case page.Notice:
			texts = append(texts, e.Text)
		case page.Alert:
			texts = append(texts, map[bool]string{true: "rings: "}[e.Rings]+e.Text)
		case page.ProjectHealth: // in every answer
		default:
			texts = append(texts, fmt.Sprintf("%T", e))
		}
	}
	return texts
}

// says checks the effects since the last call.
func (b *bench) says(t *testing.T, want ...string) {
	t.Helper()
	if got := b.effects(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func (b *bench) frame(width int) page.Frame {
	now := time.Now()
	return page.Frame{Width: width, Height: 24, Theme: &style.Theme{}, Now: now, Tick: now, Keys: action.LabelsOf(b.Actions())}
}

func drawn(b *bench, width int) string { return strings.Join(b.View(b.frame(width)), "\n") }

// contains checks that a text has some parts.
func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}
