package dialog

import (
	"fmt"
	"slices"
	"strings"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// ProgressState is the state of a step.
type ProgressState int

// The states.
const (
	Waiting ProgressState = iota
	Running
	Done
	Failed
	Unsure  // unknown whether it was done
	Skipped // not tried
)

// stateStyles has the sign, the tone and the word of each state; a step without a result has no word.
var stateStyles = [...]struct {
	sign string
	tone style.Tone
	word string
}{
	Waiting: {"·", style.Muted, ""},
	Running: {"◌", style.Waiting, ""},
	Done:    {"✓", style.Good, "done"},
	Failed:  {"✗", style.Bad, "failed"},
	Unsure:  {"?", style.Waiting, "uncertain"},
	Skipped: {"–", style.Muted, ""},
}

// Progress shows work of several steps: the progress, the result of each step, and how to stop it.
type Progress struct {
	*Viewer

	name     string // the first title
	steps    []step
	stop     func()
	stopping bool
	over     bool
	said     []Line
}

type step struct {
	label, note string
	state       ProgressState
}

// NewProgress returns a dialog with a waiting step for each label. It calls stop to stop the work.
func NewProgress(title string, labels []string, stop func()) *Progress {
	m := &Progress{name: title, stop: stop}
	m.Viewer = newViewer(title, filling{lines: m.lines, unsaid: true, above: m.head, below: m.foot})
	m.minHeight = askHeight
	m.actions = only(append([]*action.Action{m.stops()}, m.scroll.actions(nil)...)...)
	for _, label := range labels {
		m.steps = append(m.steps, step{label: label})
	}
	return m
}

// Set sets the state of a step. note is shown beside it, and may be empty.
func (m *Progress) Set(i int, state ProgressState, note string) {
	m.steps[i].state, m.steps[i].note = state, note
	if state == Running {
		m.scroll.reveal(i)
	}
}

// Finish ends the work. The title has the result, the lines have what to do next. Waiting steps are skipped.
func (m *Progress) Finish(title string, lines ...Line) {
	m.title, m.said, m.over = title, lines, true
	m.actions = m.closing()
	for i := range m.steps {
		switch s := &m.steps[i]; s.state {
		case Waiting:
			s.state, s.note = Skipped, ""
		case Running:
			s.state, s.note = Unsure, "perhaps"
		default:
		}
	}
	m.scroll.reveal(max(0, slices.IndexFunc(m.steps, func(s step) bool { return s.state != Done })))
}

// Over reports whether the work has ended.
func (m *Progress) Over() bool { return m.over }

// OnSessionEnd ends the work. The dialog stays open: the user must see what was done.
func (m *Progress) OnSessionEnd() bool {
	if !m.over {
		m.Finish(m.title+": stopped", Line{
			Tone: style.Bad,
			Text: "The session ended. Requests in flight may have succeeded.",
		})
	}
	return true
}

// ExitWarning returns how much of the work was done.
func (m *Progress) ExitWarning() string {
	if m.over {
		return ""
	}
	return fmt.Sprintf("%s: abandoned after %s.", m.title, m.progress())
}

func (m *Progress) stops() *action.Action {
	stop := key("stop", action.Do(m.beginStop), "esc")
	stop.Disabled = action.If(func() bool { return m.stopping }, "already stopping")
	return stop
}

func (m *Progress) beginStop() {
	m.stopping, m.warned = true, false
	m.stop()
}

// tried returns how many steps have a result.
func (m *Progress) tried() (n int) {
	for _, s := range m.steps {
		if stateStyles[s.state].word != "" {
			n++
		}
	}
	return n
}

func (m *Progress) progress() string {
	return style.Count(m.tried()) + " of " + style.Count(len(m.steps))
}

// head adds the progress above the steps, and announces the steps.
func (m *Progress) head(c *content) {
	c.said.Name = m.name
	c.draw(m.bar(c.Frame), "")
	if !m.over {
		c.say(announce.Part{Name: "behind", Text: m.progress() + " behind.", Quiet: true, Current: true})
	}
	for i, s := range m.steps {
		if event := s.event(i); event.Kind != "" {
			c.said.News = append(c.said.News, event)
		}
	}
}

// lines returns a line for each step.
func (m *Progress) lines(f page.Frame) []string {
	lines, labels := make([]string, len(m.steps)), 0
	for _, s := range m.steps {
		labels = min(f.Width/2, max(labels, style.Width(s.label)))
	}
	for i, s := range m.steps {
		state := stateStyles[s.state]
		line := state.sign + " " + s.label
		if s.note != "" {
			line = state.sign + " " + style.Pad(s.label, labels) + "  " + s.note
		}
		lines[i] = f.Theme.Paint(state.tone, style.Cut(line, f.Width))
	}
	return lines
}

// foot adds how to stop the work, or its result.
func (m *Progress) foot(c *content) {
	c.gap()
	if !m.over {
		c.note("foot", false, m.next())
		return
	}
	result := []string{m.title + "."}
	for _, s := range m.steps {
		if s.state == Failed || s.state == Unsure {
			result = append(result, s.said())
		}
	}
	follows := Paragraphs(c.Frame, m.said)
	c.say(announce.Part{Name: "over", Text: strings.Join(append(result, follows...), "\n")})
	c.draw(follows...)
	if len(follows) > 0 {
		c.gap()
	}
	m.closeButton(c)
}

// bar returns the progress as a bar and in words.
func (m *Progress) bar(f page.Frame) string {
	text := " " + m.progress()
	room := f.Width - style.Width(text)
	bar := style.Bar(m.tried(), len(m.steps), room)
	rest := strings.Repeat("─", max(0, room-style.Width(bar)))
	return f.Theme.Paint(style.Accent, bar) + f.Theme.Paint(style.Rule, rest) + f.Theme.Paint(style.Muted, text)
}

// event returns the announcement of the step with an index. It has no kind if there is nothing to announce.
func (s step) event(i int) announce.Event {
	if s.state == Waiting && s.note != "" {
		return announce.Event{Key: fmt.Sprint(i, s.note), Kind: "waiting", Text: s.label + " " + s.note}
	}
	return announce.Event{Key: fmt.Sprint(i, s.state), Kind: stateStyles[s.state].word, Text: s.said()}
}

// said returns the result of a step in words.
func (s step) said() string {
	text := stateStyles[s.state].word + ": " + s.label
	if s.note != "" {
		text += ", " + s.note
	}
	return text
}

// next returns how to stop the work.
func (m *Progress) next() Line {
	switch {
	case m.warned:
		return Line{Tone: style.Waiting, Text: "ctrl+c again: quit immediately. esc: stop before the next one."}
	case m.stopping:
		return Line{Tone: style.Waiting, Text: "Stopping after the current one…"}
	}
	return Line{Tone: style.Muted, Text: "esc: stop before the next one."}
}
