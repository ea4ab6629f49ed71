package sim

import (
	"slices"
	"strings"
	"time"
)

// operation is one operation; what the API says of it follows from its course and the time.
type operation struct {
	id       string
	number   int64
	created  time.Time
	action   string
	branch   string
	endpoint string // empty where the operation has none
	course
}

// A project's time is cut into slots, and every slot of a project holds the same number of operations. So an
// operation's number says which slot it is in, a history of a given length begins at a known number, and what happens
// in a slot can be drawn from the seed and the slot's number alone, in any order and as often as needed.
type timeline struct {
	profile

	origin time.Time // when slot 0 begins
	first  int64     // the number of the oldest operation that is kept
}

// rhythm is a number of slots of a length by day, then of another by night.
type rhythm struct {
	days, nights int64
	byDay        time.Duration
	byNight      time.Duration
}

// begin returns when a slot begins.
func (t *timeline) begin(slot int64) time.Time {
	periods := floorDiv(slot, t.days+t.nights)
	slot -= periods * (t.days + t.nights)
	late := max(slot-t.days, 0)
	return t.origin.Add(time.Duration(periods)*t.period() + time.Duration(slot-late)*t.byDay + time.Duration(late)*t.byNight)
}

// slotAt returns the slot that a time falls into.
func (t *timeline) slotAt(at time.Time) int64 {
	d := at.Sub(t.origin)
	periods := floorDiv(int64(d), int64(t.period()))
	d -= time.Duration(periods) * t.period()
	slot := periods * (t.days + t.nights)
	if night := d - time.Duration(t.days)*t.byDay; night >= 0 {
		return slot + t.days + int64(night/t.byNight)
	}
	return slot + int64(d/t.byDay)
}

func (r *rhythm) period() time.Duration {
	return time.Duration(r.days)*r.byDay + time.Duration(r.nights)*r.byNight
}

// slotOf returns the slot of the operation with a number.
func (t *timeline) slotOf(number int64) int64 { return floorDiv(number, t.perSlot) }

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
	keep := func(ops []operation) {
		for i := range ops {
			if ops[i].created.Before(before) && !p.lost[ops[i].id] {
				out = append(out, ops[i])
			}
		}
	}
	keep(p.started)
	if p.perSlot > 0 {
		enough := len(out) + limit // in case that all of them are younger than what was started
		for slot := p.slotAt(before.Add(-1)); slot >= p.slotOf(p.first) && len(out) < enough; slot-- {
			keep(p.slot(slot))
		}
	}
	slices.SortStableFunc(out, func(a, b operation) int { return b.created.Compare(a.created) })
	return out[:min(limit, len(out))]
}

// find returns the operation of the id, if it is born by now and still kept.
func (p *project) find(id string, now time.Time) (op operation, ok bool) {
	id = strings.ToLower(id)
	all := p.started
	if number, known := operationNumber(p.key, id); known && number < startedNumber {
		all = nil
		if number >= p.first {
			all = p.slot(p.slotOf(number))
		}
	}
	i := slices.IndexFunc(all, func(op operation) bool { return op.id == id })
	if i < 0 || !all[i].created.Before(p.end(now)) || p.lost[id] {
		return operation{}, false
	}
	return all[i], true
}

// end is the time before which all that is born was created: now, or just after the latest that was started, because
// many are started while the clock stands and each has a microsecond of its own. What is started later is younger: what
// a list once showed as newest has nothing new below it.
func (p *project) end(now time.Time) time.Time {
	if p.latest.After(now) {
		now = p.latest
	}
	return now.Add(1)
}

// operation returns the record of an operation at a time.
func (p *project) operation(op *operation, now time.Time) Operation {
	st := op.at(max(now.Sub(op.created), 0))
	if at, struck := p.struck[op.id]; struck {
		age := at.Sub(op.created)
		st = state{failed, op.at(age).failures + 1, age, 0, true}
	}
	r := Operation{
		ID: op.id, ProjectID: p.record.ID, BranchID: op.branch, EndpointID: op.endpoint,
		Action: op.action, Status: st.status, FailuresCount: st.failures,
		CreatedAt: exactStamp(op.created), UpdatedAt: exactStamp(op.created.Add(st.since)),
	}
	if !p.live {
		return r
	}
	r.TotalMS = new(st.since.Milliseconds())
	if st.retry > 0 {
		r.RetryAt = new(exactStamp(op.created.Add(st.retry)))
	}
	// What came to a good end has no error, however often it was tried.
	if st.failures > 0 && (!st.done || st.status == failed || st.status == errored) {
		r.Error = reason(op.action, op.number)
	}
	return r
}
