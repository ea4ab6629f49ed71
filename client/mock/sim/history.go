package sim

import (
	"slices"
	"strings"
	"time"
)

// operation is one operation; its API record follows from its lifecycle and the time.
type operation struct {
	id       string
	number   int64
	created  time.Time
	action   string
	branch   string
	endpoint string // empty if the operation has none
	lifecycle
}

// timeline divides a project's time into slots with the same number of operations each. So an operation's number gives
// its slot, a history of a given length begins at a known number, and the operations of a slot can be drawn from the
// seed and the slot's number alone, in any order and as often as needed.
type timeline struct {
	profile

	origin time.Time // when slot 0 begins
	first  int64     // the number of the oldest kept operation
}

// loadCurve is a number of slots of one length by day, then of another by night.
type loadCurve struct {
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

// slotAt returns the slot of a time.
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

func (r *loadCurve) period() time.Duration {
	return time.Duration(r.days)*r.byDay + time.Duration(r.nights)*r.byNight
}

// slotOf returns the slot of the operation with a number.
func (t *timeline) slotOf(number int64) int64 { return floorDiv(number, t.perSlot) }

// floorDiv rounds towards minus infinity, as slots before the origin need.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// page returns up to limit operations created before a time, newest first. Its cost does not depend on the position in
// history.
func (p *project) page(before time.Time, limit int) (out []*operation) {
	keep := func(ops []*operation) {
		for _, op := range ops {
			if op.created.Before(before) && !p.lost[op.id] {
				out = append(out, op)
			}
		}
	}
	keep(p.started)
	if p.perSlot > 0 {
		enough := len(out) + limit // because all of them may be newer than a started one
		for slot := p.slotAt(before.Add(-1)); slot >= p.slotOf(p.first) && len(out) < enough; slot-- {
			keep(p.slot(slot))
		}
	}
	slices.SortStableFunc(out, func(a, b *operation) int { return b.created.Compare(a.created) })
	return out[:min(limit, len(out))]
}

// find returns the operation with the id, if it exists at now and is still kept.
func (p *project) find(id string, now time.Time) (op *operation, ok bool) {
	id = strings.ToLower(id)
	all := p.started
	if number, known := operationNumber(p.key, id); known && number < startedNumber {
		all = nil
		if number >= p.first {
			all = p.slot(p.slotOf(number))
		}
	}
	i := slices.IndexFunc(all, func(op *operation) bool { return op.id == id })
	if i < 0 || !all[i].created.Before(p.end(now)) || p.lost[id] {
		return nil, false
	}
	return all[i], true
}

// end returns the time before which all existing operations were created: now, or just after the last started one,
// because many may start at one stopped time, each with a microsecond of its own. Later ones are newer: nothing new
// appears below what a list once showed as newest.
func (p *project) end(now time.Time) time.Time {
	if p.latest.After(now) {
		now = p.latest
	}
	return now.Add(1)
}

// operation returns the record of an operation at a time.
func (p *project) operation(op *operation, now time.Time) Operation {
	st := op.at(max(now.Sub(op.created), 0))
	if at, ok := p.failedAt[op.id]; ok {
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
	// A success has no error, whatever the number of attempts.
	if st.failures > 0 && (!st.done || st.status == failed || st.status == errored) {
		r.Error = reason(op.action, op.number)
	}
	return r
}
