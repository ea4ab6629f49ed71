package sim

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// operation is one operation. Its API record follows from its lifecycle and the time.
type operation struct {
	id       string
	number   int64
	created  time.Time
	action   string
	branch   string
	endpoint string // empty if the operation has none
	reason   string // of its failure, empty for one of the usual ones
	lifecycle
}

// compareCreation orders operations by their creation, the oldest first.
func (op *operation) compareCreation(other *operation) int { return op.created.Compare(other.created) }

// timeline divides a project's time into slots with the same number of operations each. So an operation's number gives its
// slot, and a history of a given length begins at a known number. The operations of a slot are drawn from the seed and the
// slot's number alone, in any order and as often as needed.
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

// slotStart returns when a slot begins.
func (t *timeline) slotStart(slot int64) time.Time {
	periods := floorDiv(slot, t.days+t.nights)
	slot -= periods * (t.days + t.nights)
	late := max(slot-t.days, 0)
	inPeriod := time.Duration(slot-late)*t.byDay + time.Duration(late)*t.byNight
	return t.origin.Add(time.Duration(periods)*t.period() + inPeriod)
}

// slotAt returns the slot of a time.
func (t *timeline) slotAt(instant time.Time) int64 {
	d := instant.Sub(t.origin)
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

// position returns the place of an operation in the lists of its project, newest first: a time in the second of its
// creation. Two operations of a project never have the same. Records have times in whole seconds, and the order within a
// second follows neither from the ids nor from the order of creation, as at the live service.
func (p *project) position(op *operation) time.Time {
	if p.exact {
		return op.created
	}
	second := op.created.Truncate(time.Second)
	// One to one, because the multiplier and the number of microseconds have no common factor.
	const multiplier, microseconds = 387_420_489, int64(time.Second / time.Microsecond)
	place := op.created.Sub(second).Microseconds()*multiplier + int64(p.key>>32)
	return second.Add(time.Duration(place%microseconds) * time.Microsecond)
}

// page returns up to limit of the operations that were created before end and are listed below a position, newest first.
// Its cost does not depend on the position in history.
func (p *project) page(end, previous time.Time, limit int) (out []*operation) {
	out = p.appendBelow(out, p.started, end, previous)
	if p.perSlot > 0 {
		enough := len(out) + limit // because all of them may be newer than a started one
		latest := previous.Add(time.Second)
		if end.Before(latest) {
			latest = end
		}
		// A slot begins at a whole second, so that its operations are listed above those of the slot before.
		oldest := p.slotOf(p.first)
		var drawn []*operation // the operations of the slot, if they are drawn already
		for slot := p.slotAt(latest.Add(-1)); slot >= oldest && len(out) < enough; slot-- {
			ops := drawn
			if ops == nil {
				ops = p.slot(slot)
			}
			out = p.appendBelow(out, ops, end, previous)
			if p.live {
				drawn = p.slot(slot - 1)
				out = p.appendBelow(out, p.deletions(slot, drawn, ops), end, previous)
			}
		}
	}
	slices.SortFunc(out, func(a, b *operation) int { return p.position(b).Compare(p.position(a)) })
	return out[:min(limit, len(out))]
}

// appendBelow appends those operations that were created before end, are listed below a position, and are not removed.
func (p *project) appendBelow(out, ops []*operation, end, previous time.Time) []*operation {
	for _, op := range ops {
		if op.created.Before(end) && p.position(op).Before(previous) && !p.lost[op.id] {
			out = append(out, op)
		}
	}
	return out
}

// find returns the operation with the id, if it exists at now and is still kept.
func (p *project) find(id string, now time.Time) (op *operation, ok bool) {
	id = strings.ToLower(id)
	operations := p.started
	if number, found := operationNumber(p.key, id); found && number < startedNumber {
		operations = p.drawn(number)
	}
	i := slices.IndexFunc(operations, func(op *operation) bool { return op.id == id })
	if i < 0 || !operations[i].created.Before(p.end(now)) || p.lost[id] {
		return nil, false
	}
	return operations[i], true
}

// drawn returns those operations of the simulation that include the one with a number, if it exists.
func (p *project) drawn(number int64) []*operation {
	first := number
	if number >= deletedNumber/2 {
		first -= deletedNumber
	}
	if first < p.first || p.perSlot == 0 {
		return nil
	}
	slot := p.slotOf(first)
	ops := p.slot(slot)
	if first == number || !p.live {
		return ops
	}
	return p.deletions(slot+1, ops, p.slot(slot+1))
}

// end returns the time before which all existing operations were created. That is just after now, or after the last one that
// was started by hand: many may start while the clock stands still, each with a microsecond of its own. Later operations are
// newer, so they never appear below an operation that was the newest of a list.
func (p *project) end(now time.Time) time.Time {
	if p.latest.After(now) {
		now = p.latest
	}
	return now.Add(1)
}

// endBehind returns the end of a list that is late. The list lacks operations that were started meanwhile.
func (p *project) endBehind(now time.Time, lag time.Duration) time.Time {
	if lag == 0 {
		return p.end(now)
	}
	return now.Add(1 - lag)
}

// states returns the states of an operation, in order, including failures by hand.
func (p *project) states(op *operation) []state {
	out := op.states()
	for _, f := range p.failures[op.id] {
		out = f.apply(out, &op.lifecycle)
	}
	return out
}

// operation returns the record of an operation at a time.
func (p *project) operation(op *operation, now time.Time) Operation {
	states := p.states(op)
	st := states[current(states, max(now.Sub(op.created), 0))]
	r := Operation{
		ID: op.id, ProjectID: p.record.ID, BranchID: op.branch, EndpointID: op.endpoint,
		Action: op.action, Status: st.status, FailuresCount: st.failures,
		CreatedAt: p.stamp(op.created), UpdatedAt: p.stamp(op.created.Add(st.since)),
	}
	if !p.live {
		return r
	}
	r.TotalMS = new(st.since.Milliseconds())
	if st.retry > 0 {
		r.RetryAt = new(p.stamp(op.created.Add(st.retry)))
	}
	// A success has no error, whatever the number of attempts.
	if st.failures > 0 && st.status != finished && st.status != cancelled {
		r.Error = cmp.Or(op.reason, reason(op.action, op.number))
	}
	return r
}

// stamp formats a time as in operations.
func (p *project) stamp(t time.Time) string {
	if p.exact {
		return exactStamp(t)
	}
	return stamp(t)
}
