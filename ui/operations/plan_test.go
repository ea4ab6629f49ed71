package operations

import (
	"strconv"
	"testing"
	"time"
)

func TestEveryProjectGetsItsTurn(t *testing.T) {
	t.Parallel()
	const projects, working, room = 1000, 50, 40
	p := newPlan()
	var all []string
	for i := range projects {
		all = append(all, strconv.Itoa(i))
	}
	unfinished := func(project string) bool { return len(project) <= 2 && project < "50" }
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	asked := map[string]int{}
	for range 2 * projects / room * 2 {
		p.fill(all, unfinished, room, 5*time.Second, now)
		if len(p.queue) != room {
			t.Fatalf("a round of %d, there is room for %d", len(p.queue), room)
		}
		for _, a := range p.take(room, now) {
			asked[a.project]++
		}
		now = now.Add(5 * time.Second)
	}
	if len(asked) != projects {
		t.Errorf("%d of %d projects were asked", len(asked), projects)
	}
	if asked["1"] < 5*asked["999"] {
		t.Errorf("one with unfinished work was asked %d times, a quiet one %d times", asked["1"], asked["999"])
	}
}

func TestAProjectThatCannotBeReadWaitsLonger(t *testing.T) {
	t.Parallel()
	p := newPlan()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	asked := 0
	for range 100 {
		p.fill([]string{"broken", "good"}, func(string) bool { return false }, 10, 5*time.Second, now)
		for _, a := range p.take(10, now) {
			if a.project == "broken" {
				asked++
				p.fails["broken"]++
			}
		}
		now = now.Add(5 * time.Second)
	}
	if asked < 8 || asked > 12 { // after 5, 10, 20 and 40 seconds, and once a minute
		t.Errorf("asked %d times in 100 rounds", asked)
	}
}
