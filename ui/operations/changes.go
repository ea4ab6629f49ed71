package operations

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/announce"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// changes are what the last cycle brought or changed. It is marked until the next cycle
// brings something.
type changes struct {
	of    map[key]table.Change
	began time.Time // the cycle
}

// begin forgets the changes of another cycle than the one that began at a time.
func (c *changes) begin(cycle time.Time) {
	if !cycle.Equal(c.began) {
		c.began, c.of = cycle, nil
	}
}

// take takes in what became of a project.
func (c *changes) take(project string, change feed.Change, cells *cells) {
	if c.of == nil {
		c.of = map[key]table.Change{}
	}
	for _, op := range change.Added {
		c.of[key{project: project, id: op.ID}] = table.Added
	}
	for _, r := range change.Changed {
		c.of[key{project: project, id: r.After.ID}] |= cells.changed(project, r)
	}
}

// at is what changed of a row.
func (c *changes) at(r row) table.Change {
	if r.op == nil {
		return 0
	}
	return c.of[r.key()]
}

// news are the changes that are to be told, the operation that changed first at the front.
func (c *changes) news(s *state, told func(key, row) bool) []announce.Event {
	type changed struct {
		key

		op    *models.Operation
		added bool
	}
	var all []changed
	for k, change := range c.of {
		i, ok := s.timeline().Find(k.project, k.id)
		if change == 0 || !ok {
			continue
		}
		if op := s.timeline().At(i); told(k, row{op: op, project: k.project}) {
			all = append(all, changed{k, op, change == table.Added})
		}
	}
	slices.SortFunc(all, func(a, b changed) int {
		return cmp.Or(a.op.UpdatedAt.Compare(b.op.UpdatedAt), strings.Compare(a.id, b.id))
	})
	now, events := s.session.ServiceNow(), make([]announce.Event, len(all))
	for i, one := range all {
		word := styleOf(one.op).word
		said := word + ": "
		if one.added && !one.op.Done() {
			said = word + ", new: "
		}
		said += one.op.Action.Title() + " of " + s.name(one.project)
		if took := one.op.Took(now); took.Known && one.op.Done() {
			said += " after " + style.DurationWords(took.Value)
		}
		if n := int(one.op.FailuresCount); n > 0 {
			said += ", " + table.Plural(n, "failure")
		}
		events[i] = announce.Event{Key: fmt.Sprint(one.key, word, one.op.FailuresCount), Kind: word, Text: said}
	}
	return events
}
