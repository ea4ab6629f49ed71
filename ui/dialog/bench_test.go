package dialog_test

import (
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/dialog"
)

// BenchmarkEvents moves the selection of the longest list of events and draws each frame.
func BenchmarkEvents(b *testing.B) {
	var list dialog.Events
	for i := range 1000 {
		happened(&list, i, "○", fmt.Sprintf("project-%d", i%50), fmt.Sprintf("error %d: the connection was reset", i))
	}
	box, f := events(list), frame(120, 40)
	down, _ := action.Find(box.Actions(), tea.KeyPressMsg{Code: tea.KeyDown})
	b.ReportAllocs()
	for b.Loop() {
		down.Run()
		box.View(f)
	}
}
