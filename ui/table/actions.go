package table

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
)

// commands are the actions of a table, declared once.
type commands[R any] struct {
	table  *Model[R]
	all    []action.Group
	marks  action.Group   // those of all that mark rows
	typing []action.Group // of the open filter
}

func declare[R any](m *Model[R]) *commands[R] {
	c := &commands[R]{table: m}
	look := action.Group{Title: "Look", Actions: c.lookActions()}
	move := action.Group{Title: "Move", Movement: true, Actions: c.moveActions()}
	c.marks = action.Group{Title: "Mark", Actions: c.markActions()}
	c.all = []action.Group{look, move}
	if m.config.Markable != nil {
		c.all = []action.Group{c.marks, look, move}
	}
	c.typing = m.filter.line.Actions(
		action.If(m.filter.incomplete, "correct or complete it first"), m.apply,
	)
	return c
}

// noRow returns why nothing can be done with the selected row, or "".
func (c *commands[R]) noRow() string {
	if c.table.list.Len() == 0 {
		return "no row is selected"
	}
	return ""
}

// notInDetails omits an action from the footer while the details are open.
func (c *commands[R]) notInDetails(l action.Look) action.Look {
	if c.table.details.open {
		l.Footer = action.NotShown
	}
	return l
}

// whereScrollable omits an action from the footer if all lines are on the screen.
func (c *commands[R]) whereScrollable(l action.Look) action.Look {
	if !c.table.details.scrollable() {
		l.Footer = action.NotShown
	}
	return l
}

func (c *commands[R]) lookActions() []*action.Action {
	m := c.table
	return []*action.Action{
		c.detailsAction(),
		{
			ID: "pane", Title: "show or hide the pane", Short: "pane", Keys: []string{"d"},
			Footer: action.LowPriority, Hidden: m.Opened,
			Disabled: action.If(m.pane.unfit, "there is no room"), Run: action.Do(m.pane.toggle),
		},
		{
			ID: "filter", Title: "filter", Keys: []string{"/"}, Keywords: []string{"search", "find"}, Footer: action.Leading, Stays: true,
			Vary: c.notInDetails, Arg: m.filter.arg(m.SetQuery), Run: action.Do(c.openFilter),
		},
		{
			ID: "sort", Title: "sort", Keys: []string{"s"}, Footer: action.LowPriority,
			Vary: c.notInDetails,
			Run:  action.Do(c.chooseOrder),
		},
		{
			ID: "columns", Rare: true, Title: "choose columns", Keys: []string{"c"},
			Hidden: func() bool { return m.details.open || m.config.Fixed },
			Run:    action.Do(c.chooseColumns),
		},
		{
			ID: "back", Title: "back", Keys: []string{"esc", "h", "left", "backspace"},
			Vary: c.lookOfBack, Run: c.back,
		},
		{
			ID: "scroll-down", Title: "scroll down", Footer: action.Leading,
			Keys:   []string{"pgdown", "ctrl+f", "ctrl+d", "space"},
			Hidden: c.closed, Vary: c.whereScrollable, Run: action.DoWith(m.details.scrollPages, +1),
		},
		{
			ID: "scroll-up", Rare: true, Title: "scroll up",
			Keys: []string{"pgup", "ctrl+b", "ctrl+u"}, Hidden: c.closed, Run: action.DoWith(m.details.scrollPages, -1),
		},
	}
}

func (c *commands[R]) closed() bool { return !c.table.details.open }

// enters reports whether Enter does something other than open the details.
func (c *commands[R]) enters() bool {
	enter := c.table.config.Enter
	return enter != nil && !enter.IsHidden()
}

func (c *commands[R]) detailsAction() *action.Action {
	return &action.Action{
		ID: "details", Title: "open details", Short: "details",
		Keys: []string{"enter", "l", "right"}, Footer: action.Leading, Disabled: c.noMore,
		Hidden: c.noTab, Vary: c.lookOfDetails, Run: c.openOrTurn,
	}
}

// openOrTurn opens the details, or shows the other tab of open ones.
func (c *commands[R]) openOrTurn() tea.Cmd {
	if c.table.details.open {
		return c.table.turnTab()
	}
	return c.table.showMore()
}

// noMore returns why there are no details to open, or "".
func (c *commands[R]) noMore() string {
	row, ok := c.table.list.Selected()
	if ok && c.table.hasAll() && !c.table.list.onFold() && !c.table.config.hasRaw(row) {
		return "all of it is beside the rows"
	}
	return c.noRow()
}

// noTab reports whether the details are open and have no other tab.
func (c *commands[R]) noTab() bool {
	row, ok := c.table.list.Selected()
	return c.table.details.open && (!ok || !c.table.config.hasRaw(row))
}

func (c *commands[R]) lookOfDetails(l action.Look) action.Look {
	m := c.table
	switch {
	case c.enters():
		l.Footer, l.Label = action.NotShown, "l"
	case !m.details.open && m.list.onFold():
		l.Title, l.Short = "open the folded rows", "open"
	case m.details.rawOf(m.list.key) != nil:
		l.Title, l.Short = "show the fields", "fields"
	case m.details.open, m.hasAll():
		l.Title, l.Short = "show as JSON", "JSON"
	}
	return l
}

func (c *commands[R]) markActions() []*action.Action {
	list, opened := &c.table.list, c.table.Opened
	return []*action.Action{
		{
			ID: "mark", Title: "mark", Keys: []string{"space"}, Footer: action.Shown,
			Hidden: opened, Disabled: c.noRow, Run: action.Do(list.toggleMark),
		},
		{
			ID: "mark-all", Rare: true, Title: "mark all shown rows", Keys: []string{"A"},
			Hidden: opened, Disabled: c.unready, Run: action.Do(list.markMatching),
		},
	}
}

// unready returns why the rows shown cannot be marked, or "".
func (c *commands[R]) unready() string {
	switch {
	case c.table.filter.wrong != nil:
		return "the filter is invalid"
	case !c.table.list.UpToDate():
		return "the rows are still being filtered"
	}
	return c.noRow()
}

func (c *commands[R]) moveActions() []*action.Action {
	m := c.table
	rare := func(id, title string, run func() tea.Cmd, keys ...string) *action.Action {
		return &action.Action{ID: id, Rare: true, Title: title, Keys: keys, Hidden: m.Opened, Run: run}
	}
	return []*action.Action{
		{ID: "up", Title: "up", Keys: []string{"up", "k"}, Label: "↑/k", Run: action.With(c.step, -1)},
		{ID: "down", Title: "down", Keys: []string{"down", "j"}, Label: "↓/j", Run: action.With(c.step, +1)},
		rare("page-up", "page up", action.With(c.pages, -1), "pgup", "ctrl+b"),
		rare("page-down", "page down", action.With(c.pages, +1), "pgdown", "ctrl+f"),
		rare("half-up", "half a page up", action.With(c.halves, -1), "ctrl+u"),
		rare("half-down", "half a page down", action.With(c.halves, +1), "ctrl+d"),
		{ID: "top", Title: "go to the top", Keys: []string{"g", "home"}, Run: m.Top},
		{ID: "bottom", Rare: true, Title: "go to the bottom", Keys: []string{"G", "end"}, Run: m.bottom},
	}
}

// step moves by rows, in the list or in the Body that is shown in its place.
func (c *commands[R]) step(rows int) tea.Cmd {
	if c.table.Body == nil || c.table.details.open {
		return c.table.move(rows, 0)
	}
	c.table.Body.Step(rows)
	return nil
}

// pages moves by pages, and the screen with it.
func (c *commands[R]) pages(n int) tea.Cmd { return c.table.move(n*c.pageRows(), n*c.pageRows()) }

// halves moves by halves of a page.
func (c *commands[R]) halves(n int) tea.Cmd { return c.table.move(n*max(1, c.pageRows()/2), 0) }

// pageRows returns how many rows a page moves by.
func (c *commands[R]) pageRows() int { return max(1, c.table.list.height-1) }

func (c *commands[R]) canGoBack() bool {
	can := c.table.config.CanGoBack
	return can != nil && can()
}

func (c *commands[R]) lookOfBack(l action.Look) action.Look {
	switch {
	case c.table.details.open, c.table.besideAsJSON():
		l.Footer = action.Leading
	case c.table.filter.line.Shown():
	case c.table.list.CountMarked() > 0:
		l.Short, l.Footer = "unmark", action.Shown
	case c.canGoBack():
		l.Footer = action.Shown
	}
	return l
}

// back closes the details; if there are none, the filter; then the marks; then the page.
func (c *commands[R]) back() tea.Cmd {
	m := c.table
	switch {
	case m.details.open, m.besideAsJSON():
		m.details.show(false)
	case m.filter.line.Shown():
		return m.SetQuery("")
	case m.list.CountMarked() > 0:
		m.list.unmark()
	case m.config.Leave != nil:
		return m.config.Leave()
	case c.canGoBack():
		m.config.Session.Emit(page.Back{})
	}
	return nil
}

func (c *commands[R]) openFilter() {
	c.table.details.open = false
	c.table.list.remember()
	c.table.filter.line.Focus()
}

func (c *commands[R]) chooseColumns() { c.table.config.chooseColumns(c.table.drawn.wide) }

func (c *commands[R]) chooseOrder() {
	m := c.table
	current, names := m.list.want.column, m.config.nameOf
	var items []*dialog.PickerItem
	for i := DefaultOrder; i < len(m.config.Columns); i++ {
		if i != DefaultOrder && m.config.Columns[i].Compare == nil {
			continue
		}
		item := &dialog.PickerItem{ID: names(i), Title: names(i), Choose: action.With(m.sort, i)}
		if i == current {
			item.Note = "again to reverse"
		}
		items = append(items, item)
	}
	m.config.Session.Open(dialog.NewPicker("Sort by", items, names(current)))
}
