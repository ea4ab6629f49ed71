package dialog

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// keyList is the actions that can be done now, with their keys.
type keyList struct {
	groups []action.Group
	whole  bool // also the rare actions are listed
	search *search
}

// NewHelp returns the help of the groups: the actions that have keys, the syntax of their arguments, and the commands
// without a key that take an argument.
func NewHelp(title string, groups []action.Group) *Viewer {
	list := &keyList{groups: append(keyed(groups), commands(groups)...)}
	list.search = &search{Filter: input.NewFilter("a key or an action"), count: list.counted}
	m := newViewer(title, filling{lines: list.lines, search: list.search})
	m.widest = list.widest
	m.setActions(list.showAll())
	return m
}

// keyed returns the actions that keys run, each group followed by the syntax of the arguments in it.
func keyed(groups []action.Group) (out []action.Group) {
	runs := func(a *action.Action) bool { return hasKey(a) && !a.Shadowed(groups) }
	for _, g := range action.Filter(groups, runs) {
		out = append(out, g)
		for _, a := range g.Actions {
			if a.Arg != nil && a.Arg.Help != nil {
				out = append(out, written(a))
			}
		}
	}
	return out
}

// commands returns the group of the commands without a key that take an argument, if there are any.
func commands(groups []action.Group) []action.Group {
	out := action.Group{Title: "Commands"}
	for _, g := range action.Filter(groups, isCommand) {
		for _, a := range g.Actions {
			command := *a
			command.Label = ": " + a.ID
			command.Keys, command.Rare = []string{command.Label}, true
			out.Actions = append(out.Actions, &command)
		}
	}
	if len(out.Actions) == 0 {
		return nil
	}
	return []action.Group{out}
}

func hasKey(a *action.Action) bool    { return len(a.Keys) > 0 && !a.IsHidden() }
func isCommand(a *action.Action) bool { return len(a.Keys) == 0 && a.Arg != nil && !a.IsHidden() }

// written returns the syntax of an action's argument as a group.
func written(a *action.Action) action.Group {
	g := action.Group{Title: style.Sentence(a.Look().Title)}
	for _, v := range a.Arg.Help() {
		example := &action.Action{Title: v.Note, Label: v.Text, Keys: []string{v.Text}, Rare: true}
		g.Actions = append(g.Actions, example)
	}
	return g
}

// listed returns the actions to list without a filter: the important ones, or all.
func (l *keyList) listed() []action.Group {
	if l.whole {
		return l.groups
	}
	return action.Filter(l.groups, func(a *action.Action) bool { return !a.Rare })
}

// counted returns how many of all actions match.
func (l *keyList) counted() string {
	return strconv.Itoa(count(l.found())) + " of " + strconv.Itoa(count(l.groups))
}

// showAll declares the action that lists also the rare actions.
func (l *keyList) showAll() *action.Action {
	whole := key("all keys", action.Do(func() { l.whole = true }), "a")
	whole.Hidden = l.showsAll
	return whole
}

// showsAll reports whether there are no more actions to list, or the filter is open.
func (l *keyList) showsAll() bool {
	return l.search.Shown() || l.whole || count(l.listed()) == count(l.groups)
}

// found returns the actions that match. A single character matches a key first: most titles contain most letters.
func (l *keyList) found() []action.Group {
	typed := l.search.Text()
	if utf8.RuneCountInString(typed) == 1 {
		bound := func(a *action.Action) bool { return slices.Contains(a.Keys, typed) }
		if found := action.Filter(l.groups, bound); len(found) > 0 {
			return found
		}
	}
	return action.Filter(l.groups, func(a *action.Action) bool { return matches(typed, a) })
}

// matches reports whether an action is found by its keys, its name or its title.
func matches(typed string, a *action.Action) bool {
	return len(query.Named(typed, []*action.Action{a},
		query.Text("key", keysOf),
		query.Text("name", func(a *action.Action) string { return a.ID }),
		query.Text("does", func(a *action.Action) string { return a.Look().Title }),
	)) > 0
}

// keysOf returns the keys of an action as the screen and as the configuration name them.
func keysOf(a *action.Action) string { return a.KeyLabel() + " " + strings.Join(a.Keys, " ") }

const (
	keysWidth = 14 // of the column with the keys, in cells
	// From wideFrom cells on, groups are drawn in two columns, between cells apart, in a box of at most wideMost cells.
	wideFrom, between, wideMost = 100, 3, 130
)

// widest returns the maximum width of the box: that of two columns if all groups do not fit in one. The filter does not
// change it.
func (l *keyList) widest(f page.Frame) int {
	switch high := len(column(f, l.listed(), 0)) > room(f); {
	case high && f.Width >= wideFrom:
		return wideMost
	case high && l.fitsDense(min(f.Width, denseWidth)-2*beside, room(f)):
		return denseWidth
	}
	return maxWidth
}

// fitsDense reports whether dense keys fit in the lines, two of which are below them.
func (l *keyList) fitsDense(width, lines int) bool {
	return !l.whole && denseRows(count(l.listed()), width)+2 <= lines
}

func denseRows(keys, width int) int {
	columns := denseColumns(width)
	return (keys + columns - 1) / columns
}

// denseColumns returns how many columns of dense keys there are.
func denseColumns(width int) int { return max(1, min(3, width/denseCell)) }

// lines returns the lines of the matches. The filter does not change the height of the box: the input must not move.
func (l *keyList) lines(f page.Frame) []string {
	if !l.search.Shown() {
		out, isDense := l.unfiltered(f)
		var below []string
		if rest := count(l.groups) - count(l.listed()); rest > 0 && !f.Accessible {
			hint := fmt.Sprintf("a: %d more keys and signs · /: find one", rest)
			below = []string{"", f.Theme.Paint(style.Muted, hint)}
		}
		for isDense && len(out)+len(below) < f.Height { // the filter may need as many: the box keeps its height
			out = append(out, "")
		}
		return append(out, below...)
	}
	found := l.found()
	out := columns(f, found)
	if len(found) == 0 {
		esc := "esc"
		if f.Accessible {
			esc = announce.Key(esc)
		}
		text := "  No matches for " + l.search.Text() + ". " + esc + ": show all."
		out = []string{"", f.Theme.Paint(style.Muted, style.Cut(text, f.Width))}
	}
	full := min(len(columns(f, l.listed())), f.Height)
	for len(out) < full-1 {
		out = append(out, "")
	}
	return out
}

// unfiltered returns the lines of the listed actions: dense ones if only these fit on the screen.
func (l *keyList) unfiltered(f page.Frame) (lines []string, isDense bool) {
	out := columns(f, l.listed())
	if len(out)+2 > f.Height && l.fitsDense(f.Width, f.Height) && !f.Accessible {
		return dense(f, l.listed()), true
	}
	return out, false
}

// denseWidth is the width of the box in which keys are dense, in columns of at least denseCell cells.
const denseWidth, denseCell = 76, 20

// dense returns the lines of the groups in columns of keys with short titles, so that they are one screen at 80×24.
func dense(f page.Frame, groups []action.Group) []string {
	width := f.Width / denseColumns(f.Width)
	var cells []string
	for _, g := range groups {
		for _, a := range g.Actions {
			cells = append(cells, style.Fit(denseKey(f, a, width-1), width))
		}
	}
	rows := denseRows(len(cells), f.Width)
	out := make([]string, rows)
	for i, cell := range cells {
		out[i%rows] += cell
	}
	return out
}

// denseKey returns the key of an action and its title, or the short one where that has no room.
func denseKey(f page.Frame, a *action.Action, width int) string {
	const least = 2
	look := a.Look()
	label := a.KeyLabel()
	name := style.Fit(label, max(least, style.Width(label))) + " "
	title, room := look.Title, width-style.Width(name)
	if style.Width(title) > room {
		title = style.Cut(cmp.Or(look.Short, look.Title), room)
	}
	if a.Reason() != "" {
		return f.Theme.Paint(style.Muted, name+title)
	}
	return f.Theme.Paint(style.Accent, name) + title
}

// columns returns the lines of the groups, in two columns in a wide box.
func columns(f page.Frame, groups []action.Group) []string {
	if f.Width <= denseWidth || f.Accessible {
		return column(f, groups, f.Width)
	}
	width := (f.Width - between) / 2
	split := 0 // the number of groups on the left with which both columns are as short as possible
	for split < len(groups) && len(column(f, groups[:split+1], width)) <= len(column(f, groups[split:], width)) {
		split++
	}
	left, right := column(f, groups[:split], width), column(f, groups[split:], width)
	out := style.Block(left, width+between, max(len(left), len(right)))
	for i, line := range right {
		out[i] += line
	}
	return out
}

func count(groups []action.Group) (n int) {
	for _, g := range groups {
		n += len(g.Actions)
	}
	return n
}

func column(f page.Frame, groups []action.Group, width int) []string {
	var out []string
	for _, g := range groups {
		if len(out) > 0 {
			out = append(out, "")
		}
		title := g.Title
		if f.Accessible {
			title += ":"
		}
		out = append(out, f.Theme.Paint(style.Strong, style.Cut(title, width)))
		for _, a := range g.Actions {
			out = append(out, style.Cut(keyLine(f, a), width))
		}
	}
	return out
}

func keyLine(f page.Frame, a *action.Action) string {
	if f.Accessible {
		return sayAction(a)
	}
	name, title := style.Fit("  "+a.KeyLabel(), keysWidth), a.Look().Title
	if reason := a.Reason(); reason != "" {
		return f.Theme.Paint(style.Muted, name+title+": unavailable, "+reason)
	}
	return f.Theme.Paint(style.Accent, name) + title
}

// sayAction returns an action in words: its key and its title.
func sayAction(a *action.Action) string {
	text := announce.Key(a.KeyLabel()) + ": " + a.Look().Title
	if reason := a.Reason(); reason != "" {
		text += ", unavailable, " + strings.TrimRight(reason, ".")
	}
	return text
}

// SayHints returns the actions of the footer in words.
func SayHints(groups []action.Group) string {
	var out []string
	for _, g := range action.Visible(groups) {
		for _, a := range g.Actions {
			if a.Look().Footer != action.NotShown {
				out = append(out, sayAction(a))
			}
		}
	}
	return strings.Join(out, ". ") + "."
}
