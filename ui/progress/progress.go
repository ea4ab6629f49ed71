// Package progress is a dialog about work of several steps: how far it is, what became
// of each step, and how to stop it.
package progress

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/dustin/go-humanize"

	"pgtower/ui/chart"
	"pgtower/ui/dialog"
	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/text"
	"pgtower/ui/theme"
)

// State is how far a step is.
type State int

// The states.
const (
	Waiting State = iota
	Running
	Done
	Failed
	// Unsure is a step of which it is not known whether it was done.
	Unsure
	// Skipped is a step that was not tried.
	Skipped
)

// step is one part of the work.
type step struct {
	label, note string
	state       State
}

// Model is the state of the dialog. Whoever does the work tells it how that goes.
type Model struct {
	title    string
	about    string // the title that it began with
	steps    []step
	stop     tea.Msg
	stopping bool
	warned   bool
	over     bool
	said     []dialog.Line
	scroll   dialog.Scroll
}

// New shows the steps of labels, all of them waiting. stop is what esc tells the page
// while the work goes on; without it the work cannot be stopped.
func New(title string, labels []string, stop tea.Msg) *Model {
	m := &Model{title: title, about: title, stop: stop}
	for _, label := range labels {
		m.steps = append(m.steps, step{label: label})
	}
	return m
}

// Set says how far a step is. note is what is to be said about it, or empty.
func (m *Model) Set(i int, state State, note string) {
	m.steps[i].state, m.steps[i].note = state, note
	if state == Running {
		m.scroll.Reveal(i)
	}
}

// Finish ends the work: the title is what came of it, and the lines say what follows.
// Steps that wait are shown as not tried, and one that runs as unsure.
func (m *Model) Finish(title string, said ...dialog.Line) {
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
func (m *Model) Farewell() string {
	if m.over {
		return ""
	}
	return fmt.Sprintf("%s: left after %s of %s.", m.title, humanize.Comma(int64(m.behind())), humanize.Comma(int64(len(m.steps))))
}

// Outlive ends the work with the session. The dialog stays: what was done must not go
// unsaid.
func (m *Model) Outlive() {
	if !m.over {
		m.Finish(m.title+": stopped", dialog.Line{
			Tone: theme.Bad,
			Text: "The session ended. What was under way then may have been done all the same.",
		})
	}
}

// Over says that the work has ended.
func (m *Model) Over() bool { return m.over }

// MayQuit says whether the program may be left, and warns the first time while the work
// goes on.
func (m *Model) MayQuit() bool {
	if m.over || m.warned {
		return true
	}
	m.warned = true
	return false
}

// Keys declares what can be done now.
func (m *Model) Keys() []keys.Group {
	group := keys.Group{Title: m.title}
	switch {
	case m.over:
		group.Actions = []keys.Action{dialog.Press("close"), dialog.Leave("close")}
	case m.stop == nil:
		group.Actions = []keys.Action{dialog.Leave("close").Unless("this cannot be stopped half way")}
	case m.stopping:
		group.Actions = []keys.Action{dialog.Leave("stop").Unless("it is stopping")}
	default:
		group.Actions = []keys.Action{dialog.Leave("stop")}
	}
	if m.scroll.More() {
		group.Actions = append(group.Actions, dialog.ScrollDown().InFooter(), dialog.ScrollUp())
	}
	return []keys.Group{group}
}

// Update scrolls, stops, or leaves once the work is over.
func (m *Model) Update(msg tea.Msg) (done bool, answer tea.Msg) {
	switch msg := msg.(type) {
	case page.Pressed:
		lines := len(m.lines(msg.Frame))
		_, ok := dialog.ButtonAt(msg, dialog.Close())
		return ok && m.over && dialog.LineAt(msg, lines) == lines-1, nil
	case page.Wheel:
		m.scroll.By(msg.By)
	}
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok, m.scroll.Pressed(k):
	case m.over:
		return dialog.Press("").Pressed(k) || dialog.Leave("").Pressed(k), nil
	case dialog.Leave("").Pressed(k) && m.stop != nil && !m.stopping:
		m.stopping = true
		return false, m.stop
	}
	return false, nil
}

// View draws the dialog's box.
func (m *Model) View(f page.Frame) string { return dialog.Box(f, m.title, m.lines(f)) }

func (m *Model) lines(f page.Frame) []string {
	foot := m.foot(f)
	const bar = 3 // and an empty line on either side of the steps
	room := min(len(m.steps), max(1, dialog.Room(f)-bar-len(foot)))
	lines := []string{m.bar(f), ""}
	lines = append(lines, m.scroll.Window(f, len(m.steps), room, func(i int) string { return m.steps[i].line(f) })...)
	return append(append(lines, ""), foot...)
}

// behind is how many steps were tried.
func (m *Model) behind() (n int) {
	for _, s := range m.steps {
		if s.state == Done || s.state == Failed || s.state == Unsure {
			n++
		}
	}
	return n
}

// bar draws how many steps are behind, as a bar and in words.
func (m *Model) bar(f page.Frame) string {
	behind := m.behind()
	said := fmt.Sprintf(" %s of %s", humanize.Comma(int64(behind)), humanize.Comma(int64(len(m.steps))))
	room := dialog.Inner(f) - text.Width(said)
	bar := chart.Bar(behind, len(m.steps), room)
	rest := strings.Repeat("─", max(0, room-text.Width(bar)))
	return f.Theme.Paint(theme.Accent, bar) + f.Theme.Paint(theme.Rule, rest) + f.Theme.Paint(theme.Muted, said)
}

func (s step) line(f page.Frame) string {
	sign, tone := s.state.look()
	line := sign + " " + s.label
	if s.note != "" {
		line += "  " + s.note
	}
	return f.Theme.Paint(tone, text.Cut(line, dialog.Inner(f)))
}

func (s State) look() (sign string, tone theme.Tone) {
	switch s {
	case Running:
		return "◌", theme.Waiting
	case Done:
		return "✓", theme.Good
	case Failed:
		return "✗", theme.Bad
	case Unsure:
		return "?", theme.Waiting
	case Skipped:
		return "–", theme.Muted
	case Waiting:
	}
	return "·", theme.Muted
}

func (m *Model) foot(f page.Frame) []string {
	switch {
	case m.over:
		lines := dialog.Paragraphs(f, m.said)
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		return append(lines, dialog.Buttons(f, 0, dialog.Close()))
	case m.warned:
		return []string{f.Theme.Paint(theme.Waiting, "ctrl+c again quits, wherever it is. esc stops before the next one.")}
	case m.stopping:
		return []string{f.Theme.Paint(theme.Waiting, "Stopping after the one that is under way…")}
	case m.stop != nil:
		return []string{f.Theme.Paint(theme.Muted, "esc stops before the next one.")}
	}
	return []string{f.Theme.Paint(theme.Muted, "This takes a moment.")}
}
