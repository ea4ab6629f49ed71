package operations

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// exported is what became of an export of the rows that were shown.
type exported struct {
	name, path string
	count      int
	partial    int    // of them as many as others may be missing around
	complete   string // for how long none is missing
	err        error
}

// askExport asks for the name of the file. wrong is what became of the name before.
func (s *state) askExport(name, wrong string) {
	const ending = "The file must end in .csv or .json."
	s.session.Emit(page.Open{Dialog: dialog.NewForm(dialog.FormSpec{
		Title: "Export", Wrong: wrong, Label: "File", Text: name, Verb: "Export", Submit: s.export,
		About: fmt.Sprintf("Saves the %s rows shown, in this order. %s", count(s.table.Matches()), ending),
		Check: func(name string) string {
			if ext := filepath.Ext(name); ext != ".csv" && ext != ".json" {
				return ending
			}
			return ""
		},
	})})
}

// export writes the rows that are shown now, whatever arrives while that is done.
func (s *state) export(name string) tea.Cmd {
	e := s.extent()
	out := exported{name: name, complete: e.completeFor(s.session.ServiceNow())}
	rows := make([]row, 0, s.table.Matches())
	for r := range s.table.Matching() {
		if r.op == nil {
			continue
		}
		if r.partial = r.partial || e.except+e.dated != ""; r.partial {
			out.partial++
		}
		rows = append(rows, r)
	}
	return s.session.Do(page.Operations, func(context.Context) tea.Msg {
		out.count = len(rows)
		out.path, out.err = writeFile(name, rows)
		return out
	})
}

func (s *state) exported(x exported) {
	if x.err != nil {
		s.askExport(x.name, "Nothing was exported: "+models.Clean(x.err.Error())+".")
		return
	}
	path := models.Clean(x.path)
	said := page.Notice{Tone: style.Good, Text: fmt.Sprintf("✓ %s operations written to %s", count(x.count), path)}
	if x.partial > 0 {
		said.Tone = style.Waiting
		said.Text = fmt.Sprintf("✓ %s operations written, %s of them marked as not complete (%s): %s",
			count(x.count), count(x.partial), x.complete, path)
	}
	s.session.Emit(said)
}

// writeFile writes a new file and returns its full path. A file that is there is left
// alone, and one that could not be finished is removed.
func writeFile(name string, operations []row) (path string, err error) {
	if path, err = filepath.Abs(name); err != nil {
		return "", err
	}
	var b bytes.Buffer
	write := writeCSV
	if filepath.Ext(name) == ".json" {
		write = writeJSON
	}
	if err = write(&b, operations); err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the user named it
	switch {
	case errors.Is(err, os.ErrExist):
		return "", fmt.Errorf("%s already exists: choose another name", path)
	case err != nil:
		return "", err
	}
	_, err = b.WriteTo(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(path))
	}
	return path, nil
}

// writeJSON writes the operations as the service would, each with whether those around it are
// complete.
func writeJSON(w io.Writer, operations []row) error {
	out := make([]json.RawMessage, len(operations))
	for i, r := range operations {
		b, err := json.Marshal(r.op)
		if err != nil {
			return err
		}
		out[i] = fmt.Appendf(b[:len(b)-1], `,"complete":%t}`, !r.partial)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(out)
}

// writeCSV writes a line of the API's field names and one for each operation, and whether
// those around it are complete.
func writeCSV(w io.Writer, operations []row) error {
	at := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.UTC().Format(time.RFC3339Nano)
	}
	const fields = "id project_id branch_id endpoint_id action status failures_count created_at updated_at error complete"
	lines := [][]string{strings.Fields(fields)}
	for _, r := range operations {
		o := r.op
		lines = append(lines, []string{
			literal(o.ID), literal(o.ProjectID), literal(o.BranchID), literal(o.EndpointID),
			literal(string(o.Action)), literal(string(o.Status)), strconv.FormatInt(o.FailuresCount, 10),
			at(o.CreatedAt), at(o.UpdatedAt), literal(o.Error), strconv.FormatBool(!r.partial),
		})
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// literal returns a text of the service as a cell that no spreadsheet takes for a formula:
// behind an apostrophe where it begins like one, as OWASP advises.
func literal(cell string) string {
	if strings.IndexAny(cell, "=+-@\t\r\n＝＋－＠") == 0 {
		return "'" + cell
	}
	return cell
}
