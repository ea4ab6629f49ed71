package timeline

import (
	"fmt"
	"testing"
	"time"

	"pgtower/models"
)

// manyOperations are operations of some projects within a day, the newest first.
func manyOperations(n int) Operations {
	ops := make([]*models.Operation, n)
	for i := range ops {
		at := noon.Add(-time.Duration(i) * 24 * time.Hour / time.Duration(n))
		status := models.StatusFinished
		if i%50 == 7 {
			status = models.StatusFailed
		}
		ops[i] = &models.Operation{
			ID: fmt.Sprint(i), Action: "start_compute", Status: status, CreatedAt: at, UpdatedAt: at.Add(5 * time.Second),
		}
	}
	return func(yield func(string, *models.Operation) bool) {
		for i, op := range ops {
			if !yield("project-"+fmt.Sprint(i%60), op) {
				return
			}
		}
	}
}

// BenchmarkTimeline measures what 100,000 operations cost after an answer: the index and its search on another goroutine,
// and the chart on that of the screen; and what a search costs there when the time in view has moved.
func BenchmarkTimeline(b *testing.B) {
	ops := manyOperations(100_000)
	spec := Spec{
		Cells: 160, Head: 2, Lines: 40, Cell: 6 * time.Second, To: noon, Now: noon, Counted: noon.Add(-15 * time.Minute), All: 100,
	}
	b.Run("index", func(b *testing.B) {
		for range b.N {
			NewIndex(byProject, ops).Search(&spec)
		}
	})
	x := NewIndex(byProject, ops)
	spec.Kept = x.Chart(spec).Forms()
	b.Run("chart", func(b *testing.B) {
		for range b.N {
			x.Chart(spec)
		}
	})
	b.Run("moved", func(b *testing.B) {
		for i := range b.N {
			spec.To = noon.Add(-time.Duration(i%100) * time.Minute)
			x.Chart(spec)
		}
	})
}
