package dialog

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/dustin/go-humanize"

	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// ProgressState is how far a step is.
type ProgressState int

// The states.
const (
	Waiting ProgressState = iota
	Running
	Done
	Failed
	// Unsure is a step of which it is not known whether it was done.
	Unsure
	// Skipped is a step that was not tried.
	Skipped
)

// step is one part of the work.
type progressStep struct {
	label, note string
	state       ProgressState
}

// Progress is a dialog about work of several steps: how far it is, what became
// of each step, and how to stop it.
type Progress struct {
	title    string
	about    string // the title that it began with
	steps    []progressStep
	stop     tea.Msg
	stopping bool
	warned   bool
	over     bool
	said     []Line
	scroll   Scroll
}

// NewProgress shows the steps of labels, all of them waiting. stop is what esc tells the page
// while the work goes on; without it the work cannot be stopped.
func NewProgress(title string, labels []string, stop tea.Msg) *Progress {
	m := &Progress{title: title, about: title, stop: stop}
	for _, label := range labels {
		m.steps = append(m.steps, progressStep{label: label})
	}
	return m
}

// Set says how far a step is. note is what is to be said about it, or empty.
func (m *Progress) Set(i int, state ProgressState, note string) {
	m.steps[i].state, m.steps[i].note = state, note
	if state == Running {
		m.scroll.Reveal(i)
	}
}

// Finish ends the work: the title is what came of it, and the lines say what follows.
// Steps that wait are shown as not tried, and one that runs as unsure.
func (m *Progress) Finish(title string, said ...Line) {
	m.title, m.said, m.over = title, said, true
	for i := range m.steps {
		switch s := &m.steps[i]; s.state {
		case Waiting:
			s.state, s.note = Skipped, ""
		case Running:
			s.state, s.note = Unsure, "perhaps"
		case Done, Failed, Unsure, Skipped:
		}
	}
	for i := range m.steps {
		if m.steps[i].state != Done {
			m.scroll.Reveal(i)
			return
		}
	}
	m.scroll.Reveal(0)
}

// Farewell says how far the work was.
func (m *Progress) Farewell() string {
	if m.over {
		return ""
	}
	return fmt.Sprintf("%s: left after %s of %s.", m.title, humanize.Comma(int64(m.behind())), humanize.Comma(int64(len(m.steps))))
}

// Outlive ends the work with the session. The dialog stays: what was done must not go
// unsaid.
func (m *Progress) Outlive() {
	if !m.over {
		m.Finish(m.title+": stopped", Line{
			Tone: style.Bad,
			Text: "The session ended. What was under way then may have been done all the same.",
		})
	}
}

// Over says that the work has ended.
func (m *Progress) Over() bool { return m.over }

// MayQuit says whether the program may be left, and warns the first time while the work
// goes on.
func (m *Progress) MayQuit() bool {
	if m.over || m.warned {
		return true
	}
	m.warned = true
	return false
}

// Keys declares what can be done now.
func (m *Progress) Keys() []action.Group {
	group := action.Group{Title: m.title}
	switch {
	case m.over:
		group.Actions = []action.Action{Press("close"), Leave("close")}
	case m.stop == nil:
		group.Actions = []action.Action{Leave("close").Unless("this cannot be stopped half way")}
	case m.stopping:
		group.Actions = []action.Action{Leave("stop").Unless("it is stopping")}
	default:
		group.Actions = []action.Action{Leave("stop")}
	}
	if m.scroll.More() {
		group.Actions = append(group.Actions, ScrollDown().InFooter(), ScrollUp())
	}
	return []action.Group{group}
}

// Update scrolls, stops, or leaves once the work is over.
func (m *Progress) Update(msg tea.Msg) (done bool, answer tea.Msg) {
	switch msg := msg.(type) {
	case page.Pressed:
		lines := len(m.lines(msg.Frame))
		_, ok := ButtonAt(msg, Close())
		return ok && m.over && LineAt(msg, lines) == lines-1, nil
	case page.Wheel:
		m.scroll.By(msg.By)
	}
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok, m.scroll.Pressed(k):
	case m.over:
		return Press("").Pressed(k) || Leave("").Pressed(k), nil
	case Leave("").Pressed(k) && m.stop != nil && !m.stopping:
		m.stopping = true
		return false, m.stop
	}
	return false, nil
}

// View draws the dialog's box.
func (m *Progress) View(f page.Frame) string { return Box(f, m.title, m.lines(f)) }

func (m *Progress) lines(f page.Frame) []string {
	foot := m.foot(f)
	const bar = 3 // and an empty line on either side of the steps
	room := min(len(m.steps), max(1, Room(f)-bar-len(foot)))
	lines := []string{m.bar(f), ""}
	lines = append(lines, m.scroll.Window(f, len(m.steps), room, func(i int) string { return m.steps[i].line(f) })...)
	return append(append(lines, ""), foot...)
}

// behind is how many steps were tried.
func (m *Progress) behind() (n int) {
	for _, s := range m.steps {
		if s.state == Done || s.state == Failed || s.state == Unsure {
			n++
		}
	}
	return n
}

// bar draws how many steps are behind, as a bar and in words.
func (m *Progress) bar(f page.Frame) string {
	behind := m.behind()
	said := fmt.Sprintf(" %s of %s", humanize.Comma(int64(behind)), humanize.Comma(int64(len(m.steps))))
	room := Inner(f) - style.Width(said)
	bar := style.Bar(behind, len(m.steps), room)
	rest := strings.Repeat("─", max(0, room-style.Width(bar)))
	return f.Theme.Paint(style.Accent, bar) + f.Theme.Paint(style.Rule, rest) + f.Theme.Paint(style.Muted, said)
}

func (s progressStep) line(f page.Frame) string {
	sign, tone := s.state.look()
	line := sign + " " + s.label
	if s.note != "" {
		line += "  " + s.note
	}
	return f.Theme.Paint(tone, style.Cut(line, Inner(f)))
}

func (s ProgressState) look() (sign string, tone style.Tone) {
	switch s {
	case Running:
		return "◌", style.Waiting
	case Done:
		return "✓", style.Good
	case Failed:
		return "✗", style.Bad
	case Unsure:
		return "?", style.Waiting
	case Skipped:
		return "–", style.Muted
	case Waiting:
	}
	return "·", style.Muted
}

func (m *Progress) foot(f page.Frame) []string {
	switch {
	case m.over:
		lines := Paragraphs(f, m.said)
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		return append(lines, Buttons(f, 0, Close()))
	case m.warned:
		return []string{f.Theme.Paint(style.Waiting, "ctrl+c again quits, wherever it is. esc stops before the next one.")}
	case m.stopping:
		return []string{f.Theme.Paint(style.Waiting, "Stopping after the one that is under way…")}
	case m.stop != nil:
		return []string{f.Theme.Paint(style.Muted, "esc stops before the next one.")}
	}
	return []string{f.Theme.Paint(style.Muted, "This takes a moment.")}
}
