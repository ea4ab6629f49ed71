package operations

import (
	"fmt"
	"slices"
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
		return p.statistics.table.Draw(f, p.statistics.description(f))
	}
	return p.table.Draw(f, p.description(f))
}

// Describe says the feed in words, or its statistics, as of the same time as View.
func (p *Page) Describe(f page.Frame) announce.Description {
	f = p.frozen(f)
	if p.statistics != nil {
		return p.statistics.table.Describe(f, p.statistics.description(f))
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
	return slices.ContainsFunc(p.table.Visible(), row.running)
}

func (p *Page) description(f page.Frame) table.Description[row] {
	whose := style.Sentence(p.title())
	if !p.all() {
		whose = "Project " + p.title()
	}
	return table.Description[row]{
		ID: page.Operations, Name: page.Operations.Title(), State: p.said(f),
		Scope:   announce.Part{Name: "scope", Key: "scope " + p.project.ID, Text: whose},
		Summary: p.window.summary(f), Empty: p.empty(f), Nothing: p.history.nothing(f), Trouble: p.trouble(f),
		Note: p.note(f), News: p.news.events(), Changed: func(r row) table.Change { return p.news.changed[r.key()] }, Partial: p.partial,
		Divider: func(r row) string { return r.line.divider(f.Now) },
		At: func(r row) time.Time {
			if r.running() {
				return f.Tick
			}
			return f.Now
		},
	}
}

// note is what there is to say about rows that are not on the screen.
func (p *Page) note(f page.Frame) table.Note {
	muted := func(text, key string) table.Note {
		return table.Note{Tone: style.Muted, Text: text, Said: announce.Part{Key: key}}
	}
	came, end := p.table.Arrivals() > 0, p.table.EndShown()
	note := table.Note{}
	switch {
	case p.poller.Goal() != feed.Goal{}:
		// How far it is, is said to a user who asks; that it has ended, a notice says.
		note = muted("◌ "+p.history.progress(f), "loading")
	case came && !p.sorted(), p.news.away > 0:
		return p.news.note(f)
	case p.poller.LoadingHistory():
		note = muted("◌ loading older operations…", "")
	case p.broken() != "" && (end || p.table.Filtered()) && !p.timeline().HasOlder():
		note = table.Note{Tone: style.Waiting, Text: style.Sentence(p.broken()) + ". " + f.Key("older") + " tries again."}
	case p.timeline().Ended() && end && !p.table.Filtered():
		note = muted("The end: the service has nothing older.", "")
	case p.table.Arranged():
		e, needed := p.extent(), p.history.needed()
		// How the time passes is not said.
		note = muted(e.note(f, needed), fmt.Sprint("complete ", needed > 0 && e.back(f.Now) >= needed))
	}
	if came {
		note.Said = p.news.note(f).Said
	}
	return note
}
