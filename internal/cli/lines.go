package cli

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"pgtower/models"
	"pgtower/ui/style"
)

// column is a field of the lines that a command writes.
type column[T any] struct {
	name  string         // of the API, in JSON and in the head of CSV
	value func(T) any    // a text, number or bool; nil or "" where there is none
	title string         // in the table; a column without a title is not in it
	width int            // in the table, at least
	spare bool           // a narrow terminal does without it
	shown func(T) string // in the table, in place of the value where it is not empty
}

// form is how lines are written.
type form int

const (
	formTabs form = iota
	formTable
	formJSON
	formCSV
)

// defaultWidth is that of a terminal that does not say it.
const defaultWidth = 80

// output writes lines in a form. Errors of writing come with Flush.
type output[T any] struct {
	*bufio.Writer

	columns []column[T]
	form    form
	csv     *csv.Writer
}

// newOutput begins an output with its head. The form is the one that flags ask for, or else fits what reads it.
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
	o.head()
	return o
}

// widthOf is the width of a terminal.
func widthOf(f *os.File) int {
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		return width
	}
	return defaultWidth
}

// fit leaves out spare columns of a table that is wider than the terminal, the first ones first.
func (o *output[T]) fit(width int) {
	for _, c := range o.columns {
		if c.title != "" {
			width -= max(c.width, len(c.title)) + len(gap)
		}
	}
	for i := range o.columns {
		if c := &o.columns[i]; c.spare && width+len(gap) < 0 {
			width += max(c.width, len(c.title)) + len(gap)
			c.title = ""
		}
	}
}

// head writes the names of the columns, where the form has them.
func (o *output[T]) head() {
	switch o.form {
	case formTable:
		o.row(func(c column[T]) string { return c.title })
	case formCSV:
		o.csv = csv.NewWriter(o.Writer)
		o.row(func(c column[T]) string { return c.name })
	case formTabs, formJSON:
	}
}

// write writes a line.
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

// object writes a line of JSON, without the fields that have no value.
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

// row writes a line of cells. A cell of the table that is too long moves what follows it.
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

// text is a value as text.
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

// moments shows times to people.
type moments struct {
	style.Times

	now func() time.Time
}

func (m moments) title(name string) string { return strings.TrimSpace(name + " " + m.Zone(m.now())) }

func (m moments) cell(t time.Time) string { return m.Cell(t, m.now()) }

// moment is a time as the API writes it, with microseconds if it has any, or nil for none.
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

// when returns a value that is known, or nil.
func when(known bool, value any) any {
	if !known {
		return nil
	}
	return value
}

// known is the value of a field that may be absent, or nil.
func known[T any](v models.Opt[T]) any { return when(v.Known, v.Value) }
