// Package action is how a key is declared: once, with its name, what it does, and why it
// cannot be used now. Footer and help are made from these declarations.
//
// An action that has a name can be given other keys by the person, see [Map].
package action

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"charm.land/bubbles/v2/key"
)

// Action is something that a key does.
type Action struct {
	key.Binding
	// Name is what the configuration calls the action, whatever the screen says of it at
	// the moment. An action without one keeps its keys, as those of dialogs do.
	Name string
	// Off says why it cannot be done now; empty means that it can.
	Off string
	// Needed says why the action must keep a key, or is empty.
	Needed string
	// Footer puts the action among the hints at the bottom of the screen.
	Footer bool
	// Spare leaves it out of them where there is no room for all of the others.
	Spare bool

	own []string // the keys that it is declared with
}

// Group is a set of actions that belong together, under a title.
type Group struct {
	Title   string
	Actions []Action
	// Movement says that the actions only move about.
	Movement bool
}

// New declares an action: its key as the screen shows it, what it does in a word or two,
// and the keys.
func New(label, does string, keys ...string) Action {
	a := Action{own: keys}
	a.SetKeys(keys...)
	a.SetHelp(label, does)
	return a
}

// Named returns the action as one that the person can give other keys, by the name.
func (a Action) Named(name string) Action {
	a.Name = name
	return a
}

// Always returns the action as one that must keep a key, for the reason.
func (a Action) Always(reason string) Action {
	a.Needed = reason
	return a
}

// Own returns the keys that the action is declared with, which are those that whoever
// does it listens to.
func (a Action) Own() []string { return a.own }

// InFooter returns the action as one that the footer shows.
func (a Action) InFooter() Action {
	a.Footer = true
	return a
}

// IfRoom returns the action as one that the footer shows after the others.
func (a Action) IfRoom() Action {
	a.Footer, a.Spare = true, true
	return a
}

// Unless returns the action switched off for the reason, if there is one.
func (a Action) Unless(reason string) Action {
	a.Off = reason
	return a
}

// Pressed says whether the key is the action's.
func (a Action) Pressed(msg tea.KeyPressMsg) bool {
	return a.Enabled() && slices.Contains(a.Keys(), msg.String())
}

// Find returns the action of a key, looking through the groups in their order.
func Find(groups []Group, msg tea.KeyPressMsg) (Action, bool) {
	for _, g := range groups {
		for _, a := range g.Actions {
			if a.Pressed(msg) {
				return a, true
			}
		}
	}
	return Action{}, false
}
