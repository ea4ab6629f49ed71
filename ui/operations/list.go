package operations

import (
	"regexp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/query"
	"pgtower/models/record"
	"pgtower/ui/action"
	"pgtower/ui/listpage"
	"pgtower/ui/page"
	"pgtower/ui/table"
)

// list owns the table of the scope and its rows. Nothing else changes the table, except for the user's input.
type list struct {
	session *page.Session
	scope   *scope
	live    *live
	display *display
	fields  []record.Field[*row] // of the record
	news    []table.Column[*row] // a change of their cells marks a row
	rows    *rows
	table   *listpage.Page[row]
	above   int    // the lines above the table, as last drawn
	choice  string // the filter that the projects were chosen by, see [list.choose]
}

func newList(d *display) *list {
	l := &list{session: d.session, scope: d.scope, live: d.live, display: d, fields: query.OperationFields(operationOf)}
	d.rowFields = l.fields
	d.partial = l.partial
	return l
}

// reset makes a new table for the scope. c has the parts of its configuration that are not the list's.
func (l *list) reset(c listpage.Config[row]) {
	l.rows = newRows(l.live.poller, l.live.facts(l.scope))
	c.ID, c.Session, c.Fields, c.Row = page.Operations, l.session, l.fields, "operation"
	t := &c.Table
	t.Source, t.Columns, t.Fields = l.rows, l.columns(), fields(l.live.timeline)
	l.news = t.Columns[:newsColumns]
	t.Values, t.Order, t.Follow = (*row).values, "time", true
	t.Examples = []string{
		"suspend", "status:failed", "is:slow or is:retried", "took:>5s", "!check", "after:14:30",
		`error:"timeout"`,
	}
	t.Say, t.Detail, t.Lead = l.display.say, l.display.record, l.lead
	t.Fold = l.foldErrors()
	t.Markable = func(r *row) bool { return r.Op != nil }
	t.Now = l.live.shownAt
	l.table = listpage.New(c)
	l.choose()
}

// choose polls the projects first that the filter leaves, unless it leaves all.
func (l *list) choose() {
	l.choice = l.table.Query()
	left := map[string]bool{}
	for _, project := range l.scope.list.Projects {
		if l.table.MayMatch(l.row(project.ID, nil), query.FieldsOfProjects()...) {
			left[project.ID] = true
		}
	}
	if len(left) == len(l.scope.list.Projects) {
		left = nil
	}
	l.live.choose(left)
}

// follow chooses the projects again if the filter has changed.
func (l *list) follow() {
	if !l.table.Editing() && l.table.Query() != l.choice {
		l.choose()
	}
}

// shown returns the rows that are shown and the selected one, to be read.
func (l *list) shown() *table.List[*row] { return l.table.List() }

func (l *list) partial(r *row) bool { return r.partial && l.shown().Arranged() }

// extent is how far back all operations of the scope are loaded.
func (l *list) extent() extent { return extentOf(l.live, l.scope) }

// locate finds facts, gaps and divider of the rows after something was read.
func (l *list) locate() {
	span := l.live.span()
	l.rows.facts = l.live.facts(l.scope)
	l.rows.facts.Unreadable, l.rows.facts.Silent = span.Without, stalled(span)
	l.rows.locate(l.extent(), l.live.claimedAt())
}

// refresh shows what was read.
func (l *list) refresh() tea.Cmd {
	l.locate()
	return l.table.Refresh()
}

const footLines = 3 // lines below the rows that errors may take: without errors, they show rows

// hold keeps the rows on the screen in place: a project that is read for the first time would hide them until older
// pages are read. At the top of the feed, nothing is held.
func (l *list) hold() tea.Cmd {
	last, t := -1, l.live.timeline()
	if l.shown().Held() || l.shown().Arranged() {
		for r := range l.shown().Visible() {
			i, ok := t.Find(r.Project, strings.TrimPrefix(r.key().ID, gapMark))
			if ok {
				last = max(last, i+footLines)
			}
		}
	}
	if !l.live.hold(last) {
		return nil
	}
	l.rows.locate(l.extent(), l.live.claimedAt())
	return l.table.Refresh()
}

func (l *list) row(project string, op *models.Operation) *row {
	return newRow(l.rows.facts, project, op)
}

// shows reports whether a row of any project is one of the list, loaded or not.
func (l *list) shows(r *row) bool {
	return (l.scope.all() || r.Project == l.scope.project.ID) && l.shown().MatchesFilter(r)
}

// changes returns which cells of a row differ from the previous one.
func (l *list) changes(previous, next *row) (m table.Change) {
	now := l.session.ServiceNow()
	for i, column := range l.news {
		old, _ := column.Cell(previous, now)
		new, _ := column.Cell(next, now)
		if old != new {
			m |= 1 << i
		}
	}
	return m
}

// onScreen returns the keys of the rows that are looked at or marked, and the projects of those on the screen.
func (l *list) onScreen() (rows []key, projects map[string]bool) {
	projects = map[string]bool{}
	for r := range l.shown().Visible() {
		projects[r.Project] = true
		rows = append(rows, r.key())
	}
	r, ok := l.shown().Selected()
	if ok {
		rows = append(rows, r.key())
	}
	for _, r := range l.shown().Marked() {
		rows = append(rows, r.key())
	}
	return rows, projects
}

// looked returns the operations that are looked at, and whether anything shows their computes.
func (l *list) looked() (rows []*row, computes bool) {
	for r := range l.shown().Visible() {
		if r.Op != nil {
			rows = append(rows, r)
		}
	}
	if r, ok := l.selected(); ok {
		rows = append(rows, r)
	}
	return rows, l.table.Opened() || l.table.Draws("endpoint")
}

// sorted reports whether the rows are in an order other than by time.
func (l *list) sorted() bool {
	column, reverse := l.shown().Sorted()
	return column != table.DefaultOrder || reverse
}

// order returns the order of the rows in the form of [query.SavedView].
func (l *list) order() string {
	column, reverse := l.shown().Sorted()
	name := ""
	if column != table.DefaultOrder {
		name = l.table.ColumnNames()[column]
	}
	if reverse {
		return "-" + name
	}
	return name
}

func (l *list) sort(order string) tea.Cmd {
	name, reverse := strings.CutPrefix(order, "-")
	return l.table.SortBy(slices.Index(l.table.ColumnNames(), name), reverse) // the default order has no column
}

func (l *list) filter(query string) tea.Cmd { return l.table.SetQuery(query) }

// toggle filters the rows, or shows all of them if they are filtered so already.
func (l *list) toggle(query string) tea.Cmd {
	if l.table.Query() == query {
		query = ""
	}
	return l.table.SetQuery(query)
}

// mayHaveOr matches every filter with an "or" outside of parentheses. It matches others, too: parentheses do not change them.
var mayHaveOr = regexp.MustCompile(`(?i)\bor\b`)

// narrowed returns a filter that also has a condition.
func (l *list) narrowed(condition string) string {
	filter := l.table.Query()
	if mayHaveOr.MatchString(filter) {
		q, _ := query.Parse(filter, fields(l.live.timeline))
		filter = "(" + filter
		if q.Hint() == nil {
			filter += ")"
		}
	}
	// The last term may be unfinished, such as an open quote: it stays the last one.
	return strings.TrimSpace(condition + " " + filter)
}

func (l *list) chosenColumns() []string { return slices.Clone(l.table.Chosen()) }

// check returns what is wrong with the filter of a view, or nil.
func (l *list) check(view query.SavedView) error {
	_, err := query.ParseOperations(view.Filter, *l.rows.facts, l.live.timeline())
	return err
}

// keepPlace keeps the rows in place when the number of lines above the table changes: the line about failures that lie together
// comes and goes.
func (l *list) keepPlace(above int) {
	l.table.Shift(above - l.above)
	l.above = above
}

func (l *list) top() tea.Cmd { return l.table.Top() }

// stay stops waiting for the row of goTo.
func (l *list) stay() { l.table.StopRestoring() }

// showInstead shows a picture in place of the rows, or the rows if it is nil.
func (l *list) showInstead(body table.Body) { l.table.Body = body }

// goTo selects a row, once it is there.
func (l *list) goTo(k key, open bool) { l.table.Restore(k, open) }

// chosen returns the key of the row that the user selected, or the zero key.
func (l *list) chosen() key {
	r, ok := l.shown().Selected()
	if ok && l.shown().Held() {
		return r.key()
	}
	return key{}
}

// selected returns the row of the selected operation.
func (l *list) selected() (r *row, ok bool) {
	r, ok = l.shown().Selected()
	return r, ok && r.Op != nil
}

// onRow returns a Run of an action on the operation that the user saw as selected.
func (l *list) onRow(act func(*row) tea.Cmd) func() tea.Cmd { return action.With(l.actOnRow, act) }

func (l *list) actOnRow(act func(*row) tea.Cmd) tea.Cmd {
	r, ok := l.table.Choose()
	if !ok || r.Op == nil {
		return nil
	}
	return act(r)
}

func (l *list) noOperation() string {
	_, ok := l.selected()
	return when(!ok, "no operation is selected")
}

// notListed returns why the project of the selected operation cannot be shown, or "".
func (l *list) notListed() string {
	r, ok := l.selected()
	if ok && l.scope.names[r.Project] == "" {
		return "the project is not in the list"
	}
	return l.noOperation()
}

// unwatchable returns why the selected operation cannot be requested, or "".
func (l *list) unwatchable() string {
	r, ok := l.selected()
	if ok && models.NoID(r.Op.ID) {
		return "the operation has no id"
	}
	return l.noOperation()
}

// running reports whether a row on the screen is an operation that runs.
func (l *list) running() bool {
	if l.table.Opened() {
		r, ok := l.shown().Selected()
		return ok && r.Running()
	}
	for r := range l.shown().Visible() {
		if r.Running() {
			return true
		}
	}
	return false
}
