package dialog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/dustin/go-humanize/english"
	"github.com/sahilm/fuzzy"

	"pgtower/ui/action"
	"pgtower/ui/input"
	"pgtower/ui/style"
)

// Palette finds every action by a part of its name, and takes the arguments of those that need one.
type Palette struct {
	Picker

	offered func() []action.Group // returns the actions as they are now
	recent  []Recent
	groups  []action.Group // the visible actions, as of the last refresh
	offers  []*PickerItem  // their items
	chosen  chosen
	tried   string // the last text that was refused
	err     error  // why it was refused
}

// chosen is called with the chosen action, its argument, and the function that runs it.
type chosen = func(a *action.Action, arg string, run func() tea.Cmd) tea.Cmd

// Recent is an action that was chosen, and its argument, if any.
type Recent struct{ ID, Arg string }

// NewPalette returns a palette of the actions that offered returns, the recent ones first. It calls chosen with the choice.
func NewPalette(offered func() []action.Group, recent []Recent, chosen chosen) *Palette {
	m := &Palette{offered: offered, recent: recent, chosen: chosen}
	m.Picker = Picker{
		base: base{title: "Commands", show: m.shown, minHeight: listHeight}, most: 14, steady: true,
		input: input.New("an action, or a command with its argument"), found: m.matches,
	}
	m.actions = m.newActions(key("run", m.press, "enter"), key("complete", action.Do(m.complete), "tab"))
	m.refresh()
	return m
}

// refresh reads the actions again: they may have become available since the palette was opened. An item that the user
// moved to stays selected.
func (m *Palette) refresh() {
	var previous *PickerItem
	if m.cursor > 0 {
		previous, _ = m.selected()
	}
	m.groups, m.offers = action.Visible(m.offered()), nil
	m.offer()
	m.recall()
	if previous != nil {
		if index := slices.IndexFunc(m.found(), previous.same); index >= 0 {
			m.cursor = index
		}
	}
}

// same reports whether another item offers the same.
func (i *PickerItem) same(other *PickerItem) bool {
	return i.ID == other.ID && i.line == other.line && i.Title == other.Title
}

// Update edits the line, or moves the selection.
func (m *Palette) Update(msg tea.Msg) tea.Cmd {
	m.refresh()
	return m.Picker.Update(msg)
}

// offer adds the actions that have keys, then the others. An action with an optional argument is offered twice.
func (m *Palette) offer() {
	var others []*PickerItem
	for _, g := range m.groups {
		if g.Movement {
			continue
		}
		for _, a := range g.Actions {
			run := func() tea.Cmd { return m.chosen(a, "", a.Run) }
			title := a.Look().Title
			switch {
			case a.Run == nil:
			case len(a.Keys) == 0:
				others = append(others, offer(a, a.ID, title, run))
			default:
				item := offer(a, style.Sentence(title), a.KeyLabel(), run)
				item.name, item.about = title, g.Title+" "+title
				m.offers = append(m.offers, item)
			}
			if a.Arg != nil {
				item := offer(a, a.ID+" "+a.Arg.Placeholder(), title, action.With(m.ask, a))
				item.name = a.ID
				others = append(others, item)
			}
		}
	}
	m.offers = append(m.offers, others...)
}

func offer(a *action.Action, title, note string, choose func() tea.Cmd) *PickerItem {
	item := &PickerItem{ID: a.ID, Title: title, Note: note, Choose: choose, about: note, line: a.ID + " "}
	item.page, item.words = a.Turns, strings.Join(a.Keywords, " ")
	if reason := a.Reason(); reason != "" {
		item.Disabled, item.Note = true, "unavailable, "+reason
	}
	return item
}

// recall moves the recent choices to the top, with their arguments.
func (m *Palette) recall() {
	var out []*PickerItem
	for _, r := range m.recent {
		if a, ok := m.wants(r.ID); ok && r.Arg != "" {
			// An argument that is no longer valid is left out: it may be of another account.
			run, err := a.Arg.Parse(r.Arg)
			if err == nil {
				choose := func() tea.Cmd { return m.chosen(a, r.Arg, run) }
				out = append(out, offer(a, a.ID+" "+r.Arg, a.Look().Title, choose))
			}
			continue
		}
		i := indexOf(m.offers, r.ID)
		if i >= 0 && r.ID != "" {
			out = append(out, m.offers[i])
			m.offers = slices.Delete(m.offers, i, i+1)
		}
	}
	m.offers = append(out, m.offers...)
}

// wants returns the action of an ID. ok reports whether there is one that takes an argument.
func (m *Palette) wants(id string) (a *action.Action, ok bool) {
	a, ok = action.ByID(m.groups, id)
	return a, ok && a.Arg != nil
}

// complete writes the selected item into the line.
func (m *Palette) complete() {
	if item, ok := m.selected(); ok {
		m.write(item.line)
	}
}

func (m *Palette) write(line string) {
	m.input.Set(line)
	m.rewind()
}

// typed returns the action and the argument on the line. ok reports whether the line is at an argument.
func (m *Palette) typed() (a *action.Action, arg string, ok bool) {
	line := m.input.Text()
	if m.input.Spaced() {
		line += " " // texts are trimmed
	}
	id, arg, spaced := strings.Cut(line, " ")
	a, ok = m.wants(id)
	return a, strings.TrimSpace(arg), ok && spaced
}

// matches returns the actions that the words find, or the values of the argument on the line.
func (m *Palette) matches() []*PickerItem {
	a, arg, ok := m.typed()
	switch {
	case !ok:
		return m.find(m.input.Text())
	case a.Arg.Complete == nil:
		return nil
	}
	var out []*PickerItem
	for _, v := range a.Arg.Complete(arg) {
		run := func() tea.Cmd { return m.run(a, v.Text) }
		out = append(out, &PickerItem{Title: v.Text, Note: v.Note, Choose: run, line: a.ID + " " + v.Text})
	}
	return out
}

const (
	leastLetters = 3 // letters that are searched in order
	mostFuzzy    = 8 // items that are found in this way
	mostApart    = 3 // times as long as the text is where they are found, at most
	leastValue   = 3 // letters that are searched in the values of arguments
	mostValues   = 5 // values of an argument that are found
)

// find returns the items for a text: those that contain it, the arguments that begin with it, and the items whose names
// have its letters in order. Pages come first, and unavailable items last.
func (m *Palette) find(typed string) []*PickerItem {
	found := ranked(typed, m.offers)
	typed = strings.ToLower(strings.TrimSpace(typed))
	for _, item := range m.values(typed) {
		if !hasTitle(found, item.Title) {
			found = append(found, item)
		}
	}
	found = append(found, fuzzily(typed, m.offers, found)...)
	slices.SortStableFunc(found, func(a, b *PickerItem) int { return a.order(typed) - b.order(typed) })
	for _, item := range found {
		item.matched = letters(typed, item.Title)
	}
	return found
}

// hasTitle reports whether one of the items has a title.
func hasTitle(items []*PickerItem, title string) bool {
	return slices.ContainsFunc(items, func(i *PickerItem) bool { return i.Title == title })
}

// order returns -1 for an item that comes first, and 1 for one that comes last.
func (i *PickerItem) order(typed string) int {
	switch {
	case i.Disabled && i.ID != typed: // unless the whole name is typed
		return 1
	case i.page && typed != "" && strings.HasPrefix(strings.ToLower(i.Title), "go to "+typed):
		return -1
	}
	return 0
}

// fuzzily returns the best of the items whose names have the letters in order, from the start of a word on and close together,
// without those that were found. Pages come first.
func fuzzily(typed string, items, found []*PickerItem) (out []*PickerItem) {
	if len(typed) < leastLetters {
		return nil
	}
	names := make([]string, len(items))
	for i, item := range items {
		names[i] = strings.ToLower(item.searchedName())
	}
	for _, match := range fuzzy.Find(typed, names) {
		item, at := items[match.Index], match.MatchedIndexes
		first, last := at[0], at[len(at)-1]
		begins := first == 0 || names[match.Index][first-1] == ' '
		near := last-first <= mostApart*len(typed)
		if begins && near && len(out) < mostFuzzy && !hasTitle(found, item.Title) {
			out = append(out, item)
		}
	}
	slices.SortStableFunc(out, pagesFirst)
	return out
}

func pagesFirst(a, b *PickerItem) int {
	switch {
	case a.page == b.page:
		return 0
	case a.page:
		return -1
	}
	return 1
}

// letters returns the places in a title of the letters of a text, or nil.
func letters(typed, title string) []int {
	matches := fuzzy.Find(typed, []string{strings.ToLower(title)})
	if len(matches) == 0 {
		return nil
	}
	return matches[0].MatchedIndexes
}

// values returns the arguments that begin with a text: "theme dark" for "dark".
func (m *Palette) values(typed string) (out []*PickerItem) {
	if len(typed) < leastValue {
		return nil
	}
	for _, g := range m.groups {
		for _, a := range g.Actions {
			if a.Arg == nil || a.Arg.Complete == nil || a.Reason() != "" {
				continue
			}
			values := slices.DeleteFunc(a.Arg.Complete(typed), func(v action.Value) bool {
				_, begun := a.Arg.Parse(v.Text) // that of a filter may be only the beginning of one
				return begun != nil || !strings.HasPrefix(strings.ToLower(v.Text), typed)
			})
			for _, v := range values[:min(len(values), mostValues)] {
				line := a.ID + " " + v.Text
				choose := func() tea.Cmd { return m.run(a, v.Text) }
				out = append(out, &PickerItem{Title: line, Note: a.Look().Title, Choose: choose, line: line})
			}
		}
	}
	return out
}

// press runs the action on the line, or the selected one.
func (m *Palette) press() tea.Cmd {
	m.refresh()
	a, arg, ok := m.typed()
	if !ok {
		return m.choose()
	}
	if item, ok := m.selected(); ok {
		_, err := a.Arg.Parse(arg)
		// The selected value is used if the user moved to it, or typed nothing but the beginning of it.
		begun := err != nil && strings.HasPrefix(strings.ToLower(item.Title), strings.ToLower(arg))
		if m.cursor > 0 || arg == "" || begun {
			return m.choose()
		}
	}
	return m.run(a, arg)
}

// ask begins the line with an action whose argument the user types next.
func (m *Palette) ask(a *action.Action) tea.Cmd {
	m.done = false
	m.write(a.ID + " ")
	// The line that was chosen shows the only value.
	if found := m.found(); len(found) == 1 && found[0].Title == a.Arg.Placeholder() {
		return m.choose()
	}
	return nil
}

func (m *Palette) run(a *action.Action, arg string) tea.Cmd {
	run, err := a.Arg.Parse(arg)
	m.tried, m.err = m.input.Text(), err
	m.done = err == nil && a.Reason() == ""
	if !m.done {
		return nil
	}
	return m.chosen(a, arg, run)
}

// wrong returns why the action on the line is unavailable, or what is wrong with its argument. An argument is not wrong as
// long as a value completes it, unless the user tried it.
func (m *Palette) wrong() error {
	a, arg, ok := m.typed()
	if ok && a.Reason() != "" {
		return errors.New("unavailable, " + a.Reason())
	}
	if m.err != nil && m.tried == m.input.Text() {
		return m.err
	}
	if !ok || arg == "" || len(m.found()) > 0 {
		return nil
	}
	_, err := a.Arg.Parse(arg)
	return err
}

func (m *Palette) shown(c *content) {
	m.refresh()
	found, what, empty := m.found(), "action", "No matches."
	if a, arg, ok := m.typed(); ok {
		what, empty = "value", "↵ to use it: "+a.Look().Title
		if arg == "" {
			empty = "Write " + a.Arg.Placeholder() + ": " + a.Look().Title
		}
	}
	c.said.Text = []string{"Type part of an action's name, or use the up and down arrows."}
	c.field(": ", "Command", &m.input, nil)
	c.gap()
	count := fmt.Sprintf("%d %s.", len(found), english.PluralWord(len(found), what+" matches", what+"s match"))
	err := m.wrong()
	if err == nil {
		m.list(c, found, nothing(empty), count)
		return
	}
	wrong := Line{Tone: style.Bad, Text: "✗ " + err.Error()}
	m.list(c, found, wrong, count)
	if len(found) > 0 {
		c.gap()
		c.note("wrong", false, wrong)
	}
}
