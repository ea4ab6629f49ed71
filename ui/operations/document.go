package operations

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// document is an operation as the service sent it just now.
type document struct {
	title string
	lines []string
	err   error
}

// maxLines is how many lines of a document are shown. What is longer is no operation.
const maxLines = 5_000

// read reads an operation once more, for what the service says of it in full.
func (d *driver) read(r row) tea.Cmd {
	service, project, id, title := d.service, r.project, r.op.ID, d.operation(r)
	return d.session.Do(page.Operations, func(ctx context.Context) tea.Msg {
		b, err := service.OperationJSON(ctx, project, id)
		var out bytes.Buffer
		if err == nil {
			err = json.Indent(&out, b, "", "  ")
		}
		if err != nil {
			return document{title: title, err: err}
		}
		lines := strings.Split(out.String(), "\n")
		if over := len(lines) - maxLines; over > 0 {
			lines = append(lines[:maxLines], fmt.Sprintf("… and %s lines more", count(over)))
		}
		for i := range lines {
			lines[i] = models.Clean(lines[i])
		}
		return document{title: title, lines: lines}
	})
}

// show opens the document, or says why it could not be read.
func (d document) show(s *page.Session) {
	if d.err != nil {
		why := []dialog.Line{{Tone: style.Bad, Text: d.err.Error()}}
		s.Emit(page.Open{Dialog: dialog.NewMessage("The operation could not be read", why)})
		s.Emit(page.Failed{Err: d.err})
		return
	}
	var wrapped []string
	width := 0 // that wrapped is for
	s.Emit(page.Open{Dialog: dialog.NewViewer("As the service sends it: "+d.title, func(f page.Frame) []string {
		if width != f.Width {
			wrapped, width = nil, f.Width
			for _, line := range d.lines {
				wrapped = append(wrapped, style.Wrap(line, width)...)
			}
		}
		return wrapped
	})})
}

// chooseCopy lets the user choose what of an operation to copy.
func (s *scope) chooseCopy(r row) {
	o := r.op
	whole, err := json.Marshal(o)
	if err != nil {
		s.session.Emit(page.Failed{Err: err})
		return
	}
	var items []dialog.PickerItem
	add := func(label, note, value string) {
		if value != "" {
			items = append(items, dialog.PickerItem{ID: label, Title: label, Note: note, Choose: action.Do(func() {
				s.session.Emit(page.Copy{Label: label + " " + note, Text: models.NewSecret(value)})
			})})
		}
	}
	if !models.NoID(o.ID) {
		add("id", o.ID, o.ID)
	}
	add("branch_id", o.BranchID, o.BranchID)
	add("endpoint_id", o.EndpointID, o.EndpointID)
	add("project_id", r.project, r.project)
	add("JSON", "of the whole operation", string(whole))
	s.session.Emit(page.Open{Dialog: dialog.NewPicker("Copy: "+s.operation(r), items, "id")})
}
