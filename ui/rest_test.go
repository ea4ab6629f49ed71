package ui

import (
	"regexp"
	"testing"
	"time"
)

// While keys come quickly, the details beside the rows lag behind; when they stop, the details follow.
func TestDetailFollowsWhenKeysRest(t *testing.T) {
	t.Parallel()
	title := regexp.MustCompile(`│ id +([0-9a-f-]+)`)
	for name, away := range map[string][]string{"at once": nil, "from the groups": {"v"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play(t, 160, 36, inBusiest, func(p *program) {
				id := func() string { return title.FindStringSubmatch(p.screen())[1] }
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
					t.Errorf("the detail moves with every key:\n%s", p.screen())
				}
				p.Press(away...)
				p.Wait(time.Second)
				p.Press(away...)
				fourth := id()
				p.Press("enter")
				p.reads("id " + fourth)
			})
		})
	}
}

// After a change of scope, a paused feed is as old as its header shows.
func TestPausedFeedOfAnotherScope(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Wait(10 * time.Second)
		p.Press("p")
		p.Wait(20 * time.Minute)
		n := counting(p)
		p.command("project storefront")
		p.sees("‖ paused at 00:20:1")
		p.Wait(time.Second)
		p.down = true
		p.Press("a")
		p.Wait(time.Minute)
		p.sees("‖ paused at 00:20:1")
		p.down = false
		before := n.Load()
		p.command("project storefront")
		p.Press("a")
		p.Wait(time.Minute)
		if got := n.Load() - before; got < 12 {
			t.Errorf("%d requests for all of twelve projects", got)
		}
	})
}

// The filter of a count finds the counted operations, even beyond the history of other projects.
func TestACountAndItsFilterAgree(t *testing.T) {
	t.Parallel()
	counts := regexp.MustCompile(`([0-9]+) failed, ([0-9]+) running, ([0-9]+) finished`)
	play(t, 120, 36, nil, func(p *program) {
		p.fails(2)
		p.sees("15 min: ")
		p.seesNot(" of 15 min") // the window is loaded automatically
		p.Press("i", "F")
		p.Wait(10 * time.Second) // for the whole hour
		p.Press("F", "p")        // no new rows
		n := counts.FindStringSubmatch(p.screen())
		if n == nil {
			t.Fatalf("nothing is counted:\n%s", p.screen())
		}
		for i, how := range []func(){
			func() { p.Press("F") }, func() { p.Press("u") },
			func() { p.clickOn(n[1] + " failed") }, func() { p.clickOn(n[2] + " running") },
		} {
			how()
			p.sees(" " + n[1+i%2] + " of ")
			how()
			p.seesNot("ended:<1h", "is:")
		}
		p.Press("F")
		p.sees("is:failed ended:<1h")
		p.Press("i")
		p.sees("is:failed ended:<6h", "-6h ")
		p.command("window 90m")
		p.sees("is:failed ended:<90m", "-90m ", "Counting the last 90 min")
		p.command("window 90s")
		p.sees("must be whole minutes between 1m and 24h")
	})
}
