package style

import (
	"strconv"
	"time"

	"github.com/dustin/go-humanize"

	"pgtower/models/record"
)

// Value formats a value of a record in full, or an unknown one as "". A time has a format of its own: see [Times].
func Value(kind record.Kind, v record.Value) string {
	switch {
	case !v.Known:
		return ""
	case kind == record.Seconds:
		return humanize.Comma(v.Number) + " s (" + took(v) + ")"
	case kind == record.Mebibytes:
		return humanize.Comma(v.Number) + " MiB"
	case kind == record.Number:
		return humanize.Comma(v.Number)
	case kind == record.Serial:
		return strconv.FormatInt(v.Number, 10)
	}
	return v.Text
}

func took(seconds record.Value) string { return Took(time.Duration(seconds.Number) * time.Second) }

// CellValue formats a value for a list.
func (s Times) CellValue(kind record.Kind, v record.Value, now time.Time) string {
	switch {
	case kind.Times():
		return s.Cell(v.Time, now)
	case kind == record.Seconds && v.Known:
		return took(v)
	}
	return Value(kind, v)
}

// FullValue formats a value for details.
func (s Times) FullValue(kind record.Kind, v record.Value, now time.Time) string {
	switch kind {
	case record.Moment:
		return s.Stamp(v.Time, now)
	case record.Due:
		return s.Due(v.Time, now)
	default:
	}
	return Value(kind, v)
}
