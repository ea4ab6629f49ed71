package dialog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// EventsSpec describes the dialog with events.
type EventsSpec struct {
	Title  string
	Events Events
	Times  func() style.Times
	Now    func() time.Time // by the service's clock
	Name   func(subject string) string
	Copy   func(page.Copy)
}

// eventList is events, the newest first. The selected one is shown in full below them.
type eventList struct {
	EventsSpec

	viewer *Viewer
	search *search
	cursor int    // among the events found
	typed  string // the search to which the cursor belongs
}

// NewEvents returns the dialog with the current events. A later event that is like one of them raises its count; others are
// not shown, so that no line moves.
func NewEvents(spec EventsSpec) *Viewer {
	list := &eventList{EventsSpec: spec}
	list.Events = slices.Clone(spec.Events)
	slices.Reverse(list.Events)
	list.search = &search{Filter: input.NewFilter("a project or an error"), count: list.counted}
	m := newViewer(spec.Title, filling{
		fill: list.fill, below: list.below, search: list.search,
	})
	m.limit = wideEvents
	list.viewer = m
	m.actions = only(slices.Concat(
		[]*action.Action{list.follows(), list.copies()},
		m.leaving("q", "?"),
		m.scroll.moves(list.move, "go to the newest", "go to the oldest"),
	)...)
	return m
}

// wideEvents is the maximum width of the box: that of most shell commands, which must be copied in one piece.
const wideEvents = 160

// found returns the events that match the search. Another search selects the first one.
func (l *eventList) found() Events {
	if typed := l.search.Text(); typed != l.typed {
		l.typed, l.cursor = typed, 0
	}
	return query.Named(l.search.Text(), l.Events,
		query.Text("subject", func(e *Event) string { return strings.Join(l.names(e), " ") }),
		query.Text("text", func(e *Event) string { return e.Text }),
		query.Text("about", (*Event).inFull))
}

// names returns the names of the subjects of an event.
func (l *eventList) names(e *Event) (names []string) {
	for _, subject := range e.Subjects {
		names = append(names, l.Name(subject))
	}
	return names
}

// subject returns the name of the subject of an event, or the number of its subjects.
func (l *eventList) subject(e *Event) string {
	switch names := l.names(e); len(names) {
	case 0:
		return ""
	case 1:
		return names[0]
	default:
		return strconv.Itoa(len(names)) + " " + e.Many
	}
}

func (l *eventList) counted() string {
	return strconv.Itoa(len(l.found())) + " of " + strconv.Itoa(len(l.Events))
}

// selected returns the selected event, or nil if none is found.
func (l *eventList) selected() *Event {
	found := l.found()
	if len(found) == 0 {
		return nil
	}
	l.cursor = min(l.cursor, len(found)-1)
	return found[l.cursor]
}

// follows declares the action that shows the target of the selected event, and closes the dialog.
func (l *eventList) follows() *action.Action {
	follow := key("show", l.follow, "enter")
	follow.Vary, follow.Disabled = l.lookOfFollow, l.whyNotFollow
	return follow
}

func (l *eventList) follow() tea.Cmd {
	l.selected().Follow()
	return l.viewer.close()
}

func (l *eventList) lookOfFollow(look action.Look) action.Look {
	if e := l.selected(); e != nil && e.Target != "" {
		look.Title = "show " + e.Target
	}
	return look
}

func (l *eventList) whyNotFollow() string {
	switch e := l.selected(); {
	case e == nil:
		return "no matches"
	case e.Follow == nil:
		return e.Nowhere
	}
	return ""
}

// copies declares the action that copies the selected event.
func (l *eventList) copies() *action.Action {
	copies := key("copy", action.Do(func() { l.Copy(*l.selected().Copied) }), "y")
	copies.Disabled = action.If(func() bool { return !l.selected().canCopy() }, "this was not a request")
	copies.Hidden = func() bool { return !slices.ContainsFunc(l.Events, (*Event).canCopy) }
	return copies
}

// move selects another event, and scrolls to it.
func (l *eventList) move(step int) {
	l.cursor = max(0, min(l.cursor+step, len(l.found())-1))
	l.viewer.scroll.reveal(l.cursor)
}

// press selects the event of a line.
func (l *eventList) press(line int) tea.Cmd {
	l.move(line - l.cursor)
	return nil
}

// fill adds a line for each event that is found.
func (l *eventList) fill(c *content) {
	found := l.found()
	if len(found) == 0 {
		c.scrolled(&l.viewer.scroll, []string{c.Theme.Paint(style.Muted, "  No matches.")})
		return
	}
	columns := l.columns(found, c.Width)
	c.fill(func(room int) []row { return l.rows(c.Frame, found, &columns, room) })
}

// rows draws the events that are visible in the room, and no others: there may be [maxEvents].
func (l *eventList) rows(f page.Frame, found Events, columns *eventColumns, room int) []row {
	scroll := &l.viewer.scroll
	from, end := scroll.fit(len(found), room)
	lines := make([]string, 0, end-from)
	for i, e := range found[from:end] {
		lines = append(lines, columns.line(f.Theme, e, from+i == l.cursor, f.Width))
	}
	rows := plain(scroll.mark(f, lines))
	for i := range rows {
		rows[i].click = anywhere(action.With(l.press, from+i))
	}
	return rows
}

// eventColumns are the columns of events: times, a sign, the subject, and the text, which has the other cells.
type eventColumns struct {
	times   style.Times
	now     time.Time
	begins  bool // the first column also has when the event began
	about   func(e *Event) string
	at      int // the width of the times, in cells
	subject int // the width of the subjects, in cells
}

// columns returns the columns for a width. Where the text has little room, the times when they began are left out first,
// and then the subjects.
func (l *eventList) columns(events Events, width int) eventColumns {
	const least, wide, widest = 29, 12, 24
	c := eventColumns{times: l.Times().Exact(), now: l.Now(), begins: true, about: l.subject}
	c.fitTimes(events)
	for _, e := range events {
		c.subject = min(widest, max(c.subject, style.Width(l.subject(e))))
	}
	if c.textIn(width) < least {
		c.subject = min(c.subject, wide)
	}
	if c.textIn(width) < least {
		c.begins = false
		c.fitTimes(events)
	}
	if c.textIn(width) < least {
		c.subject = 0
	}
	return c
}

// fitTimes makes the first column as wide as its longest text.
func (c *eventColumns) fitTimes(events Events) {
	c.at = 0
	for _, e := range events {
		c.at = max(c.at, style.Width(c.span(e)))
	}
}

// textIn returns how many cells of a width are left for the text.
func (c *eventColumns) textIn(width int) int {
	const edge, sign, gap = 2, 2, 1
	return width - edge - c.at - gap - sign - c.subject - 2*gap
}

// span formats when the event began and ended, or the end alone.
func (c *eventColumns) span(e *Event) string {
	until := c.times.Cell(e.At, c.now)
	if !c.begins || e.Times == 1 {
		return until
	}
	if from := c.times.Cell(e.From, c.now); from != until {
		return from + "–" + until
	}
	return until
}

// line draws an event.
func (c *eventColumns) line(th *style.Theme, e *Event, selected bool, width int) string {
	time, subject := style.Ends("", c.span(e), c.at), ""
	if c.subject > 0 {
		subject = style.Fit(c.about(e), c.subject) + "  "
	}
	if selected {
		whole := "▌ " + time + " " + e.Sign.Glyph + " " + subject + e.many() + e.Text
		return th.Paint(style.Selected, style.Fit(whole, width))
	}
	return style.Cut("  "+th.Paint(style.Muted, time)+" "+th.Paint(e.Sign.Tone, e.Sign.Glyph)+" "+subject+
		th.Paint(e.Sign.Tone, e.many())+e.Text, width)
}

// many stands before the text of several events.
func (e *Event) many() string {
	if e.Times == 1 {
		return ""
	}
	return style.Count(e.Times) + " × "
}

// below draws the selected event in full. It takes the room of the largest one, so that the list keeps its height.
func (l *eventList) below(c *content) {
	e := l.selected()
	if e == nil {
		return
	}
	highest := 0
	for _, event := range l.Events {
		highest = max(highest, len(Paragraphs(c.Frame, l.about(event))))
	}
	lines := Paragraphs(c.Frame, l.about(e))
	room := min(highest, max(1, c.Height-leastLines))
	for len(lines) < room {
		lines = append(lines, "")
	}
	c.gap()
	c.draw(lines[:room]...)
	c.say(announce.Part{Name: "selected", Text: l.said(c.Frame, e), Current: true})
}

// leastLines is the least number of lines of the list of events, with an empty one below it.
const leastLines = 5

// namedMost is how many subjects of an event are named.
const namedMost = 6

// about returns the lines below the list.
func (l *eventList) about(e *Event) []Line {
	when := l.Times().Moment(e.At, l.Now())
	if e.Times > 1 {
		from, times := l.Times().Moment(e.From, l.Now()), style.Count(e.Times)+" times "
		if from == when {
			when = times + "at " + when
		} else {
			when = times + "from " + from + " to " + when
		}
	}
	if names := l.names(e); len(names) > 1 {
		when += ": " + strings.Join(names[:min(len(names), namedMost)], ", ")
		if others := len(names) - namedMost; others > 0 {
			when += " and " + style.Count(others) + " more"
		}
	}
	return append([]Line{{Tone: style.Muted, Text: when}}, e.About()...)
}

// said returns an event in words.
func (l *eventList) said(f page.Frame, e *Event) string {
	lines := Paragraphs(f, l.about(e))
	return fmt.Sprintf("%s\n%d of %d", strings.Join(lines, "\n"), l.cursor+1, len(l.found()))
}
