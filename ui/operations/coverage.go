package operations

import (
	"fmt"
	"strings"
	"time"

	"pgtower/models/feed"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// extent is how far back the operations in scope are all there, apart from those of projects
// that cannot be read.
type extent struct {
	feed.Coverage

	unknown bool   // nothing was read yet, or not all projects are listed
	except  string // the projects that cannot be read, or empty
	// Where nothing new comes, it is as of a time, by the service's clock and in words.
	at    time.Time
	dated string
}

func (p *Page) extent() extent {
	e := extent{Coverage: p.poller.Coverage(), unknown: p.timeline.Read() == 0 || p.all() && !p.projects.Complete}
	switch ids := p.poller.Unreadable(); len(ids) {
	case 0:
	case 1:
		e.except = " except " + p.name(ids[0])
	default:
		e.except = fmt.Sprintf(" except %s projects", count(len(ids)))
	}
	switch f := p.poller.Freshness(p.session.Now()); {
	case f.Oldest.IsZero():
	case f.State == feed.Limited, f.State == feed.Offline, f.State == feed.Silent, f.State == feed.Failing:
		e.at, e.dated = p.session.Service(f.Oldest), " as of "+p.session.Times.Clock(f.Oldest)
	}
	return e
}

// whole reports whether all operations that there ever were are loaded.
func (e extent) whole() bool {
	return !e.unknown && e.Unread == 0 && e.Since.IsZero() && e.except == ""
}

// back is for how long the operations are all there. Of those that are [extent.whole], it is
// as long as there may be any.
func (e extent) back(now time.Time) time.Duration {
	if e.unknown || e.Unread > 0 {
		return 0
	}
	return max(0, now.Sub(e.Since))
}

// completeFor says for how long the operations are all there, or why that is not known.
func (e extent) completeFor(now time.Time) string {
	switch {
	case e.Unread > 0:
		return table.Plural(e.Unread, "project") + " not read yet"
	case e.unknown:
		return "not all projects are known yet"
	}
	if e.Since.IsZero() {
		return "complete" + e.except + e.dated
	}
	if !e.at.IsZero() {
		now = e.at
	}
	return "complete for " + span(e.back(now)) + e.except + e.dated
}

// span is a time as completeness is given, never longer than it is: 40 s, 14 min, 3 h, 5 d.
func span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < 2*time.Hour && d != time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < 2*24*time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d d", d/(24*time.Hour))
}

// divider is what stands between the rows where completeness ends.
func (p *Page) divider(e extent, now time.Time) string {
	switch {
	case e.back(now) == 0:
		return e.completeFor(now) + "; rows may be missing anywhere below"
	case p.all():
		return e.completeFor(now) + "; older rows lack " + p.name(e.Lacking)
	}
	return e.completeFor(now) + "; older rows are not all loaded"
}

// partial reports whether others may be missing around a row. The feed in its own order stops
// where that begins, or shows a gap there.
func (p *Page) partial(r row) bool { return r.partial && p.table.List().Arranged() }

// beyond says how complete is what a filter or another order shows.
func (p *Page) beyond(f page.Frame) string {
	e := p.extent()
	asked, back := p.asked(), e.back(f.Now)
	switch {
	case e.whole():
		return "Complete" + e.dated + ": the service has nothing older."
	case asked > 0 && back >= asked:
		return "Complete for the " + span(asked) + " needed" + e.except + e.dated + "."
	case back == 0:
		return style.Sentence(e.completeFor(f.Now)) + "; others may be missing around these rows."
	}
	older, lacks := "older rows ("+table.Partial+")", "are not all loaded"
	if f.Spoken {
		older = "older rows"
	}
	if p.all() {
		lacks = "lack " + p.name(e.Lacking)
	}
	return fmt.Sprintf("%s; %s %s · %s: older", style.Sentence(e.completeFor(f.Now)), older, lacks, f.Keys.Label(olderKey()))
}

// nothing is what is said of a filter that nothing matches: for how long that is certain.
func (p *Page) nothing(f page.Frame) table.Words {
	e := p.extent()
	asked, back := p.asked(), e.back(f.Now)
	var w table.Words
	var body []string
	switch {
	case e.whole():
	case asked > 0 && back >= asked:
		w.Title = "Nothing matches in the last " + span(asked) + ", which is complete" + e.except + e.dated + "."
	case back == 0:
		w = table.Words{Tone: style.Waiting, Title: "Nothing matches so far."}
		body = append(body, style.Sentence(e.completeFor(f.Now))+".")
	default:
		w = table.Words{Tone: style.Waiting, Title: "Nothing matches in the last " + span(back) + ", which is complete" + e.except + e.dated + "."}
		older, does := "what is older is not all loaded", "loads more"
		if broken := p.broken(); broken != "" {
			older, does = broken, "tries again"
		}
		body = append(body, style.Sentence(older)+"; "+f.Keys.Label(olderKey())+" "+does+".")
	}
	if p.poller.Goal() != (feed.Goal{}) {
		body = []string{style.Sentence(strings.TrimLeft(p.loadProgress(f), " ◌")) + "."}
	}
	for _, err := range p.trouble(f) {
		if err != nil {
			w.Tone = style.Waiting
			body = append(body, style.Sentence(err.Error())+".")
		}
	}
	w.Body = strings.Join(body, " ")
	return w
}
