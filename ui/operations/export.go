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
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// exportNow asks for the file to export to, with a name by the time.
func (c *copier) exportNow() {
	c.askExport("operations-"+c.session.Now().UTC().Format("20060102-150405")+".csv", "")
}

// askExport asks for the name of the file. wrong is why the last name failed, or "".
func (c *copier) askExport(name, wrong string) {
	files, what := c.session.Files, count(c.list.shown().Matches())+" rows shown, in this order"
	if c.list.shown().CountMarked() > 0 {
		what = c.countMarked()
	}
	c.session.Open(dialog.NewForm(dialog.FormSpec{
		Title: "Export", Wrong: wrong, Label: "File", Text: name, Verb: "Export", Submit: c.export,
		About: "Saves the " + what + ". The ending .csv or .json sets the format.",
		Note: func(name string) string {
			path, err := files.Path(name)
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
func (c *copier) export(name string) tea.Cmd {
	complete := c.list.extent().completeFor(c.session.ServiceNow())
	rows, partial := c.rows()
	files := c.session.Files
	return page.Call(c.session, page.Operations, func(context.Context) (string, error) {
		return writeFile(files, name, rows)
	}, func(path string, err error) tea.Cmd {
		path = models.Clean(path)
		switch {
		case err != nil:
			c.askExport(name, "Nothing was exported: "+models.Clean(err.Error())+".")
		case partial > 0:
			c.session.Notify(style.Waiting, fmt.Sprintf("✓ %s operations saved, %s of them marked as incomplete (%s): %s",
				count(len(rows)), count(partial), complete, path))
		default:
			c.session.Notify(
				style.Good, fmt.Sprintf("✓ %s operations saved to %s", count(len(rows)), path),
			)
		}
		return nil
	})
}

// writeFile writes a new file and returns its full path.
func writeFile(files page.Files, name string, operations []*row) (path string, err error) {
	var b bytes.Buffer
	write := func(w io.Writer, operations []*row) error { return writeCSV(w, ',', operations) }
	if filepath.Ext(name) == ".json" {
		write = writeJSON
	}
	err = write(&b, operations)
	if err != nil {
		return "", err
	}
	return files.WriteNew(name, b.Bytes())
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
			literal(o.ID), literal(o.ProjectID), literal(r.Name()), literal(o.BranchID),
			literal(o.EndpointID), literal(string(o.Action)), literal(string(o.Status)),
			strconv.FormatInt(o.FailuresCount, 10), at(o.CreatedAt), at(o.UpdatedAt), r.seconds(),
			literal(o.Error), strconv.FormatBool(!r.partial),
		})
	}
	out := csv.NewWriter(w)
	out.Comma = comma
	return out.WriteAll(lines)
}
