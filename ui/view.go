package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/action"
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
	if m.voice.on {
		return m.spokenView()
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
	v.WindowTitle = m.title()
	return v
}

// title counts what is going on, for the times when another window is on top.
func (m *Model) title() string {
	switch {
	case m.signedOut():
		return "pgtower · signed out"
	case m.signedIn():
		if t := m.pages[page.Operations].Title(); t != "" {
			return "pgtower · " + t
		}
	}
	return "pgtower"
}

// tooSmall says that the screen cannot show what has to be seen.
func (m *Model) tooSmall() bool {
	return !m.voice.on && (m.width < minWidth || m.height < minHeight)
}

func (m *Model) screen() string {
	switch {
	case m.width <= 0 || m.height <= 0:
		return ""
	case m.tooSmall():
		return m.need()
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
	lines = append(lines, m.rule(m.notice()), m.footer())
	if n := len(m.dialogs); n > 0 {
		// What can be pressed stays in sight below the dialog.
		above := m.height - footerLines
		lines = append(style.Center(lines[:above], m.dialogs[n-1].View(m.frame(above))), lines[above:]...)
	}
	if !m.clusters {
		for i := range lines {
			lines[i] = style.NormalizeWidth(lines[i])
		}
	}
	return lines
}

// need says what size is needed, as far as one line of this one has room for it.
func (m *Model) need() string {
	size := fmt.Sprintf("%d×%d", minWidth, minHeight)
	for _, said := range []string{fmt.Sprintf("pgtower needs %s, this is %d×%d", size, m.width, m.height), "pgtower needs " + size, "needs " + size} {
		if style.Width(said) <= m.width {
			return said
		}
	}
	return style.Cut(size, m.width)
}

func (m *Model) frame(height int) page.Frame {
	f := page.Frame{Width: m.width, Height: height, Theme: m.theme, Now: m.painted, Tick: m.ticked, Keys: m.scope()}
	if m.session.Session != nil {
		f.Now, f.Tick = m.session.Service(f.Now), m.session.Service(f.Tick)
	}
	return f
}

func (m *Model) body() []string {
	f := m.frame(m.height - chrome)
	var lines []string
	switch {
	case m.signedIn():
		return m.pages[m.active].View(f)
	case m.signedOut():
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
	box, x, y := m.signin.Box(f)
	return style.Overlay(lines, box, x, y)
}

// header names the program, the account, the pages, and how current the data is. What
// there is no room for leaves: where the key came from, the host, the program; the state
// of the data stays.
func (m *Model) header() string {
	brand := m.theme.Paint(style.Brand, " pgtower ")
	who := func(s string) string { return brand + m.theme.Paint(style.Muted, " "+s) }
	if m.session.Session == nil {
		return style.Fit(who(m.profile.label()), m.width)
	}
	status := m.status()
	state := func(s string) string { return "  " + m.theme.Paint(status.Tone, " "+s+" ") }
	full, brief := state(cmp.Or(status.Long, status.Text)), state(status.Text)
	short, long := m.theme.Paint(style.Muted, " "+m.profile.short()), who(m.profile.label())
	all, one := m.tabs(true), m.tabs(false)
	for _, c := range []struct{ left, tabs, state string }{
		{who(m.profile.label() + " · " + m.session.source), all, full},
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

// status is how current the page's data is.
func (m *Model) status() page.Status {
	if !m.signedOut() {
		return m.pages[m.active].Status(m.ticked)
	}
	at := m.times().Clock(m.asOf())
	if m.now.Sub(m.asOf()) >= 24*time.Hour {
		at = m.times().At(m.asOf())
	}
	return page.Status{Tone: style.Alarm, Text: "signed out · as of " + at}
}

// tabs are the pages: all with their names, or only the one that is shown.
func (m *Model) tabs(named bool) string {
	var parts []string
	global := m.global
	for id := range page.Count {
		label := m.tab(global.pages[id])
		if named || id == m.active {
			label = strings.TrimSpace(label + " " + id.Title())
		}
		tone := style.Muted
		if id == m.active {
			tone = style.Focused
		}
		parts = append(parts, m.theme.Paint(tone, " "+label+" "))
	}
	return strings.Join(parts, "")
}

// tab is the key that turns to a page, as its tab shows it, or nothing.
func (m *Model) tab(turn action.Action) string {
	if turn = m.scope().Of(turn); len(turn.Keys()) > 0 {
		return turn.Help().Key
	}
	return ""
}

// rule is a line across the screen, with a text in it if there is one.
func (m *Model) rule(said string) string {
	if said == "" {
		return m.theme.Paint(style.Rule, strings.Repeat("─", m.width))
	}
	said = " " + said + " "
	rest := max(0, m.width-2-style.Width(said))
	return m.theme.Paint(style.Rule, "──") + said + m.theme.Paint(style.Rule, strings.Repeat("─", rest))
}

func (m *Model) notice() string {
	n := m.said()
	return m.theme.Paint(n.Tone, style.Cut(n.Text, m.width-noticeMargin))
}

// footer hints at the keys that matter most now: as many of the page's as there is room
// for, then those that are the same everywhere.
func (m *Model) footer() string {
	var b strings.Builder
	for _, h := range m.footerHints() {
		b.WriteString(h.text)
	}
	return style.Fit(b.String(), m.width)
}

// hint is a key and what it does, as the footer shows it: with a cell on either side,
// which has a parenthesis where the action is off. There may be no colours to tell it by.
type hint struct {
	text   string
	action action.Action
}

func (m *Model) footerHints() []hint {
	groups := m.currentKeys()
	last := m.hints(groups[len(groups)-1:])
	first := m.hints(groups[:len(groups)-1])
	if len(groups) == 1 {
		first, last = last, nil
	}
	slices.SortStableFunc(first, func(a, b hint) int {
		return cmp.Compare(spare(a.action), spare(b.action))
	})
	room := m.width
	for _, h := range last {
		room -= style.Width(h.text)
	}
	shown := 0
	for _, h := range first {
		if room -= style.Width(h.text); room < 0 {
			break
		}
		shown++
	}
	return append(first[:shown:shown], last...)
}

func spare(a action.Action) int {
	if a.Spare {
		return 1
	}
	return 0
}

func (m *Model) hints(groups []action.Group) []hint {
	var out []hint
	for _, g := range groups {
		for _, a := range g.Actions {
			if !a.Footer || len(a.Keys()) == 0 {
				continue
			}
			h := a.Help()
			if a.Off != "" {
				out = append(out, hint{m.theme.Paint(style.Muted, "("+h.Key+" "+h.Desc+")"), a})
				continue
			}
			out = append(out, hint{" " + m.theme.Paint(style.Accent, h.Key) + " " + m.theme.Paint(style.Muted, h.Desc) + " ", a})
		}
	}
	return out
}
