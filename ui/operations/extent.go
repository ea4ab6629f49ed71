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

// extent is how far back the operations in scope are all there, apart from those of projects that cannot be read.
type extent struct {
	feed.Coverage

	unknown bool // nothing was read yet, or not all projects are listed
	// except are the projects that cannot be read, or empty, and behind says that of them only what was read before
	// is counted.
	except, behind string
	lack           string // what older rows do: "lack storefront"
	// Where nothing new comes, it is as of a time, by the service's clock and in words.
	at    time.Time
	dated string
}

func (s *state) extent() extent {
	e := extent{Coverage: s.poller.Coverage(), unknown: s.timeline().Read() == 0 || s.all() && !s.list.Complete}
	if ids := s.poller.Unreadable(); len(ids) > 0 {
		who := table.Plural(len(ids), "project")
		if len(ids) == 1 {
			who = s.name(ids[0])
		}
		e.except, e.behind = " except "+who, ", "+who+" not current"
	}
	if e.lack = "are not all loaded"; s.all() {
		e.lack = "lack " + s.name(e.Lacking)
	}
	if f := s.freshness(); stalled(f) && !f.Oldest.IsZero() {
		e.at, e.dated = s.session.Service(f.Oldest), " as of "+s.session.Times.Clock(f.Oldest)
		if f.State == feed.Failing {
			e.except, e.behind = "", "" // none is current, and all were read by then
		}
	}
	return e
}

// whole reports whether all operations that there ever were are loaded.
func (e extent) whole() bool {
	return !e.unknown && e.Unread == 0 && e.Since.IsZero() && e.except == ""
}

// back is for how long the operations are all there. Of those that are [extent.whole], it is as long as there may be
// any.
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
	case e.Since.IsZero():
		return "complete" + e.except + e.dated
	case !e.at.IsZero():
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
func (e extent) divider(now time.Time) string {
	if e.back(now) == 0 {
		return e.completeFor(now) + "; rows may be missing anywhere below"
	}
	return e.completeFor(now) + "; older rows " + e.lack
}

// note says how complete is what a filter or another order shows that reaches back as far as is needed, or 0 where
// that is not known.
func (e extent) note(f page.Frame, needed time.Duration) string {
	back, mark := e.back(f.Now), " ("+table.PartialMark+")"
	if f.Spoken {
		mark = ""
	}
	switch {
	case e.whole():
		return "Complete" + e.dated + ": the service has nothing older."
	case needed > 0 && back >= needed:
		return "Complete for the " + span(needed) + " needed" + e.except + e.dated + "."
	case back == 0:
		return style.Sentence(e.completeFor(f.Now)) + "; others may be missing around these rows."
	}
	return fmt.Sprintf("%s; older rows%s %s · %s: older", style.Sentence(e.completeFor(f.Now)), mark, e.lack, f.Key("older"))
}

// nothing is what is said of a filter that nothing matches: for how long that is certain.
func (h *history) nothing(f page.Frame) table.EmptyState {
	e := h.extent()
	needed, back := h.needed(), e.back(f.Now)
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
		out = table.EmptyState{Tone: style.Waiting, Title: "Nothing matches so far."}
		body = append(body, e.completeFor(f.Now))
	default:
		out = table.EmptyState{Tone: style.Waiting, Title: certain(back)}
		older := "what is older is not all loaded; " + f.Key("older") + " loads more"
		if broken := h.broken(); broken != "" {
			older = broken + "; " + f.Key("older") + " tries again"
		}
		body = append(body, older)
	}
	if h.poller.Goal() != (feed.Goal{}) {
		body = []string{h.progress(f)}
	}
	for _, err := range h.trouble(f) {
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
