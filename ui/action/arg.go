package action

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

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
