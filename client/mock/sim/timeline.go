package sim

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"time"
)

// operation is one operation; what the API says of it follows from its course and the time.
type operation struct {
	id       string // of a [Fixture] only; else it follows from the number
	number   int64
	created  time.Time
	action   string
	branch   string
	endpoint string // empty where the operation has none
	course
}

// A project's time is cut into slots, and every slot of a project holds the same number of operations. So an
// operation's number says which slot it is in, a history of a given length begins at a known number, and what happens
// in a slot can be drawn from the seed and the slot's number alone, in any order and as often as needed. At night slots
// are long.
type timeline struct {
	profile profile
	rhythm  *rhythm
	origin  time.Time // when slot 0 begins
	first   int64     // the number of the oldest operation that is kept
}

// rhythm is when slots begin, within a period that repeats.
type rhythm struct {
	period time.Duration
	begins []time.Duration
}

// newDay returns a day that begins in the middle of the morning: whoever starts a platform, at whatever hour, sees its
// busiest projects at work.
func newDay() *rhythm {
	r := &rhythm{period: 24 * time.Hour}
	for hour, slots := range [24]int{6, 6, 5, 4, 6, 6, 6, 5, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5} {
		for i := range slots {
			r.begins = append(r.begins, time.Duration(hour)*time.Hour+time.Duration(i)*time.Hour/time.Duration(slots))
		}
	}
	return r
}

// steady returns a rhythm in which it makes no difference whether it is day or night.
func steady(length time.Duration) *rhythm { return &rhythm{length, []time.Duration{0}} }

// begin returns when a slot begins.
func (t *timeline) begin(slot int64) time.Time {
	n := int64(len(t.rhythm.begins))
	periods := floorDiv(slot, n)
	return t.origin.Add(time.Duration(periods)*t.rhythm.period + t.rhythm.begins[slot-periods*n])
}

// slotAt returns the slot that a time falls into.
func (t *timeline) slotAt(at time.Time) int64 {
	d := at.Sub(t.origin)
	periods := floorDiv(int64(d), int64(t.rhythm.period))
	rest := d - time.Duration(periods)*t.rhythm.period
	i := sort.Search(len(t.rhythm.begins), func(i int) bool { return t.rhythm.begins[i] > rest }) - 1
	return periods*int64(len(t.rhythm.begins)) + int64(i)
}

// slotOf returns the slot of the operation with a number.
func (t *timeline) slotOf(number int64) int64 { return floorDiv(number, int64(t.profile.perSlot)) }

// floorDiv divides towards minus infinity, as slots before the origin need.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// page returns up to limit operations created before a time, newest first. Its cost is that of the page, wherever in
// history it lies.
func (p *project) page(before time.Time, limit int) (out []operation) {
	take := func(ops []operation) {
		for i := len(ops) - 1; i >= 0 && len(out) < limit; i-- {
			if ops[i].created.Before(before) && !p.lost[ops[i].number] {
				out = append(out, ops[i])
			}
		}
	}
	take(p.fixed)
	if p.profile.perSlot > 0 {
		for slot := p.slotAt(before.Add(-1)); slot >= p.slotOf(p.first) && len(out) < limit; slot-- {
			take(p.slot(slot))
		}
	}
	simulated := out
	out = nil
	take(p.started)
	out = append(out, simulated...)
	slices.SortStableFunc(out, func(a, b operation) int { return b.created.Compare(a.created) })
	return out[:min(limit, len(out))]
}

// find returns the operation of the id, if it is born by now and still kept.
func (p *project) find(id string, now time.Time) (op operation, ok bool) {
	id = strings.ToLower(id)
	all := p.fixed
	number, known := operationNumber(p.key, id)
	if known && number >= startedNumber {
		all = p.started
	} else if known && p.profile.perSlot > 0 && number >= p.first && p.slotOf(number) <= p.slotAt(now) {
		all = p.slot(p.slotOf(number))
	}
	i := slices.IndexFunc(all, func(op operation) bool {
		return op.id == id || op.id == "" && known && op.number == number
	})
	if i < 0 || !all[i].created.Before(p.end(now)) || p.lost[all[i].number] {
		return operation{}, false
	}
	return all[i], true
}

// memo holds slots that were drawn lately, because clients ask for the newest ones again and again. The platform's
// mutex guards it.
type memo [256]struct {
	project *project
	slot    int64
	ops     []operation
}

// slot returns what happens in a slot, oldest first, for reading only.
func (p *project) slot(slot int64) []operation {
	m := &p.memo[mix(p.key, bits(slot))%uint64(len(p.memo))]
	if m.project != p || m.slot != slot {
		m.project, m.slot, m.ops = p, slot, p.draw(slot)
	}
	return m.ops
}

// draw draws what happens in a slot, oldest first.
func (p *project) draw(slot int64) []operation {
	b := newBuilder(p, slot)
	if p.profile.born && slot == p.slotOf(p.first) {
		b.play(script{where: onMain, actions: "create_timeline create_branch start_compute"})
	}
	if p.index < 2 && slot == -1 {
		b.overture()
	}
	switch {
	case p.profile.dormant:
		b.fill(dormant)
	case p.live:
		b.fill(slices.Concat(everyday, upkeep))
	default:
		b.fill(everyday)
	}
	b.place()
	number := slot * int64(p.profile.perSlot)
	for i := range b.steps {
		b.steps[i].number = number + int64(i)
	}
	return b.steps[min(max(p.first-number, 0), int64(len(b.steps))):]
}

// operation returns the record of an operation at a time.
func (p *project) operation(op *operation, now time.Time) Operation {
	st := op.at(max(now.Sub(op.created), 0))
	if at, struck := p.struck[op.number]; struck {
		age := at.Sub(op.created)
		st = state{failed, op.at(age).failures + 1, age, 0, true}
	}
	r := Operation{
		ID: cmp.Or(op.id, operationID(p.key, op.number)), ProjectID: p.record.ID,
		BranchID: op.branch, EndpointID: op.endpoint,
		Action: op.action, Status: st.status, FailuresCount: st.failures,
		CreatedAt: exactStamp(op.created), UpdatedAt: exactStamp(op.created.Add(st.since)),
	}
	if !p.live {
		return r
	}
	ms := st.since.Milliseconds()
	r.TotalMS = &ms
	if st.retry > 0 {
		at := exactStamp(op.created.Add(st.retry))
		r.RetryAt = &at
	}
	// What came to a good end has no error, however often it was tried.
	if st.failures > 0 && (!st.done || st.status == failed || st.status == errored) {
		r.Error = reason(op.action, op.number)
	}
	return r
}
