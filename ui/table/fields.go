package table

import (
	"cmp"
	"time"

	"pgtower/models/record"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Columns returns the columns that show fields of records, in the order of the names.
func Columns[R any](session *page.Session, fields []record.Field[R], names ...string) (out []Column[R]) {
	for _, name := range names {
		out = append(out, ColumnOf(session, fields, name))
	}
	return out
}

// ColumnOf returns the column that shows a field.
func ColumnOf[R any](session *page.Session, fields []record.Field[R], name string) Column[R] {
	f := record.Named(fields, name)
	c := Column[R]{
		Title: f.Title, Width: f.Width, Least: f.Least, Full: f.Full, Grow: f.Grow, Priority: f.Priority, Extra: f.Extra,
		Right: f.Get.Kind.Counts(), Compare: f.Compare,
		Cell: func(row R, now time.Time) (string, style.Tone) { return cellOf(f, session.Times, row, now) },
	}
	if f.Get.Kind.Times() {
		c.Moment = f.Title
	}
	return c
}

// cellOf returns the cell that shows a field of a row.
func cellOf[R any](f *record.Field[R], times style.Times, row R, now time.Time) (string, style.Tone) {
	v := f.Get.At(row, now)
	instead := f.Instead(v)
	text := cmp.Or(instead, times.CellValue(f.Get.Kind, v, now))
	switch {
	case !v.Known && f.Lost != "":
		return text, style.Bad
	case v.Known && instead == "" && (f.Plain || f.Priority == 0 && !f.Get.Kind.Times()):
		return text, style.Plain
	}
	return cmp.Or(text, style.None), style.Muted
}

// Details returns the fields of a record as lines of details. Ids come last, as only programs read them.
func Details[R any](times style.Times, fields []record.Field[R], row R, now time.Time) (out []Field) {
	var ids []Field
	for i := range fields {
		f := &fields[i]
		v := f.Get.At(row, now)
		if f.Aside || f.Unseen || f.Absent && !v.Known {
			continue
		}
		line := Field{Label: f.Name, Value: times.FullValue(f.Get.Kind, v, now)}
		if !v.Known && f.Lost != "" {
			line.Value = f.Lost
		}
		if line.Value == "" {
			line.Value, line.Tone = style.None, style.Muted
		}
		if kind := f.Get.Kind; kind == record.ID || kind == record.Serial {
			ids = append(ids, line)
		} else {
			out = append(out, line)
		}
	}
	return append(out, ids...)
}
