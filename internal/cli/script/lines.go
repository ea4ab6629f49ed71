package script

import (
	"cmp"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"pgtower/models"
	"pgtower/models/format"
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

// alwaysShown are fields of every kind of record that only JSON has.
var alwaysShown = []string{"error_cut", "damage"}

// output prints records. [format.Printer.Flush] returns the errors of writing.
type output[T any] struct {
	*format.Records
	layout[T]
}

// newOutput begins an output with the header. By default, it is a table in a terminal, and tabs elsewhere.
func newOutput[T any](o *Options, file *os.File, l layout[T]) *output[T] {
	form := format.Tabs
	switch {
	case len(o.Fields) > 0:
		chosen := format.Names{Fields: o.Fields, Always: o.Fields}
		return &output[T]{layout: l, Records: format.NewRecords(file, format.JSON, chosen)}
	case o.JSON:
		form = format.JSON
	case o.CSV:
		form = format.CSV
	case term.IsTerminal(int(file.Fd())):
		form = format.Lines
	}
	return outputOf(file, form, widthOf(file), l)
}

// outputOf begins an output of a form with the header. A table of lines has that width.
func outputOf[T any](to io.Writer, form format.Form, width int, l layout[T]) *output[T] {
	names := format.Names{Fields: l.fields, Aside: alwaysShown}
	out := &output[T]{layout: l, Records: format.NewRecords(to, form, names)}
	if form == format.Lines {
		out.Measure = style.PrintedWidth
		out.fit(width)
	}
	if out.hasColumns() {
		var titles []string
		for _, c := range out.columns {
			titles = append(titles, c.title)
		}
		out.Head(titles)
	}
	return out
}

// hasColumns reports whether the form has the columns of the layout, and not its fields.
func (o *output[T]) hasColumns() bool { return o.Form == format.Lines || o.Form == format.Markdown }

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
		o.Widths = append(o.Widths, max(c.width, len(c.title)))
		width -= o.Widths[len(o.Widths)-1] + len(format.Gap)
	}
	for i, c := range slices.Backward(o.columns) {
		if c.spare && width+len(format.Gap) < 0 {
			width += o.Widths[i] + len(format.Gap)
			o.columns, o.Widths = slices.Delete(o.columns, i, i+1), slices.Delete(o.Widths, i, i+1)
		}
	}
}

func (o *output[T]) write(record T) {
	values := o.values(record)
	if o.hasColumns() {
		o.Row(o.cells(record, values))
		return
	}
	o.Print(values)
}

// cells returns the cells of a table.
func (o *output[T]) cells(record T, values models.Fields) (cells []string) {
	for i, c := range o.columns {
		cell := ""
		if c.shown != nil {
			cell = c.shown(record)
		}
		cell = cmp.Or(cell, values.Text(c.field), style.None)
		if c.cut && o.Form == format.Lines {
			cell = style.CutMiddle(cell, o.Widths[i])
		}
		cells = append(cells, cell)
	}
	return cells
}

// moments formats times for the table.
type moments struct {
	style.Times

	now   func() time.Time
	dated bool // with the date in every cell: for what is read on another day
}

// noClock is a clock for layouts of which only the fields are used.
func noClock() time.Time { return time.Time{} }

// utcTimes returns the format of times that no setting chooses.
func utcTimes(now func() time.Time) moments {
	return moments{Times: style.TimesOf(style.UTC, time.UTC, false), now: now}
}

func (m moments) title(name string) string { return strings.TrimSpace(name + " " + m.Zone(m.now())) }

func (m moments) cell(t time.Time) string {
	if m.dated && !t.IsZero() {
		return m.In(t).Format(time.DateTime)
	}
	return m.Cell(t, m.now())
}
