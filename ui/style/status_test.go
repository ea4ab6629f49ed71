package style_test

import (
	"testing"

	"pgtower/models"
	"pgtower/ui/style"
)

// A number of retries must not be cut: it would be another number.
func TestRetriesAreNeverCut(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{
		0: "✗ failed", 1: "✗ failed ×1", 21: "✗ failed ×21", 99: "✗ failed ×99", 100: "✗ failed ×99+", 21_345: "✗ failed ×99+",
	} {
		if got := style.StatusText(&models.Operation{Status: models.StatusFailed, FailuresCount: n}); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
	for text, want := range map[string]string{
		"◌ scheduling ×213": "◌ sche… ×213", "✗ failed ×1": "✗ failed ×1", "✗ failed": "✗ failed",
	} {
		if got := style.ShortenStatus(text, 12); got != want {
			t.Errorf("%q", got)
		}
	}
}
