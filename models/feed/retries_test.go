package feed

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
)

// The next retry is the one that is due first, whatever is read, asked for or gone, and after the clock was set back. None
// waits past an hour after its last try or its retry_at, whichever is later.
func TestRetriesTheFirstIsDueFirst(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f, now := New("p"), at(1000)
		seconds := func(name string, most int) time.Duration {
			return time.Duration(rapid.IntRange(0, most).Draw(t, name)) * time.Second
		}
		draw := func(n int) models.Operation {
			op := models.Operation{ID: fmt.Sprint(n), CreatedAt: at(float64(-n)), UpdatedAt: now.Add(-seconds("before", 600))}
			op.Status = rapid.SampledFrom([]models.Status{models.StatusFailed, models.StatusFailed, models.StatusRunning}).Draw(t, "status")
			if rapid.Bool().Draw(t, "tells") {
				op.RetryAt = now.Add(seconds("retry", 600))
			}
			return op
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			now = now.Add(seconds("later", 900))
			switch rapid.IntRange(0, 4).Draw(t, "does") {
			case 0:
				page := models.Page[models.Operation]{AsOf: now, ServiceTime: now.Add(seconds("ahead", 100))}
				for i := range 5 {
					page.Items = append(page.Items, draw(i))
				}
				f.Merge(page)
			case 1:
				f.Update(draw(rapid.IntRange(0, 4).Draw(t, "one")), now)
			case 2:
				f.asked(fmt.Sprint(rapid.IntRange(0, 4).Draw(t, "one")), now)
			case 3:
				f.Vanish(fmt.Sprint(rapid.IntRange(0, 4).Draw(t, "one")), now)
			case 4:
				now = now.Add(-seconds("back", 2000))
			}
			first, next := f.nextRetry(now)
			if failing := f.failed.Len(); (first == nil) != (failing == 0) || failing != len(f.failed.queue) {
				t.Fatalf("of %d failures, %v is first", failing, first)
			}
			for id, one := range f.failed.byID {
				op, due := f.byID[id].op(), one.due.Add(-f.skew)
				last := op.LastTry().Add(models.RetryFor - f.skew)
				if due.Before(next) || due.After(last) && due.After(now) && due.After(op.RetryAt.Add(time.Second-f.skew)) {
					t.Fatalf("%s is due at %v, an hour after the last try is %v, and the first one is due at %v", id, due, last, next)
				}
			}
		}
	})
}

// The cost of an answer does not grow with the failures of its project.
func BenchmarkAnswerBesideFailures(b *testing.B) {
	for _, n := range []int{65, 65_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := drive(Options{Interval: 5 * time.Second, Budget: 10, PageSize: 100})
			p.SetProjects([]Project{{ID: "p"}}, true)
			page := models.Page[models.Operation]{AsOf: at(0), ServiceTime: at(0)}
			for i := range n {
				page.Items = append(page.Items, models.Operation{
					ID: fmt.Sprint(i), Status: models.StatusFailed, CreatedAt: at(-0.001 * float64(i)), UpdatedAt: at(0),
				})
			}
			p.Receive(Answer{request: request{Project: "p"}, Page: page}, at(0))
			now := at(1)
			b.ReportAllocs()
			for b.Loop() {
				now = now.Add(time.Second)
				requests, _ := p.Next(now)
				for _, r := range requests {
					a := Answer{request: r, Page: models.Page[models.Operation]{Items: page.Items[:1], Next: "more", AsOf: now, ServiceTime: now}}
					p.Receive(a, now)
				}
			}
		})
	}
}
