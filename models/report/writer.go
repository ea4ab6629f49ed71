package report

import (
	"strings"
	"unicode/utf8"
)

// writer writes paragraphs and tables, as plain text or as Markdown.
type writer struct {
	strings.Builder

	markdown bool
}

// begin separates what follows from what is there.
func (w *writer) begin() {
	if w.Len() > 0 {
		_ = w.WriteByte('\n')
	}
}

func (w *writer) line(text string) { _, _ = w.WriteString(strings.TrimRight(text, " ") + "\n") }

// heading writes a heading of a level from 1.
func (w *writer) heading(level int, text string) {
	w.begin()
	if w.markdown {
		w.line(strings.Repeat("#", level) + " " + Escape(text))
		return
	}
	w.line(text)
	if level < 3 {
		w.line(strings.Repeat(string("=-"[level-1]), utf8.RuneCountInString(text)))
	}
}

func (w *writer) paragraph(text string) {
	w.begin()
	if w.markdown {
		text = Escape(text)
	}
	w.line(text)
}

// facts writes a list of names with their texts.
func (w *writer) facts(all []Fact) {
	if len(all) > 0 {
		w.begin()
	}
	for _, one := range all {
		if one.Text != "" {
			w.item(one.Name + ": " + one.Text)
		}
	}
}

// item writes an item of a list.
func (w *writer) item(text string) {
	if w.markdown {
		text = Escape(text)
	}
	w.line("- " + text)
}

// code writes lines as they are.
func (w *writer) code(lines []string) {
	w.begin()
	if w.markdown {
		w.line("```")
	}
	for _, one := range lines {
		w.line(one)
	}
	if w.markdown {
		w.line("```")
	}
}

// table writes a table with a header. Columns without a value are left out.
func (w *writer) table(rows [][]string) {
	w.begin()
	widths := make([]int, len(rows[0]))
	used := make([]bool, len(rows[0]))
	for i, row := range rows {
		for c, cell := range row {
			widths[c] = max(widths[c], utf8.RuneCountInString(cell))
			used[c] = used[c] || i > 0 && cell != ""
		}
	}
	for i, row := range rows {
		var cells, rule []string
		for c, cell := range row {
			switch {
			case !used[c]:
				continue
			case w.markdown:
				cell = Escape(cell)
			default:
				cell += strings.Repeat(" ", widths[c]-utf8.RuneCountInString(cell))
			}
			cells, rule = append(cells, cell), append(rule, "---")
		}
		if !w.markdown {
			w.line("  " + strings.Join(cells, "  "))
			continue
		}
		w.line("| " + strings.Join(cells, " | ") + " |")
		if i == 0 {
			w.line("| " + strings.Join(rule, " | ") + " |")
		}
	}
}

// Escape escapes a text for Markdown.
func Escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\\`*_[]<>|#~", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
