package operations

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgtower/models/feed"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// news are the rows that polls added or changed, to be marked.
type news struct {
	cycle   time.Time            // the last cycle that brought news
	changed map[key]table.Change // which cells changed in that cycle
	away    int                  // the failures that came since the table was last at its top
}

// startCycle forgets the news of the cycle before.
func (n *news) startCycle(cycle time.Time) {
	if !cycle.Equal(n.cycle) {
		n.cycle, n.changed = cycle, map[key]table.Change{}
	}
}

// receive marks the rows that an answer added or changed, and returns the changed ones. Operations that had ended before the
// service first answered are not marked.
func (n *news) receive(a feed.Answer, l *list) (changed []*row) {
	for _, op := range a.Change.News {
		r := l.row(a.Project, op)
		n.changed[r.key()] = table.Added
		n.countFailure(r, l)
	}
	for _, revised := range a.Change.Changed {
		r := l.row(a.Project, revised.After)
		n.changed[r.key()] |= l.changes(l.row(a.Project, revised.Before), r)
		// An operation that fails at every attempt is one failure.
		previous := revised.Before
		if !previous.Status.Failed() && (previous.FailuresCount == 0 || previous.Status.Final()) {
			n.countFailure(r, l)
		}
		changed = append(changed, r)
	}
	return changed
}

func (n *news) change(r *row) table.Change { return n.changed[r.key()] }

func (n *news) countFailure(r *row, l *list) {
	if r.Op.Status.Failed() && l.shows(r) {
		n.away++
	}
}

// note counts the new rows above the selection, and the failures. It is not announced: each row was.
func (n *news) note(f page.Frame, arrivals int) table.Note {
	top := f.Key("top")
	came, failed := count(arrivals)+" new", count(n.away)+" failed"
	out := table.Note{Tone: style.Bad, Text: "▲ " + came + ", " + failed + " · " + top + ": newest"}
	words := came + " above, " + failed
	switch {
	case n.away == 0:
		out = table.Note{Tone: style.Fresh, Text: "▲ " + came + " · " + top + ": newest"}
		words = came + " above"
	case arrivals == 0:
		return table.Note{
			Tone: style.Bad, Text: "✗ " + failed + " · " + f.Key("failed") + ": show",
		}
	}
	text := words + ". " + announce.Key(top) + ": go to the top."
	out.Announced = announce.Part{Name: "arrivals", Text: text, Quiet: true}
	return out
}

// events describes the changed rows of the list, the oldest first, without the one that an alert named.
func (n *news) events(l *list, named key) []announce.Event {
	t, now := l.live.timeline(), l.session.ServiceNow()
	var rows []*row
	for k, change := range n.changed {
		i, ok := t.Find(k.Project, k.ID)
		if !ok || change == 0 || k == named {
			continue
		}
		r := l.row(k.Project, t.At(i))
		if l.shows(r) {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, byUpdate)
	events := make([]announce.Event, len(rows))
	for i, r := range rows {
		events[i] = event(l.scope, r, n.change(r), now)
	}
	return events
}

func byUpdate(a, b *row) int {
	return cmp.Or(a.Op.UpdatedAt.Compare(b.Op.UpdatedAt), strings.Compare(a.Op.ID, b.Op.ID))
}

// event describes what changed in a row.
func event(s *scope, r *row, change table.Change, now time.Time) announce.Event {
	word := style.StatusOf(r.Op).Word
	text := word + ": " + s.operation(r)
	if change == table.Added && !r.Op.Done() {
		text = word + ", new: " + s.operation(r)
	}
	took, ok := r.Took(now)
	failures := int(r.Op.FailuresCount)
	text += when(ok && r.Op.Done(), " after "+style.DurationWords(took)) + when(failures > 0, ", "+style.Plural(failures, "failure"))
	return announce.Event{Key: fmt.Sprint(r.key(), word, r.Op.FailuresCount), Kind: word, Text: text}
}
