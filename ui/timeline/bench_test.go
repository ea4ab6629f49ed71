package timeline

import (
	"fmt"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/ui/style"
)

// many returns an index of n operations in projects lanes, one every five seconds back from noon.
func many(n, projects int) *Index {
	x := NewIndex(byProject)
	for i := n - 1; i >= 0; i-- {
		status := models.StatusFinished
		if i%50 == 7 {
			status = models.StatusFailed
		}
		took := time.Duration(i%4000) * 10 * time.Millisecond
		op := operation(fmt.Sprintf("%09d", n-i), fmt.Sprint("project-", i%projects), -time.Duration(i)*5*time.Second, took, status)
		x.Count(op.ProjectID, op, +1)
	}
	return x
}

func BenchmarkFrame(b *testing.B) {
	theme := style.ChooseTheme(style.Dark, true, 5)
	look := Style{
		Theme: theme, Label: 28, Axis: "15 min UTC", Now: noon, Name: func(id string) string { return id },
		Status: func(*Task) (string, style.Tone) { return "✓", style.Good }, Text: func(t *Task) string { return t.Op.Action.Title() },
	}
	for _, n := range []int{1_000, 10_000, 100_000} {
		x := many(n, 40)
		for _, span := range []time.Duration{5 * time.Minute, time.Hour, 30 * day} {
			b.Run(fmt.Sprintf("%d/%v", n, span), func(b *testing.B) {
				cell := span / 172
				v := View{Cells: 172, Lines: 52, Cell: cell, To: noon.Truncate(cell).Add(cell), Now: noon}
				x.Lay(v).Draw(look)
				b.ReportAllocs()
				for b.Loop() {
					v.To = v.To.Add(-cell) // pan
					x.Lay(v).Draw(look)
				}
			})
		}
	}
}

// BenchmarkCount adds and removes an operation.
func BenchmarkCount(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x := many(n, 40)
			op := operation("new", "project-3", -time.Hour, time.Second, models.StatusFinished)
			for b.Loop() {
				x.Count("project-3", op, +1)
				x.Count("project-3", op, -1)
			}
		})
	}
}
