package format

import (
	"bufio"
	"encoding/csv"
	"io"
	"strings"
)

// Form is how rows, or records, are printed.
type Form int

// The forms.
const (
	Tabs     Form = iota // tabs between the cells, for programs
	Lines                // cells that line up
	Markdown             // a table in Markdown
	CSV
	Sheet    // as CSV, with tabs: for the clipboard of a spreadsheet
	JSON     // of records: an object on each line
	JSONList // of records: one list with all objects
)

// Printer prints rows of cells as lines. Flush returns the errors of writing.
type Printer struct {
	*bufio.Writer

	Form    Form
	Widths  []int   // of the columns of Lines
	Measure Measure // of the cells of Lines
	Indent  string  // before each row of Lines
}

// newPrinter returns a printer of a form. That of [Lines] needs its Widths and their Measure.
func newPrinter(output io.Writer, form Form) *Printer {
	return &Printer{Writer: bufio.NewWriter(output), Form: form}
}

// Print prints a table whose first row is its header. Its columns are as wide as they need.
func Print(output io.Writer, form Form, indent string, rows [][]string, measure Measure) error {
	p := newPrinter(output, form)
	p.Indent, p.Widths, p.Measure = indent, columnWidths(rows, measure), measure
	for i, row := range rows {
		if i == 0 {
			p.Head(row)
			continue
		}
		p.Row(row)
	}
	return p.Flush()
}

// Head prints the header of a table.
func (p *Printer) Head(titles []string) {
	p.Row(titles)
	if p.Form == Markdown {
		_, _ = p.WriteString("|" + strings.Repeat(" --- |", len(titles)) + "\n")
	}
}

// Row prints a row.
func (p *Printer) Row(cells []string) {
	text := ""
	switch p.Form {
	case Tabs:
		text = strings.Join(cells, "\t")
	case Lines:
		text = p.Indent + Line(cells, p.Widths, p.Measure)
	case Markdown:
		text = markdown(cells)
	case CSV, Sheet:
		p.separated(cells)
		return
	case JSON, JSONList: // have no rows
		return
	}
	_, _ = p.WriteString(text + "\n")
}

func (p *Printer) separated(cells []string) {
	w := csv.NewWriter(p.Writer) // which is used as its buffer
	if p.Form == Sheet {
		w.Comma = '\t'
	}
	_ = w.Write(cells) // an error comes with Flush
}
