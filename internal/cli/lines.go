package cli

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"pgtower/models"
	"pgtower/ui/style"
)

// column is a field of an output.
type column[T any] struct {
	name  string         // in JSON and CSV; that of the API
	value func(T) any    // a string, number or bool; nil or "" if there is none
	title string         // in the table; "": the table does not have it
	width int            // minimum width in the table
	spare bool           // left out in a narrow terminal
	shown func(T) string // what the table shows instead of the value; "": the value
}

// form is the format of an output.
type form int

const (
	formTabs form = iota
	formTable
	formJSON
	formCSV
)

// output writes values as lines. Flush returns the errors of writing.
type output[T any] struct {
	*bufio.Writer

	columns []column[T]
	form    form
	csv     *csv.Writer
}

// newOutput begins an output with the header. By default, it is a table in a terminal, and tabs elsewhere.
func newOutput[T any](s *script, to *os.File, columns []column[T]) *output[T] {
	o := &output[T]{Writer: bufio.NewWriter(to), columns: columns}
	switch {
	case s.json:
		o.form = formJSON
	case s.csv:
		o.form = formCSV
	case term.IsTerminal(int(to.Fd())):
		o.form = formTable
		o.fit(widthOf(to))
	}
	o.header()
	return o
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
		if c.title != "" {
			width -= max(c.width, len(c.title)) + len(gap)
		}
	}
	for i := range slices.Backward(o.columns) {
		if c := &o.columns[i]; c.spare && width+len(gap) < 0 {
			width += max(c.width, len(c.title)) + len(gap)
			c.title = ""
		}
	}
}

// header writes the names of the columns, if the form has a header.
func (o *output[T]) header() {
	switch o.form {
	case formTable:
		o.row(func(c column[T]) string { return c.title })
	case formCSV:
		o.csv = csv.NewWriter(o.Writer)
		o.row(func(c column[T]) string { return c.name })
	case formTabs, formJSON:
	}
}

func (o *output[T]) write(v T) {
	if o.form == formJSON {
		o.object(v)
		return
	}
	o.row(func(c column[T]) string {
		value := c.value(v)
		literal, isText := value.(string)
		switch {
		case o.form == formTable && c.shown != nil:
			return cmp.Or(c.shown(v), text(value), style.None)
		case o.form == formTable:
			return cmp.Or(text(value), style.None)
		case o.form == formCSV && isText:
			return models.SpreadsheetText(literal)
		}
		return text(value)
	})
}

// object writes a line of JSON. Fields without a value are left out.
func (o *output[T]) object(v T) {
	var fields []string
	for _, c := range o.columns {
		if value := c.value(v); value != nil && value != "" {
			literal, _ := json.Marshal(value) // such values can be written
			fields = append(fields, strconv.Quote(c.name)+":"+string(literal))
		}
	}
	_, _ = o.WriteString("{" + strings.Join(fields, ",") + "}\n")
}

const gap = "  "

// row writes a line of cells. In the table, a cell that is too long shifts the next ones.
func (o *output[T]) row(cell func(column[T]) string) {
	var cells []string
	for _, c := range o.columns {
		switch {
		case o.form != formTable:
			cells = append(cells, cell(c))
		case c.title != "":
			s := cell(c)
			cells = append(cells, s+style.Spaces(max(c.width, len(c.title))-style.Width(s)))
		}
	}
	switch o.form {
	case formCSV:
		_ = o.csv.Write(cells) // an error comes with Flush
	case formTable:
		_, _ = o.WriteString(strings.TrimRight(strings.Join(cells, gap), " ") + "\n")
	default:
		_, _ = o.WriteString(strings.Join(cells, "\t") + "\n")
	}
}

func text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	b, _ := json.Marshal(v) // a number or a bool
	return string(b)
}

// moments formats times for the table.
type moments struct {
	style.Times

	now func() time.Time
}

func (m moments) title(name string) string { return strings.TrimSpace(name + " " + m.Zone(m.now())) }

func (m moments) cell(t time.Time) string { return m.Cell(t, m.now()) }

// moment returns a time as the API writes it, with microseconds if it has any, or nil for a zero time.
func moment(t time.Time) any {
	layout := time.RFC3339Nano
	switch {
	case t.IsZero():
		return nil
	case t.Nanosecond()%1000 == 0 && t.Nanosecond() > 0:
		layout = "2006-01-02T15:04:05.000000Z07:00"
	}
	return t.UTC().Format(layout)
}

// when returns a value if it is known, otherwise nil.
func when(known bool, value any) any {
	if !known {
		return nil
	}
	return value
}

// known returns the value of an optional field, or nil.
func known[T any](v models.Opt[T]) any { return when(v.Known, v.Value) }
