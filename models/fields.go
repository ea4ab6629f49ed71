package models

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgtower/models/record"
)

// Fields are the values of a record by the API's names of its fields, and its damage: texts, lists of texts, numbers and
// bools. A missing value is nil or an empty text.
type Fields map[string]any

// Text returns a field as a text; lists have spaces between their words. A field without a value is "".
func (f Fields) Text(name string) string {
	switch value := f[name].(type) {
	case nil:
		return ""
	case string:
		return value
	case []string:
		return strings.Join(value, " ")
	default:
		return fmt.Sprint(value)
	}
}

// Texts returns the fields with the names as texts.
func (f Fields) Texts(names []string) []string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = f.Text(name)
	}
	return texts
}

// Literals is Texts for a spreadsheet, which evaluates none of them.
func (f Fields) Literals(names []string) []string {
	texts := f.Texts(names)
	for i, name := range names {
		if _, text := f[name].(string); text {
			texts[i] = spreadsheetText(texts[i])
		}
	}
	return texts
}

// JSON returns the fields with the names as an object, in their order. Fields without a value are left out, except those
// of always, which are null.
func (f Fields) JSON(names []string, always ...string) []byte {
	out := []byte{'{'}
	for _, name := range names {
		value := f[name]
		if value == "" {
			value = nil
		}
		if value == nil && !slices.Contains(always, name) {
			continue
		}
		literal, _ := json.Marshal(value) // texts, lists of them, numbers and bools can be written
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(strconv.AppendQuote(out, name), ':'), literal...)
	}
	return append(out, '}')
}

// ValuesOf returns the values of those fields of a record that the API has, and its damage.
func ValuesOf[R any](fields []record.Field[R], row R) Fields {
	values := make(Fields, len(fields))
	for i := range fields {
		if f := &fields[i]; !f.Derived {
			values[f.Name] = valueOf(f.Get.Kind, f.Get.At(row, time.Time{}))
		}
	}
	return values
}

// valueOf returns a value for JSON.
func valueOf(kind record.Kind, v record.Value) any {
	switch {
	case kind.Times():
		return Stamp(v.Time)
	case kind == record.ID:
		return identity(v.Text)
	case kind == record.Word:
		return v.Text
	case !v.Known:
		return nil
	case kind == record.YesNo:
		return v.Text == "yes"
	}
	return v.Number
}

// Fields returns the project's fields. Its id is also its project_id, so that one address of the service's console serves
// all pages.
func (p *Project) Fields() Fields {
	values := ValuesOf(projectFields, p)
	values["project_id"] = values["id"]
	return values
}

// identity returns an id, or "" if the service did not send one.
func identity(id string) string {
	if NoID(id) {
		return ""
	}
	return id
}

// Stamp returns a time as the API writes it, with microseconds if it has any, or "" for a zero time.
func Stamp(t time.Time) string {
	layout := time.RFC3339Nano
	switch {
	case t.IsZero():
		return ""
	case t.Nanosecond()%1000 == 0 && t.Nanosecond() > 0:
		layout = "2006-01-02T15:04:05.000000Z07:00"
	}
	return t.UTC().Format(layout)
}
