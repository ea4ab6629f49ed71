package feed

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pgtower/models"

	"pgregory.net/rapid"
)

// account is several projects on one clock, their timeline, and the expected timeline.
type account struct {
	*Timeline

	clock    clock
	names    []string // of the projects that were added
	services map[string]*service
	feeds    map[string]*Feed
	limit    map[string]int
	retired  map[string]bool
	held     Key // the held row
	late     []answer
	endings  Endings // as of the last check, when they were ended
	ended    []string
	hard     bool // see [service]; then no answer is late: the order of answers decides the order within a second
}

type answer struct {
	project string
	page    models.Page[models.Operation]
}

func newAccount(t *rapid.T) *account {
	a := &account{
		services: map[string]*service{},
		feeds:    map[string]*Feed{},
		limit:    map[string]int{},
		retired:  map[string]bool{},
	}
	a.hard = rapid.Bool().Draw(t, "hard")
	a.clock.step = 50*time.Millisecond + drawSpan(t, "step", time.Second)
	var feeds []*Feed
	for range rapid.IntRange(0, 4).Draw(t, "projects") {
		name := a.open(t)
		for range rapid.IntRange(0, 2).Draw(t, "pages before") {
			cursor, _ := a.feeds[name].Older()
			a.feeds[name].Merge(a.services[name].page(a.limit[name], cursor))
		}
		feeds = append(feeds, a.feeds[name])
	}
	a.Timeline = NewTimeline(feeds...)
	return a
}

// open adds a project.
func (a *account) open(t *rapid.T) string {
	name := fmt.Sprintf("project-%03d", len(a.names))
	s := newService(&a.clock)
	s.hard = a.hard
	s.inclined = rapid.IntRange(0, 2).Draw(t, "end")
	a.limit[name] = rapid.IntRange(1, 7).Draw(t, "limit")
	s.repeats = a.limit[name] > 1 && rapid.Bool().Draw(t, "inclusive cursors")
	if n := rapid.IntRange(0, 20).Draw(t, "history"); n > 0 {
		s.birth(n, false)
	}
	a.services[name], a.feeds[name] = s, New(name)
	a.names = append(a.names, name)
	return name
}

func (a *account) some(t *rapid.T) (string, *service) {
	if len(a.names) == 0 {
		t.Skip()
	}
	name := rapid.SampledFrom(a.names).Draw(t, "project")
	return name, a.services[name]
}

func (a *account) deliver(t *rapid.T, project, cursor string) {
	p := a.services[project].page(a.limit[project], cursor)
	if !a.hard && rapid.IntRange(0, 3).Draw(t, "late") == 0 {
		a.late = append(a.late, answer{project, p})
		return
	}
	a.merge(t, project, p)
}

// merge checks that the reported change is the actual one.
func (a *account) merge(t *rapid.T, project string, p models.Page[models.Operation]) {
	before := map[string]*models.Operation{}
	for i := range a.feeds[project].Len() {
		before[a.feeds[project].At(i).ID] = a.feeds[project].At(i)
	}
	c := a.feeds[project].Merge(p)
	for _, op := range c.Added {
		if before[op.ID] != nil {
			t.Fatalf("%s was known and is reported as added", op.ID)
		}
		before[op.ID] = op
	}
	for _, r := range c.Changed {
		if before[r.Before.ID] != r.Before {
			t.Fatalf("%s changed from something that it was not", r.Before.ID)
		}
		before[r.Before.ID] = r.After
	}
	for i := range a.feeds[project].Len() {
		if op := a.feeds[project].At(i); before[op.ID] != op {
			t.Fatalf("nothing tells that %s came or changed", op.ID)
		}
	}
	if p.Cursor == "" {
		a.retired[project] = false
	}
}

func (a *account) reread(project string, n int) {
	f := a.feeds[project]
	for _, id := range first(n, append(overdueIDs(f), slices.Sorted(maps.Keys(f.failed.byID))...)) {
		if op, ok := a.services[project].get(id); ok {
			f.Update(op, a.clock.tick())
		} else {
			f.Vanish(id, a.clock.tick())
		}
	}
}

// key orders rows: the greater one is above. Of one second, those of a project are together.
func (a *account) key(project string, row int) string {
	return fmt.Sprintf("%s|%s|%06d", a.feeds[project].At(row).CreatedAt.Format(time.RFC3339), project, 999_999-row)
}

func projectOf(key string) string { return strings.Split(key, "|")[1] }

// stops returns the key of the last row of each project with older pages.
func (a *account) stops() []string {
	var out []string
	for name, f := range a.feeds {
		if _, more := f.Older(); more && !a.retired[name] {
			out = append(out, a.key(name, f.Len()-1))
		}
	}
	slices.SortFunc(out, func(x, y string) int { return cmp.Compare(y, x) })
	return out
}

// drain requests everything that the timeline lacks.
func (a *account) drain(t *rapid.T) {
	born := 0
	for name, s := range a.services {
		a.merge(t, name, s.page(a.limit[name], ""))
		born += len(s.born) + 4
	}
	for range 4 * born {
		pages := a.older(3)
		for _, g := range a.Gaps() {
			pages = append(pages, target{Project: g.Project, Cursor: g.Cursor})
		}
		if len(pages) == 0 {
			break
		}
		for _, o := range pages {
			a.merge(t, o.Project, a.services[o.Project].page(a.limit[o.Project], o.Cursor))
		}
	}
	for name, s := range a.services {
		a.reread(name, len(s.born))
	}
	if a.Len() != a.Loaded() || len(a.Gaps()) > 0 || a.Ended() != (len(a.names) > 0) {
		t.Fatalf("asking for everything did not end: %d of %d shown, gaps %v", a.Len(), a.Loaded(), a.Gaps())
	}
	for name, s := range a.services {
		for _, op := range s.ops {
			row, ok := a.Find(name, op.ID)
			if !ok || a.At(row).Status != op.Status {
				t.Fatalf("%s of %s was lost, or is not %s", op.ID, name, op.Status)
			}
		}
	}
	for i := range a.Len() {
		if _, ok := a.services[a.ProjectAt(i)].born[a.At(i).ID]; !ok {
			t.Fatalf("%s of %s never was", a.At(i).ID, a.ProjectAt(i))
		}
	}
}
