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

// extent is how far back all operations of the scope are loaded, except those of projects that cannot be read. Each of
// its sentences is made whole by one method.
type extent struct {
	feed.Coverage

	of         int       // the number of projects in scope
	unlisted   bool      // nothing was read, or not all projects are listed
	lacking    string    // the project whose older rows are missing; "" within one project
	unreadable string    // the projects that cannot be read while others can: storefront, or 2 projects
	at         time.Time // see [live.stalledAt]
	clock      string    // at on the screen, or ""
}

func extentOf(l *live, s *scope) extent {
	f := l.freshness()
	e := extent{Coverage: l.poller.Coverage(), of: f.Projects}
	e.unlisted = l.timeline().Read() == 0 || s.all() && !s.list.Complete && s.list.Trouble == nil
	switch n := len(f.Unreadable); {
	case n == 1:
		e.unreadable = s.name(f.Unreadable[0])
	case n > 1:
		e.unreadable = style.Plural(n, "project")
	}
	if s.all() {
		e.lacking = s.name(e.Lacking)
	}
	e.at = l.stalledAt()
	if !e.at.IsZero() {
		e.clock = l.session.Times.Clock(e.at)
		if f.State == feed.Failing {
			e.unreadable = "" // no project is current, and all were read by then
		}
	}
	return e
}

// limited reports whether what is claimed does not hold for all projects until now.
func (e extent) limited() bool { return e.unreadable != "" || !e.at.IsZero() }

// whole reports whether all operations in the service are loaded.
func (e extent) whole() bool {
	return !e.unlisted && e.Unread == 0 && e.Since.IsZero() && e.unreadable == ""
}

// covers reports whether nothing is missing since a time.
func (e extent) covers(at time.Time) bool { return !e.unlisted && e.Unread == 0 && !e.Since.After(at) }

// back returns for how long the operations are complete.
func (e extent) back(now time.Time) time.Duration {
	if e.unlisted || e.Unread > 0 {
		return 0
	}
	return max(0, now.Sub(e.Since))
}

// counted returns since when operations are listed and counted: the range or, if they are complete for longer, that. Zero
// is all of them.
func (e extent) counted() time.Time {
	if e.covers(e.Range) {
		return e.Since
	}
	return e.Range
}

// claim completes a claim with what it does not hold for: "complete for 3 h except storefront as of 12:00:00 UTC".
func (e extent) claim(said string) string {
	if e.unreadable != "" {
		said += " except " + e.unreadable
	}
	if e.clock != "" {
		said += " as of " + e.clock
	}
	return said
}

// completeFor is the line about completeness, wherever one is shown.
func (e extent) completeFor(now time.Time) string {
	switch {
	case e.Unread > 0:
		return style.Plural(e.Unread, "project") + " not read yet"
	case e.unlisted:
		return "not all projects have been listed"
	case e.Since.IsZero():
		return e.claim("complete")
	case !e.at.IsZero():
		now = e.at
	}
	said := "complete for " + span(e.back(now))
	switch wanted := span(now.Sub(e.Range).Round(time.Minute)); {
	case e.Full > 0:
		said += " (" + style.Plural(e.Full, "operation") + ")"
		if e.Projects < e.of {
			said += ", " + e.projectsFor(wanted)
		}
	case e.Range.IsZero(), !e.Since.After(e.Range):
	case e.of < fleet:
		said += " of " + wanted
	default:
		said += ", " + e.projectsFor(wanted)
	}
	return e.claim(said)
}

// projectsFor names how many projects are complete for the range.
func (e extent) projectsFor(length string) string {
	return fmt.Sprintf("%s of %s for %s", count(e.Projects), style.Plural(e.of, "project"), length)
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

// below describes the rows that are older than what is complete; mark is how they are marked on the screen, or "".
func (e extent) below(mark string) string {
	rows := "older rows"
	if mark != "" {
		rows += " (" + mark + ")"
	}
	if e.lacking == "" {
		return rows + " are not all loaded"
	}
	return rows + " lack " + e.lacking
}

func (e extent) divider(now time.Time) string {
	if e.back(now) == 0 {
		return e.completeFor(now) + "; rows may be missing anywhere below"
	}
	return e.completeFor(now) + "; " + e.below("")
}

// note describes how complete filtered or sorted rows are. needed is how far back they reach, or 0 if that is not known.
func (e extent) note(f page.Frame, needed time.Duration, mark string) string {
	back := e.back(f.Now)
	if f.Accessible {
		mark = ""
	}
	switch {
	case e.whole():
		return e.claim("Complete") + ": the service has nothing older."
	case needed > 0 && back >= needed:
		return e.claim("Complete for the "+span(needed)+" needed") + "."
	case back == 0:
		return style.Sentence(e.completeFor(f.Now)) + "; others may be missing around these rows."
	}
	return style.Sentence(e.completeFor(f.Now)) + "; " + e.below(mark) + "."
}

// counts completes the name of the window of the counts: "15 min, storefront not current as of 12:00:00 UTC:".
func (e extent) counts(window string) string {
	if e.unreadable != "" {
		window += ", " + e.unreadable + " not current"
	}
	if e.clock != "" {
		window += " as of " + e.clock
	}
	return window + ":"
}

// nothing returns the empty state if no row matches the filter, with the time for which that is certain. needed is how
// far back the filter reaches, or 0; why is why older operations are missing; problems are what cannot be read.
func (e extent) nothing(
	now time.Time, needed time.Duration, why string, problems []error,
) table.EmptyState {
	back := e.back(now)
	certain := func(d time.Duration) string {
		return e.claim("Nothing matches in the last "+span(d)+", which is complete") + "."
	}
	out := table.EmptyState{Tone: style.Waiting}
	var body []string
	switch {
	case e.whole():
		out = table.EmptyState{}
	case needed > 0 && back >= needed:
		out = table.EmptyState{Title: certain(needed)}
	case back == 0:
		out.Title = "No matches so far."
		body = []string{e.completeFor(now)}
	default:
		out.Title = certain(back)
		body = []string{why}
	}
	for _, err := range problems {
		out.Tone = style.Waiting
		body = append(body, err.Error())
	}
	for i, said := range body {
		body[i] = style.Sentence(said) + "."
	}
	out.Body = strings.Join(body, " ")
	return out
}
