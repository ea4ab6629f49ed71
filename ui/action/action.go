// Package action is what the user can do: every action is declared once, by the page or dialog that does it. Keymap,
// footer, help, palette, mouse and configuration all go by its ID.
package action

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/style"
)

// Action is something that the user can do.
type Action struct {
	// ID is its name in the configuration file and the palette. Actions of dialogs have none: their keys are fixed.
	ID       string
	Title    string   // what it does, in a word or two
	Keys     []string // those that do it: the default ones, or the user's, see [Map.Apply]
	Label    string   // what the screen shows of the keys: the first of them, if it is left out
	Disabled string   // the reason why it cannot be done now, or empty
	Required string   // the reason why the action must keep a key, or empty
	Footer   Footer   // whether the footer shows it
	Hidden   bool     // leaves the action out in this state; it is declared all the same, to be configured
	Arg      *Arg     // the argument that the palette asks for, or nil
	// Run does it, on the UI's goroutine. It is nil where there is only an argument to run with.
	Run func() tea.Cmd
}

// Arg is what an action needs to be told in the palette.
type Arg struct {
	Example  string                     // stands for the argument, such as "2s"
	Help     []Value                    // how an argument is written, for the help
	Complete func(typed string) []Value // proposes arguments for what was typed so far; it may be nil
	// Parse returns what does the action with an argument, or an error that says what is wrong with it.
	Parse func(arg string) (run func() tea.Cmd, err error)
}

// Value is an argument that is proposed.
type Value struct{ Text, Note string }

// Footer is whether the footer shows an action: those that are Leading first, and those that are LowPriority only where
// there is room for all others.
type Footer int

// Whether it does.
const (
	NotShown Footer = iota
	Leading
	Shown
	LowPriority
)

// Group is a set of actions that belong together, under a title.
type Group struct {
	Title    string
	Actions  []Action
	Movement bool // marks actions that only move the selection: the palette does not offer them
}

// Do makes a Run of a function that returns no command.
func Do(f func()) func() tea.Cmd {
	return func() tea.Cmd {
		f()
		return nil
	}
}

// KeyLabel returns what the screen shows of the action's keys, or an empty text if it has none.
func (a *Action) KeyLabel() string {
	switch {
	case len(a.Keys) == 0:
		return ""
	case a.Label != "":
		return a.Label
	}
	return label(a.Keys[:1])
}

// Find returns the first action of the groups with the key, whether it is disabled or not.
func Find(groups []Group, msg tea.KeyPressMsg) (Action, bool) {
	return first(groups, func(a *Action) bool { return !a.Hidden && slices.Contains(a.Keys, msg.String()) })
}

// ByID returns the action of an ID, hidden or not. Of several it is the first that is not.
func ByID(groups []Group, id string) (Action, bool) {
	if a, ok := first(groups, func(a *Action) bool { return a.ID == id && !a.Hidden }); ok {
		return a, true
	}
	return first(groups, func(a *Action) bool { return a.ID == id })
}

func first(groups []Group, is func(*Action) bool) (Action, bool) {
	for _, g := range groups {
		for i := range g.Actions {
			if is(&g.Actions[i]) {
				return g.Actions[i], true
			}
		}
	}
	return Action{}, false
}

// Label returns how a sentence names the key of an action, or the action itself if it has none.
func Label(groups []Group, id string) string {
	a, _ := ByID(groups, id)
	if key := a.KeyLabel(); key != "" {
		return key
	}
	return ":" + id
}

// Filter returns the groups with those of their actions that keep reports, and without groups that are empty then.
func Filter(groups []Group, keep func(a *Action) bool) []Group {
	var out []Group
	for _, g := range groups {
		g.Actions = slices.DeleteFunc(slices.Clone(g.Actions), func(a Action) bool { return !keep(&a) })
		if len(g.Actions) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// Visible returns the groups without their hidden actions.
func Visible(groups []Group) []Group {
	return Filter(groups, func(a *Action) bool { return !a.Hidden })
}

// Choice returns an argument that is one of a few words.
func Choice(words []string, run func(word string) tea.Cmd) *Arg {
	return &Arg{
		Example:  strings.Join(words, ", "),
		Complete: func(typed string) []Value { return Containing(words, typed) },
		Parse: func(arg string) (func() tea.Cmd, error) {
			if !slices.Contains(words, arg) {
				return nil, fmt.Errorf("%q is none of %s", arg, strings.Join(words, ", "))
			}
			return func() tea.Cmd { return run(arg) }, nil
		},
	}
}

// Containing returns the words that contain what was typed.
func Containing(words []string, typed string) []Value {
	var out []Value
	for _, w := range words {
		if strings.Contains(strings.ToLower(w), strings.ToLower(typed)) {
			out = append(out, Value{Text: w})
		}
	}
	return out
}

// Bar hints at the keys that matter most now, in the footer.
type Bar []hint

// hint is a key and what it does. A disabled one is in parentheses: there may be no colours.
type hint struct {
	text   string
	action Action
}

// NewBar has the actions of the last group, and as many of the others as there is room for.
func NewBar(th *style.Theme, width int, groups []Group) Bar {
	n := max(1, len(groups)-1)
	first, last := hints(th, groups[:n]), hints(th, groups[n:])
	slices.SortStableFunc(first, func(a, b hint) int { return cmp.Compare(a.action.Footer, b.action.Footer) })
	room := width
	for _, h := range last {
		room -= style.Width(h.text)
	}
	first = slices.DeleteFunc(first, func(h hint) bool {
		fits := style.Width(h.text) <= room
		if fits {
			room -= style.Width(h.text)
		}
		return !fits
	})
	return append(first, last...)
}

func hints(th *style.Theme, groups []Group) Bar {
	var out Bar
	for _, g := range Visible(groups) {
		for _, a := range g.Actions {
			key := a.KeyLabel()
			switch {
			case a.Footer == NotShown || key == "":
			case a.Disabled != "":
				out = append(out, hint{th.Paint(style.Muted, "("+key+" "+a.Title+")"), a})
			default:
				out = append(out, hint{" " + th.Paint(style.Accent, key) + " " + th.Paint(style.Muted, a.Title) + " ", a})
			}
		}
	}
	return out
}

// View draws the line.
func (b Bar) View(width int) string {
	var out strings.Builder
	for _, h := range b {
		out.WriteString(h.text)
	}
	return style.Fit(out.String(), width)
}

// At returns the action at a cell of the line.
func (b Bar) At(x int) (Action, bool) {
	from := 0
	for _, h := range b {
		to := from + style.Width(h.text)
		if x >= from && x < to {
			return h.action, true
		}
		from = to
	}
	return Action{}, false
}
