package table

import (
	"cmp"
	"math"
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

// declared are the actions of a table, declared once.
type declared struct {
	all    []action.Group
	marks  action.Group   // those of all that mark rows
	typing []action.Group // of the open filter
}

func (m *Model[R]) declare() {
	look := action.Group{Title: "Look", Actions: m.lookActions()}
	move := action.Group{Title: "Move", Movement: true, Actions: m.moveActions()}
	m.actions.marks = action.Group{Title: "Mark", Actions: m.markActions()}
	m.actions.all = []action.Group{look, move}
	if m.Markable != nil {
		m.actions.all = []action.Group{m.actions.marks, look, move}
	}
	incomplete := func() bool { return cmp.Or(m.wrong, m.query.Hint()) != nil }
	m.actions.typing = m.line.Actions(action.If(incomplete, "correct or complete it first"), m.apply)
}

// Actions returns the actions of the table, or those of its open filter.
func (m *Model[R]) Actions() []action.Group {
	if m.Editing() {
		return m.actions.typing
	}
	return m.actions.all
}

// Marks returns the actions that mark rows.
func (m *Model[R]) Marks() action.Group { return m.actions.marks }

// noRow returns why nothing can be done with the selected row, or "".
func (m *Model[R]) noRow() string {
	if m.Len() == 0 {
		return "no row is selected"
	}
	return ""
}

// notInDetails leaves an action out of the footer while the details are open.
func (m *Model[R]) notInDetails(l action.Look) action.Look {
	if m.open {
		l.Footer = action.NotShown
	}
	return l
}

func (m *Model[R]) lookActions() []*action.Action {
	narrow := func() bool { return m.open || m.pane.wide == 0 }
	scroll := func(pages int) func() tea.Cmd {
		return action.Do(func() { m.scrollBy(pages * (m.detailHeight - 1)) })
	}
	return []*action.Action{
		m.detailsAction(),
		{
			ID: "pane", Title: "show or hide the pane", Short: "pane", Keys: []string{"d"}, Footer: action.LowPriority,
			Hidden:   m.Opened,
			Disabled: action.If(func() bool { return !m.pane.fits }, "there is no room"), Run: action.Do(m.pane.toggle),
		},
		{ID: "pane-wider", Rare: true, Title: "make the pane wider", Keys: []string{"<"}, Hidden: narrow, Run: m.pane.widen(paneStep)},
		{ID: "pane-narrower", Rare: true, Title: "make the pane narrower", Keys: []string{">"}, Hidden: narrow, Run: m.pane.widen(-paneStep)},
		{
			ID: "filter", Title: "filter", Keys: []string{"/"}, Footer: action.Shown, Vary: m.notInDetails,
			Arg: m.filterArg(), Run: action.Do(m.openFilter),
		},
		{
			ID: "sort", Title: "sort", Keys: []string{"s"}, Footer: action.LowPriority, Vary: m.notInDetails,
			Run: action.Do(m.chooseOrder),
		},
		{
			ID: "columns", Rare: true, Title: "choose columns", Keys: []string{"c"},
			Hidden: func() bool { return m.open || m.Fixed }, Run: action.Do(m.chooseColumns),
		},
		{
			ID: "back", Title: "back", Keys: []string{"esc", "h", "left", "backspace"}, Vary: m.lookOfBack, Run: m.back,
		},
		{
			ID: "scroll-down", Title: "scroll down", Keys: []string{"pgdown", "ctrl+f", "ctrl+d", "space"},
			Footer: action.Leading, Hidden: m.closed, Run: scroll(+1),
		},
		{
			ID: "scroll-up", Rare: true, Title: "scroll up", Keys: []string{"pgup", "ctrl+b", "ctrl+u"},
			Hidden: m.closed, Run: scroll(-1),
		},
	}
}

func (m *Model[R]) closed() bool { return !m.open }

// enters reports whether Enter does something else than to open the details.
func (m *Model[R]) enters() bool { return m.Enter != nil && !m.Enter.IsHidden() }

// detailsAction opens the details, or goes to the other tab of open ones.
func (m *Model[R]) detailsAction() *action.Action {
	return &action.Action{
		ID: "details", Title: "open details", Short: "details", Keys: []string{"enter", "l", "right"},
		Footer: action.Leading, Disabled: m.noRow, Hidden: func() bool { return m.open && !m.hasRaw() },
		Vary: func(l action.Look) action.Look {
			switch {
			case m.enters():
				l.Footer, l.Label = action.NotShown, "l"
			case m.rawShown():
				l.Title, l.Short = "show the fields", "fields"
			case m.open:
				l.Title, l.Short = "show as JSON", "JSON"
			}
			return l
		},
		Run: func() tea.Cmd {
			if m.open {
				return m.toggleRaw()
			}
			m.openDetail()
			return nil
		},
	}
}

func (m *Model[R]) markActions() []*action.Action {
	unready := func() string {
		switch {
		case m.wrong != nil:
			return "the filter is invalid"
		case !m.Settled():
			return "the rows are still being filtered"
		}
		return m.noRow()
	}
	return []*action.Action{
		{
			ID: "mark", Title: "mark", Keys: []string{"space"}, Footer: action.Shown, Hidden: m.Opened,
			Disabled: m.noRow, Run: action.Do(m.toggleMark),
		},
		{
			ID: "mark-all", Rare: true, Title: "mark all shown rows", Keys: []string{"A"}, Hidden: m.Opened,
			Disabled: unready, Run: action.Do(m.markMatching),
		},
	}
}

func (m *Model[R]) moveActions() []*action.Action {
	step := func(rows int) func() tea.Cmd {
		return func() tea.Cmd {
			if m.Body == nil || m.open {
				return m.move(rows, 0)
			}
			m.Body.Step(rows)
			return nil
		}
	}
	pages := func(n int) func() tea.Cmd {
		return func() tea.Cmd { return m.move(n*m.pageRows(), n*m.pageRows()) }
	}
	halves := func(n int) func() tea.Cmd {
		return func() tea.Cmd { return m.move(n*max(1, m.pageRows()/2), 0) }
	}
	bottom := func() tea.Cmd { return m.move(beyond, 0) }
	return []*action.Action{
		{ID: "up", Title: "up", Keys: []string{"up", "k"}, Label: "↑/k", Run: step(-1)},
		{ID: "down", Title: "down", Keys: []string{"down", "j"}, Label: "↓/j", Run: step(+1)},
		{ID: "page-up", Rare: true, Title: "page up", Keys: []string{"pgup", "ctrl+b"}, Hidden: m.Opened, Run: pages(-1)},
		{ID: "page-down", Rare: true, Title: "page down", Keys: []string{"pgdown", "ctrl+f"}, Hidden: m.Opened, Run: pages(+1)},
		{ID: "half-up", Rare: true, Title: "half a page up", Keys: []string{"ctrl+u"}, Hidden: m.Opened, Run: halves(-1)},
		{ID: "half-down", Rare: true, Title: "half a page down", Keys: []string{"ctrl+d"}, Hidden: m.Opened, Run: halves(+1)},
		{ID: "top", Title: "go to the top", Keys: []string{"g", "home"}, Run: m.Top},
		{ID: "bottom", Rare: true, Title: "go to the bottom", Keys: []string{"G", "end"}, Run: bottom},
	}
}

// pageRows returns how many rows a page moves by.
func (m *Model[R]) pageRows() int { return max(1, m.height-1) }

// beyond is more rows than any list has, also if the row that the user means comes back first.
const beyond = math.MaxInt32

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
	m.scroll, m.raw = 0, nil
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
			err = cmp.Or(err, q.Hint())
			if err != nil {
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

func (m *Model[R]) lookOfBack(l action.Look) action.Look {
	switch {
	case m.open:
		l.Footer = action.Leading
	case m.line.Shown():
	case len(m.marked) > 0:
		l.Short, l.Footer = "unmark", action.Shown
	case m.CanGoBack != nil && m.CanGoBack():
		l.Footer = action.Shown
	}
	return l
}

// back closes the details, then the filter, then removes the marks, then leaves the page.
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
	if !m.enters() {
		m.openDetail()
		return nil
	}
	if reason := m.Enter.Reason(); reason != "" {
		m.Session.Notify(style.Waiting, style.Sentence(m.Enter.Look().Title)+": "+reason)
		return nil
	}
	return m.Enter.Run()
}

func (m *Model[R]) openDetail() {
	if m.choose() {
		m.open, m.scroll, m.raw = true, 0, nil
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
