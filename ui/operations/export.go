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

// exportWanted is the name that the person gave to the file.
type exportWanted struct{ name string }

// askExport asks for the name of the file. wrong is what became of the name before.
func (p *Page) askExport(name, wrong string) {
	n := p.table.List().Matches()
	p.session.Tell(page.Open{Dialog: dialog.NewForm(dialog.FormSpec{
		Title: "Export",
		Wrong: wrong,
		About: fmt.Sprintf("Writes the %s rows that are shown, in their order, to a new file. Its ending says as what: .csv or .json.", count(n)),
		Label: "File",
		Text:  name,
		Verb:  "Export",
		Check: wrongFile,
		Then:  func(name string) tea.Msg { return to(exportWanted{name}) },
	})})
}

// wrongFile says why a file cannot have the name, or nothing.
func wrongFile(name string) string {
	switch filepath.Ext(name) {
	case ".csv", ".json":
		return ""
	}
	return "The name has to end in .csv or .json."
}

// export writes the rows that are shown now, whatever arrives while that is done.
func (p *Page) export(name string) tea.Cmd {
	list := p.table.List()
	e := p.extent()
	rows, partial := make([]row, 0, list.Matches()), 0
	for r := range list.Matching() {
		if r.op == nil {
			continue
		}
		r.partial = r.partial || e.except != ""
		rows = append(rows, r)
		if r.partial {
			partial++
		}
	}
	complete := e.completeFor(p.session.ServiceNow())
	return p.do(func(context.Context) tea.Msg {
		path, err := writeFile(name, rows)
		return exported{name, path, len(rows), partial, complete, err}
	})
}

// exported is what became of an export.
type exported struct {
	name, path string
	count      int
	partial    int    // of them as many as others may be missing around
	complete   string // for how long none is missing
	err        error
}

func (p *Page) tookExported(msg exported) tea.Cmd {
	if msg.err != nil {
		p.askExport(msg.name, "Nothing was exported: "+models.Clean(msg.err.Error())+".")
		return nil
	}
	said := page.Notice{Tone: style.Good, Text: fmt.Sprintf("✓ %s operations written to %s", count(msg.count), models.Clean(msg.path))}
	if msg.partial > 0 {
		said.Tone = style.Waiting
		said.Text = fmt.Sprintf("✓ %s operations written, %s of them marked as not complete (%s): %s",
			count(msg.count), count(msg.partial), msg.complete, models.Clean(msg.path))
	}
	return page.Say(said)
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
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the person named it
	if errors.Is(err, os.ErrExist) {
		return "", fmt.Errorf("%s is there already, and is not overwritten: choose another name", path)
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
	lines := [][]string{strings.Fields("id project_id branch_id endpoint_id action status failures_count created_at updated_at error complete")}
	for _, r := range operations {
		o := r.op
		lines = append(lines, []string{
			literal(o.ID), literal(o.ProjectID), literal(o.BranchID), literal(o.EndpointID), literal(string(o.Action)), literal(string(o.Status)),
			strconv.FormatInt(o.FailuresCount, 10), at(o.CreatedAt), at(o.UpdatedAt), literal(o.Error), strconv.FormatBool(!r.partial),
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
