package operations

import (
	"fmt"
	"slices"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/announce"
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

// take takes in what a poll changed in a project, which need not be in scope. shown reports
// whether a row is in the table. [failures.tell] then tells it.
func (f *failures) take(project string, c feed.Change, shown func(row) bool) {
	for _, op := range c.Added {
		f.add(row{op: op, project: project}, shown)
	}
	for _, r := range c.Changed {
		if !r.Before.Status.Failed() {
			f.add(row{op: r.After, project: project}, shown)
		}
	}
}

func (f *failures) add(r row, shown func(row) bool) {
	k := r.key()
	if _, told := f.told[k]; told || !r.op.Status.Failed() {
		return
	}
	f.told[k] = struct{}{}
	f.fresh = append(f.fresh, r)
	f.unseen++
	if shown(r) {
		f.away++
	}
}

// tell names the first of the failures that came, and says how many more did.
func (f *failures) tell(s *scope) {
	fresh := f.fresh
	if len(fresh) == 0 {
		return
	}
	f.fresh = nil
	first := slices.MinFunc(fresh, func(a, b row) int { return a.op.UpdatedAt.Compare(b.op.UpdatedAt) })
	f.named = first.key()
	text := fmt.Sprintf("✗ %s %s", s.operation(first), models.StatusFailed)
	if more := len(fresh) - 1; more > 0 {
		text += fmt.Sprintf(", +%s more", count(more))
	}
	if first.op.Error != "" {
		text += ": " + first.op.Error
	}
	s.session.Emit(page.Notice{Tone: style.Bad, Text: text, Waits: true})
}

// atTop forgets those above the selection once that is at the top.
func (f *failures) atTop(is bool) {
	if is {
		f.away = 0
	}
}

// note says how many rows came above the selection, and how many failed meanwhile.
func (f *failures) note(frame page.Frame, arrivals int) table.Note {
	came, failed, top := count(arrivals)+" new", count(f.away)+" failed", frame.Key("top")
	switch {
	case f.away == 0:
		return table.Note{Tone: style.Fresh, Text: "▲ " + came + " · " + top + ": newest"}
	case arrivals == 0:
		return table.Note{Tone: style.Bad, Text: "✗ " + failed + " · " + frame.Key("counted-failed") + ": show"}
	}
	return table.Note{Tone: style.Bad, Text: "▲ " + came + ", " + failed + " · " + top + ": newest"}
}

// said is the note for those who hear it, said when they ask: each row was said as it came.
func (f *failures) said(frame page.Frame, arrivals int) announce.Part {
	failed := ""
	if f.away > 0 {
		failed = ", " + count(f.away) + " failed"
	}
	text := count(arrivals) + " new above" + failed + ". " + announce.Key(frame.Key("top")) + " goes to the top."
	return announce.Part{Name: "arrivals", Text: text, Quiet: true}
}
