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

// extent is how far back all operations of the scope are loaded, except those of projects that cannot be read.
type extent struct {
	feed.Coverage

	of      int       // the number of projects in scope
	unknown bool      // nothing was read, or not all projects are listed
	lack    string    // "lack storefront": about older rows
	except  string    // " except storefront": it cannot be read
	behind  string    // ", storefront not current": only what was read of it before is counted
	dated   string    // " as of 12:00:00 UTC": nothing newer was read
	at      time.Time // that time by the service's clock
}

func (s *state) extent() extent {
	e := extent{Coverage: s.poller.Coverage(), unknown: s.timeline().Read() == 0 || s.all() && !s.list.Complete}
	f := s.freshness()
	e.of = f.Projects
	if ids := f.Unreadable; len(ids) > 0 {
		who := style.Plural(len(ids), "project")
		if len(ids) == 1 {
			who = s.name(ids[0])
		}
		e.except, e.behind = " except "+who, ", "+who+" not current"
	}
	if e.lack = "are not all loaded"; s.all() {
		e.lack = "lack " + s.name(e.Lacking)
	}
	if stalled(f) && !f.Oldest.IsZero() {
		e.at = s.session.Service(f.Oldest)
		e.dated = " as of " + s.session.Times.Clock(e.at)
		if f.State == feed.Failing {
			e.except, e.behind = "", "" // no project is current, and all were read by then
		}
	}
	return e
}

// whole reports whether all operations in the service are loaded.
func (e extent) whole() bool {
	return !e.unknown && e.Unread == 0 && e.Since.IsZero() && e.except == ""
}

// covers reports whether nothing is missing since a time.
func (e extent) covers(at time.Time) bool { return !e.unknown && e.Unread == 0 && !e.Since.After(at) }

// back returns for how long the operations are complete.
func (e extent) back(now time.Time) time.Duration {
	if e.unknown || e.Unread > 0 {
		return 0
	}
	return max(0, now.Sub(e.Since))
}

// counted returns since when views and statistics count: the range or, if the operations are complete for longer, that.
// Zero is all of them.
func (e extent) counted() time.Time {
	if e.Since.Before(e.Range) {
		return e.Since
	}
	return e.Range
}

// completeFor is the line about completeness, wherever one is shown.
func (e extent) completeFor(now time.Time) string {
	switch {
	case e.Unread > 0:
		return style.Plural(e.Unread, "project") + " not read yet"
	case e.unknown:
		return "not all projects have been listed"
	case e.Since.IsZero():
		return "complete" + e.except + e.dated
	case !e.at.IsZero():
		now = e.at
	}
	said := "complete for " + span(e.back(now))
	switch wanted := span(now.Sub(e.Range).Round(time.Minute)); {
	case e.Full > 0:
		said += " (" + style.Plural(e.Full, "operation") + ")"
	case e.Range.IsZero(), !e.Since.After(e.Range):
	case e.of < fleet:
		said += " of " + wanted
	default:
		said += fmt.Sprintf(", %s of %s for %s", count(e.Projects), style.Plural(e.of, "project"), wanted)
	}
	return said + e.except + e.dated
}

const fleet = 100 // from how many projects on those are counted that are complete

// span formats how long operations are complete, rounded down: 40 s, 14 min, 3 h, 5 d.
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

func (e extent) divider(now time.Time) string {
	if e.back(now) == 0 {
		return e.completeFor(now) + "; rows may be missing anywhere below"
	}
	return e.completeFor(now) + "; older rows " + e.lack
}

// note describes how complete filtered or sorted rows are. needed is how far back they reach, or 0 if that is not known.
func (e extent) note(f page.Frame, needed time.Duration, mark string) string {
	back, mark, complete := e.back(f.Now), " ("+mark+")", style.Sentence(e.completeFor(f.Now))
	if f.Accessible {
		mark = ""
	}
	switch {
	case e.whole():
		return "Complete" + e.dated + ": the service has nothing older."
	case needed > 0 && back >= needed:
		return "Complete for the " + span(needed) + " needed" + e.except + e.dated + "."
	case back == 0:
		return complete + "; others may be missing around these rows."
	}
	return fmt.Sprintf("%s; older rows%s %s.", complete, mark, e.lack)
}

// nothing returns the empty state if no row matches the filter, with the time for which that is certain.
func (p *Page) nothing(f page.Frame) table.EmptyState {
	e, needed := p.extent(), p.needed()
	back := e.back(f.Now)
	certain := func(d time.Duration) string {
		return "Nothing matches in the last " + span(d) + ", which is complete" + e.except + e.dated + "."
	}
	var out table.EmptyState
	var body []string
	switch {
	case e.whole():
	case needed > 0 && back >= needed:
		out.Title = certain(needed)
	case back == 0:
		out = table.EmptyState{Tone: style.Waiting, Title: "No matches so far."}
		body = []string{e.completeFor(f.Now)}
	default:
		out = table.EmptyState{Tone: style.Waiting, Title: certain(back)}
		body = []string{"older operations are not all loaded; : since 7d loads more"}
		if p.broken() != "" {
			body[0] = p.broken() + "; " + f.Key("refresh") + ": try again"
		} else if p.loading() {
			body[0] = p.loader.progress(e, f.Now)
		}
	}
	for _, err := range p.trouble(f) {
		if err != nil {
			out.Tone = style.Waiting
			body = append(body, err.Error())
		}
	}
	for i, said := range body {
		body[i] = style.Sentence(said) + "."
	}
	out.Body = strings.Join(body, " ")
	return out
}
