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
)

const maxLines = 5_000 // the maximum number of lines of a response to show: no operation has more

// readJSON reads an operation again and shows the response as it is.
func (l *live) readJSON(r *row, title string) tea.Cmd {
	service, project, id := l.service, r.Project, r.Op.ID
	return page.Call(l.session, page.Operations, func(ctx context.Context) ([]string, error) {
		b, err := service.OperationJSON(ctx, project, id)
		var out bytes.Buffer
		if err == nil {
			err = json.Indent(&out, b, "", "  ")
		}
		lines := strings.Split(out.String(), "\n")
		if over := len(lines) - maxLines; over > 0 {
			lines = append(lines[:maxLines], fmt.Sprintf("… and %s more lines", count(over)))
		}
		for i := range lines {
			lines[i] = models.Clean(lines[i])
		}
		return lines, err
	}, func(lines []string, err error) tea.Cmd {
		if err != nil {
			why := []dialog.Line{{Tone: style.Bad, Text: err.Error()}}
			l.session.Open(dialog.NewMessage("Could not read the operation", why))
			l.session.Emit(page.Failed{Err: err})
			return nil
		}
		l.session.Open(dialog.NewViewer("Raw JSON: "+title, func(f page.Frame) (wrapped []string) {
			for _, line := range lines {
				wrapped = append(wrapped, style.Wrap(line, f.Width)...)
			}
			return wrapped
		}))
		return nil
	})
}
