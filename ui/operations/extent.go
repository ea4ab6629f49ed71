package operations

import (
	"fmt"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// extent is what the screen claims of the operations of the scope: since when and until when they are complete, and of which
// projects. Each sentence comes from one method.
type extent struct {
	feed.Span

	unlisted bool      // nothing was read, or not all projects are listed
	lacking  string    // the project whose older rows are missing; "" within one project
	without  string    // the projects that cannot be read while others can: storefront (403 for 12 min), or 2 projects
	stalled  time.Time // see [live.stalledAt]
	until    time.Time // the end of the span by the service's clock, or zero if all was read within two intervals
	clock    string    // until on the screen, or ""
	blind    time.Time // until when all projects in Without were read, by the service's clock, or zero
	unknown  bool      // the service's clock is not known
}

func extentOf(l *live, s *scope) extent {
	span := l.poller.Span(l.claimedAt())
	e := extent{Span: span, stalled: l.stalledAt()}
	e.unlisted = span.Read == 0 || s.all() && !s.list.Complete && s.list.Trouble == nil
	if span.State != feed.Failing && len(span.Without) < span.Projects { // else no project is current, and all were read by then
		e.without = l.named(span.Without, s)
	}
	if s.all() {
		e.lacking = s.name(e.Lacking)
	}
	if e.until = e.stalled; e.until.IsZero() && span.Late {
		e.until = l.session.Service(span.AsOf)
	}
	if !e.until.IsZero() {
		e.clock = l.session.Times.Clock(e.until)
	}
	for i, id := range span.Without {
		if read := l.poller.Feed(id).AsOf(); i == 0 || read.Before(e.blind) {
			e.blind = read
		}
	}
	if !e.blind.IsZero() {
		e.blind = l.session.Service(e.blind)
	}
	e.unknown = l.session.Present(l.session.ServiceNow()).Note() != ""
	return e
}

// named names projects that cannot be read: one, with the reason and for how long, or how many.
func (l *live) named(projects []string, s *scope) string {
	switch n := len(projects); {
	case n == 0:
		return ""
	case n > 1:
		return style.Plural(n, "project")
	}
	id := projects[0]
	_, err := l.poller.Err(id)
	read := l.poller.Feed(id).AsOf()
	return s.name(id) + " (" + models.Brief(err) + when(!read.IsZero(), " for "+style.Age(read, l.session.Now())) + ")"
}

// limited reports whether a claim does not hold for all projects, or not until now.
func (e extent) limited() bool { return e.without != "" || !e.until.IsZero() }

// mark returns "≥" for the counts of a window that may be too low: a project is not current, or operations of the window are not
// loaded. While nothing is read at all, the counts are as of the last read, and need no mark for that.
func (e extent) mark(now time.Time, window time.Duration) string {
	return when(e.behind() || !e.covers(feed.WindowSince(now, window)), "≥")
}

// behind reports whether some projects are not current while others are.
func (e extent) behind() bool { return e.without != "" || e.clock != "" && e.stalled.IsZero() }

// whole reports whether all operations in the service are loaded.
func (e extent) whole() bool {
	return !e.unlisted && e.Unread == 0 && e.Since.IsZero() && e.without == ""
}

// covers reports whether nothing is missing since a time.
func (e extent) covers(since time.Time) bool {
	return !e.unlisted && e.Unread == 0 && !e.Since.After(since)
}

// covered reports whether no operation is missing around another one, which must not be below the divider.
func (e extent) covered(op *models.Operation) bool {
	readable := len(e.Without) == 0 || !e.blind.IsZero() && !op.CreatedAt.After(e.blind)
	return !op.CreatedAt.IsZero() && readable && e.stalled.IsZero() && (e.until.IsZero() || !op.CreatedAt.After(e.until))
}

// back returns for how long the operations are complete.
func (e extent) back(now time.Time) time.Duration {
	if e.unlisted || e.Unread > 0 {
		return 0
	}
	return max(0, now.Sub(e.Since))
}

// counted returns since when operations are listed and counted: the start of the range or, if they are complete for longer,
// of that time. Zero means all of them.
func (e extent) counted() time.Time {
	if e.covers(e.Range) {
		return e.Since
	}
	return e.Range
}

// claim adds the limits of a claim: "complete for 3 h without storefront (403 for 2m) as of 12:00:00 UTC".
func (e extent) claim(text string) string {
	without, asOf := when(e.without != "", " without "+e.without), when(e.clock != "", " as of "+e.clock)
	return text + without + asOf + when(e.unknown, " by this computer's clock")
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
	case !e.until.IsZero():
		now = e.until
	}
	text := "complete for " + span(e.back(now))
	switch wished := span(now.Sub(e.Range).Round(time.Minute)); {
	case e.Capped > 0:
		text += " (" + e.capped() + ")"
		if e.Ranged < e.Projects && e.Projects > 1 {
			text += ", " + e.projectsFor(wished)
		}
	case e.Range.IsZero(), !e.Since.After(e.Range):
	case e.Projects < fleet:
		text += " of " + wished
	default:
		text += ", " + e.projectsFor(wished)
	}
	return e.claim(text)
}

// brief is completeFor for little room: where a bound allows no more, it leaves out how many projects are complete.
func (e extent) brief(now time.Time) string {
	if e.Capped > 0 {
		e.Ranged = e.Projects
	}
	return e.completeFor(now)
}

// capped says how many operations the bound leaves, and what became of the others.
func (e extent) capped() string {
	return style.Plural(e.Capped, "operation") + when(e.GivenBack, ", older given back")
}

// projectsFor names how many projects are complete for the range.
func (e extent) projectsFor(length string) string {
	return fmt.Sprintf("%s of %s for %s", count(e.Ranged), style.Plural(e.Projects, "project"), length)
}

const fleet = 100 // from this number of projects on, the complete ones are counted

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

// below describes the rows below the divider. mark is their mark on the screen, or "".
func (e extent) below(mark string) string {
	rows := "older rows" + when(mark != "", " ("+mark+")")
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

// counts completes the name of the window of the counts: "15 min, cannot read storefront (403 for 2m) as of 12:00:00 UTC:". What was
// known of such a project still counts.
func (e extent) counts(window string) string {
	return window + when(e.without != "", ", cannot read "+e.without) + when(e.clock != "", " as of "+e.clock) + ":"
}

// nothing returns the empty state if no row matches the filter, with the time for which that is certain. needed is how
// far back the filter reaches, or 0; why says why older operations are missing; problems are the errors of reading.
func (e extent) nothing(now time.Time, needed time.Duration, why string, problems []error) table.EmptyState {
	back := e.back(now)
	out := table.EmptyState{Tone: style.Waiting}
	var body []string
	switch {
	case e.whole():
		out = table.EmptyState{}
	case needed > 0 && back >= needed:
		out = table.EmptyState{Title: e.nothingIn(needed)}
	case back == 0:
		out.Title = "No matches so far."
		body = []string{e.completeFor(now)}
	default:
		out.Title = e.nothingIn(back)
		body = []string{why}
	}
	for _, err := range problems {
		out.Tone = style.Waiting
		body = append(body, err.Error())
	}
	for i, text := range body {
		body[i] = style.Sentence(text) + "."
	}
	out.Body = strings.Join(body, " ")
	return out
}

func (e extent) nothingIn(d time.Duration) string {
	return e.claim("Nothing matches in the last "+span(d)+", which is complete") + "."
}
