package mock

import (
	"slices"
	"time"
)

// operation is one operation of the simulation; what the API says of it follows
// from its course and the time.
type operation struct {
	number   int64
	created  time.Time
	action   string
	branch   string
	endpoint string // empty where the operation has none
	course
}

// A project's time is cut into slots, and every slot of a project holds the same
// number of operations. So an operation's number says which slot it is in, a history
// of a given length begins at a known number, and what happens in a slot can be drawn
// from the seed and the slot's number alone, in any order and as often as needed.
type timeline struct {
	profile profile
	origin  time.Time // where slot 0 begins
	first   int64     // the number of the oldest operation that is kept
}

// newTimeline lays the slots so that by start exactly history operations were born.
func newTimeline(pr profile, start time.Time, history int64) timeline {
	n := int64(pr.perSlot)
	if pr.born && history > 0 {
		// The story of its birth needs the first slot as a whole.
		history = max(history/n, 1) * n
	}
	return timeline{
		profile: pr,
		origin:  start.Add(pr.lead - time.Duration(pr.recent)*pr.pace),
		first:   int64(pr.recent)*n - history,
	}
}

// begin returns when a slot begins. Slots before the origin are longer: history
// reaches far back with few operations, and yet the present is busy.
func (t *timeline) begin(slot int64) time.Time {
	return t.origin.Add(time.Duration(slot) * t.length(slot))
}

func (t *timeline) length(slot int64) time.Duration {
	if slot < 0 {
		return t.profile.pastPace
	}
	return t.profile.pace
}

// slotAt returns the slot that a time falls into.
func (t *timeline) slotAt(at time.Time) int64 {
	since := at.Sub(t.origin)
	if since >= 0 {
		return int64(since / t.profile.pace)
	}
	return int64((since+1)/t.profile.pastPace) - 1
}

func (t *timeline) firstSlot() int64 { return floorDiv(t.first, int64(t.profile.perSlot)) }

// slot draws what happens in a slot, oldest first.
func (p *project) slot(slot int64) []operation {
	b := newBuilder(p, slot)
	if p.profile.born && slot == p.firstSlot() {
		b.birth()
	}
	p.profile.fill(b)
	begin, number := p.begin(slot), slot*int64(p.profile.perSlot)
	ops := b.placed()
	for i := range ops {
		ops[i].number = number + int64(i)
		ops[i].created = begin.Add(ops[i].offset)
	}
	return kept(ops, p.first)
}

func kept(steps []step, first int64) []operation {
	out := make([]operation, 0, len(steps))
	for i := range steps {
		if steps[i].number >= first {
			out = append(out, steps[i].operation)
		}
	}
	return out
}

// page returns up to limit operations created before a time, newest first. Its cost
// is that of the page, wherever in history it lies.
func (p *project) page(before time.Time, limit int) []operation {
	if p.profile.perSlot == 0 {
		return nil
	}
	var out []operation
	for s := p.slotAt(before.Add(-1)); s >= p.firstSlot() && len(out) < limit; s-- {
		for _, op := range slices.Backward(p.slot(s)) {
			if op.created.Before(before) && len(out) < limit {
				out = append(out, op)
			}
		}
	}
	return out
}

// find returns the operation with the number, if it is born by now and still kept.
func (p *project) find(number int64, now time.Time) (operation, bool) {
	n := int64(p.profile.perSlot)
	if n == 0 || number < p.first {
		return operation{}, false
	}
	slot := floorDiv(number, n)
	if slot > p.slotAt(now) {
		return operation{}, false
	}
	for _, op := range p.slot(slot) {
		if op.number == number && !op.created.After(now) {
			return op, true
		}
	}
	return operation{}, false
}

// floorDiv divides towards minus infinity, as slots before the origin need.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
