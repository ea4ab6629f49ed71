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

// taken returns the operations that are marked, or else those that are shown, and how many may have others missing
// around them.
func (s *state) taken() (rows []row, partial int) {
	e := s.extent()
	take := func(r row) {
		if r.op == nil {
			return
		}
		if r.partial = r.partial || e.except+e.dated != ""; r.partial {
			partial++
		}
		rows = append(rows, r)
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

// chooseCopy offers what can be copied of an operation, if there is one, and of those that are marked.
func (s *state) chooseCopy(r row) {
	var items []dialog.PickerItem
	add := func(label, note, said string, text func() string) {
		items = append(items, dialog.PickerItem{ID: label, Title: label, Note: note, Choose: action.Do(func() {
			s.session.Emit(page.Copy{Label: said, Text: models.NewSecret(text())})
		})})
	}
	title := "Copy"
	if n := s.table.CountMarked(); n > 0 {
		label := style.Plural(n, "marked row")
		add(label, "tab-separated lines, for a spreadsheet", label, s.markedLines)
	}
	if r.op != nil {
		title = "Copy: " + s.operation(r)
		s.addCopies(r, add)
	}
	s.session.Open(dialog.NewPicker(title, items, ""))
}

// addCopies offers what can be copied of an operation.
func (s *state) addCopies(r row, add func(label, note, said string, text func() string)) {
	o := r.op
	value := func(label, value string) {
		if value != "" {
			add(label, value, label+" "+value, func() string { return value })
		}
	}
	if !models.NoID(o.ID) {
		value("id", o.ID)
	}
	value("branch_id", o.BranchID)
	value("endpoint_id", o.EndpointID)
	value("project_id", r.project)
	add("all ids", "a line each", "all ids", func() string { return idLines(r) })
	if o.Error != "" {
		add("error", o.Error, "the error", func() string { return o.Error })
	}
	add("incident report", "Markdown, with what began around it", "the incident report", func() string {
		return s.incident(r).markdown()
	})
	add("JSON", "of the whole operation", "the JSON of the operation", func() string {
		whole, _ := json.Marshal(o) //nolint:errchkjson // what cannot be written is empty
		return string(whole)
	})
}

// idLines are the ids of an operation as the API names them.
func idLines(r row) string {
	var lines []string
	for _, id := range [][2]string{
		{"id", r.op.ID}, {"project_id", r.project}, {"branch_id", r.op.BranchID}, {"endpoint_id", r.op.EndpointID},
	} {
		if id[1] != "" && !models.NoID(id[1]) {
			lines = append(lines, id[0]+": "+id[1])
		}
	}
	return strings.Join(lines, "\n")
}

// markedLines are the marked operations, with the titles of their columns above.
func (s *state) markedLines() string {
	rows, _ := s.taken()
	var b strings.Builder
	_ = writeCSV(&b, '\t', rows) // a Builder takes everything
	return b.String()
}
