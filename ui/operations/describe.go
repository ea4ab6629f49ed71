package operations

import (
	"fmt"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
	"pgtower/ui/timeline"
)

// describe adds the texts around the rows.
func (p *Page) describe(f page.Frame, d *table.Description[*row]) {
	whose := style.Sentence(p.scope.title())
	if p.scope.single() {
		whose = "Project " + p.scope.title()
	}
	view, ok := p.views.current()
	whose += when(ok && view.Filter != "", ", view "+view.Name)
	c, e := p.live.currency(p.scope, p.session.Now(), p.still), p.list.extent()
	summary, problems := p.summary(e, c), p.problems(f, c)
	parts := summary.parts(f)
	if p.together.known() {
		parts = append(parts, table.Part{Announced: p.together.said(e)})
	}
	if s, ok := p.vendor.says(&p.together); ok {
		parts = append(parts, table.Part{Announced: p.vendor.text(s, "")})
	}
	d.State, d.Scope = c.announced(f), announce.Part{Name: "scope", Key: p.scope.scopeKey(), Text: whose}
	d.Summary, d.Empty, d.Trouble, d.Note = parts, c.empty(f), problems, p.note(f, e)
	d.Nothing = e.nothing(f.Now, p.needed(), p.missing(f, e), problems)
	d.Partial = p.list.display.partial
	d.Changed = p.news.change
	d.Divider = func(r *row) string { return r.line.divider(f.Now) }
	d.At = func(r *row) time.Time { return r.drawnAt(f) }
	if f.Accessible {
		d.Picture, d.News = p.time.picture(f), p.news.events(p.list, p.alerts.named)
	}
}

// drawnAt returns the time as of which a row is drawn: only what runs counts every second.
func (r *row) drawnAt(f page.Frame) time.Time {
	if r.Running() {
		return f.Tick
	}
	return f.Now
}

func (p *Page) summary(e extent, c currency) *summary {
	s := &summary{
		extent: e, counted: p.list.rows.counted.Len(), window: p.window,
		timeline: p.live.timeline(), title: p.scope.title(), end: "now",
		arranged: p.list.shown().Arranged(), told: p.tabs.told || p.ruled, show: p.list.toggle,
		loading: c.State == feed.Loading || p.live.poller.Loading(),
	}
	if p.together.known() && p.together.result.places[0].Span == p.window {
		s.together = &p.together.result
	}
	switch {
	case p.live.paused():
		s.end = "paused"
	case !e.stalled.IsZero(), p.session.Ended():
		s.end = "then"
	}
	return s
}

// problems returns the errors of the service or of some projects, and of loading the range.
func (p *Page) problems(f page.Frame, c currency) (errs []error) {
	errs = append(errs, c.unreadable(), p.scope.list.Trouble)
	id, n, err := p.live.poller.RangeErr()
	if err != nil {
		what := fmt.Sprintf("cannot read older operations (%s: try again) of %s", f.Key("refresh"), p.scope.name(id))
		errs = append(errs, models.About(what, n-1, err))
	}
	return slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}

// missing returns why older operations are missing.
func (p *Page) missing(f page.Frame, e extent) string {
	broken := p.live.broken(p.scope)
	switch {
	case broken != "":
		return broken + "; " + f.Key("refresh") + ": try again"
	case p.live.loading():
		return p.loader.progress(e, f.Now)
	}
	return "older operations are not all loaded; : since 7d loads more"
}

// note returns the line about rows that are not on the screen.
func (p *Page) note(f page.Frame, e extent) table.Note {
	t, feed := p.list.shown(), p.live.timeline()
	came, end, broken := t.Arrivals() > 0, t.EndShown(), p.live.broken(p.scope)
	note := table.Note{}
	switch {
	case p.loader.why != forRange && e.Capped == 0 && p.live.loading():
		// A screen reader reads the progress on request only.
		note = mutedNote("◌ "+style.Sentence(p.loader.progress(e, f.Now)), "loading")
	case came && !p.list.sorted(), p.news.away > 0:
		return p.news.note(f, t.Arrivals())
	case broken != "" && (end || t.Filtered()) && !feed.HasOlder():
		note = table.Note{
			Tone: style.Waiting,
			Text: style.Sentence(broken) + ". " + f.Key("refresh") + ": try again.",
		}
	case feed.Ended() && end && !t.Filtered():
		note = mutedNote("End of history.", "")
	case t.Arranged(), p.time.incomplete(f.Now):
		needed, mark := p.needed(), table.PartialMark
		if p.time.open {
			mark = timeline.UnknownMark
		}
		// Passing time is not announced.
		note = mutedNote(e.note(f, needed, mark), fmt.Sprint("complete ", needed > 0 && e.back(f.Now) >= needed))
	}
	if note.Text == "" && !f.Accessible && feed.Read() > 0 {
		note.Tone, note.ScreenOnly = style.Muted, true
		switch {
		case p.time.open && !p.list.table.Opened():
			failed := "▄ ended, red failed"
			if f.Theme.Colourless() {
				failed = "✗ failed"
			}
			note.Text = failed + " · ◐ running · " + f.Key("top") + ": order again"
		case p.ruled:
			note.Text = style.Sentence(e.completeFor(f.Now))
		}
	}
	if came {
		note.ScreenOnly, note.Announced = false, p.news.note(f, t.Arrivals()).Announced
	}
	return note
}

func mutedNote(text, key string) table.Note {
	return table.Note{Tone: style.Muted, Text: text, Announced: announce.Part{Key: key}}
}

// needed returns how far back the filter or the timeline reaches, or 0 if that is not limited.
func (p *Page) needed() time.Duration {
	back, _ := p.filterBack()
	return max(back, p.time.reach(p.session.ServiceNow()))
}
