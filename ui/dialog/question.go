package dialog

import (
	"cmp"
	"fmt"
	"slices"
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
	Title      string
	Lines      []Line
	List       []Line // what it is about, a line each, where that is more than one thing
	Verb       string // the button that does it
	Type, What string // Type is a text that has to be typed first, with What it is; empty asks for none
	// Confirm does it. What it is done to was settled when the question was asked.
	Confirm func() tea.Cmd
}

const (
	onInput = iota
	onCancel
	onVerb
)

// Confirm asks before something that cannot be undone. What it is done to is settled when the question is asked,
// whatever happens to the rows behind the dialog. The focus is on Cancel, and no single key means yes, so that neither
// Enter nor pasted text can confirm by accident.
type Confirm struct {
	base

	question Question
	input    input.Model
	focus    int
	refused  bool // what is typed now was given, and is not what was asked for
}

// NewConfirm asks the question.
func NewConfirm(q Question) *Confirm {
	q.Type = Typed(q.Type)
	m := &Confirm{base: base{title: q.Title}, question: q, input: input.New("")}
	m.show = m.shown
	if q.Type == "" {
		m.focusOn(onCancel)
	}
	return m
}

// Typed is what a user types for a text: what stands for characters that cannot be shown cannot be typed either.
func Typed(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\uFFFD", "")) }

// Actions declares what can be done now.
func (m *Confirm) Actions() []action.Group {
	press := key("cancel", m.close, "enter")
	next, previous := []string{"tab", "right", "down"}, []string{"shift+tab", "left", "up"}
	switch m.focus {
	case onVerb:
		press = key(strings.ToLower(m.question.Verb), m.press, "enter")
	case onInput:
		press = action.Action{Title: "next", Keys: []string{"enter"}, Run: action.Do(m.give)}
		// The other keys edit what is typed.
		next, previous = []string{"tab", "down"}, []string{"shift+tab", "up"}
	}
	return only(append([]action.Action{
		press,
		key("next", action.Do(func() { m.move(+1) }), next...),
		{Title: "previous", Keys: previous, Run: action.Do(func() { m.move(-1) })},
		m.leave("cancel"),
	}, m.scroll.actions(m.focus == onInput)...)...)
}

// typed reports whether nothing is missing for a yes.
func (m *Confirm) typed() bool { return m.input.Text() == m.question.Type }

// Update types.
func (m *Confirm) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tea.KeyPressMsg); ok && m.focus == onVerb {
		// The user types without having seen where the focus is, or a terminal pastes key by key.
		m.move(-1)
		return nil
	}
	if m.input.Update(msg) {
		m.refused = false
	}
	return m.base.Update(msg)
}

// press presses the button that does it. A click only points at it: it takes a second one to mean it.
func (m *Confirm) press() tea.Cmd {
	if m.focus != onVerb {
		m.give()
		return nil
	}
	m.done = true
	return m.question.Confirm()
}

// give goes on to the button with what was typed, or refuses it.
func (m *Confirm) give() {
	if m.refused = !m.typed(); !m.refused {
		m.focusOn(onVerb)
	}
}

func (m *Confirm) move(by int) {
	first, last := onCancel, onCancel
	if m.question.Type != "" {
		first = onInput
	}
	if m.typed() {
		last = onVerb
	}
	m.focusOn(max(first, min(m.focus+by, last)))
}

func (m *Confirm) focusOn(focus int) {
	m.focus = focus
	m.input.Blur()
	if focus == onInput {
		m.input.Focus()
	}
}

// shown scrolls the list where it must: what is asked and what the user answers with stay in view.
func (m *Confirm) shown(c *content) {
	asked := Paragraphs(c.Frame, m.question.Lines)
	var list []string
	for _, l := range m.question.List {
		list = append(list, c.Theme.Paint(l.Tone, style.Cut(l.in(c.Frame), c.Width)))
	}
	c.said.Text = append(asked, list...)
	c.fill(func(room int) []row {
		if len(list) == 0 {
			return plain(m.scroll.window(c.Frame, asked, room))
		}
		return plain(m.withList(c.Frame, list, room))
	})
	const low = 14 // lines in which a list needs those that would be empty
	dense := len(list) > 0 && c.Height < low
	if m.question.Type != "" {
		if !dense {
			c.gap()
		}
		c.field("", "Type "+m.question.What+" to confirm", &m.input, func() { m.focusOn(onInput) })
	}
	if typed := m.answer(); !dense || c.Accessible || typed.Text != "" {
		c.note("typed", true, typed)
	}
	c.say(announce.Part{Name: "button", Text: m.focused(), Current: true})
	c.buttons(m.focus-onCancel, button{label: "Cancel", press: m.close},
		button{label: m.question.Verb, danger: true, off: !m.typed(), press: m.press})
}

// withList returns what is asked, and as much of the list as there is room for. Where that is little, the muted lines
// of what is asked go first. Where not even a few names then show, all of it scrolls, the names first.
func (m *Confirm) withList(f page.Frame, list []string, room int) []string {
	asked, scrolled := Paragraphs(f, m.question.Lines), list
	all := slices.Concat(asked, []string{""}, list)
	if len(all) <= room {
		return m.scroll.part(all, room)
	}
	const heading, names = 1, 3
	if len(asked)+heading+names > room {
		muted := func(l Line) bool { return l.Tone == style.Muted }
		asked = Paragraphs(f, slices.DeleteFunc(slices.Clone(m.question.Lines), muted))
	}
	if len(asked)+heading+names > room {
		asked, scrolled = nil, slices.Concat(list, Paragraphs(f, m.question.Lines))
	}
	part := m.scroll.part(scrolled, room-len(asked)-heading)
	first := min(m.scroll.offset, len(list))
	last := min(m.scroll.offset+len(part), len(list))
	shown := fmt.Sprintf("%d–%d of %d", first+1, last, len(list))
	if first == last {
		shown = fmt.Sprintf("%d above", len(list))
	}
	shown = f.Theme.Paint(style.Muted, shown+" · pgdn, pgup")
	return slices.Concat(asked, []string{shown}, part)
}

// answer returns what to say of what was typed. Only a refusal is drawn.
func (m *Confirm) answer() Line {
	typed, wanted := m.input.Text(), m.question.Type
	switch {
	case m.refused:
		refusal := "Type " + wanted + " to confirm: you typed " + cmp.Or(typed, "nothing") + "."
		return Line{Tone: style.Bad, Text: "✗ " + refusal, Announced: refusal}
	case m.focus != onInput:
		return Line{}
	case m.typed():
		return Line{Announced: "That is " + m.question.What + ". Enter goes on to the button " + m.question.Verb + "."}
	case typed != "":
		return Line{Announced: "That is not " + m.question.What + " yet."}
	}
	return Line{}
}

// focused returns what to say of the focused button, or of how to leave the input.
func (m *Confirm) focused() string {
	switch {
	case m.focus == onVerb:
		return "Button " + m.question.Verb + "."
	case m.focus == onCancel && m.typed():
		return "Button Cancel."
	case m.focus == onCancel:
		return "Button Cancel. The other button, " + m.question.Verb + ", is unavailable until " + m.question.What + " is typed."
	case m.input.Text() == "" && !m.refused:
		return "Until then, only the button Cancel is available: Tab goes there."
	}
	return ""
}

// FormSpec is what is asked for.
type FormSpec struct {
	Title  string
	Wrong  string // what came of the text that was given before, or is empty
	About  string // what the text is for
	Label  string
	Text   string                    // what stands in the line at first
	Verb   string                    // the button that does it
	Note   func(text string) string  // what follows from the text, below the line; it may be nil
	Check  func(text string) string  // what is wrong with the text, or nothing
	Submit func(text string) tea.Cmd // takes a text with which nothing is wrong
}

// Form asks for one line of text and says what is wrong with it while it is being typed.
type Form struct {
	base

	spec    FormSpec
	input   input.Model
	touched bool // there was something to check
}

// NewForm asks for the text.
func NewForm(f FormSpec) *Form {
	m := &Form{base: base{title: f.Title}, spec: f, input: input.New("")}
	m.show = m.shown
	m.input.Set(f.Text)
	return m
}

// Actions declares what can be done now.
func (m *Form) Actions() []action.Group {
	submit := key(strings.ToLower(m.spec.Verb), m.submit, "enter")
	submit.Disabled = m.wrong()
	return only(append([]action.Action{submit, m.leave("cancel")}, m.scroll.actions(true)...)...)
}

// Update types.
func (m *Form) Update(msg tea.Msg) tea.Cmd {
	m.touched = m.input.Update(msg) || m.touched
	return m.base.Update(msg)
}

func (m *Form) wrong() string { return m.spec.Check(m.input.Text()) }

func (m *Form) submit() tea.Cmd {
	m.touched = true
	if m.wrong() != "" {
		return nil
	}
	m.done = true
	return m.spec.Submit(m.input.Text())
}

func (m *Form) shown(c *content) {
	about := []Line{{Text: m.spec.About}}
	if m.spec.Wrong != "" {
		about = append(about, Line{}, Line{Tone: style.Bad, Text: m.spec.Wrong})
	}
	c.said.Text = Paragraphs(c.Frame, about)
	c.scrolled(&m.scroll, c.said.Text)
	c.gap()
	c.field("", m.spec.Label, &m.input, nil)
	if m.spec.Note != nil {
		c.note("follows", false, Line{Tone: style.Muted, Text: m.spec.Note(m.input.Text())})
	}
	wrong := Line{Tone: style.Bad}
	if m.touched {
		wrong.Text = m.wrong()
	}
	if wrong.Text == "" && m.input.Dropped() {
		wrong.Text = "Invisible characters were removed from the pasted text."
	}
	c.note("wrong", true, wrong)
	c.gap()
	c.buttons(0, button{label: m.spec.Verb, off: m.wrong() != "", press: m.submit})
}
