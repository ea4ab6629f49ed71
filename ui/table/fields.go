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
		out = append(out, columnOf(session, record.Named(fields, name)))
	}
	return out
}

func columnOf[R any](session *page.Session, f *record.Field[R]) Column[R] {
	c := Column[R]{
		Title: f.Title, Width: f.Width, Least: f.Least, Grow: f.Grow, Priority: f.Priority,
		Right: f.Get.Kind.Counts(), Compare: f.Compare,
		Cell: func(row R, now time.Time) (string, style.Tone) {
			text := session.Times.CellValue(f.Get.Kind, f.Get.At(row, now), now)
			if text != "" && (f.Plain || f.Priority == 0) {
				return text, style.Plain
			}
			return cmp.Or(text, style.None), style.Muted
		},
	}
	if f.Get.Kind == record.Moment {
		c.Moment = f.Title
	}
	return c
}

// Details returns the lines of details with the fields of a record.
func Details[R any](times style.Times, fields []record.Field[R], row R, now time.Time) (out []Field) {
	for i := range fields {
		f := &fields[i]
		v := f.Get.At(row, now)
		if f.Derived || f.Aside || f.Unseen || f.Absent && !v.Known {
			continue
		}
		line := Field{Label: f.Name, Value: times.FullValue(f.Get.Kind, v, now)}
		if line.Value == "" {
			line.Value, line.Tone = style.None, style.Muted
		}
		out = append(out, line)
	}
	return out
}
