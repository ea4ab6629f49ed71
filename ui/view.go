package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	// A page needs minWidth×minHeight. Below fullHeight there are no rules.
	minWidth, minHeight = 40, 6
	fullHeight          = 15
	noticeMargin        = 6 // cells of the rule around a notice
)

// barLines is the number of lines of the header, and of the footer, with their rules if there is room for them.
func (m *Model) barLines() int {
	if m.height < fullHeight {
		return 1
	}
	return 2
}

// needs returns the minimum height of the screen: the dialog in front must not be cut.
func (m *Model) needs() (height int) {
	if d := m.front(); d != nil {
		return d.MinHeight()
	}
	return minHeight
}

// View draws the screen.
func (m *Model) View() tea.View {
	if m.options.Accessible {
		width, d := m.width, m.description()
		if m.leaving {
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
	// The title has the news, for when another window is on top.
	if m.over() {
		v.WindowTitle += " · signed out"
	} else if m.live() && m.pages[page.Operations].Title() != "" {
		v.WindowTitle += " · " + m.pages[page.Operations].Title()
	}
	return v
}

// tooSmall reports whether the screen is too small.
func (m *Model) tooSmall() bool {
	return !m.options.Accessible && (m.width < minWidth || m.height < m.needs())
}

func (m *Model) screen() string {
	switch {
	case m.width <= 0 || m.height <= 0:
		return ""
	case m.tooSmall():
		needs := fmt.Sprintf("pgtower needs %d×%d, this is %d×%d", minWidth, m.needs(), m.width, m.height)
		if _, ok := m.escape(); ok {
			needs = fmt.Sprintf("This needs %d×%d. esc: back", minWidth, m.needs())
		}
		return style.Cut(needs, m.width)
	}
	lines := m.lines()
	for i := range lines {
		// Bubble Tea processes every cell, also the empty ones.
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// lines returns the lines of the screen, in its full width.
func (m *Model) lines() []string {
	lines := make([]string, 0, m.height)
	header, _, _ := m.header()
	lines = append(lines, header)
	if m.barLines() > 1 {
		lines = append(lines, m.rule(""))
	}
	lines = append(lines, m.body()...)
	lay := func(d page.Dialog) {
		_, box, x, y := m.box(d)
		lines = style.Overlay(lines, box, x, y)
	}
	if m.signin != nil {
		lay(m.signin)
	}
	if len(m.dialogs) > 0 {
		lay(m.front())
	}
	// The dialog must be drawn before: then it knows whether it can be scrolled.
	m.offered = m.actions()
	bar := action.NewBar(m.theme, m.width, m.offered).View(m.width)
	switch notice := m.notice(); {
	case m.barLines() > 1:
		lines = append(lines, m.rule(notice), bar)
	case notice != "":
		lines = append(lines, style.Fit(" "+notice, m.width))
	default:
		lines = append(lines, bar)
	}
	if !m.clusters {
		for i := range lines {
			lines[i] = style.NormalizeWidth(lines[i])
		}
	}
	return lines
}

func (m *Model) frame(height int) page.Frame {
	return page.Frame{
		Width: m.width, Height: height, Theme: m.theme, Keys: m.labels[m.active],
		Now: m.service(m.painted), Tick: m.service(m.ticked),
	}
}

func (m *Model) body() []string {
	f := m.frame(m.height - 2*m.barLines())
	switch {
	case m.live():
		return m.pages[m.active].View(f)
	case m.over():
		f.Now, f.Tick = m.asOf(), m.asOf()
		lines := m.pages[m.active].View(f)
		for i := range lines {
			lines[i] = m.theme.Paint(style.Muted, ansi.Strip(lines[i]))
		}
		return lines
	case m.signin == nil:
		return style.Block([]string{"", m.theme.Paint(style.Muted, " Looking for the API key…")}, f.Width, f.Height)
	}
	return style.Block(nil, f.Width, f.Height)
}

// box draws a dialog, and returns its position: in the middle of the screen. The sign-in form is in the middle of the
// page, or at its bottom if rows are left. No dialog covers the footer.
func (m *Model) box(d page.Dialog) (f page.Frame, box string, x, y int) {
	f, top := m.frame(m.height-m.barLines()), 0
	if d == m.signin {
		top = m.barLines()
		f.Height -= top
	}
	box = d.View(f)
	x, y = style.Middle(box, f.Width, f.Height)
	if d == m.signin && m.over() {
		y = max(0, f.Height-1-strings.Count(box, "\n"))
	}
	return f, box, x, top + y
}

func (m *Model) rule(said string) string {
	line := func(width int) string { return m.theme.Paint(style.Rule, strings.Repeat("─", max(0, width))) }
	if said == "" {
		return line(m.width)
	}
	said = " " + said + " "
	return line(2) + said + line(m.width-2-style.Width(said))
}

// notice returns the text in the rule: a notice, or once a hint for users who press nothing, unless there is a warning.
func (m *Model) notice() string {
	n, waited := m.notices.shown, m.painted.Sub(m.began)
	hinting := !m.pressed && waited >= hesitation && waited < hesitation+hintFor
	if n.Text == "" && hinting && m.live() && !m.pages[m.active].Editing() && !m.troubled(m.now) {
		n.Tone = style.Muted
		n.Text = "New here? Press " + m.label("help") + " for the keys, " + m.label(paletteID) + " for every action"
	}
	next := ""
	if n.About.ID != "" {
		next = " · " + m.label("follow-notice") + ": show"
	}
	said := style.Cut(n.Text, m.width-noticeMargin-style.Width(next))
	return m.theme.Paint(n.Tone, said) + m.theme.Paint(style.Muted, next)
}

// announce announces what is new after a message, now or later.
func (m *Model) announce(msg tea.Msg) tea.Cmd {
	a := &m.announcer
	if !m.options.Accessible || m.width <= 0 {
		return nil
	}
	_, ticks := msg.(clockTick)
	wait, due, ok := a.After(msg, ticks, m.description)
	switch {
	case !ok:
		return nil
	case wait > 0:
		return page.After(m.ctx, wait, due)
	}
	account := ""
	if m.live() {
		account = "pgtower, signed in to " + m.profile.label() + " with the " + m.connection.Source + "."
		if m.connection.ReadOnly != "" {
			account += " Read-only: " + m.connection.ReadOnly + "."
		}
	}
	lines := a.Say(m.description(), account)
	m.hinted = m.hinted || m.live() && len(m.dialogs) == 0
	return announce.Print(lines, m.width, m.height)
}

// description describes what has the focus.
func (m *Model) description() announce.Description {
	f := m.frame(m.height)
	f.Accessible = true
	var d announce.Description
	switch front := m.front(); {
	case front != nil:
		d = front.Describe(f)
		d.ID, d.Over, d.Hint = front, len(m.dialogs) > 0, dialog.SayHints(m.actions())
	case !m.live():
		return announce.Description{ID: "opening", Name: "pgtower", Text: []string{"Looking for the API key."}}
	default:
		d = m.pages[m.active].Describe(f)
		if m.alerts.muted(m.painted) > 0 {
			until := "Alerts are muted until " + m.times().Clock(m.service(m.alerts.until)) + "."
			d.Parts = append(d.Parts, announce.Part{Name: "muted", Text: until, Quiet: true})
		}
		switch {
		case d.Hint != "":
		case d.Field != nil:
			d.Hint = dialog.SayHints(m.actions())
		case !m.hinted || m.announcer.Repeats():
			d.Hint = style.Sentence(announce.Key(m.label("help"))) + " lists the keys, " +
				announce.Key(m.label("say-again")) + " repeats everything."
		}
	}
	return d
}
