package operations

import (
	"testing"

	"pgtower/ui/style"
)

// A number of retries that is cut is another number.
func TestRetriesAreNeverCut(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{
		1: "✗ failed ×1", 21: "✗ failed ×21", 99: "✗ failed ×99", 100: "✗ failed ×99+", 21_345: "✗ failed ×99+",
	} {
		if got := withRetries("✗ failed", n); got != want || style.Width(got) > statusWidth {
			t.Errorf("%d: %q", n, got)
		}
	}
	if got := withRetries("◌ scheduling", 213); got != "◌ sched… ×99+" {
		t.Errorf("%q", got)
	}
}
