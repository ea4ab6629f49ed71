package ui_test

import (
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	"pgtower/client/mock"
	"pgtower/ui/style"
)

// A command changes the format of times on all pages and dialogs. The tests begin at midnight UTC.
func TestTimesShownOneWay(t *testing.T) {
	t.Parallel()
	east := func(b *play.Backend, o *ui.Options) { play.InBusiest(b, o); o.Zone = time.FixedZone("", 2*60*60) }
	play.Run(t, 120, 36, east, func(p *play.Program) {
		p.Begin(mock.Task{Action: "create_branch", Wait: time.Second, Run: time.Minute})
		p.Press("r", "g", "w")
		p.Wait(2 * time.Minute)
		p.Sees("AGE")
		p.SeesNot("CREATED +02")

		p.Command("time local")
		p.Sees("Times: local, now ", " +02:00", "CREATED +02 ", " 02:0")
		p.SeesNot("AGE")
		p.Press("enter")
		p.Reads("created_at", " 02:0", " +02:00 (")
		p.Press("esc", "p")
		p.Sees("‖ paused at 02:0", " +02:00")
		p.Press("p", "2")
		p.Sees("CHANGED +02 ")
		p.Press("d")
		p.Reads("changed ", " +02:00 (")
		p.Press("esc")
		keys := p.Keys().Select("pgtower-demo")
		p.Sees("LAST USED +02 ", " 02:0")
		question := keys.Revoke()
		question.Reads("created today", "last used ", " +02:00 from ")
		question.Leave()
		p.Command("alerts")
		p.Sees("▌ 02:0", "✓ storefront  Create branch finished after 1m01s · slow")
		p.Press("esc")

		p.Press("1")
		p.Command("time utc")
		p.Sees("Times: UTC, now ", " UTC", "CREATED UTC ", " 00:0")
		p.Down = true
		p.Wait(20 * time.Second)
		p.Failures()
		p.Reads(" 00:0", " UTC", "connection timed out")
		p.Press("esc")
		p.Down = false

		p.Command("time relative")
		p.Sees("Times: relative", "AGE")
	})
}

// The profile sets the format of times, also in accessible mode.
func TestTimesOfTheProfile(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) { play.InBusiest(b, o); o.Time = style.UTC }, func(p *play.Program) {
		p.Sees("CREATED")
		p.Press("2")
		p.Sees("1999-12-31 ")
	})
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) { play.InBusiest(b, o); o.Accessible = true }, func(p *play.Program) {
		p.Press("j")
		p.Wait(time.Second)
		p.Press("2")
		p.Wait(time.Second)
		p.Hears(" ago")
		p.Command("time utc")
		p.Press("1", "j")
		p.Wait(time.Second)
		p.Hears(" UTC")
	})
}
