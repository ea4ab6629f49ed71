package operations

import (
	"encoding/json"
	"strings"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// taken returns the marked operations, or all that are shown if none is marked. partial is the number of those that
// may have others missing around them.
func (s *state) taken() (rows []*row, partial int) {
	e := s.extent()
	take := func(r *row) {
		if r.Op == nil {
			return
		}
		one := *r
		if one.partial = r.partial || e.except+e.dated != ""; one.partial {
			partial++
		}
		rows = append(rows, &one)
	}
	if s.table.CountMarked() > 0 {
		for _, r := range s.table.Marked() {
			take(r)
		}
		return rows, partial
	}
	for r := range s.table.Matching() {
		take(r)
	}
	return rows, partial
}

// countMarked describes how many operations are marked, and how many of them the filter hides.
func (s *state) countMarked() string {
	said := style.Plural(s.table.CountMarked(), "marked row")
	if n := s.table.MarkedHidden(); n > 0 {
		said += ", " + count(n) + " hidden by the filter"
	}
	return said
}

// copies are texts that the user can copy.
type copies struct {
	*state

	title string
	items []*dialog.PickerItem
}

// add adds a text. said names it in the notice.
func (c *copies) add(label, note, said string, text func() string) {
	c.items = append(c.items, &dialog.PickerItem{ID: label, Title: label, Note: note, Choose: action.Do(func() {
		c.session.Emit(page.Copy{Label: said, Text: models.NewSecret(text())})
	})})
}

func (c *copies) open() { c.session.Open(dialog.NewPicker("Copy: "+c.title, c.items, "")) }

// chooseCopy opens a picker of copies of the marked operations, or of one operation if none is marked.
func (s *state) chooseCopy() {
	r, ok := s.table.Choose()
	ok = ok && r.Op != nil
	if s.table.CountMarked() == 0 {
		if ok {
			s.copiesOf(r).open()
		}
		return
	}
	c := &copies{state: s, title: s.countMarked()}
	c.add("lines", "tab-separated, for a spreadsheet", c.title, c.markedLines)
	c.add("ids", "a line each", "the ids of "+c.title, c.markedIDs)
	if ok {
		c.items = append(c.items, &dialog.PickerItem{
			ID: "selected", Title: "the selected row", Note: s.operation(r), Choose: action.Do(s.copiesOf(r).open),
		})
	}
	c.open()
}

// copiesOf returns the copies of an operation.
func (s *state) copiesOf(r *row) *copies {
	c, o := &copies{state: s, title: s.operation(r)}, r.Op
	value := func(label, value string) {
		if value != "" {
			c.add(label, value, label+" "+value, func() string { return value })
		}
	}
	if !models.NoID(o.ID) {
		value("id", o.ID)
	}
	value("branch_id", o.BranchID)
	value("endpoint_id", o.EndpointID)
	value("project_id", r.Project)
	c.add("all ids", "a line each", "all ids", func() string { return idLines(r) })
	if o.Error != "" {
		c.add("error", o.Error, "the error", func() string { return o.Error })
	}
	c.add("incident report", "Markdown, with what began around it", "the incident report", func() string {
		return s.incident(r).markdown()
	})
	c.add("JSON", "of the whole operation", "the JSON of the operation", func() string {
		whole, _ := json.Marshal(o) //nolint:errchkjson // "" on an error
		return string(whole)
	})
	return c
}

// idLines returns the ids of an operation, with their names in the API.
func idLines(r *row) string {
	var lines []string
	for _, id := range [][2]string{
		{"id", r.Op.ID}, {"project_id", r.Project}, {"branch_id", r.Op.BranchID}, {"endpoint_id", r.Op.EndpointID},
	} {
		if id[1] != "" && !models.NoID(id[1]) {
			lines = append(lines, id[0]+": "+id[1])
		}
	}
	return strings.Join(lines, "\n")
}

// markedLines returns the marked operations as tab-separated lines, with a header.
func (c *copies) markedLines() string {
	rows, _ := c.taken()
	var b strings.Builder
	_ = writeCSV(&b, '\t', rows) // a Builder returns no errors
	return b.String()
}

// markedIDs returns the ids of the marked operations, a line each.
func (c *copies) markedIDs() string {
	rows, _ := c.taken()
	var ids []string
	for _, r := range rows {
		if !models.NoID(r.Op.ID) {
			ids = append(ids, r.Op.ID)
		}
	}
	return strings.Join(ids, "\n")
}
