package query

import (
	"slices"
	"time"

	"pgtower/models/record"
)

// Of returns the fields of filters for the fields of records with these names in filters, in this order. text formats a
// value that is no text, as the screen shows it.
func Of[R any](
	fields []record.Field[R], text func(record.Kind, record.Value) string, names ...string,
) (out []Field[R]) {
	for _, name := range names {
		i := slices.IndexFunc(fields, func(f record.Field[R]) bool { return f.Filter == name })
		out = append(out, fieldOf(&fields[i], text))
	}
	return out
}

func fieldOf[R any](f *record.Field[R], text func(record.Kind, record.Value) string) Field[R] {
	get, kind := f.Get.At, f.Get.Kind
	switch kind {
	case record.Moment, record.Due:
		return Date(f.Filter, func(row R) time.Time { return get(row, time.Time{}).Time })
	case record.Number:
		return Number(f.Filter, func(row R) (int64, bool) { return get(row, time.Time{}).Count() })
	default:
	}
	var also []func(R) string
	if f.Also != nil {
		also = append(also, f.Also)
	}
	searched := f.Get.Text
	if searched == nil {
		searched = func(row R) string { return text(kind, get(row, time.Time{})) }
	}
	out := Text(f.Filter, searched, also...)
	if f.Searched > 0 {
		out = out.VisibleFrom(f.Searched)
	}
	if f.Whole {
		out = out.WholeInQuotes()
	}
	return out
}

// agesOf returns the fields that a time has besides its date: after:, before: and age:.
func agesOf[R any](get func(R) time.Time) []Field[R] {
	return []Field[R]{
		After(get, "age"), Before(get),
		Duration("age", func(row R, now time.Time) (time.Duration, bool) {
			return now.Sub(get(row)), !get(row).IsZero()
		}).Moving(),
	}
}
