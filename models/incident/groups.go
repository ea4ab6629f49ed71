package incident

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"pgtower/models"
)

// Work is an action of a project.
type Work struct {
	Project string // id
	Action  models.Action
}

// WorkOf returns the work of an operation.
func WorkOf(o Operation) Work { return Work{o.Project, o.Action} }

// Finished has when an operation of each work last finished.
type Finished map[Work]time.Time

// FinishedOf collects when work last finished.
func FinishedOf(operations iter.Seq[Operation]) Finished {
	out := Finished{}
	for o := range operations {
		ended := o.EndedAt()
		if o.Status == models.StatusFinished && ended.After(out[WorkOf(o)]) {
			out[WorkOf(o)] = ended
		}
	}
	return out
}

// Span is the time that groups are about, by the service's clock.
type Span struct {
	Since  time.Time     // no operation that began since then is missing; zero: none at all
	Window time.Duration // the time before Now that is compared with the time before it
	Now    time.Time
}

// Group is the operations with the same value in a dimension. Those that no longer exist are left out.
type Group struct {
	Value string // see [Dimension.Of]

	Count, Failed, Finished, Unfinished int
	// Projects is the number of projects with a failure, or with an operation if none failed.
	Projects    int
	First, Last time.Time // when the first and the last failure was; zero without failures
	// Open is the number of projects in which an action failed and has not finished since.
	Open int
	// Recent is the number of failures in the window, and Before the average number in a time of the same length before
	// it. It is unknown if less than a window before it is complete.
	Recent int
	Before models.Opt[float64]
}

// Rate is the share of the operations with an outcome that failed, or 0 if there are none.
func (g *Group) Rate() float64 { return float64(g.Failed) / float64(max(1, g.Count-g.Unfinished)) }

// Groups groups operations, the group with the most failures first, then the one with the most operations. Operations
// without a value are left out. finished is of all operations that were read, also where only some are grouped.
func Groups(by Dimension, operations iter.Seq[Operation], finished Finished, span Span) []Group {
	growing := map[string]*growing{}
	oldest := span.Since
	for o := range operations {
		value := by.Of(o)
		if value == "" || o.Gone {
			continue
		}
		if span.Since.IsZero() && (oldest.IsZero() || o.CreatedAt.Before(oldest)) {
			oldest = o.CreatedAt
		}
		if growing[value] == nil {
			growing[value] = newGrowing(value)
		}
		growing[value].add(o, span)
	}
	span.Since = oldest
	var out []Group
	for _, g := range growing {
		out = append(out, g.grown(finished, span))
	}
	slices.SortFunc(out, func(a, b Group) int {
		return cmp.Or(b.Failed-a.Failed, b.Count-a.Count, cmp.Compare(a.Value, b.Value))
	})
	return out
}

// growing is a group to which operations are added.
type growing struct {
	Group

	projects map[string]bool
	failed   map[Work]time.Time // when the last one failed
	before   int                // failures in the complete time before the window
}

func newGrowing(value string) *growing {
	return &growing{Group: Group{Value: value}, projects: map[string]bool{}, failed: map[Work]time.Time{}}
}

func (g *growing) add(o Operation, span Span) {
	g.Count++
	g.projects[o.Project] = true
	switch {
	case o.Status.Failed():
		g.addFailure(o, span)
	case o.Status == models.StatusFinished:
		g.Finished++
	case !o.Done():
		g.Unfinished++
	}
}

func (g *growing) addFailure(o Operation, span Span) {
	g.Failed++
	at := o.EndedAt()
	if g.First.IsZero() || at.Before(g.First) {
		g.First = at
	}
	if at.After(g.Last) {
		g.Last = at
	}
	if at.After(g.failed[WorkOf(o)]) {
		g.failed[WorkOf(o)] = at
	}
	switch {
	case at.After(span.Now.Add(-span.Window)):
		g.Recent++
	case !at.Before(span.Since):
		g.before++
	}
}

// grown returns the group. A failure is over once its work has finished after it.
func (g *growing) grown(finished Finished, span Span) Group {
	failing, open := map[string]bool{}, map[string]bool{}
	for work, at := range g.failed {
		failing[work.Project] = true
		if !finished[work].After(at) {
			open[work.Project] = true
		}
	}
	g.Open, g.Projects = len(open), len(failing)
	if g.Projects == 0 {
		g.Projects = len(g.projects)
	}
	windows := float64(span.Now.Add(-span.Window).Sub(span.Since)) / float64(span.Window)
	if windows >= 1 {
		g.Before = models.Opt[float64]{Value: float64(g.before) / windows, Known: true}
	}
	return g.Group
}
