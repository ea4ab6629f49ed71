package mock_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"

	"pgtower/client/mock"
)

// million is a server with a history of a million operations.
func million(b *testing.B) *mock.Server {
	b.Helper()
	srv, _ := newServer(b, mock.Options{Operations: 1_000_000})
	return srv
}

// asking returns a request for a page of the busiest project's operations.
func asking(b *testing.B, srv *mock.Server, query string) *http.Request {
	b.Helper()
	r := httptest.NewRequestWithContext(b.Context(), http.MethodGet,
		mock.BasePath+"/projects/"+srv.BusiestProject()+"/operations"+query, nil)
	r.Header.Set("Authorization", "Bearer "+srv.APIKey())
	return r
}

func benchmarkPage(b *testing.B, srv *mock.Server, query string) {
	b.Helper()
	r := asking(b, srv, query)
	b.ReportAllocs()
	for b.Loop() {
		w := httptest.NewRecorder()
		srv.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			b.Fatal(w.Body)
		}
	}
	perSecond(b)
}

func perSecond(b *testing.B) {
	b.Helper()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "req/s")
}

func BenchmarkHeadPage(b *testing.B) { benchmarkPage(b, million(b), "?limit=100") }

func BenchmarkListProjects(b *testing.B) {
	srv, _ := newServer(b, mock.Options{Projects: 400})
	r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, mock.BasePath+"/projects?limit=400", nil)
	r.Header.Set("Authorization", "Bearer "+srv.APIKey())
	b.ReportAllocs()
	for b.Loop() {
		srv.ServeHTTP(httptest.NewRecorder(), r)
	}
	perSecond(b)
}

// BenchmarkWholeHistory pages through a million operations and reports the memory in use after that.
func BenchmarkWholeHistory(b *testing.B) {
	for b.Loop() {
		before := heap()
		srv := million(b)
		c := handlerTarget(srv)
		n, cursor := 0, ""
		for {
			var page struct {
				Operations []struct{}
				Pagination struct{ Cursor string }
			}
			c.get(b, fmt.Sprintf("/projects/%s/operations?limit=1000%s", srv.BusiestProject(), after(cursor)), &page)
			n += len(page.Operations)
			if cursor = page.Pagination.Cursor; cursor == "" {
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

func BenchmarkNew(b *testing.B) {
	for _, projects := range []int{12, 100_000} {
		b.Run(fmt.Sprint(projects), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				newServer(b, mock.Options{Projects: projects})
			}
		})
	}
}
