package mock

import "time"

// operation is one operation of the simulation; what the API says of it follows
// from its course and the time.
type operation struct {
	id       string // of a fixture; else it follows from the number
	number   int64
	chain    chain // that it is a part of; of the simulation's own only
	created  time.Time
	action   string
	branch   string
	endpoint string // empty where the operation has none
	course
	struck    bool          // made to fail from outside
	struckAge time.Duration // when it was
}

// state returns what the API says of the operation when it has the age.
func (o *operation) state(age time.Duration) state {
	if !o.struck {
		return o.at(age)
	}
	st := o.at(o.struckAge)
	return state{statusFailed, st.failures + 1, o.struckAge, 0, true}
}

// A project's time is cut into slots, and every slot of a project holds the same
// number of operations. So an operation's number says which slot it is in, a history
// of a given length begins at a known number, and what happens in a slot can be drawn
// from the seed and the slot's number alone, in any order and as often as needed.
//
// Slots are of equal work rather than of equal time: at night they are long.
type timeline struct {
	profile profile
	rhythm  rhythm
	origin  int64 // the work done when slot 0 begins
	first   int64 // the number of the oldest operation that is kept
}

// newTimeline lays the slots so that by start exactly history operations were born.
func newTimeline(pr profile, r rhythm, start time.Time, history int64) timeline {
	n := int64(pr.perSlot)
	if pr.born && history > 0 {
		// The story of its birth needs the first slot as a whole.
		history = max(history/n, 1) * n
	}
	return timeline{
		profile: pr,
		rhythm:  r,
		origin:  r.done(start.Add(pr.lead).UnixMicro()),
		first:   -history,
	}
}

// begin returns when a slot begins. The start is a beginning like any other: what was
// before it went on at the same rate.
func (t *timeline) begin(slot int64) time.Time {
	return time.UnixMicro(t.rhythm.when(t.origin + slot*work(t.profile.pace))).UTC()
}

// slotAt returns the slot that a time falls into.
func (t *timeline) slotAt(at time.Time) int64 {
	return floorDiv(t.rhythm.done(at.UnixMicro())-t.origin, work(t.profile.pace))
}

func (t *timeline) firstSlot() int64 { return floorDiv(t.first, int64(t.profile.perSlot)) }

// draw draws what happens in a slot, oldest first.
func (p *project) draw(slot int64) []operation {
	b := newBuilder(p, slot)
	if p.profile.born && slot == p.firstSlot() {
		b.birth()
	}
	p.profile.fill(b)
	number := slot * int64(p.profile.perSlot)
	steps := b.placed()
	out := make([]operation, 0, len(steps))
	for i, s := range steps {
		op := s.operation
		op.number, op.created = number+int64(i), b.begin.Add(s.offset)
		op.chain.slot = slot
		if op.number < p.first {
			continue
		}
		if p.troubled(op.created) {
			op.suffer(op.action, mix(p.key, bits(op.number), 1))
		}
		if p.live {
			op.asLive(op.action, mix(p.key, bits(op.number)))
		}
		out = append(out, op)
	}
	return out
}

// page returns up to limit operations created before a time, newest first, without those
// that failures kept from being born. Its cost is that of the page, wherever in history
// it lies.
func (p *project) page(before time.Time, limit int, failed *failures) []operation {
	if p.profile.perSlot == 0 {
		return p.fixedPage(before, limit, failed)
	}
	out := make([]operation, 0, min(limit, maxOperationLimit+1))
	for s := p.slotAt(before.Add(-1)); s >= p.firstSlot() && len(out) < limit; s-- {
		ops := p.slot(s)
		for i := len(ops) - 1; i >= 0 && len(out) < limit; i-- {
			if ops[i].created.Before(before) && !failed.unborn(&ops[i]) {
				out = append(out, ops[i])
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
