package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	"pgtower/models/format"
)

// writer writes paragraphs and tables, as plain text or as Markdown.
type writer struct {
	strings.Builder

	markdown bool
}

// begin writes an empty line, unless the text is empty.
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
		w.line(strings.Repeat("#", level) + " " + format.Escape(text))
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
		text = format.Escape(text)
	}
	w.line(text)
}

// facts writes a list of names with their texts.
func (w *writer) facts(list []Fact) {
	if len(list) > 0 {
		w.begin()
	}
	for _, entry := range list {
		if entry.Text != "" {
			w.item(entry.Name + ": " + entry.Text)
		}
	}
}

func (w *writer) item(text string) {
	if w.markdown {
		text = format.Escape(text)
	}
	w.line("- " + text)
}

func (w *writer) code(lines []string) {
	w.begin()
	if w.markdown {
		w.line("```")
	}
	for _, line := range lines {
		w.line(line)
	}
	if w.markdown {
		w.line("```")
	}
}

// table writes a table with a header. Columns without a value are left out.
func (w *writer) table(rows [][]string) {
	w.begin()
	form := format.Lines
	if w.markdown {
		form = format.Markdown
	}
	_ = format.Print(w, form, format.Gap, withValues(rows), utf8.RuneCountInString) // a Builder returns no errors
}

// withValues returns a table without the columns that have nothing but a header.
func withValues(rows [][]string) [][]string {
	out := make([][]string, len(rows))
	for c := range rows[0] {
		if !slices.ContainsFunc(rows[1:], func(row []string) bool { return row[c] != "" }) {
			continue
		}
		for i, row := range rows {
			out[i] = append(out[i], row[c])
		}
	}
	return out
}
