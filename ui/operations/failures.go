package operations

import (
	"fmt"
	"slices"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// failures are the operations that failed while pgtower watched. What had failed before a
// project was first read, and what loading history brings, is not among them.
type failures struct {
	// told has each of them, so that none is told twice. The feeds hold them anyway.
	told   map[key]struct{}
	fresh  []row // those that no notice told of yet
	named  key   // the one that the last notice named
	unseen int   // how many came since the user last pressed a key or came to the terminal
	away   int   // how many rows of the table failed since it was last at its top
}

// tellFailures takes in what a poll changed in a project that was known before it, which
// need not be in scope. [Page.sayFailures] then tells it.
func (p *Page) tellFailures(project string, c feed.Change) {
	for _, op := range c.Added {
		p.tellFailure(row{op: op, project: project})
	}
	for _, r := range c.Changed {
		if !r.Before.Status.Failed() {
			p.tellFailure(row{op: r.After, project: project})
		}
	}
}

func (p *Page) tellFailure(r row) {
	k := p.rows.Key(r)
	if _, told := p.failures.told[k]; told || !r.op.Status.Failed() {
		return
	}
	p.failures.told[k] = struct{}{}
	p.failures.fresh = append(p.failures.fresh, r)
	p.failures.unseen++
	if (p.all() || r.project == p.project.ID) && p.table.List().Wanted(r, p.session.ServiceNow()) {
		p.failures.away++
	}
}

// sayFailures names the first of the failures that came, and says how many more did.
func (p *Page) sayFailures() {
	fresh := p.failures.fresh
	if len(fresh) == 0 {
		return
	}
	p.failures.fresh = nil
	first := slices.MinFunc(fresh, func(a, b row) int { return a.op.UpdatedAt.Compare(b.op.UpdatedAt) })
	p.failures.named = p.rows.Key(first)
	text := fmt.Sprintf("✗ %s of %s %s", first.op.Action.Title(), p.name(first.project), models.StatusFailed)
	if more := len(fresh) - 1; more > 0 {
		text += fmt.Sprintf(", +%s more", count(more))
	}
	if first.op.Error != "" {
		text += ": " + first.op.Error
	}
	p.session.Tell(page.Notice{Tone: style.Bad, Text: text, Waits: true})
}

// pill says how many rows came above the selection, and how many failed meanwhile.
func (p *Page) pill(f page.Frame, arrivals int) string {
	failed := p.failures.away
	switch {
	case failed == 0:
		return f.Theme.Paint(style.Fresh, fmt.Sprintf(" ▲ %s new · %s: newest", count(arrivals), f.Keys.Label(table.TopKey())))
	case arrivals == 0:
		return f.Theme.Paint(style.Bad, fmt.Sprintf(" ✗ %s failed · %s: show", count(failed), f.Keys.Label(countFailedKey())))
	}
	return f.Theme.Paint(style.Bad, fmt.Sprintf(" ▲ %s new, %s failed · %s: newest",
		count(arrivals), count(failed), f.Keys.Label(table.TopKey())))
}
