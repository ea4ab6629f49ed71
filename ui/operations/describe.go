package operations

import (
	"fmt"
	"time"

	"pgtower/models/feed"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// View draws the feed, or its statistics.
func (p *Page) View(f page.Frame) []string {
	f = p.frozen(f)
	if p.statistics != nil {
		return p.statistics.table.Draw(f, p.statistics.description(f, p.state))
	}
	return p.table.Draw(f, p.description(f))
}

// Describe says the feed in words, or its statistics, as of the same time as View.
func (p *Page) Describe(f page.Frame) announce.Description {
	f = p.frozen(f)
	if p.statistics != nil {
		return p.statistics.table.Describe(f, p.statistics.description(f, p.state))
	}
	return p.table.Describe(f, p.description(f))
}

// Ticks reports whether an operation that is shown has not ended yet.
func (p *Page) Ticks() bool {
	switch {
	case p.paused() || p.statistics != nil:
		return false
	case p.table.Opened():
		r, _ := p.table.Selected()
		return r.running()
	}
	for _, r := range p.table.Visible() {
		if r.running() {
			return true
		}
	}
	return false
}

func (p *Page) description(f page.Frame) table.Description[row] {
	whose := style.Sentence(p.title())
	if !p.all() {
		whose = "Project " + p.title()
	}
	return table.Description[row]{
		ID: page.Operations, Name: page.Operations.Title(), State: p.said(f),
		Scope:   announce.Part{Name: "scope", Key: "scope " + p.project.ID, Text: whose},
		Summary: p.window.summary(f, p.table.Arranged(), p.toggle), Empty: p.empty(f), Nothing: p.nothing(f), Trouble: p.trouble(f),
		Note: p.note(f), News: p.changes.news(p.state, func(k key, r row) bool {
			return k != p.failures.named && p.table.Wanted(r)
		}),
		Divider: func(r row) string { return r.line.divider(f.Now) },
		Partial: p.partial,
		At: func(r row) time.Time {
			if r.running() {
				return f.Tick
			}
			return f.Now
		},
		Changed: p.changes.at,
	}
}

// partial reports whether others may be missing around a row. The feed in its own order stops
// where that begins, or shows a gap there.
func (p *Page) partial(r row) bool { return r.partial && p.table.Arranged() }

// say is a row in words.
func (p *Page) say(r row, now time.Time) string {
	said := p.cells.say(r, now)
	if p.partial(r) {
		said += ", incomplete: others may be missing around it"
	}
	return said
}

// note is what there is to say about rows that are not on the screen.
func (p *Page) note(f page.Frame) (note table.Note) {
	column, reverse := p.table.Sorted()
	muted := func(text, key string) table.Note {
		return table.Note{Tone: style.Muted, Text: text, Said: announce.Part{Key: key}}
	}
	n, end := p.table.Arrivals(), p.table.EndShown()
	switch {
	case p.poller.Goal() != feed.Goal{}:
		// How far it is, is said to a user who asks; that it has ended, a notice says.
		note = muted("◌ "+p.progress(f), "loading")
	case n > 0 && column == table.DefaultOrder && !reverse, p.failures.away > 0:
		note = p.failures.note(f, n)
	case p.poller.LoadingHistory():
		note = muted("◌ loading older operations…", "")
	case p.broken() != "" && (end || p.table.Filtered()) && !p.timeline().HasOlder():
		note = table.Note{Tone: style.Waiting, Text: style.Sentence(p.broken()) + ". " + f.Key("older") + " tries again."}
	case p.timeline().Ended() && end && !p.table.Filtered():
		note = muted("The end: the service has nothing older.", "")
	case p.table.Arranged():
		e, needed := p.extent(), p.history.needed(p.table)
		// How the time passes is not said.
		note = muted(e.note(f, needed), fmt.Sprint("complete ", needed > 0 && e.back(f.Now) >= needed))
	}
	if n > 0 {
		note.Said = p.failures.said(f, n)
	}
	return note
}

// progress is how far the load is that is under way, and how to stop it.
func (p *Page) progress(f page.Frame) string {
	said := p.history.progress(f.Now)
	if p.stoppable() {
		said += " · " + f.Key("stop-loading") + " stops"
	}
	return said
}
