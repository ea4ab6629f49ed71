package mock

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestRhythmIsExact(t *testing.T) {
	t.Parallel()
	calendars := []*calendar{workdays(newRand(1, 2)), steadyDay()}
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(regions()).Draw(t, "region").rhythm(rapid.SampledFrom(calendars).Draw(t, "calendar"))
		const century = 100 * 365 * 24 * hourMicros
		micro := rapid.Int64Range(-century, century).Draw(t, "µs")
		if got := r.when(r.done(micro)); got != micro {
			t.Fatalf("%d became %d", micro, got)
		}
		if r.done(micro) <= r.done(micro-1) {
			t.Fatalf("nothing is done in microsecond %d", micro)
		}
		done := rapid.Int64Range(-century, century).Draw(t, "work")
		if at := r.when(done); r.done(at) < done || r.done(at-1) >= done {
			t.Fatalf("%d is done at %d already, or not yet", done, at)
		}
	})
}

// Every moment is in the slot that began last, whatever the hour.
func TestSlotsFollowEachOther(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		start := time.UnixMicro(rapid.Int64Range(0, 1<<52).Draw(t, "start")).UTC()
		all := newProjects(world{rapid.Uint64().Draw(t, "seed"), start, 12, 1000, false, nil})
		p := rapid.SampledFrom(all).Draw(t, "project")
		slot := rapid.Int64Range(-1000, 1000).Draw(t, "slot")
		begin, end := p.begin(slot), p.begin(slot+1)
		if !end.After(begin) {
			t.Fatalf("slot %d is from %s to %s", slot, begin, end)
		}
		if p.slotAt(begin) != slot || p.slotAt(begin.Add(-1)) != slot-1 || p.slotAt(end.Add(-1)) != slot {
			t.Fatalf("slot %d begins at %s, where slotAt says %d", slot, begin, p.slotAt(begin))
		}
		if !p.begin(0).Equal(start.Add(p.profile.lead)) {
			t.Fatalf("slot 0 begins at %s, the start is at %s", p.begin(0), start)
		}
	})
}

// Around the clock somewhere it is day, so that the busiest project can be there.
func TestSomebodyIsAwake(t *testing.T) {
	t.Parallel()
	for minute := range 24 * 60 {
		at := time.Date(2026, 3, 1, 0, minute, 0, 0, time.UTC)
		p := newProjects(world{seed: uint64(minute), start: at, projects: 1})[0]
		if !(region{east: time.Duration(p.rhythm.east) * time.Microsecond}).awake(at) {
			t.Errorf("at %s the busiest project sleeps in %s", at, p.region)
		}
	}
}
