// Package record has the type of a field of a record. A record declares its fields once, in its own package: columns, the
// fields of filters, details, exports and the lists of commands for scripts derive from them.
package record

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Kind is what the values of a field are. It decides how they are written, searched, ordered and aligned.
type Kind int

// The kinds of values.
const (
	ID        Kind = iota // a text by which the service knows something
	Serial                // a number by which the service knows something
	Word                  // any other text
	Number                // a whole number
	Seconds               // a whole number of seconds
	Mebibytes             // a whole number of MiB
	Moment                // a time
	YesNo                 // yes or no
)

// Counts reports whether the values are numbers.
func (k Kind) Counts() bool { return k == Number || k == Seconds || k == Mebibytes }

// Value is a value of a field. Where it is unknown, the others are zero.
type Value struct {
	Known  bool
	Text   string // also yes or no
	Number int64
	Time   time.Time
}

// Compare orders values of one kind. An unknown value is zero.
func (v Value) Compare(other Value) int {
	return cmp.Or(
		strings.Compare(v.Text, other.Text), cmp.Compare(v.Number, other.Number), v.Time.Compare(other.Time),
	)
}

// Getter gets a value of a row at some time. It runs on any goroutine.
type Getter[R any] struct {
	Kind Kind
	At   func(row R, now time.Time) Value
}

// IDs gets an id. An empty one is unknown.
func IDs[R any](get func(R) string) Getter[R] { return texts(ID, get) }

// Words gets a text. An empty one is unknown.
func Words[R any](get func(R) string) Getter[R] { return texts(Word, get) }

func texts[R any](kind Kind, get func(R) string) Getter[R] {
	return Getter[R]{kind, func(row R, _ time.Time) Value {
		text := get(row)
		return Value{Known: text != "", Text: text}
	}}
}

// Counts gets a number of a kind.
func Counts[R any](kind Kind, get func(R) (n int64, known bool)) Getter[R] {
	return Getter[R]{kind, func(row R, _ time.Time) Value {
		n, known := get(row)
		return Value{Known: known, Number: n}
	}}
}

// Moments gets a time. A zero one is unknown.
func Moments[R any](get func(R) time.Time) Getter[R] {
	return Getter[R]{Moment, func(row R, _ time.Time) Value {
		t := get(row)
		return Value{Known: !t.IsZero(), Time: t}
	}}
}

// Flags gets yes or no.
func Flags[R any](get func(R) (is, known bool)) Getter[R] {
	return Getter[R]{YesNo, func(row R, _ time.Time) Value {
		is, known := get(row)
		text := ""
		switch {
		case known && is:
			text = "yes"
		case known:
			text = "no"
		}
		return Value{Known: known, Text: text}
	}}
}

// Field is a field of records of type R.
type Field[R any] struct {
	Name    string // that of the API
	Get     Getter[R]
	Derived bool // the API has no such field: it is a column, or of filters, only
	Aside   bool // only JSON has it: it is about the record

	// As a column of a table:

	Title       string
	Width, Grow int  // see [pgtower/ui/table.Column], as are the next ones
	Least       int  //
	Priority    int  //
	Plain       bool // its cells are not muted, as no text or number of a column of priority 0 is
	// Lost and Never are what is shown for a value that could not be read, and for a known zero time; "" for the usual.
	Lost, Never string

	// As a field of filters:

	Filter   string         // its name there
	Searched int            // the least characters of a word without a field that also searches it; 0: none does
	Whole    bool           // a value in quotes is all of a text
	Also     func(R) string // another text that it searches; may be nil

	// In details:

	Absent bool // there is no line while it is unknown
	Unseen bool // there never is a line
}

// Instead returns what a list shows in place of a value, or "".
func (f *Field[R]) Instead(v Value) string {
	switch {
	case !v.Known:
		return f.Lost
	case v.Time.IsZero():
		return f.Never
	}
	return ""
}

// Compare orders rows by the field.
func (f *Field[R]) Compare(a, b R, now time.Time) int {
	return f.Get.At(a, now).Compare(f.Get.At(b, now))
}

// Part returns the fields of a part of each row. Where a row has none, they are unknown.
func Part[R, P any](fields []Field[P], part func(R) (p P, ok bool)) []Field[R] {
	out := make([]Field[R], len(fields))
	for i, f := range fields {
		out[i] = Field[R]{
			Name: f.Name, Derived: f.Derived, Aside: f.Aside,
			Get: Getter[R]{f.Get.Kind, func(row R, now time.Time) (v Value) {
				if p, ok := part(row); ok {
					v = f.Get.At(p, now)
				}
				return v
			}},
			Title: f.Title, Width: f.Width, Grow: f.Grow, Least: f.Least, Priority: f.Priority, Plain: f.Plain,
			Lost: f.Lost, Never: f.Never,
			Filter: f.Filter, Searched: f.Searched, Whole: f.Whole, Absent: f.Absent, Unseen: f.Unseen,
		}
		if f.Also != nil {
			out[i].Also = func(row R) (text string) {
				if p, ok := part(row); ok {
					text = f.Also(p)
				}
				return text
			}
		}
	}
	return out
}

// Named returns the field with a name. There must be one.
func Named[R any](fields []Field[R], name string) *Field[R] {
	i := slices.IndexFunc(fields, func(f Field[R]) bool { return f.Name == name })
	return &fields[i]
}

// Names returns the names of the fields that lists have, in the order of the API.
func Names[R any](fields []Field[R]) []string { return names(fields, false) }

// AsideNames returns the names of the fields that only JSON has.
func AsideNames[R any](fields []Field[R]) []string { return names(fields, true) }

func names[R any](fields []Field[R], aside bool) (names []string) {
	for _, f := range fields {
		if !f.Derived && f.Aside == aside {
			names = append(names, f.Name)
		}
	}
	return names
}
