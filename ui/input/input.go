// Package input has the text inputs.
package input

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/style"
)

// Model is a line of text. Its cursor does not blink.
type Model struct {
	line    textinput.Model
	dropped bool // the last paste contained invisible characters
	cut     bool // the last paste or key did not fit into the line
}

// MaxLine is the longest text of a line, in characters: each of its characters is looked at whenever it is drawn.
const MaxLine = 4000

// New returns an empty, focused line. hint is shown while it is empty.
func New(hint string) Model {
	line := textinput.New()
	line.Prompt = ""
	line.Placeholder = hint
	line.CharLimit = MaxLine
	backward, forward := &line.KeyMap.DeleteWordBackward, &line.KeyMap.DeleteWordForward
	backward.SetKeys(append(backward.Keys(), "ctrl+backspace")...)
	forward.SetKeys(append(forward.Keys(), "ctrl+delete")...)
	line.Focus()
	return Model{line: line}
}

// Masked makes the line show dots instead of the text.
func (m *Model) Masked() {
	m.line.EchoMode = textinput.EchoPassword
	m.line.EchoCharacter = '•'
}

// Text returns the text without the surrounding white space.
func (m *Model) Text() string { return models.Clean(strings.TrimSpace(m.line.Value())) }

// Spaced reports whether white space follows the text.
func (m *Model) Spaced() bool { return strings.HasSuffix(m.line.Value(), " ") }

// Focused reports whether the line has the focus.
func (m *Model) Focused() bool { return m.line.Focused() }

// Focus gives the line the focus.
func (m *Model) Focus() {
	m.line.Focus()
	m.line.CursorEnd()
}

// Blur removes the focus.
func (m *Model) Blur() { m.line.Blur() }

// Set replaces the text.
func (m *Model) Set(s string) {
	m.line.SetValue(s)
	m.line.CursorEnd()
}

// lineBreak separates two lines of a paste.
var lineBreak = regexp.MustCompile(`\s*[\r\n]\s*`)

// Update edits the text, and reports whether it changed. Typed text is cleaned, because it is shown.
func (m *Model) Update(msg tea.Msg) (changed bool) {
	if m.full(msg) {
		return false
	}
	previous := m.Text()
	paste, pasted := msg.(tea.PasteMsg)
	if pasted {
		paste.Content = m.fitting(paste.Content)
		if m.line.EchoMode == textinput.EchoNormal { // a secret has no words
			paste.Content = lineBreak.ReplaceAllString(paste.Content, " ")
		}
		m.dropped = models.Clean(paste.Content) != paste.Content
		msg = tea.PasteMsg{Content: models.Clean(paste.Content)}
	}
	m.line, _ = m.line.Update(msg) // the command would only make the cursor blink
	// Without bracketed paste, pasted text arrives as keys. Cleaning may make more cleaning necessary.
	for typed := m.line.Value(); models.Clean(typed) != typed; typed = m.line.Value() {
		behind := utf8.RuneCountInString(typed) - m.line.Position()
		m.line.SetValue(models.Clean(typed))
		m.line.SetCursor(utf8.RuneCountInString(m.line.Value()) - behind)
	}
	changed = m.Text() != previous
	m.dropped = m.dropped && (pasted || !changed)
	return changed
}

// full reports whether a key would add to a line that has no room, as a paste without brackets does key by key.
func (m *Model) full(msg tea.Msg) bool {
	key, pressed := msg.(tea.KeyPressMsg)
	m.cut = m.cut && pressed && key.Text != ""
	full := pressed && key.Text != "" && utf8.RuneCountInString(m.line.Value()) >= MaxLine
	m.cut = m.cut || full
	return full
}

// fitting returns as much of a paste as fits into the line.
func (m *Model) fitting(paste string) string {
	const longestRune = utf8.UTFMax
	m.cut = len(paste) > longestRune*MaxLine
	if m.cut { // before any work on the whole text
		paste = strings.ToValidUTF8(paste[:longestRune*MaxLine], "")
	}
	paste = strings.TrimSpace(paste)
	room := max(0, MaxLine-utf8.RuneCountInString(m.line.Value()))
	if runes := []rune(paste); len(runes) > room {
		m.cut = true
		return string(runes[:room])
	}
	return paste
}

// Cut reports whether a part of the last paste or key was left out, because the line has no room for it.
func (m *Model) Cut() bool { return m.cut }

// Dropped reports whether invisible characters were removed from the last paste.
func (m *Model) Dropped() bool { return m.dropped }

// Describe describes the line with a label, or returns nil without the focus.
func (m *Model) Describe(label string) *announce.Field {
	if !m.Focused() {
		return nil
	}
	if m.line.EchoMode != textinput.EchoNormal {
		return &announce.Field{Label: label}
	}
	typed := []rune(m.line.Value())
	position := min(m.line.Position(), len(typed))
	return &announce.Field{Label: label, Before: string(typed[:position]), After: string(typed[position:])}
}

// View draws the line in width cells.
func (m *Model) View(th *style.Theme, width int) string {
	m.line.SetStyles(th.Input())
	m.line.SetWidth(max(1, width-1))
	m.line.SetCursor(m.line.Position()) // scrolls to the cursor
	line := m.line
	line.Placeholder = style.Cut(line.Placeholder, width)
	return line.View()
}

// CancelKey cancels an open filter. FilterIndent cells precede its text.
const (
	CancelKey    = "esc"
	FilterIndent = 3
)

// Filter is the input of a filter. It is closed, focused, or applied.
type Filter struct {
	Model

	// Complete suggests completions of a text, the likeliest first; it may be nil.
	Complete func(typed string) []string
	History  *History // may be nil

	proposals []string
	begun     int // the byte offset of the completed word
	taken     int // the index of the used suggestion, or -1

	back  int    // the position in the history, from its end; 0: the draft
	draft string // the text that was typed before going back in the history

	changed func() tea.Cmd // runs after each change by an action
}

// NewFilter returns a closed filter.
func NewFilter(hint string) Filter {
	m := Filter{Model: New(hint)}
	m.line.ShowSuggestions = true
	m.line.KeyMap.NextSuggestion.Unbind() // with none, they panic
	m.line.KeyMap.PrevSuggestion.Unbind()
	m.Blur()
	return m
}

// Focus gives the filter the focus.
func (m *Filter) Focus() {
	m.Model.Focus()
	m.propose()
}

// Update edits the text, and reports whether it changed.
func (m *Filter) Update(msg tea.Msg) (changed bool) {
	changed = m.Model.Update(msg)
	m.propose()
	return changed
}

// propose computes the suggestions. Only the end of the text can be completed.
func (m *Filter) propose() {
	m.proposals, m.taken, m.back = nil, -1, 0
	typed := m.line.Value()
	m.begun = strings.LastIndexAny(typed, " (!:,") + 1
	if m.Complete != nil && m.line.Position() == utf8.RuneCountInString(typed) {
		m.proposals = m.Complete(typed)
	}
	m.ghost()
}

// ghost shows the rest of the first suggestion dimmed.
func (m *Filter) ghost() {
	m.line.SetSuggestions(nil)
	typed := m.line.Value()
	if m.taken < 0 && len(m.proposals) > 0 && typed != "" && !strings.HasSuffix(typed, " ") {
		m.line.SetSuggestions(m.proposals[:1])
	}
}

// Proposals returns the suggested completions, and the index of the used one, or -1.
func (m *Filter) Proposals() (words []string, taken int) {
	for _, p := range m.proposals {
		words = append(words, p[m.begun:])
	}
	return words, m.taken
}

// complete uses the first suggestion, and the next one at each further call.
func (m *Filter) complete() tea.Cmd {
	if len(m.proposals) > 0 {
		m.taken = (m.taken + 1) % len(m.proposals)
		m.Model.Set(m.proposals[m.taken])
		m.ghost()
	}
	if len(m.proposals) == 1 {
		m.propose()
	}
	return m.changed()
}

// Shown reports whether the filter has something to show.
func (m *Filter) Shown() bool { return m.Focused() || m.Text() != "" }

// Set applies a filter.
func (m *Filter) Set(q string) {
	m.Blur()
	m.Model.Set(q)
}

// Actions declares the actions of the open filter, once. wrong returns why it cannot be kept, or ""; it may be nil.
// changed runs after each change by an action.
func (m *Filter) Actions(wrong func() string, changed func() tea.Cmd) []action.Group {
	m.changed = changed
	return []action.Group{{Title: "Filter", Actions: []*action.Action{
		{Title: "keep the filter", Keys: []string{"enter"}, Footer: action.Shown, Disabled: wrong, Run: m.keep},
		{Title: "show all", Keys: []string{CancelKey}, Footer: action.Shown, Run: m.cancel},
		{
			Title: "complete", Keys: []string{"tab"}, Footer: action.Shown,
			Hidden: func() bool { return m.Complete == nil }, Run: m.complete,
		},
		{
			Title: "earlier", Keys: []string{"up"}, Footer: action.Shown,
			Hidden: func() bool { return m.earlier() == 0 },
			Run:    func() tea.Cmd { return m.recall(m.earlier()) },
		},
		{
			Title: "later", Keys: []string{"down"}, Footer: action.Shown,
			Hidden: func() bool { return !m.recalled() },
			Run:    func() tea.Cmd { return m.recall(m.back - 1) },
		},
		{Title: "keep the filter", Keys: []string{"down"}, Hidden: m.recalled, Disabled: wrong, Run: m.keep},
	}}}
}

func (m *Filter) keep() tea.Cmd {
	m.Blur()
	return m.History.add(m.Text())
}

func (m *Filter) cancel() tea.Cmd {
	text := m.Text()
	m.Set("")
	if text == "" {
		return nil
	}
	return m.changed()
}

// View draws the filter and the number of matching rows.
func (m *Filter) View(th *style.Theme, width int, count string) string {
	value := th.Paint(style.Accent, m.Text())
	if m.Focused() {
		room := width - style.Width(count) - 2*FilterIndent
		switch whole := style.Width(m.line.CurrentSuggestion()); {
		case whole >= room:
			m.line.SetSuggestions(nil)
		case whole > 0:
			room -= whole - style.Width(m.line.Value()) - 1 // the rest of it is beyond the line's own width
		}
		value = m.Model.View(th, room)
	}
	return style.Ends(th.Paint(style.Accent, " / ")+value, th.Paint(style.Muted, count)+" ", width)
}
