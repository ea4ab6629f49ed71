package incident

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"pgtower/models"
)

// Span is the time that groups are about, by the service's clock.
type Span struct {
	Since  time.Time     // no operation that began after that is missing; zero: none at all
	Window time.Duration // the time before Now that is compared with the time before it
	Now    time.Time

	// Projects has since when nothing of a project is missing, by its id. For other projects, Since holds.
	Projects map[string]time.Time
}

// completeSince returns since when nothing of a project is missing.
func (s Span) completeSince(project string) time.Time {
	if since, found := s.Projects[project]; found {
		return since
	}
	return s.Since
}

// Group is the operations with the same value in a dimension. Those that no longer exist are left out.
type Group struct {
	Value string // see [Dimension.Of]

	Count, Failed, Finished, Unfinished int
	// Projects is the number of projects with a failure, or with an operation if none failed.
	Projects    int
	First, Last time.Time // when the first and the last failure was; zero without failures
	// Seen counts the projects with a failure by their [State]: that of the worst of their actions.
	Seen [states]Seen
	// Recent is the number of failures in the window, and Before the average number in a time of the same length before
	// it. It is unknown if less than a window before it is complete.
	Recent int
	Before models.Opt[float64]
}

// Rate is the share of the operations with an outcome that failed, or 0 if there are none.
func (g *Group) Rate() float64 { return float64(g.Failed) / float64(max(1, g.Count-g.Unfinished)) }

// Groups groups operations, the group with the most failures first, then the one with the most operations. Operations
// without a value are left out. pasts must have all operations that were read, even if only some are grouped.
func Groups(dimension Dimension, operations iter.Seq[Operation], pasts Pasts, span Span) []Group {
	growing := map[string]*growing{}
	oldest := span.Since
	for o := range operations {
		value := dimension.Of(o)
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
	var out []Group
	for _, g := range growing {
		g.see(pasts, span)
		out = append(out, g.grown(oldest, span))
	}
	slices.SortFunc(out, mostFailures)
	return out
}

func mostFailures(a, b Group) int {
	return cmp.Or(b.Failed-a.Failed, b.Count-a.Count, cmp.Compare(a.Value, b.Value))
}

// growing is a group to which operations are added.
type growing struct {
	Group

	projects map[string]bool
	failures map[Work]Failures
	earlier  int // failures in the complete time before the window
}

func newGrowing(value string) *growing {
	return &growing{Group: Group{Value: value}, projects: map[string]bool{}, failures: map[Work]Failures{}}
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
	ended := o.EndedAt()
	if g.First.IsZero() || ended.Before(g.First) {
		g.First = ended
	}
	if ended.After(g.Last) {
		g.Last = ended
	}
	failures := g.failures[WorkOf(o)]
	failures.Add(o.Operation)
	g.failures[WorkOf(o)] = failures
	switch {
	case ended.After(span.Now.Add(-span.Window)):
		g.Recent++
	case !ended.Before(span.Since):
		g.earlier++
	}
}

// see counts the projects with a failure by their state: that of the worst of their actions, with its latest time.
func (g *growing) see(pasts Pasts, span Span) {
	type seen struct {
		state State
		since time.Time
	}
	projects := map[string]seen{}
	for work, failures := range g.failures {
		state, since := failures.State(pasts[work], span.completeSince(work.Project), span)
		noted, has := projects[work.Project]
		if !has || state < noted.state || state == noted.state && since.After(noted.since) {
			projects[work.Project] = seen{state, since}
		}
	}
	for _, entry := range projects {
		state := &g.Seen[entry.state]
		state.Projects++
		if entry.since.After(state.Since) {
			state.Since = entry.since
		}
	}
	g.Projects = len(projects)
	if g.Projects == 0 {
		g.Projects = len(g.projects)
	}
}

// grown returns the group. oldest is since when the time before the window is complete.
func (g *growing) grown(oldest time.Time, span Span) Group {
	windows := float64(span.Now.Add(-span.Window).Sub(oldest)) / float64(span.Window)
	if windows >= 1 {
		g.Before = models.Opt[float64]{Value: float64(g.earlier) / windows, Known: true}
	}
	return g.Group
}
