package feed

import (
	"maps"
	"time"

	"pgtower/models"
)

// Match reports whether an operation of a project passes a filter, as it was when it was requested. The result may
// depend on the time, and on what else is known.
type Match func(project string, op *models.Operation, asOf time.Time) bool

// Matcher finds the operations that pass a filter for the first time, each once, even if the filter is changed.
//
// What already passes when its project is read first, or when the filter is changed, is not found, unless it began or ended
// since the service first answered. An operation that does not pass is tested again whenever it changes and, until it is
// done, whenever an answer contains it. One that had finished and fails is found again.
type Matcher struct {
	poller *Poller
	match  Match
	// passed are the operations that were found (true), and the unfinished ones that passed without being found. Whether
	// a finished one passed is tested when it changes.
	passed map[Key]bool
	most   int // if there are more, those that the feeds no longer have are forgotten
}

// leastPassed is the number of operations that passed up to which none is forgotten.
const leastPassed = 10_000

// NewMatcher returns a matcher of what the poller reads from now on.
func NewMatcher(p *Poller, match Match) *Matcher {
	m := &Matcher{passed: map[Key]bool{}, most: leastPassed}
	m.Restart(p, match)
	return m
}

// Restart changes the filter.
func (m *Matcher) Restart(p *Poller, match Match) {
	m.poller, m.match = p, match
	maps.DeleteFunc(m.passed, func(_ Key, found bool) bool { return !found })
	for _, pr := range p.order {
		for _, e := range pr.feed.active {
			m.passes(pr.ID, e.op(), e.asOf(), false)
		}
	}
}

// Receive returns the operations that pass for the first time, by an answer and what it changed in the feed of its project.
func (m *Matcher) Receive(f *Feed, a Answer) (found []*models.Operation) {
	c := a.Change
	for _, op := range c.News {
		if m.Again(a.Project, op, a.AsOf) {
			found = append(found, op)
		}
	}
	for _, op := range c.Added {
		if !op.Done() {
			m.passes(a.Project, op, a.AsOf, false)
		}
	}
	for _, r := range c.Changed {
		status := r.Before.Status
		if status.Final() && !status.Failed() && r.After.Status.Failed() { // a new failure
			delete(m.passed, Key{a.Project, r.After.ID})
		}
		if r.Before.Done() {
			m.passes(a.Project, r.Before, a.AsOf, false)
		}
		if m.Again(a.Project, r.After, a.AsOf) {
			found = append(found, r.After)
		}
	}
	if e := f.active[a.ID]; m.retest(e) {
		found = append(found, e.op())
	}
	for i := range a.Page.Items {
		if e := f.active[a.Page.Items[i].ID]; m.retest(e) {
			found = append(found, e.op())
		}
	}
	m.forget()
	return found
}

func (m *Matcher) retest(e *entry) bool { return e != nil && m.Again(e.feed.project, e.op(), e.asOf()) }

// Again tests an operation that was news once more, when more is known. It reports whether the operation passes for the first
// time.
func (m *Matcher) Again(project string, op *models.Operation, asOf time.Time) bool {
	return m.passes(project, op, asOf, true)
}

// forget forgets the operations that were given back: what is loaded again is not tested as news.
func (m *Matcher) forget() {
	if len(m.passed) <= m.most {
		return
	}
	maps.DeleteFunc(m.passed, func(k Key, _ bool) bool { return !m.poller.Has(k) })
	m.most = max(leastPassed, 2*len(m.passed))
}

// passes reports whether an operation passes for the first time, and remembers it.
func (m *Matcher) passes(project string, op *models.Operation, asOf time.Time, found bool) bool {
	k := Key{project, op.ID}
	if _, passed := m.passed[k]; passed || !m.match(project, op, asOf) {
		return false
	}
	m.passed[k] = found
	return true
}
