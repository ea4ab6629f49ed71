package operations

import (
	"iter"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/feed"
	"pgtower/models/incident"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// together is where the failures of the last minutes lie, if they lie together, in one line above the rows.
type together struct {
	tally[concentration]

	first, lines int // where it was last drawn, and in how many lines
}

// at reports whether it was drawn in a line of the page.
func (t *together) at(line int) bool { return line >= t.first && line < t.first+t.lines }

// concentration is the places where failures lie together, the first one first.
type concentration struct {
	places  []incident.Concentration
	labels  []string // what the screen calls them
	regions []string // that they are in
}

// search searches for places, unless there are too few failures.
func (t *together) search() tea.Cmd {
	now, _, spans := t.searched()
	if len(spans) == 0 || t.list.live.timeline().Window(now, slices.Max(spans)).Failed < incident.LeastFailures {
		t.result = concentration{}
		t.hurry() // once enough is read again, the line comes back at once
		return nil
	}
	return t.count(t.prepare, t.search)
}

// searched returns the time of the line, how far back of it all operations are loaded that ended, and the spans in that.
func (t *together) searched() (now time.Time, reach time.Duration, spans []time.Duration) {
	now, e := t.list.live.shownAt(), t.list.extent()
	if !e.until.IsZero() {
		now = e.until // the line says as of when it is
	}
	reach = e.back(now) - feed.MaxRun
	return now, reach, slices.DeleteFunc(incident.Spans(), func(span time.Duration) bool { return span > reach })
}

// prepare returns the search of what is loaded now.
func (t *together) prepare() (work func() concentration) {
	now, reach, spans := t.searched()
	known := now.Add(-reach)
	ended := t.list.ended(t.list.live.timeline().Endings(), known, t.list.extent().until)
	label, regions := t.list.scope.labels(), t.list.scope.located()
	var previous []incident.Concentration
	if t.known() {
		previous = t.result.places
	}
	return func() concentration {
		return concentrated(incident.Concentrated(ended, now, known, previous, spans...), label, regions)
	}
}

// concentrated returns places with what the screen calls them. regions are those of the projects.
func concentrated(
	places []incident.Concentration, label func(by incident.Dimension, value string) string, regions map[string]string,
) concentration {
	found := concentration{places: places}
	for _, c := range places {
		found.labels = append(found.labels, label(c.By, c.Value))
	}
	found.regions = incident.RegionsOf(places, regions)
	return found
}

// ended returns the operations that ended after a time, and not after another one if that is not zero: the last one first.
func (l *list) ended(endings feed.Endings, since, until time.Time) iter.Seq[incident.Operation] {
	facts := l.rows.facts
	return func(yield func(incident.Operation) bool) {
		for project, op := range endings.All() {
			ended := op.EndedAt()
			if !ended.After(since) {
				return
			}
			r := newRow(facts, project, op)
			late := !until.IsZero() && ended.After(until)
			if !late && !yield(r.Incident()) {
				return
			}
		}
	}
}

// known reports whether the failures of what is shown lie together.
func (t *together) known() bool { return len(t.result.places) > 0 && t.of == t.list.live.timeline() }

// ended counts the operations of the span that failed and finished, as the line did.
func (c *concentration) ended() feed.Ended {
	first := &c.places[0]
	failed := first.Failures()
	return feed.Ended{Failed: failed, Finished: first.Ended + first.EndedElsewhere - failed}
}

// queries returns for each place the filter for its failures.
func (c *concentration) queries() []string {
	out := make([]string, len(c.places))
	for i := range c.places {
		out[i] = c.query(i, c.places[i].Span)
	}
	return out
}

// query returns the filter for the failures of a place, without those of the places before it.
func (c *concentration) query(place int, span time.Duration) string {
	parts := []string{failedIn(span)}
	for i := range c.places[:place+1] {
		filter := c.filter(i)
		switch {
		case filter == "":
			continue
		case i < place:
			filter = "!" + filter
		}
		parts = append(parts, filter)
	}
	return strings.Join(parts, " ")
}

// filter returns the filter for a place, or "" if a filter cannot have it.
func (c *concentration) filter(place int) string {
	return filterFor(c.places[place].By, c.places[place].Value)
}

// shows reports whether a filter is that of a place, whatever span it was found in and whichever places were before it.
func (c *concentration) shows(place int, query string) bool {
	own := c.filter(place)
	for _, span := range incident.Spans() {
		rest, failures := strings.CutPrefix(query, failedIn(span))
		if failures && (rest == own || own != "" && strings.HasSuffix(rest, " "+own)) {
			return true
		}
	}
	return false
}

// next returns the filter after another one: that of the next place, and none after the last.
func (c *concentration) next(query string) string {
	queries := c.queries()
	for i := range queries {
		if c.shows(i, query) {
			return append(queries, "")[i+1]
		}
	}
	return queries[0]
}

// follows names what is shown after a filter: the first place, the next one, or all operations.
func (c *concentration) follows(query string) string {
	switch c.next(query) {
	case "":
		return "all"
	case c.queries()[0]:
		return "show"
	}
	return "next"
}

// The parts of the line that give way, in this order.
const (
	withElsewhere = iota
	withSpan
	withMore
	least
)

// text says it: "aws-us-east-1 fails: 33 of 48 (69 %), elsewhere 6 of 170 · 15 min, since 19:02 · +1 more place". What gives
// way before level is left out, label is what the place is called, and minute converts its times. As of when it is, and without
// which projects, is said by the counts below.
func (c *concentration) text(label string, minute func(time.Time) string, level int) string {
	first := &c.places[0]
	text := label + " " + first.Verb() + ": " + first.Rate()
	others := len(c.places) - 1
	if level <= withElsewhere && (first.FailedElsewhere > 0 || others == 0) { // those of a longer span would not fit beside none
		text += first.Elsewhere()
	}
	text += " · "
	if level <= withSpan {
		text += style.InUnits(first.Span) + ", "
	}
	text += first.Begin(minute(first.Since))
	if first.Quiet {
		text += ", last " + minute(first.Last)
	}
	if others > 0 && level <= withMore {
		text += " · +" + style.Plural(others, "more place")
	}
	return text
}

// The least cells of a name that is cut, beside the key and without it.
const leastName, leastNameAlone = 16, 8

// within returns as much of the text as fits. If everything that gives way is left out, the name is cut in its middle to so many
// cells at least; whole reports whether that is enough.
func (c *concentration) within(width, name int, minute func(time.Time) string) (text string, whole bool) {
	label := c.labels[0]
	for level := range least + 1 {
		text = c.text(label, minute, level)
		if style.Width(text) <= width {
			return text, true
		}
	}
	over := style.Width(text) - width
	text = c.text(style.CutMiddle(label, max(name, style.Width(label)-over)), minute, least)
	return style.Cut(text, width), style.Width(text) <= width
}

// said is the whole text, for those who hear it.
func (t *together) said(e extent) string {
	c := &t.result
	limits := e.claim("")
	return c.text(c.labels[0], t.minute, withElsewhere) + when(limits != "", ","+limits)
}

// minute returns a time of a place as it is on the screen.
func (t *together) minute(instant time.Time) string {
	return t.list.session.Times.Minute(instant, t.list.session.ServiceNow())
}

const togetherFrom = 8 // the least lines of a page with the line

// draw returns the line, with the key that leads to the rows unless the line is cut for it, and with what the service's status
// page says in a line of its own, or in the same one if that is wide.
func (t *together) draw(f page.Frame, says string) []string {
	hint := f.Theme.Paint(style.Muted, f.Key("concentration")+": "+t.result.follows(t.list.table.Query())+" ")
	room := f.Width - style.Width(" ✗ ")
	switch {
	case says == "":
		beside := room - apart - style.Width(hint)
		text, whole := t.result.within(beside, leastName, t.minute)
		if !whole {
			text, _ = t.result.within(room, leastNameAlone, t.minute)
			hint = ""
		}
		return []string{style.Ends(t.painted(f, text), hint, f.Width)}
	case f.Width >= wide:
		text, _ := t.result.within(room-style.Width(says)-apart-style.Width(hint), leastNameAlone, t.minute)
		return []string{style.Ends(t.painted(f, text)+"  "+says, hint, f.Width)}
	}
	text, _ := t.result.within(room, leastNameAlone, t.minute)
	return []string{style.Fit(t.painted(f, text), f.Width), style.Ends(" "+style.Cut(says, f.Width-2-style.Width(hint)), hint, f.Width)}
}

// wide is from how many columns on both are in one line.
const wide = 180

// painted paints the sign and its words.
func (t *together) painted(f page.Frame, text string) string {
	verb := " " + t.result.places[0].Verb()
	name, numbers, named := strings.Cut(text, verb+": ")
	if named {
		name, numbers = name+verb, ": "+numbers
	}
	return " " + f.Theme.Paint(style.Bad, "✗ "+name) + numbers
}
