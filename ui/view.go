package ui

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	minWidth, minHeight = 60, 15
	headerLines         = 2
	footerLines         = 2
	noticeMargin        = 6 // cells of the rule around a notice
	chrome              = headerLines + footerLines
)

// View draws the screen.
func (m *Model) View() tea.View {
	if m.options.Accessible {
		width, d := m.width, m.description()
		if m.announcer.leaving {
			width = 0
		}
		return d.View(width, announce.Key(m.label("help"))+" for help")
	}
	if m.drawn == "" {
		m.drawn = m.screen()
	}
	v := tea.NewView(m.drawn)
	v.AltScreen = true
	v.ReportFocus = true
	if !m.options.NoMouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.WindowTitle = "pgtower"
	// The title counts what is going on, for the times when another window is on top.
	if m.over() {
		v.WindowTitle += " · signed out"
	} else if m.live() && m.pages[page.Operations].Title() != "" {
		v.WindowTitle += " · " + m.pages[page.Operations].Title()
	}
	return v
}

// tooSmall reports whether the screen cannot show what has to be seen.
func (m *Model) tooSmall() bool {
	return !m.options.Accessible && (m.width < minWidth || m.height < minHeight)
}

func (m *Model) screen() string {
	switch {
	case m.width <= 0 || m.height <= 0:
		return ""
	case m.tooSmall():
		needs := fmt.Sprintf("pgtower needs %d×%d, this is %d×%d", minWidth, minHeight, m.width, m.height)
		return style.Cut(needs, m.width)
	}
	lines := m.lines()
	for i := range lines {
		// Bubble Tea reads cell by cell what it is given, also what is empty.
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// lines are those of the screen, each as wide as that.
func (m *Model) lines() []string {
	lines := make([]string, 0, m.height)
	lines = append(lines, m.header(), m.rule(""))
	lines = append(lines, m.body()...)
	lines = append(lines, m.rule(m.notice()), action.NewBar(m.theme, m.width, m.actions()).View(m.width))
	if len(m.dialogs) > 0 {
		// What can be pressed stays in sight below the dialog.
		above := m.height - footerLines
		box := m.dialogs.top().View(m.frame(above))
		x, y := style.Middle(box, m.width, above)
		lines = append(style.Overlay(lines[:above], box, x, y), lines[above:]...)
	}
	if !m.clusters {
		for i := range lines {
			lines[i] = style.NormalizeWidth(lines[i])
		}
	}
	return lines
}

func (m *Model) frame(height int) page.Frame {
	f := page.Frame{Width: m.width, Height: height, Theme: m.theme, Now: m.painted, Tick: m.ticked}
	f.Actions = m.labels[m.active]
	if m.current != nil {
		f.Now, f.Tick = m.current.Service(f.Now), m.current.Service(f.Tick)
	}
	return f
}

func (m *Model) body() []string {
	f := m.frame(m.height - chrome)
	var lines []string
	switch {
	case m.live():
		return m.pages[m.active].View(f)
	case m.over():
		then := f
		then.Now, then.Tick = m.asOf(), m.asOf()
		lines = m.pages[m.active].View(then)
		for i := range lines {
			lines[i] = m.theme.Paint(style.Muted, ansi.Strip(lines[i]))
		}
	case m.signin == nil:
		return style.Block([]string{"", m.theme.Paint(style.Muted, " Looking for the API key…")}, f.Width, f.Height)
	default:
		lines = style.Block(nil, f.Width, f.Height)
	}
	box, x, y := m.signinBox(f)
	return style.Overlay(lines, box, x, y)
}

// signinBox draws the form that asks for a key, and returns where it stands: in the middle,
// or below the rows that it is over.
func (m *Model) signinBox(f page.Frame) (box string, x, y int) {
	box = m.signin.View(f)
	x, y = style.Middle(box, f.Width, f.Height)
	if m.over() {
		y = max(0, f.Height-1-strings.Count(box, "\n"))
	}
	return box, x, y
}

// header names the program, the account, the pages, and how current the data is. What
// there is no room for leaves: where the key came from, the host, the program; the state
// of the data stays.
func (m *Model) header() string {
	brand := m.theme.Paint(style.Brand, " pgtower ")
	who := func(s string) string { return brand + m.theme.Paint(style.Muted, " "+s) }
	if m.current == nil {
		return style.Fit(who(m.profile.label()), m.width)
	}
	status := m.status(m.now, m.ticked)
	state := func(s string) string { return "  " + m.theme.Paint(status.Tone, " "+s+" ") }
	full, brief := state(cmp.Or(status.Long, status.Text)), state(status.Text)
	short, long := m.theme.Paint(style.Muted, " "+m.profile.short()), who(m.profile.label())
	all, one := m.tabs(true), m.tabs(false)
	for _, c := range []struct{ left, tabs, state string }{
		{who(m.profile.label() + " · " + m.connection.Source), all, full},
		{long, all, full},
		{long, all, brief},
		// Which account this is matters more than which program.
		{short, all, full},
		{short, all, brief},
		{long, one, brief},
		{short, one, brief},
	} {
		if style.Width(c.left)+2+style.Width(c.tabs)+style.Width(c.state) <= m.width {
			return style.Ends(c.left, c.tabs+c.state, m.width)
		}
	}
	return style.Ends("", one+brief, m.width)
}

// tabs are the pages: all with their names, or only the one that is shown.
func (m *Model) tabs(named bool) string {
	var parts []string
	for id := range page.Count {
		label, tone := m.tabKey(id), style.Muted
		if named || id == m.active {
			label = strings.TrimSpace(label + " " + id.Title())
		}
		if id == m.active {
			tone = style.Focused
		}
		parts = append(parts, m.theme.Paint(tone, " "+label+" "))
	}
	return strings.Join(parts, "")
}

// tabKey is the key that turns to a page, as its tab shows it, or nothing.
func (m *Model) tabKey(id page.ID) string {
	a, _ := action.ByID(m.labels[m.active], showID(id))
	return a.KeyLabel()
}

// rule is a line across the screen, with a text in it if there is one.
func (m *Model) rule(said string) string {
	line := func(width int) string { return m.theme.Paint(style.Rule, strings.Repeat("─", max(0, width))) }
	if said == "" {
		return line(m.width)
	}
	said = " " + said + " "
	return line(2) + said + line(m.width-2-style.Width(said))
}

// notice is what the rule says: a notice, or else the hint for a new user.
func (m *Model) notice() string {
	n := m.notices.shown
	hinting := m.live() && m.hint.due(m.painted) && !m.pages[m.active].Editing() && !m.troubled(m.now)
	if n.Text == "" && hinting {
		n.Tone = style.Muted
		n.Text = "New here? Press " + m.label("help") + " for the keys, " + m.label(paletteID) + " for every action"
	}
	return m.theme.Paint(n.Tone, style.Cut(n.Text, m.width-noticeMargin))
}
