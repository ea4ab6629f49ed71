package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"pgtower/models"
)

func addJSONFlag(cmd *cobra.Command) {
	cmd.Flags().Bool("json", false, "print as JSON what "+cmd.Name()+" says")
}

// asJSON reports whether a command was asked for JSON.
func asJSON(cmd *cobra.Command) bool {
	on, err := cmd.Flags().GetBool("json")
	return err == nil && on
}

// print prints rows with their columns aligned or, if asked, the report as JSON.
func (p Process) print(cmd *cobra.Command, report any, rows [][]string) error {
	if asJSON(cmd) {
		e := json.NewEncoder(p.Stdout)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(report)
	}
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		var cells []string
		for _, cell := range row {
			cells = append(cells, models.Clean(cell))
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(strings.Join(cells, "\t"), "\t ")); err != nil {
			return err
		}
	}
	return w.Flush()
}

// say prints a line for the user.
func (p Process) say(format string, args ...any) error {
	_, err := fmt.Fprintln(p.Stdout, models.Clean(fmt.Sprintf(format, args...)))
	return err
}
