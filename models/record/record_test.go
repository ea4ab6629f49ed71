package record_test

import (
	"slices"
	"testing"
	"time"

	"pgtower/models/record"
)

type row struct {
	name string
	n    int64
	has  bool
	at   time.Time
}

func fields() []record.Field[row] {
	known := func(r row) (int64, bool) { return r.n, r.has }
	return []record.Field[row]{
		{Name: "id", Get: record.IDs(func(r row) string { return r.name })},
		{Name: "n", Get: record.Counts(record.Number, known)},
		{Name: "flag", Get: record.Flags(func(r row) (bool, bool) { return r.n > 0, r.has })},
		{Name: "at", Get: record.Moments(func(r row) time.Time { return r.at })},
		{Name: "both", Derived: true, Get: record.Words(func(r row) string { return r.name + r.name })},
		{Name: "damage", Aside: true, Get: record.Words(func(row) string { return "" })},
	}
}

// A missing value is unknown, and comes first in each order, as zero does.
func TestUnknownValues(t *testing.T) {
	t.Parallel()
	all, zero := fields(), row{}
	some := row{"a", 1, true, time.Unix(1, 0)}
	for _, f := range all[:5] {
		if v := f.Get.At(zero, time.Time{}); v != (record.Value{}) {
			t.Errorf("%s of nothing is %+v", f.Name, v)
		}
		if v := f.Get.At(some, time.Time{}); !v.Known {
			t.Errorf("%s is unknown", f.Name)
		}
		if f.Compare(zero, some, time.Time{}) >= 0 || f.Compare(some, zero, time.Time{}) <= 0 {
			t.Errorf("%s: what is unknown is not the first", f.Name)
		}
	}
	unknown, none := row{}, row{has: true}
	if n := record.Named(all, "n"); n.Compare(unknown, none, time.Time{}) != 0 {
		t.Error("an unknown number is not ordered as 0")
	}
	if flag := record.Named(all, "flag"); flag.Compare(unknown, none, time.Time{}) >= 0 {
		t.Error("an unknown flag does not come before no")
	}
}

// Lists have the fields of the API in its order.
func TestNames(t *testing.T) {
	t.Parallel()
	if got := record.Names(fields()); !slices.Equal(got, []string{"id", "n", "flag", "at"}) {
		t.Errorf("lists have %q", got)
	}
}
