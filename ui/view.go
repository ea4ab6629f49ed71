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
	minWidth, minHeight = 40, 6 // that a page needs
	headLines           = 1     // above a page
	noticeMargin        = 6     // cells of the rule around a notice
)

// footLines is the number of lines below a page: the footer and, if there is room for it, the rule.
func (t *terminal) footLines() int {
	if t.height-headLines-2 < page.RuleFrom {
		return 1
	}
	return 2
}

// pageLines is the number of lines of a page.
func (t *terminal) pageLines() int { return t.height - headLines - t.footLines() }

// needs returns the minimum height of the screen: that of the dialog in front, which must not be cut.
func (m *Model) needs() (height int) {
	if d := m.session.front(); d != nil {
		return d.MinHeight()
	}
	return minHeight
}

// View draws the screen.
func (m *Model) View() tea.View {
	if m.session.options.Accessible {
		width, d := m.terminal.width, m.description()
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
	if !m.session.options.NoMouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if m.session.atPage() {
		// A letter of another keyboard layout comes with its key. Where texts are typed, it is text.
		v.KeyboardEnhancements.ReportAlternateKeys = true
		v.KeyboardEnhancements.ReportAllKeysAsEscapeCodes = true
		v.KeyboardEnhancements.ReportAssociatedText = true
	}
	v.ProgramStatus = m.programStatus()
	v.WindowTitle = "pgtower"
	// The title has the news, for when another window is on top.
	if m.session.over() {
		v.WindowTitle += " · signed out"
	} else if m.session.live() && m.session.pages.all[page.Operations].Title() != "" {
		v.WindowTitle += " · " + m.session.pages.all[page.Operations].Title()
	}
	return v
}

// tooSmall reports whether the screen is too small.
func (m *Model) tooSmall() bool {
	small := m.terminal.width < minWidth || m.terminal.height < m.needs()
	return small && !m.session.options.Accessible
}

func (m *Model) screen() string {
	switch {
	case m.terminal.width <= 0 || m.terminal.height <= 0:
		return ""
	case m.tooSmall():
		_, leaves := m.escape()
		return whatIsNeeded(m.terminal.width, m.terminal.height, m.needs(), leaves)
	}
	lines := m.lines()
	for i := range lines {
		// Bubble Tea processes every cell, also the empty ones.
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// whatIsNeeded returns the line of a screen that is too small, as much of it as fits. If only the dialog is too large, the
// line says how to leave it.
func whatIsNeeded(width, height, needs int, leaves bool) string {
	size := fmt.Sprintf("%d×%d", minWidth, needs)
	pgtower := "pgtower needs " + size
	texts := []string{fmt.Sprintf("%s, this is %d×%d", pgtower, width, height), pgtower, "needs " + size, size}
	if leaves {
		texts = []string{"This needs " + size + ". esc: back", size + ". esc: back", "esc: back"}
	}
	for _, text := range texts {
		if style.Width(text) <= width {
			return text
		}
	}
	return style.Cut(texts[len(texts)-1], width)
}

// lines returns the lines of the screen, in its full width.
func (m *Model) lines() []string {
	lines := make([]string, 0, m.terminal.height)
	lines = append(lines, m.header().line)
	lines = append(lines, m.body()...)
	if m.session.signin != nil {
		lines = m.over(lines, m.session.signin)
	}
	if len(m.session.dialogs) > 0 {
		lines = m.over(lines, m.session.front())
	}
	// The dialog must be drawn before: then it knows whether it can be scrolled.
	m.offered = m.actions()
	bar := action.NewBar(m.theme, m.terminal.width, m.offered).View(m.terminal.width)
	switch notice := m.notice(); {
	case m.terminal.footLines() > 1:
		lines = append(lines, m.rule(notice), bar)
	case notice != "":
		lines = append(lines, style.Fit(" "+notice, m.terminal.width))
	default:
		lines = append(lines, bar)
	}
	if !m.terminal.clusters {
		for i := range lines {
			lines[i] = style.NormalizeWidth(lines[i])
		}
	}
	return lines
}

// over draws a dialog over the lines.
func (m *Model) over(lines []string, d page.Dialog) []string {
	_, box, x, y := m.box(d)
	return style.Overlay(lines, box, x, y)
}

func (m *Model) frame(height int) page.Frame {
	return page.Frame{
		Width: m.terminal.width, Height: height, Theme: m.theme,
		Keys: m.labels[m.session.pages.active], Now: m.session.service(m.clock.painted),
		Tick: m.session.service(m.clock.ticked),
	}
}

func (m *Model) body() []string {
	f := m.frame(m.terminal.pageLines())
	switch {
	case m.session.live():
		return m.session.pages.front().View(f)
	case m.session.over():
		f.Now, f.Tick = m.session.asOf(), m.session.asOf()
		lines := m.session.pages.front().View(f)
		for i := range lines {
			lines[i] = m.theme.Paint(style.Muted, ansi.Strip(lines[i]))
		}
		return lines
	case m.session.signin == nil:
		return style.Block([]string{"", m.theme.Paint(style.Muted, " Looking for the API key…")}, f.Width, f.Height)
	}
	return style.Block(nil, f.Width, f.Height)
}

// box draws a dialog, and returns its position: in the middle of the screen. The sign-in form is in the middle of the
// page, or at its bottom if rows are left. No dialog covers the footer.
func (m *Model) box(d page.Dialog) (f page.Frame, box string, x, y int) {
	f, top := m.frame(m.terminal.height-m.terminal.footLines()), 0
	if d == m.session.signin {
		top = headLines
		f.Height -= top
	}
	box = d.View(f)
	x, y = style.Middle(box, f.Width, f.Height)
	if d == m.session.signin && m.session.over() {
		y = max(0, f.Height-1-strings.Count(box, "\n"))
	}
	return f, box, x, top + y
}

// rule draws the line below a page: at its left a notice or the text of the page, and at its right the position of the page
// unless a notice needs the room.
func (m *Model) rule(notice string) string {
	var r page.Rule
	switch {
	case m.session.live():
		r = m.session.pages.front().Rule()
	case m.session.over():
		r = m.session.pages.front().Rule()
		r.Left, r.Right = m.theme.Paint(style.Muted, ansi.Strip(r.Left)), m.theme.Paint(style.Muted, ansi.Strip(r.Right))
	}
	room := m.terminal.width - noticeMargin
	if style.Width(r.Right) > 0 {
		room -= style.Width(r.Right) + noticeMargin/2
	}
	if notice != "" {
		r.Left = notice
		if style.Width(notice) > room {
			r.Right = ""
		}
	} else {
		r.Left = style.Cut(r.Left, room)
	}
	return ruleOf(m.theme, m.terminal.width, r)
}

// ruleOf draws a line with texts at its ends.
func ruleOf(th *style.Theme, cells int, r page.Rule) string {
	line := func(width int) string { return th.Paint(style.Rule, strings.Repeat("─", max(0, width))) }
	const edge = 2
	left, right := line(edge), line(edge)
	if r.Left != "" {
		left += " " + r.Left + " "
	}
	if r.Right != "" {
		right = " " + r.Right + " " + right
	}
	return left + line(cells-style.Width(left)-style.Width(right)) + right
}

// notice returns the text in the rule: a notice, or once a hint for users who press nothing, unless there is a warning.
func (m *Model) notice() string {
	n, s := m.session.notices.shown, &m.session
	free := n.Text == "" && s.atPage() && !s.pages.troubled(m.clock.now)
	if free && m.hint.due(m.clock.painted) {
		n.Tone = style.Muted
		n.Text = "New here? Press " + m.label("help") + " for the keys, " + m.label(paletteID) +
			" for every action"
	}
	next := ""
	if n.About.ID != "" {
		next = " · " + m.label("follow-notice") + ": show"
	}
	text := style.Cut(n.Text, m.terminal.width-noticeMargin-style.Width(next))
	return m.theme.Paint(n.Tone, text) + m.theme.Paint(style.Muted, next)
}

// announce announces what is new after a message, now or later.
func (m *Model) announce(msg tea.Msg) tea.Cmd {
	a := &m.announcer
	if !m.session.options.Accessible || m.terminal.width <= 0 {
		return nil
	}
	_, ticks := msg.(clockTick)
	wait, due, ok := a.After(msg, ticks, m.description)
	switch {
	case !ok:
		return nil
	case wait > 0:
		return page.After(m.session.ctx, wait, due)
	}
	account := ""
	if m.session.live() {
		account = "pgtower, signed in to " + m.session.profile.label() +
			" with the " + m.session.connection.Source + "."
		if m.session.connection.ReadOnly != "" {
			account += " Read-only: " + m.session.connection.ReadOnly + "."
		}
	}
	lines := a.Say(m.description(), account)
	m.hinted = m.hinted || m.session.live() && len(m.session.dialogs) == 0
	return announce.Print(lines, m.terminal.width, m.terminal.height)
}

// description describes what has the focus.
func (m *Model) description() announce.Description {
	f := m.frame(m.terminal.height)
	f.Accessible = true
	var d announce.Description
	switch front := m.session.front(); {
	case front != nil:
		d = front.Describe(f)
		d.ID, d.Over, d.Hint = front, len(m.session.dialogs) > 0, dialog.SayHints(m.actions())
	case !m.session.live():
		return announce.Description{ID: "opening", Name: "pgtower", Text: []string{"Looking for the API key."}}
	default:
		d = m.session.pages.front().Describe(f)
		if m.session.seen.alerts.muted(m.clock.painted) > 0 {
			until := m.session.times().Clock(m.session.service(m.session.seen.alerts.until))
			text := "Alerts are muted until " + until + "."
			d.Parts = append(d.Parts, announce.Part{Name: "muted", Text: text, Quiet: true})
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
