package ui_test

import (
	"regexp"
	"strconv"
	"testing"
	"time"

	"pgtower/internal/play"
)

// The countdown to the next try ends with a request.
func TestCountdownNamesARequest(t *testing.T) {
	t.Parallel()
	next := regexp.MustCompile(`next (\d+)s`)
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Wait(3 * time.Second)
		p.Inject("503 of /projects/*/operations")
		p.Wait(6 * time.Second)
		n := p.Counting()
		tries, due := 0, 0
		for range 150 {
			m := next.FindStringSubmatch(p.Screen())
			before := n.Load()
			p.Wait(time.Second)
			if m == nil {
				continue
			}
			left, _ := strconv.Atoi(m[1])
			asked := n.Load() > before
			if left <= 1 {
				due++
			}
			switch {
			case asked && left > 1:
				t.Errorf("asked %d seconds before it was said", left)
			case asked:
				tries, due = tries+1, 0
			case due > 2:
				t.Errorf("not asked when it was said:\n%s", p.Screen())
				due = 0
			}
		}
		if tries < 4 {
			t.Errorf("%d tries in 150 seconds", tries)
		}
	})
}
