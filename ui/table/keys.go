package table

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

func openKey() action.Action {
	return action.New("↵", "details", "enter", "l", "right").Named("details").InFooter()
}
func filterKey() action.Action { return action.New("/", "filter", "/").Named("filter").InFooter() }
func backKey() action.Action {
	return action.New("esc", "back", "esc", "h", "left", "backspace").Named("back")
}
func sortKey() action.Action    { return action.New("s", "sort", "s").Named("sort").IfRoom() }
func reverseKey() action.Action { return action.New("S", "reverse the order", "S").Named("reverse") }

func markKey() action.Action { return action.New("space", "mark", "space").Named("mark").InFooter() }

func markRangeKey() action.Action {
	return action.New("v", "mark from the last mark to here", "v").Named("mark-range")
}

func markAllKey() action.Action {
	return action.New("a", "mark all that are shown", "a").Named("mark-all")
}

func unmarkKey() action.Action { return action.New("u", "take all marks away", "u").Named("unmark") }

// marked changes the marks, and says whether the key does that.
func (m *Model[R, K]) marked(k tea.KeyPressMsg) bool {
	switch {
	case markKey().Pressed(k):
		m.list.ToggleMark()
	case markRangeKey().Pressed(k):
		m.list.MarkRange()
	case markAllKey().Pressed(k) && m.wrong != nil:
		m.Session.Tell(page.Notice{Tone: style.Waiting, Text: "nothing was marked: the filter is not one yet", Here: true})
	case markAllKey().Pressed(k) && !m.list.Settled():
		m.Session.Tell(page.Notice{Tone: style.Waiting, Text: "nothing was marked: the rows were still being filtered", Here: true})
	case markAllKey().Pressed(k):
		m.list.MarkShown()
	case unmarkKey().Pressed(k):
		m.list.Unmark()
	default:
		return false
	}
	return true
}

func scrollDownKey() action.Action {
	return action.New("pgdn", "scroll down", "pgdown", "ctrl+f", "ctrl+d", "space").Named("scroll-down")
}

func scrollUpKey() action.Action {
	return action.New("pgup", "scroll up", "pgup", "ctrl+b", "ctrl+u").Named("scroll-up")
}

// Keys declares what can be done with the table now.
func (m *Model[R, K]) Keys() []action.Group {
	if m.filter.Editing() {
		return []action.Group{input.FilterKeys()}
	}
	open := m.Open
	if m.list.Len() == 0 {
		open = open.Unless("there is no row to open")
	}
	look := action.Group{Title: "Look", Actions: []action.Action{open, filterKey(), sortKey(), reverseKey(), m.backNow()}}
	if m.open {
		find, order := filterKey(), sortKey()
		find.Footer, order.Footer = false, false
		look.Actions = []action.Action{backKey().InFooter(), scrollDownKey().InFooter(), scrollUpKey(), find, order, reverseKey()}
		return []action.Group{look, LineKeys()}
	}
	if !m.Markable {
		return []action.Group{look, ListKeys()}
	}
	return []action.Group{markKeys(), look, ListKeys()}
}

// backNow is back where the detail is closed. It is silent where there is nothing to leave.
func (m *Model[R, K]) backNow() action.Action {
	if m.Behind != nil && !m.filter.Shown() && m.Behind() {
		return backKey().InFooter()
	}
	return backKey()
}

func markKeys() action.Group {
	return action.Group{Title: "Mark", Actions: []action.Action{markKey(), markRangeKey(), markAllKey(), unmarkKey()}}
}

// AllKeys is everything that a table can do, whatever is shown of it. open is the key that
// opens the detail, Enter and its kin if it is left out.
func AllKeys(open action.Action, markable bool) []action.Group {
	if len(open.Keys()) == 0 {
		open = openKey()
	}
	look := action.Group{Title: "Look", Actions: []action.Action{
		open, filterKey(), sortKey(), reverseKey(), backKey(), scrollDownKey(), scrollUpKey(),
	}}
	if !markable {
		return []action.Group{look, ListKeys()}
	}
	return []action.Group{markKeys(), look, ListKeys()}
}

// sortBy is the choice of an order.
type sortBy struct {
	column  int
	reverse bool
}

// chooseOrder lets the person choose what the rows are sorted by.
func (m *Model[R, K]) chooseOrder() {
	column, reverse := m.list.Sorted()
	option := func(title string, to int) dialog.PickerItem {
		by := sortBy{column: to}
		note := ""
		if to == column {
			by.reverse = !reverse
			note = "again: the other way round"
		}
		return dialog.PickerItem{ID: title, Title: title, Note: note, Then: m.to(by)}
	}
	items := []dialog.PickerItem{option(m.Natural, DefaultOrder)}
	current := m.Natural
	for i, c := range m.Columns {
		if c.Compare == nil {
			continue
		}
		title := strings.ToLower(c.Title)
		items = append(items, option(title, i))
		if i == column {
			current = title
		}
	}
	m.Session.Tell(page.Open{Dialog: dialog.NewPicker("Sort by", items, current)})
}

// back leaves the detail, then the filter, then the page. Marks are too much work to be lost by it.
func (m *Model[R, K]) back() (cmd tea.Cmd, handled bool) {
	switch {
	case m.open:
		m.open = false
	case m.filter.Shown():
		return m.SetQuery(""), true
	case m.Behind != nil && m.Behind():
		m.Session.Tell(page.Back{})
	default:
		return nil, false
	}
	return nil, true
}
