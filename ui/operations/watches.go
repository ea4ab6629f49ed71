package operations

import (
	"maps"
	"slices"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

// watches are the operations that the user watches.
type watches map[key]bool

func (w watches) keys() []key { return slices.Collect(maps.Keys(w)) }

// toggle watches an operation, named title, or no longer.
func (w watches) toggle(r *row, title string, session *page.Session) {
	k := r.key()
	switch {
	case w[k]:
		delete(w, k)
		session.Notify(style.Muted, "no longer watching "+title)
	case r.Op.Done():
		session.Notify(style.Waiting, title+" already ended")
	default:
		w[k] = true
		session.Notify(style.Good, "◉ watching "+title+"; you will be notified when it ends")
	}
}

// end returns the watched operations that ended, which are then no longer watched.
func (w watches) end(changed []*row) (ended []*row) {
	for _, r := range changed {
		if w[r.key()] && r.Op.Done() {
			delete(w, r.key())
			ended = append(ended, r)
		}
	}
	return ended
}
