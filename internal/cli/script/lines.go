package script

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"pgtower/models"
	"pgtower/models/table"
	"pgtower/ui/style"
)

// layout is how records are printed.
type layout[T any] struct {
	fields  []string // in JSON, CSV and tabs; the names of the API
	values  func(T) models.Fields
	columns []column[T] // of the table
}

// column is a column of a table.
type column[T any] struct {
	title string
	field string         // whose value it shows
	width int            // minimum
	cut   bool           // width is the maximum, too, so that the next columns line up
	spare bool           // left out in a narrow terminal
	shown func(T) string // what it shows instead of the value; may be nil
}

// form is the format of an output.
type form int

const (
	formTabs form = iota
	formTable
	formJSON
	formCSV
	formMarkdown
)

// output writes values as lines. Flush returns the errors of writing.
type output[T any] struct {
	*bufio.Writer
	layout[T]

	form   form
	widths []int // of the columns of a table
}

// newOutput begins an output with the header. By default, it is a table in a terminal, and tabs elsewhere.
func newOutput[T any](o *Options, to *os.File, l layout[T]) *output[T] {
	out := &output[T]{Writer: bufio.NewWriter(to), layout: l}
	switch {
	case o.JSON:
		out.form = formJSON
	case o.CSV:
		out.form = formCSV
	case term.IsTerminal(int(to.Fd())):
		out.form = formTable
		out.fit(widthOf(to))
	}
	out.header()
	return out
}

// newMarkdown begins a table in Markdown.
func newMarkdown[T any](to *os.File, l layout[T]) *output[T] {
	out := &output[T]{Writer: bufio.NewWriter(to), layout: l, form: formMarkdown}
	out.header()
	return out
}

// widthOf returns the width of a terminal, 80 if it is unknown.
func widthOf(f *os.File) int {
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		return width
	}
	return 80
}

// fit leaves out spare columns, the last ones first, until the table fits into the width.
func (o *output[T]) fit(width int) {
	for _, c := range o.columns {
		o.widths = append(o.widths, max(c.width, len(c.title)))
		width -= o.widths[len(o.widths)-1] + len(table.Gap)
	}
	for i, c := range slices.Backward(o.columns) {
		if c.spare && width+len(table.Gap) < 0 {
			width += o.widths[i] + len(table.Gap)
			o.columns, o.widths = slices.Delete(o.columns, i, i+1), slices.Delete(o.widths, i, i+1)
		}
	}
}

// header writes the names of the columns, if the form has a header.
func (o *output[T]) header() {
	var titles []string
	for _, c := range o.columns {
		titles = append(titles, c.title)
	}
	switch o.form {
	case formTable:
		o.row(titles)
	case formMarkdown:
		o.row(titles)
		_, _ = o.WriteString(table.Rule(len(titles)) + "\n")
	case formCSV:
		o.row(o.fields)
	case formTabs, formJSON:
	}
}

func (o *output[T]) write(record T) {
	values := o.values(record)
	switch o.form {
	case formJSON:
		_, _ = o.Write(append(values.JSON(append(slices.Clip(o.fields), "error_cut", "damage")), '\n'))
	case formCSV:
		o.row(values.Literals(o.fields))
	case formTabs:
		o.row(values.Texts(o.fields))
	case formTable, formMarkdown:
		o.row(o.cells(record, values))
	}
}

// cells returns the cells of a table.
func (o *output[T]) cells(record T, values models.Fields) (cells []string) {
	for i, c := range o.columns {
		cell := ""
		if c.shown != nil {
			cell = c.shown(record)
		}
		cell = cmp.Or(cell, values.Text(c.field), style.None)
		if c.cut && o.form == formTable {
			cell = style.CutMiddle(cell, o.widths[i])
		}
		cells = append(cells, cell)
	}
	return cells
}

// row writes a line.
func (o *output[T]) row(cells []string) {
	text := ""
	switch o.form {
	case formTabs:
		text = strings.Join(cells, "\t")
	case formTable:
		text = table.Line(cells, o.widths, style.PrintedWidth)
	case formMarkdown:
		text = table.Markdown(cells)
	case formCSV:
		_ = csv.NewWriter(o.Writer).Write(cells) // into the same buffer; an error comes with Flush
		return
	case formJSON: // has no rows
		return
	}
	_, _ = o.WriteString(text + "\n")
}

// moments formats times for the table.
type moments struct {
	style.Times

	now   func() time.Time
	dated bool // with the date in every cell: for what is read on another day
}

func (m moments) title(name string) string { return strings.TrimSpace(name + " " + m.Zone(m.now())) }

func (m moments) cell(t time.Time) string {
	if m.dated && !t.IsZero() {
		return m.In(t).Format(time.DateTime)
	}
	return m.Cell(t, m.now())
}
