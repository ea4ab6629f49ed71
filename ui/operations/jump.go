package operations

import (
	"time"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

// jump goes to a time: once all operations since then are loaded, it selects the last one that had begun by then. It does
// not if the user selected another row meanwhile.
type jump struct {
	*state

	onward *onward
	to     time.Time // zero if there is no jump
	from   key       // the row that the user had selected, or the zero key
	step   int       // the step of the history that the jump is, or 0
}

func (j *jump) start(at time.Time) {
	j.to, j.from = at, j.chosen()
	j.session.Emit(page.ShowOperations{Project: j.project})
}

// chosen returns the key of the row that the user selected, or the zero key.
func (j *jump) chosen() key {
	if r, ok := j.table.Selected(); ok && j.table.Held() {
		return r.key()
	}
	return key{}
}

// arrive selects the operation if all that is needed is loaded.
func (j *jump) arrive() {
	if j.to.IsZero() || !j.table.Settled() || j.loading() && !j.extent().covers(j.to) {
		return
	}
	to := j.to
	j.to = time.Time{}
	if j.chosen() != j.from {
		return
	}
	r, found := j.find(to)
	switch {
	case !j.extent().covers(to): // a notice has shown how far back the operations are loaded
		j.withdraw()
		return
	case !found:
		j.session.Notify(style.Waiting, "No operation shown began by "+j.session.Times.At(to)+j.extent().except+".")
		j.withdraw()
		return
	}
	j.table.Restore(r.key(), false)
	// The ages of the rows around it are the same: 2h.
	j.session.Notify(style.Plain, "Began "+j.session.Times.Moment(r.Op.CreatedAt, j.session.ServiceNow())+": "+j.operation(r))
}

// withdraw takes back the step of a jump that led nowhere.
func (j *jump) withdraw() {
	if j.onward.step == j.step {
		j.onward.step--
	}
}

// find returns the last of the rows shown that had begun by a time.
func (j *jump) find(at time.Time) (last *row, found bool) {
	for r := range j.table.Matching() {
		if r.Op == nil || r.Op.CreatedAt.After(at) || found && !r.Op.CreatedAt.After(last.Op.CreatedAt) {
			continue
		}
		if last, found = r, true; !j.sorted() {
			break // the newest come first
		}
	}
	return last, found
}
