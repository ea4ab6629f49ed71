package style_test

import (
	"testing"

	"pgtower/ui/style"
)

func TestSpark(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values []int
		want   string
	}{
		{nil, ""},
		{[]int{0, 0}, "  "},
		{[]int{1, 2, 4, 8}, "▁▂▄█"},
		{[]int{0, 1000, 1}, " █▁"},
	} {
		if got := style.Spark(c.values); got != c.want {
			t.Errorf("Spark(%v) = %q, want %q", c.values, got, c.want)
		}
	}
}

func TestBar(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		part, whole, width int
		want               string
	}{
		{0, 10, 8, ""}, {10, 10, 3, "███"}, {5, 10, 3, "█▌"}, {1, 100000, 3, "▏"}, {1, 0, 3, ""}, {1, 1, 0, ""},
	} {
		got := style.Bar(c.part, c.whole, c.width)
		if got != c.want || style.Width(got) > c.width {
			t.Errorf("Bar(%d, %d, %d) = %q, want %q", c.part, c.whole, c.width, got, c.want)
		}
	}
}
