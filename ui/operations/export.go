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
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// export writes the rows that are shown to a file.
type export struct {
	*state

	table *table.Model[row, key]
}

// action declares it.
func (x export) action() action.Action {
	a := action.Action{ID: "export", Title: "export", Keys: []string{"e"}, Run: action.Do(func() {
		x.ask("operations-"+x.session.Now().UTC().Format("20060102-150405")+".csv", "")
	})}
	if x.table.Matches() == 0 {
		a.Disabled = "there is nothing to export"
	}
	return a
}

// ask asks for the name of the file. wrong is what became of the name before.
func (x export) ask(name, wrong string) {
	const ending = "The file must end in .csv or .json."
	x.session.Emit(page.Open{Dialog: dialog.NewForm(dialog.FormSpec{
		Title: "Export",
		Wrong: wrong,
		About: fmt.Sprintf("Saves the %s rows shown, in this order. %s", count(x.table.Matches()), ending),
		Label: "File",
		Text:  name,
		Verb:  "Export",
		Check: func(name string) string {
			if ext := filepath.Ext(name); ext != ".csv" && ext != ".json" {
				return ending
			}
			return ""
		},
		Submit: x.write,
	})})
}

// exported is what became of an export.
type exported struct {
	name, path string
	count      int
	partial    int    // of them as many as others may be missing around
	complete   string // for how long none is missing
	err        error
}

// write writes the rows that are shown now, whatever arrives while that is done.
func (x export) write(name string) tea.Cmd {
	e := x.extent()
	out := exported{name: name, complete: e.completeFor(x.session.ServiceNow())}
	rows := make([]row, 0, x.table.Matches())
	for r := range x.table.Matching() {
		if r.op == nil {
			continue
		}
		if r.partial = r.partial || e.except != ""; r.partial {
			out.partial++
		}
		rows = append(rows, r)
	}
	return x.session.Do(page.Operations, func(context.Context) tea.Msg {
		out.count = len(rows)
		out.path, out.err = writeFile(name, rows)
		return out
	})
}

func (x export) done(msg exported) {
	if msg.err != nil {
		x.ask(msg.name, "Nothing was exported: "+models.Clean(msg.err.Error())+".")
		return
	}
	path := models.Clean(msg.path)
	said := page.Notice{Tone: style.Good, Text: fmt.Sprintf("✓ %s operations written to %s", count(msg.count), path)}
	if msg.partial > 0 {
		said.Tone = style.Waiting
		said.Text = fmt.Sprintf("✓ %s operations written, %s of them marked as not complete (%s): %s",
			count(msg.count), count(msg.partial), msg.complete, path)
	}
	x.session.Emit(said)
}

// writeFile writes a new file and returns its full path. A file that is there is left
// alone, and one that could not be finished is removed.
func writeFile(name string, operations []row) (path string, err error) {
	if path, err = filepath.Abs(name); err != nil {
		return "", err
	}
	var b bytes.Buffer
	if filepath.Ext(name) == ".json" {
		err = writeJSON(&b, operations)
	} else {
		err = writeCSV(&b, operations)
	}
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the user named it
	if errors.Is(err, os.ErrExist) {
		return "", fmt.Errorf("%s already exists: choose another name", path)
	}
	if err != nil {
		return "", err
	}
	_, err = f.Write(b.Bytes())
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
	c := csv.NewWriter(w)
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
	return c.WriteAll(lines)
}

// literal returns a text of the service as a cell that no spreadsheet takes for a formula:
// behind an apostrophe where it begins like one, as OWASP advises.
func literal(cell string) string {
	if strings.IndexAny(cell, "=+-@\t\r\n＝＋－＠") == 0 {
		return "'" + cell
	}
	return cell
}
