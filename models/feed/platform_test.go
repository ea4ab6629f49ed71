package feed

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"time"

	"pgtower/models"
)

// platform is a service with predetermined operations, so that a poller's claims about any moment can be checked. Its
// times are whole seconds, the operations of a second are in an order of its own, and what failed is tried again.
type platform struct {
	lives  map[string][]life // of each project, newest first
	faults []fault
	busy   bool // its list of projects shows changes all the time
	most   int  // the greatest page, or 0
	// refuses is set if longer pages are refused, and not shortened.
	refuses bool
	lists   map[string][]listed
	// known is when the list of projects begins to have a project, for those that it lacks at first.
	known map[string]time.Time
}

// listed is an operation's place in the list of its project: the cursor below it, and its index among the lives.
type listed struct {
	cursor string
	index  int
}

// life is the history of one operation.
type life struct {
	id, place string // place orders the operations of a second
	born, end time.Time
	as        models.Status
	untimed   bool  // its records have no readable times
	tries     []try // those that failed, oldest first
}

// try is an attempt that failed, and when the next one began.
type try struct {
	failed, again time.Time
	tells         bool // by retry_at
}

// position returns the cursor of an operation. It depends on when the operation began, even if its record does not have that.
func (l *life) position() string {
	return position(models.Operation{CreatedAt: l.born.Truncate(time.Second), BranchID: l.place})
}

// changed returns the second in which the operation last changed, as of a time.
func (l *life) changed(t time.Time) time.Time {
	last := l.born
	for _, one := range l.tries {
		if !t.Before(one.failed) {
			last = one.failed
		}
		if !t.Before(one.again) {
			last = one.again
		}
	}
	if !t.Before(l.end) {
		last = l.end
	}
	return last.Truncate(time.Second)
}

func (l *life) at(t time.Time) models.Operation {
	op := models.Operation{ID: l.id, BranchID: l.place, Action: "start_compute", Status: models.StatusRunning}
	op.CreatedAt = l.born.Truncate(time.Second)
	for _, one := range l.tries {
		if !t.Before(one.failed) {
			op.Status, op.FailuresCount = models.StatusFailed, op.FailuresCount+1
			if one.tells {
				op.RetryAt = one.again.Truncate(time.Second)
			}
		}
		if !t.Before(one.again) {
			op.Status = models.StatusRunning
		}
	}
	if !t.Before(l.end) {
		op.Status = l.as
		if l.as.Failed() {
			op.FailuresCount++
		}
	}
	op.UpdatedAt = l.changed(t)
	if l.untimed {
		op.CreatedAt, op.UpdatedAt = time.Time{}, time.Time{}
	}
	return op
}

// fault is trouble for a time, of one project or, without a name, of all.
type fault struct {
	from, to time.Time
	project  string
	kind     models.Kind
	after    time.Duration // the delay of the response
	retry    time.Duration
	every    int // every n-th request fails
	// paging is the cursor of responses: one that cannot be read ("damaged"), or one that leads back to the newest page
	// ("circle").
	paging string
	below  bool // pages below the newest only
}

func (f fault) hits(project string, at time.Time, number int) bool {
	return !at.Before(f.from) && at.Before(f.to) && (f.project == "" || f.project == project) && number%max(1, f.every) == 0
}

// list returns the order in which the operations of a project are listed.
func (p *platform) list(project string) []listed {
	lives, list := p.lives[project], p.lists[project]
	if len(list) == len(lives) {
		return list
	}
	list = make([]listed, len(lives))
	for i := range lives {
		list[i] = listed{lives[i].position(), i}
	}
	slices.SortStableFunc(list, func(a, b listed) int { return cmp.Compare(b.cursor, a.cursor) })
	if p.lists == nil {
		p.lists = map[string][]listed{}
	}
	p.lists[project] = list
	return list
}

func (p *platform) serve(r request, at time.Time) Answer {
	a := Answer{request: r}
	lives := p.lives[r.Project]
	if r.ID != "" {
		one := slices.IndexFunc(lives, func(l life) bool { return l.id == r.ID && !l.born.After(at) })
		if one < 0 {
			a.Err = &models.Error{Kind: models.KindNotFound, Status: 404}
			return a
		}
		a.Operation = lives[one].at(at)
		return a
	}
	limit := r.Limit
	if p.most > 0 {
		limit = min(limit, p.most)
	}
	if p.refuses && r.Limit > limit {
		a.Err = &models.Error{Kind: models.KindInvalid, Status: 400}
		return a
	}
	a.Page = models.Page[models.Operation]{Cursor: r.Cursor, AsOf: r.AsOf, ServiceTime: at}
	list := p.list(r.Project)
	first := 0
	if r.Cursor != "" {
		first = sort.Search(len(list), func(i int) bool { return list[i].cursor < r.Cursor })
	}
	last := ""
	for _, one := range list[first:] {
		l := &lives[one.index]
		if l.born.After(at) {
			continue
		}
		if len(a.Page.Items) == limit {
			a.Page.Next = last
			break
		}
		a.Page.Items, last = append(a.Page.Items, l.at(at)), one.cursor
	}
	return a
}

// settled returns when everything that failed was asked about after its end: the longer a failure stands, the later.
func (p *platform) settled() (at time.Time) {
	for _, lives := range p.lives {
		for _, l := range lives {
			after := l.end.Add(time.Minute)
			if len(l.tries) > 0 {
				after = after.Add(l.end.Sub(l.tries[0].failed))
			}
			if after.After(at) {
				at = after
			}
		}
	}
	return at
}

// born adds n operations to a project, the first of which begins at the time.
func (p *platform) born(project string, n int, from time.Time, apart, lasts time.Duration) {
	for range n {
		number := len(p.lives[project])
		p.lives[project] = slices.Insert(p.lives[project], 0, life{
			id: nameOf(project, number), place: fmt.Sprintf("%05d", scramble(number, 31607)),
			born: from, end: from.Add(lasts), as: models.StatusFinished,
		})
		from = from.Add(apart)
	}
}

// nameOf returns the id of a project's operation by its number, from 0. The order of ids tells nothing about that of the
// operations.
func nameOf(project string, number int) string {
	return fmt.Sprintf("%s-%05d", project, scramble(number, 7919))
}

func newPlatform(projects, past int) *platform {
	p := &platform{lives: map[string][]life{}}
	for i := range projects {
		p.born(fmt.Sprintf("p%02d", i), past, epoch().Add(-time.Hour), time.Hour/time.Duration(past+1), 3*time.Second)
	}
	return p
}
