package dialog

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Viewer is a dialog with lines to read, which scroll if there is no room for all. It shows texts, keys, errors and the
// progress of work, which differ in their [filling].
type Viewer struct {
	base
	filling

	typing []action.Group // the actions while a search is typed
}

// filling is what a viewer shows. Only lines, or fill in its place, is required.
type filling struct {
	lines        func(page.Frame) []string // for the width of the frame
	fill         func(*content)            // adds lines that are drawn and not announced
	unsaid       bool                      // the lines are not announced: above and below announce what matters
	above, below func(*content)            // add what is above and below the lines; may be nil
	search       *search                   // of the lines; may be nil
}

// search is a line above the lines that filters them. The filling returns the filtered lines and their count.
type search struct {
	input.Filter

	count func() string
}

func newViewer(title string, fill filling) *Viewer {
	m := &Viewer{base: base{title: title, minHeight: listHeight}, filling: fill}
	m.show = m.shown
	if m.search != nil {
		m.typing = m.search.Actions(nil, action.Do(m.scroll.top))
	}
	return m
}

// NewViewer returns a dialog with the lines for the width of a frame.
func NewViewer(title string, lines func(page.Frame) []string) *Viewer {
	m := newViewer(title, filling{lines: lines})
	m.setActions()
	return m
}

// NewText returns a dialog with a text that the user can copy, below a sentence about it, if any.
func NewText(title, about string, text func() string, copies func()) *Viewer {
	m := newViewer(title, filling{
		lines: func(f page.Frame) []string { return linesOf(f, about, text()) },
	})
	m.setActions(key("copy", action.Do(copies), "y"))
	return m
}

// linesOf returns the lines of a text, below those of a sentence about it.
func linesOf(f page.Frame, about, text string) (lines []string) {
	if about != "" {
		lines = append(f.Theme.Paragraph(style.Muted, about, f.Width), "")
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if f.Accessible {
			lines = append(lines, line)
		} else {
			lines = append(lines, style.Wrap(line, f.Width)...)
		}
	}
	return lines
}

// Add adds a switch below the lines.
func (m *Viewer) Add(s Switch) {
	m.below = s.shown
	m.actions[0].Actions = append([]*action.Action{key(s.Title, s.Turn, s.Key)}, m.actions[0].Actions...)
}

// NewMessage returns a dialog that shows lines above a button that closes it.
func NewMessage(title string, lines []Line) *Viewer {
	m := newViewer(title, filling{
		unsaid: true,
		lines:  func(f page.Frame) []string { return Paragraphs(f, lines) },
		above:  func(c *content) { c.said.Text = Paragraphs(c.Frame, lines) },
	})
	m.below, m.actions = m.closeBelow, m.closing()
	return m
}

// setActions declares the actions: first those that close the viewer and search in it, then the given ones.
func (m *Viewer) setActions(actions ...*action.Action) {
	moves := m.scroll.moves(m.scroll.by, "go to the top", "go to the bottom")
	m.actions = only(slices.Concat(m.leaving("enter", "q", "?"), actions, moves)...)
}

// leaving declares the actions that search, and that close the viewer: with esc and the keys. While the lines are filtered,
// esc shows all of them instead.
func (m *Viewer) leaving(keys ...string) []*action.Action {
	closes := key("close", m.close, append([]string{"esc"}, keys...)...)
	if m.search == nil {
		return []*action.Action{closes}
	}
	unfiltered := func() bool { return !m.search.Shown() }
	shows := key("show all", action.DoWith(m.search.Set, ""), "esc")
	find := key("find", action.Do(m.search.Focus), "/")
	closesFound := key("close", m.close, keys...)
	closes.Hidden, shows.Hidden, closesFound.Hidden = m.search.Shown, unfiltered, unfiltered
	return []*action.Action{closes, shows, find, closesFound}
}

// Actions returns what can be done now.
func (m *Viewer) Actions() []action.Group {
	if m.search != nil && m.search.Focused() {
		return m.typing
	}
	return m.actions
}

// Update edits the search, or scrolls.
func (m *Viewer) Update(msg tea.Msg) tea.Cmd {
	if m.search != nil && m.search.Focused() && m.search.Update(msg) {
		m.scroll.top()
	}
	return m.base.Update(msg)
}

func (m *Viewer) shown(c *content) {
	if m.search != nil && m.search.Shown() {
		m.search.shown(c)
	}
	if m.above != nil {
		m.above(c)
	}
	if m.fill != nil {
		m.fill(c)
	} else {
		m.read(c)
	}
	if m.below != nil {
		m.below(c)
	}
}

// read adds the lines, and announces them.
func (m *Viewer) read(c *content) {
	const most = 100 // lines that are announced at once
	lines := m.lines(c.Frame)
	c.scrolled(&m.scroll, lines)
	if c.Accessible && !m.unsaid {
		visible := m.scroll.window(c.Frame, lines, most)
		c.say(announce.Part{Name: "lines", Text: strings.Join(visible, "\n")})
	}
}

func (s *search) shown(c *content) {
	count := s.count()
	c.draw(s.View(c.Theme, c.Width, count))
	c.said.Field = s.Describe("Filter")
	c.say(announce.Part{Name: "count", Text: count + " match."})
}

// Switch is a line of a dialog that turns something on or off, by its key or a click.
type Switch struct {
	Label, Title, Key string // Title is in the footer
	On                func() bool
	Turn              func() tea.Cmd
}

// shown adds the switch: "[x] Ring when an operation first matches".
func (s *Switch) shown(c *content) {
	mark, state := "[ ] ", ": off"
	if s.On() {
		mark, state = "[x] ", ": on"
	}
	c.gap()
	c.rows = append(c.rows, row{c.Theme.Paint(style.Accent, mark+s.Label), anywhere(s.Turn)})
	c.say(announce.Part{Name: "switch", Text: s.Label + state})
}
