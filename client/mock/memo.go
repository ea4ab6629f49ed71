package mock

import "sync/atomic"

// memo holds slots that were drawn lately, because clients ask for the newest ones again
// and again. A place is overwritten by whatever falls on it: the memo never grows, and
// what is not in it is drawn again, the same.
type memo [128]atomic.Pointer[drawn]

// drawn is a slot of a project. Nobody changes its operations.
type drawn struct {
	project *project
	slot    int64
	ops     []operation
}

// slot returns what happens in a slot, oldest first, for reading only.
func (p *project) slot(slot int64) []operation {
	place := &p.memo[mix(p.key, bits(slot))%uint64(len(p.memo))]
	if d := place.Load(); d != nil && d.project == p && d.slot == slot {
		return d.ops
	}
	d := &drawn{p, slot, p.draw(slot)}
	place.Store(d)
	return d.ops
}
