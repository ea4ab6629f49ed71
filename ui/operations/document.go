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

// maxLines is how many lines of an answer are shown. What is longer is no operation.
const maxLines = 5_000

// readJSON reads an operation once more, and shows it as the service sends it.
func (p *Page) readJSON(r row) tea.Cmd {
	service, project, id, title := p.driver.service, r.project, r.op.ID, p.operation(r)
	return page.Ask(p.session, page.Operations, func(ctx context.Context) ([]string, error) {
		b, err := service.OperationJSON(ctx, project, id)
		var out bytes.Buffer
		if err == nil {
			err = json.Indent(&out, b, "", "  ")
		}
		lines := strings.Split(out.String(), "\n")
		if over := len(lines) - maxLines; over > 0 {
			lines = append(lines[:maxLines], fmt.Sprintf("… and %s lines more", count(over)))
		}
		for i := range lines {
			lines[i] = models.Clean(lines[i])
		}
		return lines, err
	}, func(lines []string, err error) tea.Cmd {
		if err != nil {
			why := []dialog.Line{{Tone: style.Bad, Text: err.Error()}}
			p.session.Open(dialog.NewMessage("The operation could not be read", why))
			p.session.Emit(page.Failed{Err: err})
			return nil
		}
		p.session.Open(dialog.NewViewer("As the service sends it: "+title, func(f page.Frame) (wrapped []string) {
			for _, line := range lines {
				wrapped = append(wrapped, style.Wrap(line, f.Width)...)
			}
			return wrapped
		}))
		return nil
	})
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
	s.session.Open(dialog.NewPicker("Copy: "+s.operation(r), items, "id"))
}
