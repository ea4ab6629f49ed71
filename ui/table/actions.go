package table

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const helpWidth = 42 // cells of a line of the help

// Actions declares the actions of the table.
func (m *Model[R]) Actions() []action.Group {
	if m.Editing() {
		wrong := ""
		if cmp.Or(m.wrong, m.query.Hint()) != nil {
			wrong = "correct or complete it first"
		}
		return []action.Group{m.line.Actions(wrong, m.apply)}
	}
	groups := []action.Group{
		{Title: "Look", Actions: m.lookActions()},
		{Title: "Move", Movement: true, Actions: m.moveActions()},
	}
	if m.Markable != nil {
		groups = append([]action.Group{m.Marks()}, groups...)
	}
	return groups
}

func (m *Model[R]) lookActions() []action.Action {
	first, often, seldom, noRow, noRoom := action.Leading, action.Shown, action.LowPriority, "", ""
	if m.open {
		first, often, seldom = action.NotShown, action.NotShown, action.NotShown
	}
	if m.Len() == 0 {
		noRow = "no row is selected"
	}
	pane, narrow := seldom, m.open || m.pane.wide == 0
	if !m.pane.fits {
		pane, noRoom = action.NotShown, "there is no room"
	}
	scroll := func(by int) func() tea.Cmd { return action.Do(func() { m.scrollBy(by) }) }
	return []action.Action{
		{
			ID: "details", Title: "open details", Short: "details", Keys: []string{"enter", "l", "right"}, Footer: first, Hidden: m.open,
			Disabled: noRow, Run: action.Do(m.openDetail),
		},
		{
			ID: "pane", Title: "show or hide the pane", Short: "pane", Keys: []string{"d"}, Footer: pane, Hidden: m.open,
			Disabled: noRoom, Run: action.Do(m.pane.toggle),
		},
		{ID: "pane-wider", Rare: true, Title: "make the pane wider", Keys: []string{"<"}, Hidden: narrow, Run: m.pane.widen(paneStep)},
		{ID: "pane-narrower", Rare: true, Title: "make the pane narrower", Keys: []string{">"}, Hidden: narrow, Run: m.pane.widen(-paneStep)},
		{ID: "filter", Title: "filter", Keys: []string{"/"}, Footer: often, Arg: m.filterArg(), Run: action.Do(m.openFilter)},
		{ID: "sort", Title: "sort", Keys: []string{"s"}, Footer: seldom, Run: action.Do(m.chooseOrder)},
		{ID: "columns", Rare: true, Title: "choose columns", Keys: []string{"c"}, Hidden: m.open || m.Fixed, Run: action.Do(m.chooseColumns)},
		m.backAction(),
		{
			ID: "scroll-down", Title: "scroll down", Keys: []string{"pgdown", "ctrl+f", "ctrl+d", "space"},
			Footer: action.Leading, Hidden: !m.open, Run: scroll(m.detailHeight - 1),
		},
		{
			ID: "scroll-up", Rare: true, Title: "scroll up", Keys: []string{"pgup", "ctrl+b", "ctrl+u"},
			Hidden: !m.open, Run: scroll(1 - m.detailHeight),
		},
	}
}

// Marks declares the actions that mark rows.
func (m *Model[R]) Marks() action.Group {
	noRow, wait := "", ""
	if m.Len() == 0 {
		noRow = "no row is selected"
	}
	switch {
	case m.wrong != nil:
		wait = "the filter is invalid"
	case !m.Settled():
		wait = "the rows are still being filtered"
	default:
		wait = noRow
	}
	marks := []action.Action{
		{ID: "mark", Title: "mark", Keys: []string{"space"}, Footer: action.Shown, Disabled: noRow, Run: action.Do(m.toggleMark)},
		{
			ID: "mark-all", Rare: true, Title: "mark all shown rows", Keys: []string{"A"}, Disabled: wait,
			Run: action.Do(m.markMatching),
		},
	}
	for i := range marks {
		marks[i].Hidden = m.open
	}
	return action.Group{Title: "Mark", Actions: marks}
}

func (m *Model[R]) moveActions() []action.Action {
	page := max(1, m.height-1)
	half := max(1, page/2)
	by := func(rows, scroll int) func() tea.Cmd {
		return func() tea.Cmd { return m.move(rows, scroll) }
	}
	step := func(rows int) func() tea.Cmd {
		if m.Body != nil && !m.open {
			return action.Do(func() { m.Body.Step(rows) })
		}
		return by(rows, 0)
	}
	return []action.Action{
		{ID: "up", Title: "up", Keys: []string{"up", "k"}, Label: "↑/k", Run: step(-1)},
		{ID: "down", Title: "down", Keys: []string{"down", "j"}, Label: "↓/j", Run: step(+1)},
		{ID: "page-up", Rare: true, Title: "page up", Keys: []string{"pgup", "ctrl+b"}, Hidden: m.open, Run: by(-page, -page)},
		{ID: "page-down", Rare: true, Title: "page down", Keys: []string{"pgdown", "ctrl+f"}, Hidden: m.open, Run: by(page, page)},
		{ID: "half-up", Rare: true, Title: "half a page up", Keys: []string{"ctrl+u"}, Hidden: m.open, Run: by(-half, 0)},
		{ID: "half-down", Rare: true, Title: "half a page down", Keys: []string{"ctrl+d"}, Hidden: m.open, Run: by(half, 0)},
		{ID: "top", Title: "go to the top", Keys: []string{"g", "home"}, Run: m.Top},
		{ID: "bottom", Rare: true, Title: "go to the bottom", Keys: []string{"G", "end"}, Run: by(m.Len(), 0)},
	}
}

// move moves the selection by rows, and scrolls the screen by scroll.
func (m *Model[R]) move(rows, scroll int) tea.Cmd {
	m.choose()
	key, offset := m.key, m.offset
	was, _ := m.Selected()
	m.offset += scroll
	m.step(m.cursor + rows)
	if m.key == key {
		return nil
	}
	m.scroll = 0
	return m.pane.passed(was, offset)
}

func (m *Model[R]) filterArg() *action.Arg {
	example := "words"
	if len(m.Fields) > 0 {
		example = m.Fields[0].Name() + ":…"
	}
	return &action.Arg{
		Example: example, Help: func() []action.Value { return filterHelp(m.Fields) },
		Complete: func(typed string) (out []action.Value) {
			for _, text := range m.line.Complete(typed) {
				out = append(out, action.Value{Text: text})
			}
			return out
		},
		Parse: func(arg string) (func() tea.Cmd, error) {
			q, err := query.Parse(arg, m.Fields)
			if err = cmp.Or(err, q.Hint()); err != nil {
				return nil, err
			}
			return func() tea.Cmd { return m.SetQuery(arg) }, nil
		},
	}
}

// filterHelp is the syntax of a filter over the fields.
func filterHelp[R any](fields []query.Field[R]) []action.Value {
	help := []action.Value{
		{Text: "a b", Note: "rows that contain both"},
		{Text: "a or (b c)", Note: "either; parentheses group"},
		{Text: "!a", Note: "rows that do not contain it"},
		{Text: `"a b"`, Note: "exact text"},
	}
	if len(fields) > 0 {
		help = append(help, action.Value{Text: fields[0].Name() + ":a,b", Note: "a or b in a field:"})
	}
	var names []string
	for _, f := range fields {
		names = append(names, f.Name())
	}
	for line := range strings.SplitSeq(ansi.Wordwrap(strings.Join(names, " "), helpWidth, ""), "\n") {
		help = append(help, action.Value{Text: "fields", Note: line})
	}
	return help
}

// backAction closes the details, then the filter, then removes the marks, then leaves the page.
func (m *Model[R]) backAction() action.Action {
	a := action.Action{ID: "back", Title: "back", Keys: []string{"esc", "h", "left", "backspace"}, Run: m.back}
	switch {
	case m.open:
		a.Footer = action.Leading
	case !m.line.Shown() && len(m.marked) > 0:
		a.Short, a.Footer = "unmark", action.Shown
	case !m.line.Shown() && m.CanGoBack != nil && m.CanGoBack():
		a.Footer = action.Shown
	}
	return a
}

func (m *Model[R]) back() tea.Cmd {
	switch {
	case m.open:
		m.open, m.scroll = false, 0
	case m.line.Shown():
		return m.SetQuery("")
	case len(m.marked) > 0:
		m.Unmark()
	case m.Leave != nil:
		return m.Leave()
	case m.CanGoBack != nil && m.CanGoBack():
		m.Session.Emit(page.Back{})
	}
	return nil
}

// enter runs the action of Enter.
func (m *Model[R]) enter() tea.Cmd {
	a := action.Action{Hidden: true}
	if m.Enter != nil {
		a = m.Enter()
	}
	switch {
	case a.Hidden:
		m.openDetail()
	case a.Disabled != "":
		m.Session.Notify(style.Waiting, style.Sentence(a.Title)+": "+a.Disabled)
	default:
		return a.Run()
	}
	return nil
}

func (m *Model[R]) openDetail() {
	if m.choose() {
		m.open, m.scroll = true, 0
	}
}

func (m *Model[R]) scrollBy(lines int) {
	m.scroll = max(0, min(m.scroll+lines, m.detailLines-m.detailHeight))
}

func (m *Model[R]) openFilter() {
	m.open = false
	if m.Filtered() && m.before == nil && m.some && m.Held() {
		m.before = new(m.key)
	}
	m.line.Focus()
}

// SortBy sorts by a column or [DefaultOrder], reversed or not.
func (m *Model[R]) SortBy(column int, reverse bool) tea.Cmd {
	m.want.column, m.want.reverse = column, reverse
	m.rearrange()
	return m.arrange()
}

// sort sorts by a column for the user: numbers with the largest first, and the other way round if that is the order
// already. The list goes to its top.
func (m *Model[R]) sort(column int) tea.Cmd {
	reverse := column != DefaultOrder && m.Columns[column].Right
	if column == m.want.column {
		reverse = !m.want.reverse
	}
	m.held, m.want.top = false, true
	return m.SortBy(column, reverse)
}

func (m *Model[R]) chooseOrder() {
	var items []*dialog.PickerItem
	for i := DefaultOrder; i < len(m.Columns); i++ {
		if i != DefaultOrder && m.Columns[i].Compare == nil {
			continue
		}
		name := m.nameOf(i)
		item := &dialog.PickerItem{ID: name, Title: name, Choose: func() tea.Cmd { return m.sort(i) }}
		if i == m.want.column {
			item.Note = "again to reverse"
		}
		items = append(items, item)
	}
	m.Session.Emit(page.Open{Dialog: dialog.NewPicker("Sort by", items, m.nameOf(m.want.column))})
}

func (m *Model[R]) nameOf(order int) string {
	if order == DefaultOrder {
		return m.Order
	}
	return m.Columns[order].name()
}

// ColumnNames returns the names by which users choose columns.
func (m *Model[R]) ColumnNames() (names []string) {
	for i := range m.Columns {
		names = append(names, m.nameOf(i))
	}
	return names
}
