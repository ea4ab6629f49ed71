package table

import "testing"

// Rows are found by id or, if ids are shared, by a key of their own.
func TestIndex(t *testing.T) {
	t.Parallel()
	type thing struct{ id int }
	x := NewIndex([]thing{{1}, {2}, {2}, {0}}, func(t *thing) int { return t.id }, func(i int) int { return -1 - i })
	for i, want := range []int{1, 2, -3, -4} {
		if got := x.Key(x.Row(i)); got != want {
			t.Errorf("row %d has the key %d, want %d", i, got, want)
		}
		if at, ok := x.Find(want); !ok || at != i {
			t.Errorf("the row of %d is %d, %v; want %d", want, at, ok, i)
		}
	}
	if _, ok := x.Find(0); ok || !x.Shared[2] || x.Shared[0] || x.Shared[1] || x.Len() != 4 {
		t.Errorf("%+v", x)
	}
}
