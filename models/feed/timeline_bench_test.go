package feed

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgtower/models"
)

// pastOf returns the head pages of several projects that have n operations together, one per second, each with the
// newest hundred of its project.
func pastOf(projects, n int) map[string][]models.Page[models.Operation] {
	out := make(map[string][]models.Page[models.Operation], projects)
	each := n / projects
	for p := range projects {
		name := fmt.Sprintf("quiet-river-%06d", p)
		for from := 0; from < each; from += 100 {
			page := models.Page[models.Operation]{AsOf: epoch().Add(time.Duration(p) * time.Millisecond)}
			if from > 0 {
				page.Cursor = strconv.Itoa(from)
			}
			for i := from; i < min(from+100, each); i++ {
				page.Items = append(page.Items, past(name, i*projects+p))
			}
			page.Next = strconv.Itoa(from + 100)
			out[name] = append(out[name], page)
		}
	}
	return out
}

// present is the number of the operation that began at the epoch.
const present = 1_000_000

// past returns the operation that began i seconds before the present one.
func past(project string, i int) models.Operation {
	at := epoch().Add(-time.Duration(i) * time.Second)
	i += present
	return models.Operation{
		ID:        fmt.Sprintf("%08x-0000-4000-8000-%012d", i, i),
		ProjectID: project,
		BranchID:  fmt.Sprintf("br-bitter-sound-%06d", i%1000),
		Action:    []models.Action{"start_compute", "create_branch", "apply_config", "suspend_compute"}[i%4],
		Status:    models.StatusFinished,
		CreatedAt: at,
		UpdatedAt: at.Add(time.Duration(i%977) * 10 * time.Millisecond),
	}
}

func load(pages map[string][]models.Page[models.Operation]) *Timeline {
	var feeds []*Feed
	for name, pp := range pages {
		f := New(name)
		for _, p := range pp {
			f.Merge(p)
		}
		feeds = append(feeds, f)
	}
	return NewTimeline(feeds...)
}

// benchSize is the number of operations and of projects.
type benchSize struct{ projects, rows int }

// upTo skips sizes that take long to make in short mode.
func upTo(sizes []benchSize) []benchSize {
	if !testing.Short() {
		return sizes
	}
	return slices.DeleteFunc(sizes, func(s benchSize) bool { return s.rows > 100_000 })
}

// BenchmarkTimelineMerge merges a head page of a hundred new operations, and makes the screen's calls after each merge.
func BenchmarkTimelineMerge(b *testing.B) {
	for _, c := range upTo([]benchSize{{50, 1_000}, {50, 10_000}, {50, 100_000}, {5_000, 100_000}, {50, 1_000_000}}) {
		b.Run(fmt.Sprintf("projects=%d/rows=%d", c.projects, c.rows), func(b *testing.B) {
			pages := pastOf(c.projects, c.rows)
			b.ReportAllocs()
			var t *Timeline
			var fresh []models.Page[models.Operation]
			for i := 0; b.Loop(); i++ {
				// This keeps the number of rows about the same.
				if rounds := max(10, c.rows/1000); i%rounds == 0 {
					b.StopTimer()
					t, fresh = load(pages), fresh[:0]
					for j := range rounds {
						p := models.Page[models.Operation]{AsOf: epoch().Add(time.Duration(j+1) * 100 * time.Second)}
						for k := range 100 {
							p.Items = append(p.Items, past("", -100*j+k-100))
						}
						fresh = append(fresh, p)
					}
					runtime.GC()
					b.StartTimer()
				}
				p, before := fresh[i%len(fresh)], t.Loaded()
				t.members[fmt.Sprintf("quiet-river-%06d", i%c.projects)].feed.Merge(p)
				if t.Loaded() != before+len(p.Items) {
					b.Fatalf("%d of %d operations are new", t.Loaded()-before, len(p.Items))
				}
				t.older(4)
				t.Oldest()
			}
		})
	}
}

// BenchmarkTimelineOlder merges the next page that the timeline needs.
func BenchmarkTimelineOlder(b *testing.B) {
	for _, c := range upTo([]benchSize{{50, 10_000}, {50, 100_000}, {50, 1_000_000}}) {
		b.Run(fmt.Sprintf("projects=%d/rows=%d", c.projects, c.rows), func(b *testing.B) {
			pages := pastOf(c.projects, c.rows)
			half, n := map[string][]models.Page[models.Operation]{}, 0
			for name, pp := range pages {
				half[name] = pp[:(len(pp)+1)/2]
				n += len(pp) - len(half[name])
			}
			var t *Timeline
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if i%n == 0 {
					b.StopTimer()
					t = load(half)
					runtime.GC()
					b.StartTimer()
				}
				o := t.older(1)[0]
				at, _ := strconv.Atoi(o.Cursor)
				if at /= 100; at < len(pages[o.Project]) {
					t.members[o.Project].feed.Merge(pages[o.Project][at])
				} else {
					t.members[o.Project].feed.Merge(models.Page[models.Operation]{Cursor: o.Cursor, AsOf: epoch()})
				}
			}
		})
	}
}

// BenchmarkNewTimeline makes a timeline of loaded feeds.
func BenchmarkNewTimeline(b *testing.B) {
	for _, projects := range []int{1, 50, 5_000} {
		b.Run(fmt.Sprintf("projects=%d/rows=100000", projects), func(b *testing.B) {
			var feeds []*Feed
			for _, m := range load(pastOf(projects, 100_000)).members {
				feeds = append(feeds, m.feed)
			}
			b.ReportAllocs()
			for b.Loop() {
				NewTimeline(feeds...)
			}
		})
	}
}

// BenchmarkTimelineMemory reports the memory of a loaded operation beyond its strings.
func BenchmarkTimelineMemory(b *testing.B) {
	for _, projects := range []int{50, 5_000} {
		b.Run(fmt.Sprintf("projects=%d", projects), func(b *testing.B) {
			const rows = 100_000
			// The pages stay alive, so their strings do not count.
			pages := pastOf(projects, rows)
			inUse := func() uint64 {
				runtime.GC()
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				return m.HeapAlloc
			}
			for b.Loop() {
				before := inUse()
				t := NewTimeline()
				for name, pp := range pages {
					f := New(name)
					t.Add(f)
					for _, p := range pp {
						f.Merge(p)
					}
				}
				b.ReportMetric(float64(inUse()-before)/rows, "B/operation")
				runtime.KeepAlive(t)
			}
			runtime.KeepAlive(pages)
		})
	}
}
