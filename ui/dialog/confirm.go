package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Question is what is asked.
type Question struct {
	Title string
	Lines []Line
	// List is what it is about, a line each, where that is more than one thing.
	List []Line
	// Verb is the button that does it.
	Verb string
	// Type is a text that has to be typed first, with What it is; empty asks for none.
	Type, What string
	// Then is the message that a yes sends.
	Then tea.Msg
}

type confirmFocus int

const (
	onInput confirmFocus = iota
	onCancel
	onVerb
)

// Confirm asks before something that cannot be undone.
//
// What is asked about is settled when the question is: the answer carries the message
// that was made then, whatever happened to the rows behind the dialog since. The
// focus is on Cancel, and no single key means yes, so that neither Enter nor pasted
// text can confirm by accident.
type Confirm struct {
	question Question
	input    input.Model
	focus    confirmFocus
	refused  bool   // what is typed now was given, and is not what was asked for
	scroll   Scroll // of what is asked
}

// NewConfirm asks the question.
func NewConfirm(q Question) *Confirm {
	m := &Confirm{question: q, input: input.New(""), focus: onCancel}
	if q.Type != "" {
		m.focus = onInput
	} else {
		m.input.Blur()
	}
	return m
}

// Keys declares what can be done now.
func (m *Confirm) Keys() []action.Group {
	press := Press("cancel")
	switch m.focus {
	case onVerb:
		press = Press(strings.ToLower(m.question.Verb))
	case onInput:
		press = Press("next")
		press.Footer = false
	case onCancel:
	}
	actions := []action.Action{press, Next(), Previous(), Leave("cancel")}
	if m.scroll.More() {
		actions = append(actions, ScrollDown().InFooter(), ScrollUp())
	}
	return []action.Group{{Title: m.question.Verb, Actions: actions}}
}

// typed says that nothing is missing for a yes.
func (m *Confirm) typed() bool { return m.input.Text() == m.wanted() }

// wanted is what has to be typed. What stands for characters that cannot be shown cannot
// be typed either.
func (m *Confirm) wanted() string {
	const replacement = "\uFFFD"
	return strings.TrimSpace(strings.ReplaceAll(m.question.Type, replacement, ""))
}

// Update moves the focus, types, or leaves with an answer.
func (m *Confirm) Update(msg tea.Msg) (done bool, answer tea.Msg) {
	switch msg := msg.(type) {
	case page.Pressed:
		return m.clicked(msg)
	case page.Wheel:
		m.scroll.By(msg.By)
		return false, nil
	}
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
		m.edit(msg)
	case Leave("").Pressed(k):
		return true, nil
	case Press("").Pressed(k):
		return m.press()
	case m.scrolled(k):
	case m.focus == onInput && (k.String() == "left" || k.String() == "right"):
		m.edit(msg)
	case Next().Pressed(k):
		m.move(+1)
	case Previous().Pressed(k):
		m.move(-1)
	case m.focus == onVerb:
		// Whoever types has not seen where the focus is, or a terminal pastes key by key.
		m.move(-1)
	default:
		m.edit(msg)
	}
	return false, nil
}

func (m *Confirm) edit(msg tea.Msg) {
	if m.input.Update(msg) {
		m.refused = false
	}
}

// clicked presses Cancel at once. What cannot be undone takes a click that points at it
// and another one that means it.
func (m *Confirm) clicked(p page.Pressed) (done bool, answer tea.Msg) {
	lines := len(m.lines(p.Frame))
	line := LineAt(p, lines)
	if m.question.Type != "" && line == lines-len(m.answers(p.Frame))-1 {
		m.focus = onInput
		m.input.Focus()
	}
	if line != lines-1 {
		return false, nil
	}
	button, ok := ButtonAt(p, m.buttons()...)
	switch {
	case !ok:
	case confirmFocus(button)+onCancel == onCancel:
		return true, nil
	case m.focus == onVerb:
		return m.press()
	default:
		m.give()
	}
	return false, nil
}

// scrolled moves in what is asked, unless the key is one that edits what is typed.
func (m *Confirm) scrolled(k tea.KeyPressMsg) bool {
	editing := m.focus == onInput && (k.Mod.Contains(tea.ModCtrl) || k.Code == tea.KeyHome || k.Code == tea.KeyEnd)
	return m.scroll.More() && !editing && m.scroll.Pressed(k)
}

func (m *Confirm) press() (done bool, answer tea.Msg) {
	switch m.focus {
	case onCancel:
		return true, nil
	case onVerb:
		return true, m.question.Then
	case onInput:
		m.give()
	}
	return false, nil
}

// give goes on to the button with what was typed, or refuses it.
func (m *Confirm) give() {
	if m.refused = !m.typed(); !m.refused {
		m.focus = onVerb
		m.input.Blur()
	}
}

// refusal says what was typed in place of what was asked for, or nothing.
func (m *Confirm) refusal() string {
	switch typed := m.input.Text(); {
	case !m.refused:
		return ""
	case typed == "":
		return "Type " + m.wanted() + " to confirm: you typed nothing."
	default:
		return "Type " + m.wanted() + " to confirm: you typed " + typed + "."
	}
}

// move goes to the next thing that can have the focus.
func (m *Confirm) move(by int) {
	first := onCancel
	if m.question.Type != "" {
		first = onInput
	}
	last := onVerb
	if !m.typed() {
		last = onCancel
	}
	m.focus = max(first, min(m.focus+confirmFocus(by), last))
	if m.focus == onInput {
		m.input.Focus()
	} else {
		m.input.Blur()
	}
}

// View draws the dialog's box.
func (m *Confirm) View(f page.Frame) string { return Box(f, m.question.Title, m.lines(f)) }

func (m *Confirm) lines(f page.Frame) []string {
	foot := m.foot(f)
	head := Paragraphs(f, m.question.Lines)
	if len(m.question.List) > 0 {
		head = append(head, "")
		for _, l := range m.question.List {
			head = append(head, f.Theme.Paint(l.Tone, style.Cut(l.Text, Inner(f))))
		}
	}
	// What is asked and what it is about may have to be scrolled; what a person answers
	// with is always there.
	room := min(len(head), Room(f)-len(foot))
	shown := m.scroll.Window(f, len(head), room, func(i int) string { return head[i] })
	return append(shown, foot...)
}

// Spoken says the question, where the focus is, and whether what was typed is enough.
func (m *Confirm) Spoken(page.Frame) announce.Description {
	scene := announce.Description{
		Name: m.question.Title,
		Text: append(Said(m.question.Lines...), Said(m.question.List...)...),
	}
	button := map[confirmFocus]string{onCancel: "Button Cancel.", onVerb: "Button " + m.question.Verb + "."}[m.focus]
	typed := ""
	switch {
	case m.focus == onInput:
		scene.Field = m.input.Spoken("Type " + m.question.What + " to confirm")
		switch {
		case m.refused:
			typed = m.refusal()
		case m.typed():
			typed = "That is " + m.question.What + ". Enter goes on to the button " + m.question.Verb + "."
		case m.input.Text() != "":
			typed = "That is not " + m.question.What + " yet."
		default:
			button = "Without it, there is only the button Cancel: Tab goes there."
		}
	case !m.typed():
		button += " The other button, " + m.question.Verb + ", cannot be pressed before " + m.question.What + " is typed."
	}
	scene.Parts = []announce.Part{{Name: "typed", Text: typed, Current: true}, {Name: "button", Text: button, Current: true}}
	return scene
}

// foot is what a person answers with.
func (m *Confirm) foot(f page.Frame) (lines []string) {
	if m.question.Type != "" {
		ask := "Type " + m.question.What + " to confirm: "
		room := Inner(f) - style.Width(ask) - 1
		if room < 12 {
			room = Inner(f) - 1
			lines = append(lines, "", ask)
			ask = ""
		} else {
			lines = append(lines, "")
		}
		lines = append(lines, f.Theme.Paint(style.Strong, ask)+m.input.View(f.Theme, room))
	}
	return append(lines, m.answers(f)...)
}

// answers are the lines below what is typed.
func (m *Confirm) answers(f page.Frame) []string {
	lines := []string{""}
	if refusal := m.refusal(); refusal != "" {
		lines = Paragraphs(f, []Line{{Tone: style.Bad, Text: "✗ " + refusal}})
	}
	return append(lines, Buttons(f, int(m.focus-onCancel), m.buttons()...))
}

// buttons are Cancel and what does it, in the order of their focus.
func (m *Confirm) buttons() []Button {
	return []Button{{Label: "Cancel"}, {Label: m.question.Verb, Danger: true, Off: !m.typed()}}
}
