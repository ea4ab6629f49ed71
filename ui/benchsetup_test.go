package ui

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/models"
	"pgtower/models/control"
	"pgtower/models/moment"
	"pgtower/models/settings"
	"pgtower/ui/style"
)

// full is a service with one project, whose history comes in one page and then in endless pages of a hundred.
type full struct {
	noKinds

	now        time.Time
	operations []models.Operation
}

const fullProject = "floral-king-961888"

func fullOf(n int, now time.Time) *full {
	f := &full{now: now, operations: make([]models.Operation, n)}
	operationsFrom(f.operations, 0, now)
	return f
}

// operationsFrom fills a list with operations, starting at number from back in time. Except for the ids, they share
// their texts, as after decoding.
func operationsFrom(list []models.Operation, from int, now time.Time) {
	actions := []models.Action{"start_compute", "suspend_compute", "apply_config", "check_availability", "create_branch"}
	var branches, endpoints [40]string
	for i := range branches {
		branches[i], endpoints[i] = fmt.Sprintf("br-bitter-sound-%06d", i), fmt.Sprintf("ep-dark-snowflake-%06d", i)
	}
	for i := range list {
		at := from + i
		created := now.Add(-time.Duration(at) * 5 * time.Second)
		list[i] = models.Operation{
			ID: benchID(at), ProjectID: fullProject, BranchID: branches[at%len(branches)], EndpointID: endpoints[at%len(endpoints)],
			Action: actions[at%len(actions)], Status: models.StatusFinished,
			CreatedAt: created, UpdatedAt: created.Add(time.Duration(at%4000) * time.Millisecond),
		}
	}
}

// benchID returns an id as long as the service's.
func benchID(i int) string {
	id := []byte("00000000-0000-4000-8000-000000000000")
	for at := len(id) - 1; i > 0; at, i = at-1, i/10 {
		id[at] = byte('0' + i%10)
	}
	return string(id)
}

func (f *full) Operations(_ context.Context, _ string, r models.PageRequest) (models.Page[models.Operation], error) {
	page := models.Page[models.Operation]{Items: f.operations, Cursor: r.Cursor, AsOf: f.now}
	from := len(f.operations)
	if r.Cursor != "" {
		from, _ = strconv.Atoi(r.Cursor)
		page.Items = make([]models.Operation, 100)
		operationsFrom(page.Items, from, f.now)
		from += len(page.Items)
	}
	page.Next = strconv.Itoa(from)
	return page, nil
}

func (f *full) Projects(context.Context, models.ListID, models.PageRequest) (models.Page[models.Project], error) {
	return models.Page[models.Project]{Items: []models.Project{{ID: fullProject, Name: "floral-king"}}}, nil
}

type fullAuthenticator struct{ *full }

func (g fullAuthenticator) Open(context.Context, string) (control.Connection, error) {
	return control.Connection{API: g.full}, nil
}

func (fullAuthenticator) Forget(string) {}

func (g fullAuthenticator) SignIn(context.Context, string, models.Secret, string) (control.Connection, error) {
	return control.Connection{API: g.full}, nil
}

// loaded returns the program with n operations on a screen of a size, as after its first poll.
func loaded(b *testing.B, n int, on size) (*Model, *full) {
	b.Helper()
	f := fullOf(n, time.Now())
	m := New(b.Context(), Options{
		// Searching back for an order would load history endlessly, and set timers that never end while the clock stands
		// still.
		Profile: Profile{
			Profile:       settings.Profile{Interval: 5 * time.Minute, PageSize: 100, Since: moment.Ago(time.Minute), Budget: 10, Project: fullProject},
			Authenticator: fullAuthenticator{f},
		},
		Clock: func() time.Time { return f.now },
	})
	m.Update(tea.WindowSizeMsg{Width: on.w, Height: on.h})
	run(m, m.session.start(control.Connection{API: f}, false), atOnce)
	if shown := fmt.Sprintf("/ %s ", style.Count(n)); !strings.Contains(m.View().Content, shown) {
		b.Fatalf("no %q on the screen:\n%s", shown, ansi.Strip(m.View().Content))
	}
	// Garbage of loading must not be collected during a measurement.
	runtime.GC()
	return m, f
}

// atOnce is the longest time of an answer; what takes longer is a timer.
const atOnce = 20 * time.Millisecond

// run runs a command and what follows from it, except timers: work that takes longer than wait.
func run(m *Model, cmd tea.Cmd, wait time.Duration) {
	for _, msg := range answers(cmd, wait) {
		_, next := m.Update(msg)
		run(m, next, wait)
	}
}

// answers returns the messages of a command, except those that take longer than wait.
func answers(cmd tea.Cmd, wait time.Duration) []tea.Msg {
	if cmd == nil {
		return nil
	}
	done := make(chan tea.Msg, 1)
	go func() { done <- cmd() }()
	select {
	case msg := <-done:
		batch, ok := msg.(tea.BatchMsg)
		if !ok {
			return []tea.Msg{msg}
		}
		var all []tea.Msg
		for _, c := range batch {
			all = append(all, answers(c, wait)...)
		}
		return all
	case <-time.After(wait):
		return nil
	}
}

// sizesOfFeed are the numbers of loaded operations. A million take seconds to set up.
func sizesOfFeed() []int {
	if testing.Short() {
		return []int{1_000, 10_000, 100_000}
	}
	return []int{1_000, 10_000, 100_000, 1_000_000}
}

func sizesOfScreen() []size { return []size{{80, 24}, {200, 60}} }

// mustChange fails unless the function changes the screen.
func mustChange(b *testing.B, m *Model, what string, do func()) {
	b.Helper()
	before := m.View().Content
	if do(); m.View().Content == before {
		b.Fatalf("%s changed nothing:\n%s", what, ansi.Strip(before))
	}
}

type size struct{ w, h int }

func (s size) String() string { return fmt.Sprintf("%dx%d", s.w, s.h) }
