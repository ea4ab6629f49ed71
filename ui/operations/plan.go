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
	gone  map[string]bool // projects that the service does not find
}

// fill plans a round of at most room projects: those with unfinished work first, then
// the quiet ones, and among each those that were asked longest ago. Being asked counts
// and not having answered, or one that never answers would be first for ever.
func (p *plan) fill(projects []string, unfinished func(project string) bool, room int) {
	type turn struct {
		project string
		quiet   bool
		asked   time.Time
	}
	turns := make([]turn, 0, len(projects))
	for _, id := range projects {
		if !p.gone[id] {
			turns = append(turns, turn{id, !unfinished(id), p.asked[id]})
		}
	}
	slices.SortStableFunc(turns, func(a, b turn) int {
		if a.quiet != b.quiet {
			if b.quiet {
				return -1
			}
			return +1
		}
		return a.asked.Compare(b.asked)
	})
	p.queue = p.queue[:0]
	for _, t := range turns[:min(room, len(turns))] {
		p.queue = append(p.queue, ask{project: t.project})
	}
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
	switch models.KindOf(err) {
	case models.KindUnauthorized, models.KindRateLimited, models.KindUnreachable, models.KindTLS,
		models.KindTimeout, models.KindCanceled, models.KindRedirect:
		return true
	default:
		return false
	}
}
