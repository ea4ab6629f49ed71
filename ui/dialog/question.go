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

// Question is the text of a confirmation.
type Question struct {
	Title      string
	Lines      []Line
	List       []Line // the targets, one each line, if there are several
	Verb       string // the button that confirms
	Cancel     string // the button that does not; "Cancel" if empty
	Type, What string // Type is a text that must be typed first, or empty; What describes it
	Or         string // another spelling of Type that is also accepted, or empty
	// Confirm acts on the targets, which were captured when the question was asked.
	Confirm func() tea.Cmd
}

const (
	onInput = iota
	onCancel
	onVerb
)

// Confirm asks before something that cannot be undone. The focus begins on Cancel, and no single key means yes: neither
// Enter nor pasted text confirms by accident.
type Confirm struct {
	base

	question Question
	input    input.Model
	focus    int
	refused  bool // Enter was pressed after a wrong text
	undrawn  bool // the question has changed, and the user has not seen it
}

// NewConfirm returns a dialog that asks the question.
func NewConfirm(q Question) *Confirm {
	m := &Confirm{input: input.New("")}
	m.show, m.actions = m.shown, m.newActions()
	m.ask(q)
	if m.question.Type == "" {
		m.focusOn(onCancel)
	}
	return m
}

// Ask replaces the question, because its facts have changed. The answer so far is cleared, and keys are ignored until the new
// question is drawn.
func (m *Confirm) Ask(q Question) {
	m.ask(q)
	m.refused, m.undrawn = false, true
	m.input.Set("")
	m.focusOn(onCancel)
}

// ask shows a question. Texts to type lose characters that cannot be typed, and the box is as wide as the list.
func (m *Confirm) ask(q Question) {
	q.Type, q.Or, q.Cancel = Typed(q.Type), Typed(q.Or), cmp.Or(q.Cancel, "Cancel")
	m.question, m.title, m.limit = q, q.Title, maxWidth
	for _, l := range q.List {
		m.limit = max(m.limit, style.Width(l.Text)+2*beside)
	}
}

// Typed returns the part of a text that can be typed. U+FFFD stands for characters that cannot be shown.
func Typed(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\uFFFD", "")) }

func (m *Confirm) newActions() []action.Group {
	enter := key("cancel", m.enter, "enter")
	enter.Vary = m.lookOfEnter
	typing := func() bool { return m.focus == onInput } // in which the arrows edit the input
	next, previous := action.DoWith(m.move, +1), action.DoWith(m.move, -1)
	right, left := quiet("next", next, "right"), quiet("previous", previous, "left")
	right.Hidden, left.Hidden = typing, typing
	return only(append([]*action.Action{
		enter, key("next", next, "tab", "down"), right,
		quiet("previous", previous, "shift+tab", "up"), left,
		m.leave("cancel"),
	}, m.scroll.actions(typing)...)...)
}

// enter presses the button with the focus, or goes from the input to the next one.
func (m *Confirm) enter() tea.Cmd {
	if m.undrawn {
		return nil
	}
	switch m.focus {
	case onVerb:
		return m.press()
	case onInput:
		m.give()
		return nil
	}
	return m.close()
}

func (m *Confirm) lookOfEnter(l action.Look) action.Look {
	switch m.focus {
	case onVerb:
		l.Title = strings.ToLower(m.question.Verb)
	case onInput:
		l.Title, l.Footer = "next", action.NotShown
	}
	return l
}

// typed reports whether the wanted text is typed.
func (m *Confirm) typed() bool {
	text := m.input.Text()
	return text == m.question.Type || m.question.Or != "" && text == m.question.Or
}

// Update edits the input.
func (m *Confirm) Update(msg tea.Msg) tea.Cmd {
	_, isKey := msg.(tea.KeyPressMsg)
	_, isPaste := msg.(tea.PasteMsg)
	switch {
	case m.undrawn && (isKey || isPaste):
		return nil
	case isKey && m.focus == onVerb:
		// The user types without having seen where the focus is, or a terminal pastes key by key.
		m.move(-1)
		return nil
	}
	if m.input.Update(msg) {
		m.refused = false
	}
	return m.base.Update(msg)
}

// press confirms if the button has the focus. A first click only moves the focus.
func (m *Confirm) press() tea.Cmd {
	if m.undrawn {
		return nil
	}
	if m.focus != onVerb {
		m.give()
		return nil
	}
	m.done = true
	return m.question.Confirm()
}

// give moves the focus to the button, or refuses the typed text.
func (m *Confirm) give() {
	m.refused = !m.typed()
	if !m.refused {
		m.focusOn(onVerb)
	}
}

func (m *Confirm) move(step int) {
	if m.undrawn {
		return
	}
	first, last := onCancel, onCancel
	if m.question.Type != "" {
		first = onInput
	}
	if m.typed() {
		last = onVerb
	}
	m.focusOn(max(first, min(m.focus+step, last)))
}

func (m *Confirm) focusOn(focus int) {
	m.focus = focus
	m.input.Blur()
	if focus == onInput {
		m.input.Focus()
	}
}

// shown keeps the question and the input in view: only the list scrolls, if it must.
func (m *Confirm) shown(c *content) {
	m.undrawn = false
	var list []string
	for _, l := range m.question.List {
		list = append(list, c.Theme.Paint(l.Tone, style.Cut(l.in(c.Frame), c.Width)))
	}
	c.said.Text = append(Paragraphs(c.Frame, m.question.Lines), list...)
	c.fill(func(room int) []row { return plain(m.withList(c.Frame, list, room)) })
	const low = 14 // lines below which a list takes the room of empty lines
	dense := len(list) > 0 && c.Height < low
	if m.question.Type != "" {
		if !dense {
			c.gap()
		}
		c.field("", "Type "+m.question.What+" to confirm", &m.input, action.DoWith(m.focusOn, onInput))
	}
	if typed := m.answer(); !dense || c.Accessible || typed.Text != "" {
		c.note("typed", true, typed)
	}
	c.say(announce.Part{Name: "button", Text: m.focused(), Current: true})
	c.buttons(m.focus-onCancel, button{label: m.question.Cancel, press: m.close},
		button{label: m.question.Verb, danger: true, off: !m.typed(), press: m.press})
}

// withList returns the question and as much of its list as fits. On a small screen, the muted lines of the question are
// left out. If not even a few names fit then, list and question scroll together.
func (m *Confirm) withList(f page.Frame, list []string, room int) []string {
	asked, scrolled := Paragraphs(f, m.question.Lines), list
	if len(list) == 0 {
		return m.scroll.window(f, asked, room)
	}
	lines := slices.Concat(asked, []string{""}, list)
	if len(lines) <= room {
		return m.scroll.part(lines, room)
	}
	const heading, names = 1, 3
	if len(asked)+heading+names > room {
		asked = Paragraphs(f, slices.DeleteFunc(slices.Clone(m.question.Lines), Line.muted))
	}
	if len(asked)+heading+names > room {
		asked, scrolled = nil, slices.Concat(list, Paragraphs(f, m.question.Lines))
	}
	part := m.scroll.part(scrolled, room-len(asked)-heading)
	first := min(m.scroll.offset, len(list))
	last := min(m.scroll.offset+len(part), len(list))
	position := fmt.Sprintf("%d–%d of %d", first+1, last, len(list))
	if first == last {
		position = fmt.Sprintf("%d above", len(list))
	}
	position = f.Theme.Paint(style.Muted, position+" · pgdn, pgup")
	return slices.Concat(asked, []string{position}, part)
}

// answer returns the response to the typed text. Only a refusal is drawn.
func (m *Confirm) answer() Line {
	typed, expected := m.input.Text(), m.question.Type
	switch {
	case m.refused:
		refusal := "Type " + expected + " to confirm: you typed " + cmp.Or(typed, "nothing") + "."
		return Line{Tone: style.Bad, Text: "✗ " + refusal, Announced: refusal}
	case m.focus != onInput:
		return Line{}
	case m.typed():
		right := "That is " + m.question.What + ". Enter moves to the button " + m.question.Verb + "."
		return Line{Announced: right}
	case typed != "":
		return Line{Announced: "That is not " + m.question.What + " yet."}
	}
	return Line{}
}

// focused returns the focused button in words, or how to leave the input.
func (m *Confirm) focused() string {
	switch {
	case m.focus == onVerb:
		return "Button " + m.question.Verb + "."
	case m.focus == onCancel && m.typed():
		return "Button " + m.question.Cancel + "."
	case m.focus == onCancel:
		return "Button " + m.question.Cancel + ". The other button, " + m.question.Verb +
			", is unavailable until " + m.question.What + " is typed."
	case m.input.Text() == "" && !m.refused:
		return "Until then, only the button " + m.question.Cancel + " is available: Tab goes there."
	}
	return ""
}

// FormSpec describes a form.
type FormSpec struct {
	Title   string
	Wrong   string // what was wrong with the last text, or empty
	About   string // what the text is for
	Warning string // or empty
	Label   string
	Text    string                    // the initial text
	Verb    string                    // the button that submits
	Note    func(text string) string  // returns a note on the text; may be nil
	Check   func(text string) string  // returns what is wrong with the text, or ""
	Submit  func(text string) tea.Cmd // called with a valid text
	Cancel  func()                    // called when the user leaves without submitting; may be nil
	More    *FormField                // a second field, or nil
}

// FormField is the second field of a form.
type FormField struct {
	Label string
	Text  string                   // the initial text, and on [FormSpec.Submit] the typed one
	Check func(text string) string // returns what is wrong with the text, or ""
}

// Form asks for one line of text or two, which it checks while the user types.
type Form struct {
	base

	spec    FormSpec
	input   input.Model
	more    input.Model
	onMore  bool // the second field has the focus
	touched bool // the user typed something, or submitted
}

// NewForm returns a form.
func NewForm(f FormSpec) *Form {
	m := &Form{base: base{title: f.Title}, spec: f, input: input.New(""), more: input.New("")}
	m.show = m.shown
	submit := key(strings.ToLower(f.Verb), m.submit, "enter")
	submit.Disabled = func() string { return style.Clause(m.wrong()) }
	actions := []*action.Action{submit, key("cancel", m.cancel, "esc")}
	if f.More != nil {
		m.more.Set(f.More.Text)
		m.more.Blur()
		next := action.Do(func() { m.focusOn(!m.onMore) })
		actions = append(actions, key("next field", next, "tab", "shift+tab", "down", "up"))
	}
	typing := func() bool { return true }
	m.actions = only(append(actions, m.scroll.actions(typing)...)...)
	m.input.Set(f.Text)
	return m
}

// focusOn moves the focus to the first field, or to the second one.
func (m *Form) focusOn(second bool) {
	m.onMore = second
	from, focused := &m.more, &m.input
	if second {
		from, focused = focused, from
	}
	from.Blur()
	focused.Focus()
}

// Update edits the input.
func (m *Form) Update(msg tea.Msg) tea.Cmd {
	field := &m.input
	if m.onMore {
		field = &m.more
	}
	m.touched = field.Update(msg) || m.touched
	return m.base.Update(msg)
}

func (m *Form) wrong() string {
	wrong := m.spec.Check(m.input.Text())
	if wrong == "" && m.spec.More != nil {
		return m.spec.More.Check(m.more.Text())
	}
	return wrong
}

func (m *Form) cancel() tea.Cmd {
	if m.spec.Cancel != nil {
		m.spec.Cancel()
	}
	return m.close()
}

func (m *Form) submit() tea.Cmd {
	m.touched = true
	if m.wrong() != "" {
		return nil
	}
	m.done = true
	if m.spec.More != nil {
		m.spec.More.Text = m.more.Text()
	}
	return m.spec.Submit(m.input.Text())
}

func (m *Form) shown(c *content) {
	about := []Line{{Text: m.spec.About}}
	if m.spec.Warning != "" {
		about = append(about, Line{}, Line{Tone: style.Waiting, Text: m.spec.Warning})
	}
	if m.spec.Wrong != "" {
		about = append(about, Line{}, Line{Tone: style.Bad, Text: m.spec.Wrong})
	}
	c.said.Text = Paragraphs(c.Frame, about)
	c.scrolled(&m.scroll, c.said.Text)
	c.gap()
	if m.spec.More == nil {
		c.field("", m.spec.Label, &m.input, nil)
	} else {
		c.field("", m.spec.Label, &m.input, action.DoWith(m.focusOn, false))
		c.field("", m.spec.More.Label, &m.more, action.DoWith(m.focusOn, true))
	}
	if m.spec.Note != nil {
		c.note("follows", false, Line{Tone: style.Muted, Text: m.spec.Note(m.input.Text())})
	}
	wrong := Line{Tone: style.Bad}
	if m.touched {
		wrong.Text = m.wrong()
	}
	switch {
	case m.input.Cut():
		wrong.Text = cutText()
	case wrong.Text == "" && m.input.Dropped():
		wrong.Text = "Invisible characters were removed from the pasted text."
	}
	c.note("wrong", true, wrong)
	c.gap()
	c.buttons(1, button{label: "Cancel", press: m.cancel}, button{label: m.spec.Verb, off: m.wrong() != "", press: m.submit})
}

// cutText says that a paste was longer than the line.
func cutText() string {
	return "The text was cut: only " + style.Count(input.MaxLine) + " characters fit."
}
