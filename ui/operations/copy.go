package operations

import (
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/format"
	"pgtower/models/record"
	"pgtower/models/report"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/listpage"
	"pgtower/ui/page"
)

// copier copies, exports and reports operations of the list.
type copier struct {
	session  *page.Session
	list     *list
	window   func() time.Duration // of the counts
	vendor   *statusPage
	together *together
}

// rows returns the marked operations, or all that are shown if none is marked. partial is the number of those that
// may have others missing around them.
func (c *copier) rows() (rows []*row, partial int) {
	t, e := c.list.shown(), c.list.extent()
	for _, r := range listpage.Taken(t) {
		if r.Op == nil {
			continue
		}
		copied := *r
		copied.partial = r.partial || !e.covered(r.Op)
		partial += number(copied.partial)
		rows = append(rows, &copied)
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

// add adds a text. notice names it.
func (c *copies) add(label, note, notice string, text func() string) {
	c.items = append(c.items, &dialog.PickerItem{ID: label, Title: label, Note: note, Choose: action.Do(func() {
		c.session.Emit(page.Copy{Label: notice, Text: models.NewSecret(text())})
	})})
}

// text adds a text, unless it is empty.
func (c *copies) text(label, note, notice, text string) {
	if text != "" {
		c.add(label, note, notice, func() string { return text })
	}
}

func (c *copies) value(label, value string) { c.text(label, value, label+" "+value, value) }

// reports adds a report and its summary. subject completes their names, and note describes the report.
func (c *copies) reports(note, subject string, make func() *report.Report) {
	c.add("report", note, "the report"+subject, func() string { return make().Text(true) })
	c.add("summary", "a few lines of the report, for a chat", "the summary"+subject, func() string { return make().Summary() })
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
	choices := &copies{session: c.session, title: c.about()}
	choices.add("lines", "tab-separated, for a spreadsheet", choices.title, c.markedLines)
	choices.add("ids", "a line each", "the ids of "+choices.title, c.markedIDs)
	choices.reports("Markdown: failures, counts, a timeline", " of "+choices.title, c.reportMarked)
	if ok {
		choices.items = append(choices.items, &dialog.PickerItem{
			ID: "selected", Title: "the selected row", Note: c.list.scope.operation(r),
			Choose: action.Do(c.copiesOf(r).open),
		})
	}
	choices.open()
}

// copiesOf returns the copies of an operation.
func (c *copier) copiesOf(r *row) *copies {
	choices, o := &copies{session: c.session, title: c.list.scope.operation(r)}, r.Op
	values := r.values()
	for _, id := range c.list.ids() {
		choices.value(id, values.Text(id))
	}
	branch, _ := r.Branch()
	compute, _ := r.Compute()
	choices.value("branch_name", branch.Name)
	choices.value("endpoint_name", compute.Name)
	choices.add("all ids", "a line each", "all ids", func() string { return idLines(c.list.ids(), values) })
	choices.text("error", o.Error, "the error", o.Error)
	choices.reports("Markdown, with what failed around it", "", func() *report.Report { return c.reportAround(r) })
	choices.add("JSON", "of the whole operation", "the JSON of the operation", func() string { return string(o.JSON()) })
	return choices
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
