// Package action defines what the user can do: each page or dialog declares its actions once. Keymap, footer, help,
// palette, mouse and configuration refer to them by ID.
package action

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/style"
)

// Action is something that the user can do. It is declared once, when its page or dialog is made. What depends on the
// state is a function, which is called only for what is drawn or pressed; it may be nil.
type Action struct {
	// ID is its name in the configuration file and the palette. Actions of dialogs have none: their keys are fixed.
	ID       string
	Title    string   // what it does, as a verb
	Short    string   // what the footer calls it: the title by default
	Keys     []string // the default ones, or the user's, see [Map.Apply]
	Label    string   // shown on the screen for the keys: the first key by default
	Required string   // why the action must keep a key, or empty
	Footer   Footer   // whether the footer shows it
	Stays    bool     // the footer gives it up last
	Rare     bool     // only the whole help has it
	Turns    bool     // it goes to a page
	Keywords []string // what the palette finds it by, besides its title
	Arg      *Arg     // the argument for the palette, or nil
	// Run runs it on the UI's goroutine. It is nil if the action requires an argument.
	Run func() tea.Cmd

	Disabled func() string   // returns why it is unavailable now, or ""
	Hidden   func() bool     // reports whether the action makes no sense in this state
	Vary     func(Look) Look // returns how it looks in this state

	custom bool // the keys are the user's
}

// Look is how an action is shown: the fields of the same names of [Action], which may depend on the state.
type Look struct {
	Title, Short, Label string
	Footer              Footer
}

// Look returns how the action is shown now.
func (a *Action) Look() Look {
	l := Look{a.Title, a.Short, a.Label, a.Footer}
	if a.Vary != nil {
		l = a.Vary(l)
	}
	if a.custom {
		l.Label = label(a.Keys)
	}
	return l
}

// Reason returns why the action is unavailable now, or "".
func (a *Action) Reason() string {
	if a.Disabled == nil {
		return ""
	}
	return a.Disabled()
}

// IsHidden reports whether the action makes no sense in this state.
func (a *Action) IsHidden() bool { return a.Hidden != nil && a.Hidden() }

// If returns an [Action.Disabled] with one reason.
func If(applies func() bool, reason string) func() string {
	return func() string {
		if applies() {
			return reason
		}
		return ""
	}
}

// Arg is the argument of an action in the palette.
type Arg struct {
	Example  string                     // a placeholder for the argument, such as "2s"
	Words    func() []string            // returns all arguments, in place of an example; it may be nil
	Help     func() []Value             // returns the argument's syntax, for the help; it may be nil
	Complete func(typed string) []Value // suggests arguments for a prefix; it may be nil
	// Parse returns a function that runs the action with an argument, or why the argument is invalid.
	Parse func(arg string) (run func() tea.Cmd, err error)
}

// Placeholder returns what stands for the argument on the screen.
func (a *Arg) Placeholder() string {
	if a.Words == nil {
		return a.Example
	}
	return strings.Join(a.Words(), ", ")
}

// Value is a suggested argument.
type Value struct{ Text, Note string }

// Footer is whether the footer shows an action: Leading ones first, and LowPriority ones only if there is room for all
// others. Only some rows have the actions OfRow: room is kept for them at the right end.
type Footer int

// The values of Footer.
const (
	NotShown Footer = iota
	Leading
	Shown
	LowPriority
	OfRow
)

// Group is a titled set of related actions.
type Group struct {
	Title    string
	Actions  []*Action
	Movement bool // marks actions that only move the selection: the palette omits them
}

// Do returns a Run for a function without a command.
func Do(f func()) func() tea.Cmd {
	return func() tea.Cmd {
		f()
		return nil
	}
}

// DoWith is [Do] for a function of a value.
func DoWith[T any](f func(T), value T) func() tea.Cmd { return Do(func() { f(value) }) }

// With returns a Run for a function of a value.
func With[T any](run func(T) tea.Cmd, value T) func() tea.Cmd {
	return func() tea.Cmd { return run(value) }
}

// KeyLabel returns the screen's text for the action's keys, or "" without keys.
func (a *Action) KeyLabel() string { return a.keyLabel(a.Look()) }

func (a *Action) keyLabel(l Look) string {
	switch {
	case len(a.Keys) == 0:
		return ""
	case l.Label != "":
		return l.Label
	}
	return label(a.Keys[:1])
}

// Find returns the first action with the key, disabled or not. If no action has its text, the key at the same place of a US
// keyboard counts: й is q.
func Find(groups []Group, msg tea.KeyPressMsg) (a *Action, ok bool) {
	for _, key := range []string{msg.String(), base(msg)} {
		has := func(a *Action) bool { return slices.Contains(a.Keys, key) && !a.IsHidden() }
		if a, ok = first(groups, has); ok {
			return a, true
		}
	}
	return nil, false
}

// base returns the name of the key at the same place of a US keyboard, or "" if the terminal does not tell.
func base(msg tea.KeyPressMsg) string {
	k := msg.Key()
	if k.BaseCode == 0 || k.BaseCode == k.Code {
		return ""
	}
	if k.Code = k.BaseCode; k.Mod == tea.ModShift {
		return strings.ToUpper(string(k.BaseCode))
	}
	k.Text, k.ShiftedCode = "", 0
	return k.Keystroke()
}

// ByID returns the action with an ID, hidden or not.
func ByID(groups []Group, id string) (a *Action, ok bool) {
	return first(groups, func(a *Action) bool { return a.ID == id })
}

func first(groups []Group, match func(*Action) bool) (a *Action, ok bool) {
	for _, g := range groups {
		for _, a := range g.Actions {
			if match(a) {
				return a, true
			}
		}
	}
	return nil, false
}

// Labels are the screen's texts for the keys of actions, by ID.
type Labels map[string]string

// LabelsOf returns the labels of the actions that have keys.
func LabelsOf(groups []Group) Labels {
	labels := Labels{}
	for _, g := range groups {
		for _, a := range g.Actions {
			labels[a.ID] = a.KeyLabel()
		}
	}
	return labels
}

// Of returns an action as named in a sentence: its key, or its ID for the palette.
func (l Labels) Of(id string) string { return cmp.Or(l[id], ":"+id) }

// Filter returns the groups with only the actions to keep, and without empty groups.
func Filter(groups []Group, keep func(a *Action) bool) []Group {
	var out []Group
	for _, g := range groups {
		g.Actions = slices.DeleteFunc(slices.Clone(g.Actions), func(a *Action) bool { return !keep(a) })
		if len(g.Actions) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// Visible returns the groups without their hidden actions.
func Visible(groups []Group) []Group {
	return Filter(groups, func(a *Action) bool { return !a.IsHidden() })
}

// Choice returns an argument that is one of the words.
func Choice(words func() []string, run func(word string) tea.Cmd) *Arg {
	return &Arg{
		Words:    words,
		Complete: func(typed string) []Value { return Containing(words(), typed) },
		Parse:    func(arg string) (func() tea.Cmd, error) { return parseChoice(arg, words(), run) },
	}
}

func parseChoice(arg string, words []string, run func(word string) tea.Cmd) (func() tea.Cmd, error) {
	if !slices.Contains(words, arg) {
		return nil, fmt.Errorf("%q must be one of %s", arg, strings.Join(words, ", "))
	}
	return With(run, arg), nil
}

// Containing returns the words that contain the typed text.
func Containing(words []string, typed string) []Value {
	var out []Value
	for _, w := range words {
		if strings.Contains(strings.ToLower(w), strings.ToLower(typed)) {
			out = append(out, Value{Text: w})
		}
	}
	return out
}

// Duration returns an argument that is a duration. The steps are suggested. check returns what is wrong with a duration, or
// nil; it gets 0 for other texts.
func Duration(
	example string, steps []time.Duration, check func(time.Duration) error,
	run func(time.Duration) tea.Cmd,
) *Arg {
	var words []string
	for _, d := range steps {
		words = append(words, style.Every(d))
	}
	return &Arg{
		Example:  example,
		Complete: func(typed string) []Value { return Containing(words, typed) },
		Parse:    func(arg string) (func() tea.Cmd, error) { return parseDuration(arg, check, run) },
	}
}

func parseDuration(
	arg string, check func(time.Duration) error, run func(time.Duration) tea.Cmd,
) (func() tea.Cmd, error) {
	d, _ := models.ParseDuration(arg)
	if err := check(d); err != nil {
		return nil, fmt.Errorf("%w, not %q", err, arg)
	}
	return With(run, d), nil
}

// Within returns a check of durations for [Duration].
func Within(least, limit time.Duration) func(time.Duration) error {
	return func(d time.Duration) error {
		if d < least || d > limit {
			return fmt.Errorf("must be a duration from %s to %s", style.Every(least), style.Every(limit))
		}
		return nil
	}
}

// Bar shows the most important keys in the footer. A key keeps its place whatever row is selected: an unavailable action is
// dimmed.
type Bar []hint

// hint is a key and what it does.
type hint struct {
	text   string
	action *Action // nil for kept room
	footer Footer
	stays  bool
	last   bool // it is of the last group
	number int  // its place among the declarations
}

// NewBar returns a bar with as many of the possible actions as fit, the most important first. The last group is at the end,
// and the actions of some rows are at the right.
func NewBar(th *style.Theme, width int, groups []Group) Bar {
	possible, room := hints(th, groups), width
	slices.SortStableFunc(possible, func(a, b hint) int { return a.importance() - b.importance() })
	var bar Bar
	for _, h := range possible {
		if cells := style.Width(h.text); cells <= room {
			room -= cells
			bar = append(bar, h)
		}
	}
	slices.SortFunc(bar, func(a, b hint) int { return cmp.Or(a.place()-b.place(), a.number-b.number) })
	index := slices.IndexFunc(bar, hint.ofRow)
	if index >= 0 && room > 0 {
		bar = slices.Insert(bar, index, hint{text: style.Spaces(room)})
	}
	return bar
}

// importance returns the order in which hints get room, the lowest number first: hints that stay, hints of some rows, and
// then the order of the footer. Among equals, the last group is the first.
func (h hint) importance() int {
	const stays = 100 // more than all other numbers
	order := 2 * int(h.footer)
	if h.ofRow() {
		order = 0
	}
	if !h.last {
		order++
	}
	if h.stays {
		order -= stays
	}
	return order
}

// place returns the order of the hints in the bar, the lowest number at the left.
func (h hint) place() int {
	switch {
	case h.ofRow():
		return int(OfRow) + 1
	case h.last:
		return int(OfRow)
	}
	return int(h.footer)
}

func (h hint) ofRow() bool { return h.footer == OfRow }

// enterCells is the room for the title of Enter, which depends on the row.
const enterCells = len("details")

func hints(th *style.Theme, groups []Group) Bar {
	var out Bar
	for i, g := range groups {
		for _, a := range g.Actions {
			if len(a.Keys) == 0 || a.Footer == NotShown && a.Vary == nil || a.IsHidden() {
				continue
			}
			l := a.Look()
			if l.Footer == NotShown && a.Footer != OfRow || a.Shadowed(groups) {
				continue
			}
			h := hint{action: a, footer: l.Footer, stays: a.Stays, last: i > 0 && i == len(groups)-1, number: len(out)}
			h.text = a.hint(th, l)
			if a.Footer == OfRow {
				h = h.keepRoom(l)
			}
			out = append(out, h)
		}
	}
	return out
}

// Shadowed reports whether the key of the action runs another one.
func (a *Action) Shadowed(groups []Group) bool {
	runs, _ := first(groups, func(other *Action) bool { return slices.Contains(other.Keys, a.Keys[0]) && !other.IsHidden() })
	return runs != a
}

// keepRoom keeps room for an action of some rows, and shows the action only if it is available.
func (h hint) keepRoom(l Look) hint {
	h.footer = OfRow
	if l.Footer != OfRow || h.action.Reason() != "" {
		h.text, h.action = style.Spaces(style.Width(h.text)), nil
	}
	return h
}

// hint returns the key and what it does, dimmed if it is unavailable now.
func (a *Action) hint(th *style.Theme, l Look) string {
	key, title, tone := a.keyLabel(l), cmp.Or(l.Short, l.Title), style.Accent
	if a.Reason() != "" {
		tone = style.Rule
	}
	text := style.Muted
	if tone == style.Rule {
		text = style.Rule
	}
	if key == label([]string{"enter"}) {
		title = style.Pad(title, enterCells)
	}
	return " " + th.Paint(tone, key) + " " + th.Paint(text, title) + " "
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
func (b Bar) At(x int) (a *Action, ok bool) {
	from := 0
	for _, h := range b {
		end := from + style.Width(h.text)
		if x >= from && x < end {
			return h.action, h.action != nil
		}
		from = end
	}
	return nil, false
}
