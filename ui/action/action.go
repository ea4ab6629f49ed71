// Package action is what the user can do: every action is declared once, as a value with an
// identity, by the page or dialog that does it. The keymap, footer, help, palette, mouse and
// configuration all go by its ID; the code that does it never learns which key was pressed.
package action

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Action is something that the user can do.
type Action struct {
	// ID is its name in the configuration file and in the palette, such as "revoke". The actions of dialogs have
	// none: their keys are fixed.
	ID string
	// Title is what it does, in a word or two.
	Title string
	// Keys are those that do it: the default ones, or the user's, see [Map.Apply].
	Keys []string
	// Label is what the screen shows of the keys: the first of them, if it is left out.
	Label string
	// Disabled is the reason why it cannot be done now, or empty.
	Disabled string
	// Required is the reason why the action must keep a key, or empty.
	Required string
	// Footer is whether the footer shows it.
	Footer Footer
	// Hidden leaves the action out in this state. It is declared all the same, to be configured.
	Hidden bool
	// Arg is the argument that the palette asks for, or nil.
	Arg *Arg
	// Run does it, on the UI's goroutine. It is nil where there is only an argument to run with.
	Run func() tea.Cmd
}

// Arg is what an action needs to be told in the palette.
type Arg struct {
	// Example stands for the argument, such as "2s".
	Example string
	// Complete proposes arguments for what was typed so far; it may be nil.
	Complete func(typed string) []Value
	// Parse returns what does the action with an argument, or an error that says what is wrong with it.
	Parse func(arg string) (run func() tea.Cmd, err error)
}

// Value is an argument that is proposed.
type Value struct{ Text, Note string }

// Footer is whether the footer shows an action: those that are LowPriority only where there is room.
type Footer int

// Whether it does.
const (
	NotShown Footer = iota
	Shown
	LowPriority
)

// Group is a set of actions that belong together, under a title.
type Group struct {
	Title   string
	Actions []Action
	// Movement marks actions that only move the selection: the palette does not offer them.
	Movement bool
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
