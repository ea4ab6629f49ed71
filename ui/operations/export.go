package operations

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/desktop"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// askExport asks for the name of the file. wrong is why the last name failed, or "".
func (s *state) askExport(name, wrong string) {
	what := count(s.table.Matches()) + " rows shown, in this order"
	if s.table.CountMarked() > 0 {
		what = s.countMarked()
	}
	s.session.Open(dialog.NewForm(dialog.FormSpec{
		Title: "Export", Wrong: wrong, Label: "File", Text: name, Verb: "Export", Submit: s.export,
		About: "Saves the " + what + ". The ending .csv or .json sets the format.",
		Note: func(name string) string {
			path, err := desktop.Path(name)
			if err != nil {
				return models.Clean(err.Error())
			}
			return "In " + models.Clean(filepath.Dir(path))
		},
		Check: func(name string) string {
			if ext := filepath.Ext(name); ext != ".csv" && ext != ".json" {
				return "The file must end in .csv or .json."
			}
			return ""
		},
	}))
}

// export writes the rows that are marked or shown now.
func (s *state) export(name string) tea.Cmd {
	complete := s.extent().completeFor(s.session.ServiceNow())
	rows, partial := s.taken()
	return page.Call(s.session, page.Operations, func(context.Context) (string, error) {
		return writeFile(name, rows)
	}, func(path string, err error) tea.Cmd {
		switch path = models.Clean(path); {
		case err != nil:
			s.askExport(name, "Nothing was exported: "+models.Clean(err.Error())+".")
		case partial > 0:
			s.session.Notify(style.Waiting, fmt.Sprintf("✓ %s operations saved, %s of them marked as incomplete (%s): %s",
				count(len(rows)), count(partial), complete, path))
		default:
			s.session.Notify(style.Good, fmt.Sprintf("✓ %s operations saved to %s", count(len(rows)), path))
		}
		return nil
	})
}

// writeFile writes a new file and returns its full path.
func writeFile(name string, operations []*row) (path string, err error) {
	var b bytes.Buffer
	write := func(w io.Writer, operations []*row) error { return writeCSV(w, ',', operations) }
	if filepath.Ext(name) == ".json" {
		write = writeJSON
	}
	if err = write(&b, operations); err != nil {
		return "", err
	}
	return desktop.WriteNew(name, b.Bytes())
}

func writeJSON(w io.Writer, operations []*row) error {
	out := make([]json.RawMessage, len(operations))
	for i, r := range operations {
		b, err := json.Marshal(r.Op)
		if err != nil {
			return err
		}
		more, err := json.Marshal(struct {
			Project  string      `json:"project_name"`
			Seconds  json.Number `json:"duration_seconds,omitempty"`
			Complete bool        `json:"complete"`
		}{r.Name(), json.Number(r.seconds()), !r.partial})
		if err != nil {
			return err
		}
		out[i] = append(append(b[:len(b)-1], ','), more[1:]...)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(out)
}

// seconds returns how long an operation took, or "" if it has not ended.
func (r *row) seconds() string {
	if took, known := r.Took(time.Time{}); known && r.Op.Done() {
		return strconv.FormatFloat(took.Seconds(), 'f', 3, 64)
	}
	return ""
}

func writeCSV(w io.Writer, comma rune, operations []*row) error {
	at := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.UTC().Format(time.RFC3339Nano)
	}
	const fields = "id project_id project_name branch_id endpoint_id action status failures_count " +
		"created_at updated_at duration_seconds error complete"
	lines, literal := [][]string{strings.Fields(fields)}, models.SpreadsheetText
	for _, r := range operations {
		o := r.Op
		lines = append(lines, []string{
			literal(o.ID), literal(o.ProjectID), literal(r.Name()), literal(o.BranchID), literal(o.EndpointID),
			literal(string(o.Action)), literal(string(o.Status)), strconv.FormatInt(o.FailuresCount, 10),
			at(o.CreatedAt), at(o.UpdatedAt), r.seconds(), literal(o.Error), strconv.FormatBool(!r.partial),
		})
	}
	out := csv.NewWriter(w)
	out.Comma = comma
	return out.WriteAll(lines)
}

const maxLines = 5_000 // the maximum number of lines of a response to show: no operation has more

// readJSON reads an operation again and shows the response as it is.
func (d *driver) readJSON(r *row) tea.Cmd {
	service, project, id, title := d.service, r.Project, r.Op.ID, d.operation(r)
	return page.Call(d.session, page.Operations, func(ctx context.Context) ([]string, error) {
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
			d.session.Open(dialog.NewMessage("Could not read the operation", why))
			d.session.Emit(page.Failed{Err: err})
			return nil
		}
		d.session.Open(dialog.NewViewer("Raw JSON: "+title, func(f page.Frame) (wrapped []string) {
			for _, line := range lines {
				wrapped = append(wrapped, style.Wrap(line, f.Width)...)
			}
			return wrapped
		}))
		return nil
	})
}
