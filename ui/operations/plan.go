package operations

import (
	"slices"
	"time"

	"pgtower/models"
)

// ask is one request of a round: a page of a project, or one of its operations.
type ask struct {
	project string
	cursor  string // of the page; empty for the head
	depth   int    // pages before it in this round
	id      string // of the operation, if it is one that is asked for
}

// plan is what a round has still to ask, and when each project was last asked.
type plan struct {
	queue []ask
	asked map[string]time.Time
	fails map[string]int  // how often in a row a project could not be read
	gone  map[string]bool // projects that the service does not find
}

func newPlan() plan {
	return plan{asked: map[string]time.Time{}, fails: map[string]int{}, gone: map[string]bool{}}
}

// fill plans a round of at most room projects at the interval. Projects with unfinished
// work come first, but half of the room is for the quiet ones, and either side has what
// the other leaves: many busy projects must not keep the others from ever being read.
// On each side those that were asked longest ago come first. Being asked counts, and not
// having answered; one that could not be read waits longer each time.
func (p *plan) fill(projects []string, unfinished func(project string) bool, room int, every time.Duration, now time.Time) {
	var busy, quiet []string
	for _, id := range projects {
		switch {
		case p.due(id, every).After(now):
		case unfinished(id):
			busy = append(busy, id)
		default:
			quiet = append(quiet, id)
		}
	}
	longestAgo := func(a, b string) int { return p.asked[a].Compare(p.asked[b]) }
	slices.SortStableFunc(busy, longestAgo)
	slices.SortStableFunc(quiet, longestAgo)
	first := min(len(busy), max(room-len(quiet), (room+1)/2))
	turns := append(busy[:first:first], quiet[:min(len(quiet), room-first)]...)
	p.queue = p.queue[:0]
	for _, id := range turns {
		p.queue = append(p.queue, ask{project: id})
	}
}

// due is when a project may be asked: one that could not be read waits twice as long with
// each time, as the round does in which nothing can be read.
func (p *plan) due(id string, every time.Duration) time.Time {
	if p.fails[id] == 0 {
		return time.Time{}
	}
	return p.asked[id].Add(backoff(every, p.fails[id]-1))
}

// wait is how long it takes until one of the projects may be asked.
func (p *plan) wait(projects []string, every time.Duration, now time.Time) time.Duration {
	var first time.Time
	for i, id := range projects {
		if due := p.due(id, every); i == 0 || due.Before(first) {
			first = due
		}
	}
	if first.IsZero() {
		return 0
	}
	return max(0, first.Sub(now))
}

// take returns the next n asks.
func (p *plan) take(n int, now time.Time) []ask {
	n = min(n, len(p.queue))
	batch := slices.Clone(p.queue[:n])
	p.queue = p.queue[n:]
	for _, a := range batch {
		p.asked[a.project] = now
	}
	return batch
}

// first puts asks before all others: what follows from an answer is more urgent than
// what was not asked yet.
func (p *plan) first(asks ...ask) { p.queue = append(asks, p.queue...) }

// endsRound says that after such an error the other requests of the round would fail in
// the same way, or should not be made.
func endsRound(err error) bool {
	if models.RetryAfterOf(err) > 0 {
		return true
	}
	switch models.KindOf(err) {
	case models.KindUnauthorized, models.KindRateLimited, models.KindTLS, models.KindRedirect, models.KindCanceled:
		return true
	default:
		return false
	}
}

// outOfReach says that there was no answer: if nothing else answers either, the service
// is meant and not the project.
func outOfReach(err error) bool {
	kind := models.KindOf(err)
	return kind == models.KindTimeout || kind == models.KindUnreachable
}
