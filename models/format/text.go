// Package format prints tables and records: for the export of the dashboard, for the commands for scripts, for reports.
package format

import "strings"

// Measure returns how many cells of a terminal, or how many characters, a text takes.
type Measure func(text string) int

// columnWidths returns the width of each column of rows. The last cell of a row ends its line, and needs none.
func columnWidths(rows [][]string, measure Measure) (widths []int) {
	for _, row := range rows {
		for i := range len(row) - 1 {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], measure(row[i]))
		}
	}
	return widths
}

// Gap is between two columns.
const Gap = "  "

// Line returns a row as a line. A cell that is too wide for its column shifts the next ones.
func Line(row []string, widths []int, measure Measure) string {
	var line strings.Builder
	for i, cell := range row {
		if i > 0 {
			line.WriteString(strings.Repeat(" ", max(0, widths[i-1]-measure(row[i-1]))) + Gap)
		}
		line.WriteString(cell)
	}
	return strings.TrimRight(line.String(), " ")
}

// markdown returns a row of a table in Markdown.
func markdown(row []string) string {
	var cells []string
	for _, cell := range row {
		cells = append(cells, Escape(cell))
	}
	return "| " + strings.Join(cells, " | ") + " |"
}

// Escape returns a text without any markup of Markdown.
func Escape(text string) string {
	var out strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_[]<>|#~", r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}
