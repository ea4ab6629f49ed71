package dialog

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/query"
	"pgtower/ui/style"
)

// Help shows every key that does something now, made from their declarations, and
// finds one by what it does.
type Help struct {
	*Viewer

	groups []action.Group
	filter input.Filter
}

// NewHelp makes the help from the groups of actions: those of them that have keys.
func NewHelp(title string, groups []action.Group) *Help {
	m := &Help{filter: input.NewFilter("a key, or what it does")}
	m.groups = filtered(action.Visible(groups), func(a *action.Action) bool { return len(a.Keys) > 0 })
	m.Viewer = NewViewer(title, m.lines)
	m.Width = m.width
	m.head = func(c *content) {
		if m.filter.Shown() {
			count := strconv.Itoa(count(m.found())) + " of " + strconv.Itoa(count(m.groups))
			c.draw(m.filter.View(c.Theme, m.inner(c.Frame), count))
			c.said.Field = m.filter.Spoken()
			c.say(announce.Part{Name: "count", Text: count + " match."})
		}
	}
	return m
}

// filtered returns the groups with those of their actions that keep reports, and without
// groups that are empty then.
func filtered(groups []action.Group, keep func(*action.Action) bool) []action.Group {
	var out []action.Group
	for _, g := range groups {
		g.Actions = slices.DeleteFunc(slices.Clone(g.Actions), func(a action.Action) bool { return !keep(&a) })
		if len(g.Actions) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// Actions declares what can be done now.
func (m *Help) Actions() []action.Group {
	if m.filter.Editing() {
		return []action.Group{m.filter.Actions(action.Do(m.scroll.top))}
	}
	groups := m.Viewer.Actions()
	closes, rest := groups[0].Actions[0], groups[0].Actions[1:]
	find := action.Action{Title: "find", Keys: []string{"/"}, Footer: action.Shown, Run: action.Do(m.filter.Open)}
	own := []action.Action{closes, find}
	if m.filter.Shown() {
		closes.Keys = []string{"q", "enter", "?"}
		showAll := m.leave("show all")
		showAll.Run = action.Do(func() { m.filter.Set("") })
		own = []action.Action{showAll, find, closes}
	}
	groups[0].Actions = append(own, rest...)
	return groups
}

// Update types what is looked for, or scrolls.
func (m *Help) Update(msg tea.Msg) tea.Cmd {
	if m.filter.Editing() && m.filter.Update(msg) {
		m.scroll.top()
	}
	return m.Viewer.Update(msg)
}

// found are the groups with the actions that are looked for. A single character that is a key
// finds that key: most names have most letters in them.
func (m *Help) found() []action.Group {
	typed := m.filter.Query()
	if utf8.RuneCountInString(typed) == 1 {
		is := func(a *action.Action) bool { return slices.Contains(a.Keys, typed) }
		if found := filtered(m.groups, is); len(found) > 0 {
			return found
		}
	}
	var out []action.Group
	for _, g := range m.groups {
		g.Actions = query.Named(typed, g.Actions,
			query.Text("key", func(a action.Action) string { return a.KeyLabel() + " " + strings.Join(a.Keys, " ") }),
			query.Text("name", func(a action.Action) string { return a.ID }),
			query.Text("does", func(a action.Action) string { return a.Title }))
		if len(g.Actions) > 0 {
			out = append(out, g)
		}
	}
	return out
}

const (
	// keysWidth is that of the column with the keys.
	keysWidth = 14
	// wideFrom is the width of the screen from which groups may stand side by side, in a box
	// that is not wider than wideMost.
	wideFrom, wideMost = 100, 130
	// between is the space between the groups that do.
	between = 3
	// blank is a line that the box does not leave out at its end.
	blank = " "
)

// wide reports that the groups stand side by side: where there is room for that, and not for
// all of them in one column. What is looked for does not change it.
func (m *Help) wide(f page.Frame) bool {
	return f.Width >= wideFrom && height(m.groups) > Room(f) && !f.Spoken
}

func (m *Help) width(f page.Frame) int {
	if m.wide(f) {
		return min(wideMost, f.Width-4)
	}
	return Width(f)
}

func (m *Help) inner(f page.Frame) int {
	if f.Spoken {
		return Inner(f)
	}
	return max(1, m.width(f)-4)
}

// lines draws the keys. While some are looked for, the box stays as high as it was: what
// is typed into must not move.
func (m *Help) lines(f page.Frame) []string {
	if !m.filter.Shown() {
		return m.columns(f, m.groups)
	}
	found := m.found()
	out := m.columns(f, found)
	if len(found) == 0 {
		said := "  No key does that: " + m.filter.Query() + ". esc shows all."
		out = []string{blank, f.Theme.Paint(style.Muted, style.Cut(said, m.inner(f)))}
	}
	full := min(len(m.columns(f, m.groups)), Room(f))
	for len(out) < full-1 {
		out = append(out, blank)
	}
	return out
}

// columns draws the groups, side by side where they are to be.
func (m *Help) columns(f page.Frame, groups []action.Group) []string {
	if !m.wide(f) {
		return column(f, groups, m.inner(f))
	}
	at := half(groups)
	width := (m.inner(f) - between) / 2
	left, right := column(f, groups[:at], width), column(f, groups[at:], width)
	lines := max(len(left), len(right))
	left, right = style.Block(left, width, lines), style.Block(right, width, lines)
	for i := range left {
		left[i] += style.Spaces(between) + right[i]
	}
	return left
}

// half is how many of the groups stand on the left for both sides to be as low as they
// can.
func half(groups []action.Group) int {
	higher := func(at int) int { return max(height(groups[:at]), height(groups[at:])) }
	best := len(groups)
	for at := range groups {
		if higher(at) < higher(best) {
			best = at
		}
	}
	return best
}

// height is how many lines a column has, with the space between groups.
func height(groups []action.Group) int {
	const title = 2
	return max(0, title*len(groups)+count(groups)-1)
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
		if f.Spoken {
			title += ":"
		}
		out = append(out, f.Theme.Paint(style.Strong, style.Cut(title, width)))
		for i := range g.Actions {
			out = append(out, style.Cut(keyLine(f, &g.Actions[i]), width))
		}
	}
	return out
}

func keyLine(f page.Frame, a *action.Action) string {
	if f.Spoken {
		return sayAction(a)
	}
	name := style.Fit("  "+a.KeyLabel(), keysWidth)
	if a.Disabled != "" {
		return f.Theme.Paint(style.Muted, name+a.Title+": not now, "+a.Disabled)
	}
	return f.Theme.Paint(style.Accent, name) + a.Title
}

// sayAction returns what is said of an action: its key, and what it does.
func sayAction(a *action.Action) string {
	said := announce.Key(a.KeyLabel()) + ": " + a.Title
	if a.Disabled != "" {
		said += ", not now, " + strings.TrimRight(a.Disabled, ".")
	}
	return said
}

// SayHints returns what is said of the actions that the footer shows.
func SayHints(groups []action.Group) string {
	var out []string
	for _, g := range action.Visible(groups) {
		for i := range g.Actions {
			if g.Actions[i].Footer != action.NotShown {
				out = append(out, sayAction(&g.Actions[i]))
			}
		}
	}
	return strings.Join(out, ". ") + "."
}
