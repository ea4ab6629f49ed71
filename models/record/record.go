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
	Due                   // a time that may be still to come
	YesNo                 // yes or no
)

// Counts reports whether the values are numbers.
func (k Kind) Counts() bool { return k == Number || k == Seconds || k == Mebibytes }

// Times reports whether the values are times.
func (k Kind) Times() bool { return k == Moment || k == Due }

// Value is a value of a field. Where it is unknown, the others are zero.
type Value struct {
	Known  bool
	Text   string // also yes or no
	Number int64
	Time   time.Time
}

// Count returns the number, and whether it is known.
func (v Value) Count() (n int64, known bool) { return v.Number, v.Known }

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
	Text func(row R) string // of ids and words, which filters of many rows search; else nil
}

// IDs gets an id. An empty one is unknown.
func IDs[R any](get func(R) string) Getter[R] { return texts(ID, get) }

// Words gets a text. An empty one is unknown.
func Words[R any](get func(R) string) Getter[R] { return texts(Word, get) }

func texts[R any](kind Kind, get func(R) string) Getter[R] {
	return Getter[R]{Kind: kind, Text: get, At: func(row R, _ time.Time) Value { return textValue(get(row)) }}
}

func textValue(text string) Value { return Value{Known: text != "", Text: text} }

// Counts gets a number of a kind.
func Counts[R any](kind Kind, get func(R) (n int64, known bool)) Getter[R] {
	return Getter[R]{Kind: kind, At: func(row R, _ time.Time) Value { return numberValue(get(row)) }}
}

func numberValue(n int64, known bool) Value { return Value{Known: known, Number: n} }

// Moments gets a time. A zero one is unknown.
func Moments[R any](get func(R) time.Time) Getter[R] { return times(Moment, get) }

// Dues gets a time that may be still to come. A zero one is unknown.
func Dues[R any](get func(R) time.Time) Getter[R] { return times(Due, get) }

func times[R any](kind Kind, get func(R) time.Time) Getter[R] {
	return Getter[R]{Kind: kind, At: func(row R, _ time.Time) Value { return timeValue(get(row)) }}
}

func timeValue(t time.Time) Value { return Value{Known: !t.IsZero(), Time: t} }

// Flags gets yes or no.
func Flags[R any](get func(R) (is, known bool)) Getter[R] {
	return Getter[R]{Kind: YesNo, At: func(row R, _ time.Time) Value { return flagValue(get(row)) }}
}

func flagValue(is, known bool) Value {
	switch {
	case !known:
		return Value{}
	case is:
		return Value{Known: true, Text: "yes"}
	}
	return Value{Known: true, Text: "no"}
}

// Field is a field of records of type R.
type Field[R any] struct {
	Name    string // that of the API
	Get     Getter[R]
	Derived bool // it is no field of the API: no list, export or placeholder has it
	Aside   bool // only JSON has it: it is about the record
	Always  bool // the JSON of a record has it also without a value, as null

	// As a column of a table, which explains the first ones:

	Title                    string
	Width, Least, Full, Grow int
	Priority                 int
	Extra                    bool

	Plain bool // its cells are not muted, as no text or number of a column of priority 0 is
	// Lost and Zero are what a list shows for a value that could not be read, and for a known zero; "" for the usual.
	Lost, Zero string

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
	case v == Value{Known: true}:
		return f.Zero
	}
	return ""
}

// Compare orders rows by the field.
func (f *Field[R]) Compare(a, b R, now time.Time) int {
	if text := f.Get.Text; text != nil {
		return strings.Compare(text(a), text(b))
	}
	return f.Get.At(a, now).Compare(f.Get.At(b, now))
}

// Part returns the fields of a part of each row. Where a row has none, they are unknown.
func Part[R, P any](fields []Field[P], part func(R) (p P, ok bool)) []Field[R] {
	out := make([]Field[R], len(fields))
	for i, f := range fields {
		out[i] = Field[R]{
			Name: f.Name, Derived: f.Derived, Aside: f.Aside, Always: f.Always,
			Get:   getterOf(f.Get, part),
			Title: f.Title, Width: f.Width, Grow: f.Grow, Least: f.Least, Full: f.Full, Priority: f.Priority, Extra: f.Extra, Plain: f.Plain,
			Lost: f.Lost, Zero: f.Zero,
			Filter: f.Filter, Searched: f.Searched, Whole: f.Whole, Also: textOf(f.Also, part),
			Absent: f.Absent, Unseen: f.Unseen,
		}
	}
	return out
}

// getterOf returns the getter of a part of each row.
func getterOf[R, P any](get Getter[P], part func(R) (P, bool)) Getter[R] {
	return Getter[R]{Kind: get.Kind, Text: textOf(get.Text, part), At: func(row R, now time.Time) (v Value) {
		if p, ok := part(row); ok {
			v = get.At(p, now)
		}
		return v
	}}
}

// textOf returns a text of a part of each row, or nil if there is none.
func textOf[R, P any](get func(P) string, part func(R) (P, bool)) func(R) string {
	if get == nil {
		return nil
	}
	return func(row R) (text string) {
		if p, ok := part(row); ok {
			text = get(p)
		}
		return text
	}
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

// AlwaysNames returns the names of the fields that JSON has also without a value.
func AlwaysNames[R any](fields []Field[R]) (names []string) {
	for i := range fields {
		if f := &fields[i]; !f.Derived && f.Always {
			names = append(names, f.Name)
		}
	}
	return names
}

func names[R any](fields []Field[R], aside bool) (names []string) {
	for i := range fields {
		if f := &fields[i]; !f.Derived && f.Aside == aside {
			names = append(names, f.Name)
		}
	}
	return names
}
