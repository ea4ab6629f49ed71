package page

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Command is something that can be done from the palette.
type Command struct {
	// Name is what is typed, and Title what it does.
	Name, Title string
	// Key is the key that does the same, as the screen shows it, or empty.
	Key string
	// Off says why it cannot be done now; empty means that it can.
	Off string
	// Then is the message that does it, where it takes no argument.
	Then tea.Msg
	// Arg stands for the argument, such as "2s".
	Arg string
	// Values proposes arguments for what was typed so far; it may be nil.
	Values func(typed string) []Value
	// Run makes the message for an argument, or says what is wrong with that. A command
	// without it takes none.
	Run func(arg string) (tea.Msg, error)
}

// Value is an argument that is proposed.
type Value struct{ Text, Note string }

// Choice is a command whose argument is one of a few words.
func Choice(name, title string, words []string, then func(word string) tea.Msg) Command {
	return Command{
		Name: name, Title: title, Arg: strings.Join(words, ", "),
		Values: func(typed string) []Value { return Containing(words, typed) },
		Run: func(arg string) (tea.Msg, error) {
			if !slices.Contains(words, arg) {
				return nil, fmt.Errorf("%q is none of %s", arg, strings.Join(words, ", "))
			}
			return then(arg), nil
		},
	}
}

// Containing are the words that contain what was typed.
func Containing(words []string, typed string) []Value {
	var out []Value
	for _, w := range words {
		if strings.Contains(strings.ToLower(w), strings.ToLower(typed)) {
			out = append(out, Value{Text: w})
		}
	}
	return out
}
