package operations_test

import (
	"regexp"
	"testing"
	"time"

	"pgtower/internal/play"
)

// While keys come quickly, the details beside the rows lag behind; when they stop, the details follow.
func TestDetailFollowsWhenKeysRest(t *testing.T) {
	t.Parallel()
	title := regexp.MustCompile(`│ id +([0-9a-f-]+)`)
	for name, away := range map[string][]string{"at once": nil, "from the groups": {"v"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play.Run(t, 160, 36, play.InBusiest, func(p *play.Program) {
				id := func() string { return title.FindStringSubmatch(p.Screen())[1] }
				p.Wait(time.Second)
				p.Press("k")
				p.Wait(time.Second)
				first := id()
				p.Press("p", "j")
				second := id()
				if second == first {
					t.Error("one key does not move the detail at once")
				}
				p.Press("j", "j")
				if id() != second {
					t.Errorf("the detail moves with every key:\n%s", p.Screen())
				}
				p.Press(away...)
				p.Wait(time.Second)
				p.Press(away...)
				fourth := id()
				p.Press("enter")
				p.Reads("id " + fourth)
			})
		})
	}
}

// After a change of scope, a paused feed is as old as its header shows.
func TestPauseInAnotherScope(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Wait(10 * time.Second)
		p.Press("p")
		p.Wait(20 * time.Minute)
		n := p.Counting()
		p.Command("project storefront")
		p.Sees("‖ paused at 00:20:1")
		p.Wait(time.Second)
		p.Down = true
		p.Press("a")
		p.Wait(time.Minute)
		p.Sees("‖ paused at 00:20:1")
		p.Down = false
		before := n.Load()
		p.Command("project storefront")
		p.Press("a")
		p.Wait(time.Minute)
		if got := n.Load() - before; got < 12 {
			t.Errorf("%d requests for all of twelve projects", got)
		}
	})
}

// Where the pane has all that is known of an operation, Enter turns it to JSON in its place, and back.
func TestDetailTurnsToJSONOnEnter(t *testing.T) {
	t.Parallel()
	play.Run(t, 200, 60, play.InBusiest, func(p *play.Program) {
		p.Wait(time.Second)
		p.Press("down", "enter")
		p.Wait(time.Second)
		p.Sees(" JSON", `"id": "`, "STATUS", "↵ fields", "esc back")
		p.SeesNot("failures_count  ")
		p.Press("enter")
		p.Sees("failures_count  ", "↵ JSON")
		p.Press("enter", "down")
		p.Sees("failures_count  ")
		p.Press("enter")
		p.Wait(time.Second)
		p.Press("esc")
		p.Sees("failures_count  ", "STATUS")
		p.Press("d", "enter")
		p.Sees("failures_count  ", " Fields  JSON")
		p.SeesNot("STATUS  ")
	})
}
