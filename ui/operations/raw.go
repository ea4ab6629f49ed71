package operations

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// raw is an operation as the service sent it just now.
type raw struct {
	title string
	lines []string
	err   error
}

// maxRaw is how many lines of an operation are shown. What is longer is no operation.
const maxRaw = 5_000

// readRaw reads an operation once more, for what the service says of it in full.
func (p *Page) readRaw(r row) tea.Cmd {
	service, project, id, title := p.service, r.project, r.op.ID, p.title(r)
	return p.do(func(ctx context.Context) tea.Msg {
		b, err := service.OperationJSON(ctx, project, id)
		if err != nil {
			return raw{title: title, err: err}
		}
		var out bytes.Buffer
		if err := json.Indent(&out, b, "", "  "); err != nil {
			return raw{title: title, err: err}
		}
		lines := strings.Split(out.String(), "\n")
		if over := len(lines) - maxRaw; over > 0 {
			lines = append(lines[:maxRaw], fmt.Sprintf("… and %s lines more", table.Count(over)))
		}
		for i := range lines {
			lines[i] = models.Clean(lines[i])
		}
		return raw{title: title, lines: lines}
	})
}

func (p *Page) tookRaw(msg raw) tea.Cmd {
	if msg.err != nil {
		p.session.Tell(page.Open{
			Dialog: dialog.NewMessage("The operation could not be read", []dialog.Line{{Tone: style.Bad, Text: msg.err.Error()}}),
		})
		p.session.Tell(page.Failed{Err: msg.err})
		return nil
	}
	var wrapped []string
	width := 0 // that wrapped is for
	p.session.Tell(page.Open{Dialog: dialog.NewViewer("As the service sends it: "+msg.title, func(f page.Frame) []string {
		if width != dialog.Inner(f) {
			wrapped, width = nil, dialog.Inner(f)
			for _, line := range msg.lines {
				wrapped = append(wrapped, style.Wrap(line, width)...)
			}
		}
		return wrapped
	})})
	return nil
}

// chooseCopy lets the person choose what of an operation to copy.
func (p *Page) chooseCopy(r row) {
	o := r.op
	whole, err := json.Marshal(o)
	if err != nil {
		p.session.Tell(page.Failed{Err: err})
		return
	}
	var items []dialog.PickerItem
	add := func(label, note, value string) {
		if value != "" {
			items = append(items, dialog.PickerItem{
				ID: label, Title: label, Note: note,
				Then: page.Copy{Label: label + " " + note, Text: models.NewSecret(value)},
			})
		}
	}
	if !models.NoID(o.ID) {
		add("id", o.ID, o.ID)
	}
	add("branch_id", o.BranchID, o.BranchID)
	add("endpoint_id", o.EndpointID, o.EndpointID)
	add("project_id", r.project, r.project)
	add("JSON", "of the whole operation", string(whole))
	p.session.Tell(page.Open{Dialog: dialog.NewPicker("Copy: "+p.title(r), items, "id")})
}
