package operations

import (
	"time"

	"pgtower/ui/style"
)

// jump goes to a time: once all operations since then are loaded, it selects the last one that had begun by then. It does
// not if the user selected another row meanwhile. The zero jump goes nowhere.
type jump struct {
	to   time.Time
	from key // the row that the user had selected, or the zero key
	step int // the step that the jump is, or 0
}

// start begins a jump, as a step. If kept, the step stays even if there is no operation to go to.
func (o *onward) start(target time.Time, kept bool) {
	o.step++
	o.jump = jump{to: target, from: o.list.chosen(), step: o.step}
	if kept {
		o.jump.step = 0
	}
}

// arrive selects the operation if all that is needed is loaded.
func (o *onward) arrive(e extent, loading bool) {
	j := o.jump
	if j.to.IsZero() || !o.list.shown().UpToDate() || loading && !e.covers(j.to) {
		return
	}
	o.jump = jump{}
	if o.list.chosen() != j.from {
		return
	}
	r, found := o.list.begunBy(j.to)
	switch {
	case !e.covers(j.to): // a notice has shown how far back the operations are loaded
		o.withdraw(j.step)
	case !found:
		text := "No operation shown began by " + o.session.Times.At(j.to)
		o.session.Notify(style.Waiting, extent{without: e.without}.claim(text)+".")
		o.withdraw(j.step)
	default:
		o.list.goTo(r.key(), false)
		// The ages of the rows around it are the same: 2h.
		began := o.session.Times.Moment(r.Op.CreatedAt, o.session.ServiceNow())
		o.session.Notify(style.Plain, "Began "+began+": "+o.scope.operation(r))
	}
}

// withdraw takes back the step of a jump that led nowhere.
func (o *onward) withdraw(step int) {
	if o.step == step {
		o.step--
	}
}

// begunBy returns the last of the rows shown that had begun by a time.
func (l *list) begunBy(target time.Time) (last *row, found bool) {
	for r := range l.table.List().Matching() {
		later := r.Op != nil && (!found || r.Op.CreatedAt.After(last.Op.CreatedAt))
		if !later || r.Op.CreatedAt.After(target) {
			continue
		}
		last, found = r, true
		if !l.sorted() {
			break // the newest come first
		}
	}
	return last, found
}
