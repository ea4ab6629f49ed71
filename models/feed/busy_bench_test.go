package feed

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkBusyProjects draws how much a follower with the default settings has not told yet, every two seconds of simulated
// time. Something runs in each project, and there are three bursts of 300 operations.
func BenchmarkBusyProjects(b *testing.B) {
	for _, projects := range []int{40, 100, 400} {
		b.Run(fmt.Sprint(projects), func(b *testing.B) {
			for range b.N {
				b.ReportMetric(drawBursts(b, projects), "s/whole")
			}
		})
	}
}

// drawBursts returns how many seconds after the last burst all was told.
func drawBursts(b *testing.B, projects int) (seconds float64) {
	b.Helper()
	p := busyPlatform(projects)
	for i, burst := range []float64{30, 60, 90} {
		p.burst(at(burst), 300, 6, 7*i, 8*time.Second)
	}
	r := newReader(newRun(b.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 5, PageSize: 100}))
	const height = 300.0
	var drawn []rune
	for s := 20.0; s < 600; s += 2 {
		r.until(at(s))
		missing, _ := r.lacking()
		drawn = append(drawn, []rune(" ▁▂▃▄▅▆▇█")[int(8*min(1, float64(missing)/height)+0.99)])
		if missing > 0 && s > 90 {
			seconds = s + 2 - 90
		} else if s > 100 {
			break
		}
	}
	b.Logf("%4d projects, not told yet: %s", projects, string(drawn))
	return seconds
}
