package mock_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"

	"pgtower/client/mock"
)

// million is a server with the longest history that anybody has asked for.
func million(b *testing.B) *mock.Server {
	b.Helper()
	srv, _ := newServer(b, mock.Options{Operations: 1_000_000})
	return srv
}

func benchmarkPage(b *testing.B, query string) {
	b.Helper()
	srv := million(b)
	r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, mock.BasePath+"/projects/"+srv.BusiestProject()+"/operations"+query, nil)
	r.Header.Set("Authorization", "Bearer "+srv.APIKey())
	b.ReportAllocs()
	for b.Loop() {
		w := httptest.NewRecorder()
		srv.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			b.Fatal(w.Body)
		}
	}
}

func BenchmarkHeadPage(b *testing.B)     { benchmarkPage(b, "?limit=100") }
func BenchmarkLongPage(b *testing.B)     { benchmarkPage(b, "?limit=1000") }
func BenchmarkPageFarBelow(b *testing.B) { benchmarkPage(b, "?limit=100&cursor=2025-10-01T00:00:00Z") }

// BenchmarkWholeHistory pages through a million operations and reports what that
// leaves in memory.
func BenchmarkWholeHistory(b *testing.B) {
	for b.Loop() {
		srv := million(b)
		c := handlerTarget(srv)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		n, cursor := 0, ""
		for {
			var page struct {
				Operations []struct{}
				Pagination struct{ Cursor string }
			}
			c.get(b, fmt.Sprintf("/projects/%s/operations?limit=1000&cursor=%s", srv.BusiestProject(), cursor), &page)
			n += len(page.Operations)
			if cursor = page.Pagination.Cursor; cursor == "" {
				break
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if n != 1_000_000 {
			b.Fatalf("%d operations", n)
		}
		b.ReportMetric(float64(after.HeapAlloc)-float64(before.HeapAlloc), "B-kept")
		runtime.KeepAlive(srv)
	}
}

// BenchmarkParallelClients is requests per second from many clients.
func BenchmarkParallelClients(b *testing.B) {
	srv := million(b)
	b.RunParallel(func(pb *testing.PB) {
		r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, mock.BasePath+"/projects/"+srv.BusiestProject()+"/operations?limit=100", nil)
		r.Header.Set("Authorization", "Bearer "+srv.APIKey())
		for pb.Next() {
			srv.ServeHTTP(httptest.NewRecorder(), r)
		}
	})
}
