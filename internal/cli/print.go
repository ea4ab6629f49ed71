package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"pgtower/models"
)

// printTable prints rows with their columns aligned. What is not pgtower's own text may
// be in it: every cell is cleaned.
func (p Process) printTable(rows [][]string) error {
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		cells := make([]string, 0, len(row))
		for _, cell := range row {
			cells = append(cells, models.Clean(cell))
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(strings.Join(cells, "\t"), "\t ")); err != nil {
			return err
		}
	}
	return w.Flush()
}

// printJSON prints a value for other programs to read.
func (p Process) printJSON(v any) error {
	e := json.NewEncoder(p.Stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// say prints a line for a person.
func (p Process) say(format string, args ...any) error {
	_, err := fmt.Fprintln(p.Stdout, models.Clean(fmt.Sprintf(format, args...)))
	return err
}
