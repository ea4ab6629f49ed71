package ui

import (
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/ui/style"
)

// One key and one command change the format of times on all pages and dialogs. The tests begin at midnight UTC.
func TestTimesAreShownOneWay(t *testing.T) {
	t.Parallel()
	east := func(b *backend, o *Options) { inBusiest(b, o); o.Zone = time.FixedZone("", 2*60*60) }
	play(t, 120, 36, east, func(p *program) {
		if _, err := p.server.Start(mock.Task{ProjectID: p.server.BusiestProject(), Action: "create_branch", Wait: time.Second, Run: time.Minute}); err != nil {
			t.Fatal(err)
		}
		p.Press("r", "g", "w")
		p.Wait(2 * time.Minute)
		p.sees("AGE")
		p.seesNot("CREATED")

		p.Press("ctrl+t")
		p.sees("Times: local, now ", " +02:00", "CREATED +02 ", " 02:0")
		p.seesNot("AGE")
		p.Press("enter")
		p.reads("created_at", " 02:0", " +02:00 (")
		p.Press("esc", "p")
		p.sees("‖ paused at 02:0", " +02:00")
		p.Press("p", "2")
		p.sees("CHANGED +02 ")
		p.Press("d")
		p.reads("changed ", " +02:00 (")
		p.Press("esc", "3", "G")
		p.sees("LAST USED +02 ", " 02:0")
		p.Press("x")
		p.reads("created today", "last used ", " +02:00 from ")
		p.Press("esc", "G", ":")
		p.Type("alerts")
		p.Press("enter")
		p.sees("watched: ✓ Create branch of storefront finished after 1m01s · slow  02:0")
		p.Press("esc")

		p.Press("1", "ctrl+t")
		p.sees("Times: UTC, now ", " UTC", "CREATED UTC ", " 00:0")
		p.down = true
		p.Wait(20 * time.Second)
		p.Press("!")
		p.reads(" 00:0", " UTC", "connection timed out")
		p.Press("esc")
		p.down = false

		p.Press("ctrl+t")
		p.sees("Times: relative", "AGE")
		p.command("time local")
		p.sees("CREATED +02 ", " 02:0")
	})
}

// The profile sets the format of times, also in accessible mode.
func TestTimesOfTheProfile(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, func(b *backend, o *Options) { inBusiest(b, o); o.Times = style.UTC }, func(p *program) {
		p.sees("CREATED")
		p.Press("2")
		p.sees("1999-12-31 ")
	})
	play(t, 120, 36, func(b *backend, o *Options) { inBusiest(b, o); o.Accessible = true }, func(p *program) {
		p.Press("j")
		p.Wait(time.Second)
		p.Press("2")
		p.Wait(time.Second)
		p.hears(" ago")
		p.command("time utc")
		p.Press("1", "j")
		p.Wait(time.Second)
		p.hears(" UTC")
	})
}
