package incident

import (
	"fmt"
	"iter"
	"strings"
	"time"

	"pgtower/models"
)

// DefaultWindow is the time before now in which a failure counts as failing, unless the user chooses another one.
const DefaultWindow = 15 * time.Minute

// MaxRun is the longest run of an operation that claims allow for. Operations are listed by their beginning: one that
// runs longer may be missing from a span.
const MaxRun = 10 * time.Minute

// State is what was seen of a work after its last failure in a group ended. Operations with the time of the failure prove
// nothing: the service's times have whole seconds. The first state that is true holds:
//
//   - [Worked]: one finished later than the failure ended. Nothing else need be known.
//   - [Failing]: the failure is in the window, and none finished later. For that, all operations must have been read that
//     began at most [MaxRun] before it.
//   - [TriedAgain]: one began later, and none that was read finished: the last one runs, failed in another way, was
//     cancelled or skipped. Nothing else need be known.
//   - [NotTried]: none began later. For that, all operations that began since the failure must have been read.
//   - [Unknown]: operations were not read, have no readable time, or began in the second of the failure.
//
// So a failure that is not in the window, with another one of a different error after it, was tried again: the other
// group is failing. The order of the constants is that of the screen: what is worst comes first.
type State int

// The states, the worst first.
const (
	Failing State = iota
	NotTried
	TriedAgain
	Unknown
	Worked
	states
)

var stateNames = [states]string{"failing", "not tried", "tried again", "unknown", "worked since"}

// String returns the state's words, without a time.
func (s State) String() string { return stateNames[s] }

// Work is an action of a project.
type Work struct {
	Project string // id
	Action  models.Action
}

// WorkOf returns the work of an operation.
func WorkOf(o Operation) Work { return Work{o.Project, o.Action} }

// Past sums up the operations of a work that were read. The zero value has no operation.
type Past struct {
	worked    time.Time // when the last one that finished ended
	began     time.Time // when the last one began
	beginners int       // how many began then
	untimed   bool      // one began or finished at an unknown time
}

// Add adds an operation.
func (p *Past) Add(o *models.Operation) {
	p.untimed = p.untimed || Untimed(o)
	ended := o.EndedAt()
	if ended.IsZero() { // it ended later than it began
		ended = o.CreatedAt
	}
	if o.Status == models.StatusFinished && ended.After(p.worked) {
		p.worked = ended
	}
	switch {
	case o.CreatedAt.After(p.began):
		p.began, p.beginners = o.CreatedAt, 1
	case o.CreatedAt.Equal(p.began):
		p.beginners++
	}
}

// Untimed reports whether an operation has no readable time at which it began or, if it has ended, at which it ended.
func Untimed(o *models.Operation) bool {
	return o.CreatedAt.IsZero() || o.Status.Done() && o.UpdatedAt.IsZero()
}

// Pasts has the past of each work.
type Pasts map[Work]Past

// PastsOf collects operations by their work.
func PastsOf(operations iter.Seq[Operation]) Pasts {
	out := Pasts{}
	for o := range operations {
		work := WorkOf(o)
		past := out[work]
		past.Add(o.Operation)
		out[work] = past
	}
	return out
}

// Failures are some of the failures of a work, such as those with the same error. The zero value has none.
type Failures struct {
	last    time.Time // when the last one ended
	instant int       // how many began and ended then
	untimed bool      // one ended at an unknown time, so that it may be the last one
}

// Add adds a failed operation.
func (f *Failures) Add(o *models.Operation) {
	if Untimed(o) {
		f.untimed = true
		return
	}
	ended := o.EndedAt()
	if ended.After(f.last) {
		f.last, f.instant = ended, 0
	}
	if ended.Equal(f.last) && o.CreatedAt.Equal(ended) {
		f.instant++
	}
}

// State returns what was seen after the last failure, and since when: the end of that failure, or the beginning of the
// operation that tried again. past is of the same work, and complete is the time after which nothing of the project is
// missing. The time is zero if that is unknown.
func (f *Failures) State(past Past, complete time.Time, span Span) (State, time.Time) {
	worked, dated := past.worked.After(f.last), !f.last.IsZero()
	switch {
	case worked && dated && !f.untimed:
		return Worked, f.last
	case dated && !worked && f.in(span) && !past.untimed && complete.Before(f.last.Add(-MaxRun)):
		return Failing, f.last
	case !dated || f.untimed:
		return Unknown, time.Time{}
	case past.began.After(f.last):
		return TriedAgain, past.began
	case complete.Before(f.last) && !past.untimed && !f.together(past):
		return NotTried, f.last
	}
	return Unknown, f.last
}

// in reports whether the last failure is in the window.
func (f *Failures) in(span Span) bool { return f.last.After(span.Now.Add(-span.Window)) }

// together reports whether something began in the second in which the last failure ended, before or after that. What
// failed in that second, too, began before the last failure ended.
func (f *Failures) together(past Past) bool {
	return past.began.Equal(f.last) && past.beginners > f.instant
}

// Seen is the number of projects of a group in a state, and the latest time of that state.
type Seen struct {
	Projects int
	Since    time.Time
}

// Lead returns the worst state that was seen. It is [Unknown] for a group without failures.
func (g *Group) Lead() State {
	for s, project := range g.Seen {
		if project.Projects > 0 {
			return State(s)
		}
	}
	return Unknown
}

// Uniform reports whether all projects are in the same state.
func (g *Group) Uniform() bool { return g.Seen[g.Lead()].Projects == g.Projects }

// Sentence says what was seen of all failures of a group: "failing", "not tried since 53m", or by project "failing in 2 of
// 4, not tried since 53m in 1, worked since in 1". moment completes a state with its time.
func (g *Group) Sentence(moment func(State, time.Time) string) string {
	var parts []string
	for i, projects := range g.Seen {
		if projects.Projects == 0 {
			continue
		}
		state := State(i)
		part := state.String() + moment(state, projects.Since)
		switch {
		case g.Projects == 1, g.Uniform() && state != Failing:
		case len(parts) == 0:
			part += fmt.Sprintf(" in %d of %d", projects.Projects, g.Projects)
		default:
			part += fmt.Sprintf(" in %d", projects.Projects)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// Worse compares two groups by their states: negative if a is worse than b.
func Worse(a, b *Group) int {
	for s := range a.Seen {
		if order := b.Seen[s].Projects - a.Seen[s].Projects; order != 0 {
			return order
		}
	}
	return 0
}
