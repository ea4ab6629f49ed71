package mock_test

import (
	"fmt"
	"runtime"
	"testing"

	"pgtower/client/mock"
)

// BenchmarkWholeHistory pages through a million operations and reports the memory in use after that.
func BenchmarkWholeHistory(b *testing.B) {
	for b.Loop() {
		before := heap()
		srv, _ := newServer(b, mock.Options{Operations: 1_000_000})
		c := handlerTarget(srv)
		n, cursor := 0, ""
		for {
			var page struct {
				Operations []struct{}
				Pagination struct{ Cursor string }
			}
			c.get(b, fmt.Sprintf("/projects/%s/operations?limit=1000%s", srv.BusiestProject(), after(cursor)), &page)
			n += len(page.Operations)
			cursor = page.Pagination.Cursor
			if cursor == "" {
				break
			}
		}
		if n != 1_000_000 {
			b.Fatalf("%d operations", n)
		}
		b.ReportMetric(float64(heap()-before), "B-held")
		runtime.KeepAlive(srv)
	}
}

// heap returns the memory in use, in bytes.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
