package cli

import (
	"bufio"
	"bytes"
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
	name string      // of the API, in JSON and in the head of CSV
	of   func(T) any // a text, number or bool; nil where there is none

	// What people see; a column without a title is not for them.
	title string
	width int
	grow  bool              // it takes the room that is left over
	right bool              // its cells end at the same place
	spare bool              // it leaves where there is no room
	shown func(T) string    // in place of of
	since func(T) time.Time // a moment, where shown says nothing
}

// output writes lines: JSON, CSV, a table for people, or else fields with tabs between them.
type output[T any] struct {
	*bufio.Writer

	columns []column[T]
	form    form
	headed  bool
	width   int // of the terminal, where people read
	times   style.Times
	now     func() time.Time // the service's
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

// formOf is the form that flags ask for, or else the one that fits what reads it.
func formOf(to *os.File, asJSON, asCSV bool) (form, error) {
	switch {
	case asJSON && asCSV:
		return 0, usagef("--json and --csv cannot be combined")
	case asJSON:
		return formJSON, nil
	case asCSV:
		return formCSV, nil
	case term.IsTerminal(int(to.Fd())):
		return formTable, nil
	}
	return formTabs, nil
}

func newOutput[T any](to *os.File, f form, columns []column[T], times style.Times, now func() time.Time) *output[T] {
	o := &output[T]{Writer: bufio.NewWriter(to), columns: columns, form: f, width: defaultWidth, times: times, now: now}
	if width, _, err := term.GetSize(int(to.Fd())); err == nil && width > 0 {
		o.width = width
	}
	for i := range columns {
		if c, zone := &columns[i], times.Zone(now()); c.since != nil && zone != "" {
			c.title += " " + zone
			c.width = max(style.MomentWidth, len(c.title))
		}
	}
	return o
}

// write writes a line, and before the first one the head. The error is that of the reader, which may be gone.
func (o *output[T]) write(v T) error {
	o.head()
	var err error
	switch o.form {
	case formJSON:
		_, err = o.Write(append(o.object(v), '\n'))
	case formTable:
		_, err = o.WriteString(o.row(func(c *column[T]) string { return o.cell(c, v) }))
	default:
		cells := make([]string, len(o.columns))
		for i := range o.columns {
			value := o.columns[i].of(v)
			cells[i] = text(value)
			if literal, ok := value.(string); ok && o.form == formCSV {
				cells[i] = models.SpreadsheetText(literal)
			}
		}
		err = o.fields(cells)
	}
	return err
}

// head writes the names of the columns, where the form has them. An error comes with the next line.
func (o *output[T]) head() {
	if o.headed {
		return
	}
	o.headed = true
	switch o.form {
	case formTable:
		_, _ = o.WriteString(o.row(func(c *column[T]) string { return c.title }))
	case formCSV:
		names := make([]string, len(o.columns))
		for i := range o.columns {
			names[i] = o.columns[i].name
		}
		_ = o.fields(names)
	default:
	}
}

// fields writes a line of CSV, or of fields with tabs between them.
func (o *output[T]) fields(cells []string) error {
	if o.form == formTabs {
		_, err := o.WriteString(strings.Join(cells, "\t") + "\n")
		return err
	}
	w := csv.NewWriter(o.Writer)
	if err := w.Write(cells); err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

// object is a line of JSON, without the fields that have no value.
func (o *output[T]) object(v T) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	between := byte('{')
	for i := range o.columns {
		value := o.columns[i].of(v)
		if value == nil || value == "" {
			continue
		}
		b.WriteByte(between)
		between = ','
		b.WriteString(strconv.Quote(o.columns[i].name) + ":")
		_ = e.Encode(value)     // such values can be written
		b.Truncate(b.Len() - 1) // the line break
	}
	b.WriteByte('}')
	return b.Bytes()
}

// row is a line of the table, without the columns that there is no room for.
func (o *output[T]) row(cell func(*column[T]) string) string {
	const gap = 2
	room, grows := o.width+gap, 0
	for i := range o.columns {
		if c := &o.columns[i]; c.title != "" && !c.spare {
			room -= c.width + gap
		}
	}
	drawn := make([]*column[T], 0, len(o.columns))
	for i := range o.columns {
		c := &o.columns[i]
		if c.title == "" || c.spare && room < c.width+gap {
			continue
		}
		if c.spare {
			room -= c.width + gap
		}
		if c.grow {
			grows++
		}
		drawn = append(drawn, c)
	}
	cells := make([]string, len(drawn))
	for i, c := range drawn {
		width := c.width
		if c.grow && room > 0 {
			width += min(room/grows, c.width) // beside empty room, lines are hard to follow
		}
		cells[i] = style.Fit(cell(c), width)
		if c.right {
			cells[i] = style.Ends("", cell(c), width)
		}
	}
	return strings.TrimRight(strings.Join(cells, "  "), " ") + "\n"
}

// cell is what people see of a column.
func (o *output[T]) cell(c *column[T], v T) string {
	s := ""
	if c.shown != nil {
		s = c.shown(v)
	}
	switch {
	case s != "":
	case c.since != nil:
		s = o.times.Cell(c.since(v), o.now())
	default:
		s = text(c.of(v))
	}
	if s == "" {
		return style.None
	}
	return s
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

// known is the value of a field that may be absent, or nil.
func known[T any](v models.Opt[T]) any {
	if !v.Known {
		return nil
	}
	return v.Value
}
