package feed

import (
	"fmt"
	"testing"
	"time"

	"pgtower/models"
)

// The cost of an answer at the bound hardly grows with what is kept: most answers give nothing back.
func BenchmarkAnswerAtTheBound(b *testing.B) {
	for _, most := range []int{1_000, 10_000, 100_000} {
		for name, c := range map[string]struct {
			apart  time.Duration // between two operations
			status models.Status
		}{
			"apart":  {time.Second, models.StatusFinished},
			"failed": {20 * time.Millisecond, models.StatusFailed},
		} {
			b.Run(fmt.Sprintf("%s/rows=%d", name, most), func(b *testing.B) {
				p := drive(Options{Interval: 5 * time.Second, Budget: 10, PageSize: 100})
				NewFleet(p.Poller)
				p.SetProjects([]Project{{ID: "p"}}, true)
				p.SetRange(Range{Since: epoch(), Most: most})
				number := 0
				answer := func() {
					a := Answer{request: request{Project: "p", Purpose: Head}}
					const fresh, page = 100, 200
					number += fresh
					for i := range page {
						n := number - i
						at := epoch().Add(time.Duration(n) * c.apart).Truncate(time.Second)
						a.Page.Items = append(a.Page.Items, models.Operation{ID: fmt.Sprint(n), CreatedAt: at, UpdatedAt: at, Status: c.status})
					}
					a.Page.AsOf = epoch().Add(time.Duration(number) * c.apart)
					a.Page.ServiceTime, a.Page.Next = a.Page.AsOf, fmt.Sprint("~", number)
					p.Receive(a, a.Page.AsOf)
				}
				for number < most {
					answer()
				}
				b.ReportAllocs()
				for b.Loop() {
					answer()
				}
			})
		}
	}
}
