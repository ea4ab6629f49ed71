package operations

import (
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/format"
	"pgtower/models/record"
	"pgtower/models/status"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/listpage"
	"pgtower/ui/page"
)

// copier copies, exports and reports operations of the list.
type copier struct {
	session *page.Session
	list    *list
	window  func() time.Duration // of the counts
	// status returns what the service's status page says of a span that ends at a time, or nil.
	status func(until time.Time) *status.Statement
}

// rows returns the marked operations, or all that are shown if none is marked. partial is the number of those that
// may have others missing around them.
func (c *copier) rows() (rows []*row, partial int) {
	t, e := c.list.shown(), c.list.extent()
	add := func(r *row) {
		if r.Op == nil {
			return
		}
		one := *r
		one.partial = r.partial || !e.covered(r.Op)
		if one.partial {
			partial++
		}
		rows = append(rows, &one)
	}
	for _, r := range listpage.Taken(t) {
		add(r)
	}
	return rows, partial
}

// nothingToCopy returns why nothing can be copied, or "".
func (c *copier) nothingToCopy() string {
	if c.list.shown().CountMarked() > 0 {
		return ""
	}
	return c.list.noOperation()
}

// copies are texts that the user can copy.
type copies struct {
	session *page.Session
	title   string
	items   []*dialog.PickerItem
}

// add adds a text. said names it in the notice.
func (c *copies) add(label, note, said string, text func() string) {
	c.items = append(c.items, &dialog.PickerItem{ID: label, Title: label, Note: note, Choose: action.Do(func() {
		c.session.Emit(page.Copy{Label: said, Text: models.NewSecret(text())})
	})})
}

// value adds a value, unless it is empty.
func (c *copies) value(label, value string) {
	if value != "" {
		c.add(label, value, label+" "+value, func() string { return value })
	}
}

func (c *copies) open() { c.session.Open(dialog.NewPicker("Copy: "+c.title, c.items, "")) }

// choose opens a picker of copies of the marked operations, or of one operation if none is marked.
func (c *copier) choose() {
	r, ok := c.list.table.Choose()
	ok = ok && r.Op != nil
	if c.list.shown().CountMarked() == 0 {
		if ok {
			c.copiesOf(r).open()
		}
		return
	}
	all := &copies{session: c.session, title: c.about()}
	all.add("lines", "tab-separated, for a spreadsheet", all.title, c.markedLines)
	all.add("ids", "a line each", "the ids of "+all.title, c.markedIDs)
	all.add("report", "Markdown: failures, counts, a timeline", "the report of "+all.title, func() string {
		return c.reportMarked().Text(true)
	})
	all.add("summary", "a few lines of the report, for a chat", "the summary of "+all.title, func() string {
		return c.reportMarked().Summary()
	})
	if ok {
		all.items = append(all.items, &dialog.PickerItem{
			ID: "selected", Title: "the selected row", Note: c.list.scope.operation(r),
			Choose: action.Do(c.copiesOf(r).open),
		})
	}
	all.open()
}

// copiesOf returns the copies of an operation.
func (c *copier) copiesOf(r *row) *copies {
	all, o := &copies{session: c.session, title: c.list.scope.operation(r)}, r.Op
	values := r.values()
	for _, id := range c.list.ids() {
		all.value(id, values.Text(id))
	}
	branch, _ := r.Branch()
	compute, _ := r.Compute()
	all.value("branch_name", branch.Name)
	all.value("endpoint_name", compute.Name)
	all.add("all ids", "a line each", "all ids", func() string { return idLines(c.list.ids(), values) })
	if o.Error != "" {
		all.add("error", o.Error, "the error", func() string { return o.Error })
	}
	all.add("report", "Markdown, with what failed around it", "the report", func() string {
		return c.reportAround(r).Text(true)
	})
	all.add("summary", "a few lines of the report, for a chat", "the summary", func() string {
		return c.reportAround(r).Summary()
	})
	all.add("JSON", "of the whole operation", "the JSON of the operation", func() string {
		return string(o.JSON())
	})
	return all
}

// ids returns the names of the fields that are ids.
func (l *list) ids() (names []string) {
	for i := range l.fields {
		f := &l.fields[i]
		if f.Get.Kind == record.ID && !f.Derived {
			names = append(names, f.Name)
		}
	}
	return names
}

// idLines returns the ids of an operation, with their names in the API.
func idLines(names []string, values models.Fields) string {
	var lines []string
	for _, name := range names {
		id := values.Text(name)
		if id != "" {
			lines = append(lines, name+": "+id)
		}
	}
	return strings.Join(lines, "\n")
}

// markedLines returns the marked operations as tab-separated lines, with a header.
func (c *copier) markedLines() string {
	rows, _ := c.rows()
	var b strings.Builder
	lines := exported(rows)
	_ = lines.Print(&b, format.Sheet) // a Builder returns no errors
	return b.String()
}

// markedIDs returns the ids of the marked operations, a line each.
func (c *copier) markedIDs() string {
	rows, _ := c.rows()
	var ids []string
	for _, r := range rows {
		if !models.NoID(r.Op.ID) {
			ids = append(ids, r.Op.ID)
		}
	}
	return strings.Join(ids, "\n")
}
