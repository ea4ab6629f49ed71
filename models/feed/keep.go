package feed

import "slices"

// Look requests an operation on its own, once, also while polling is paused. An operation that no page had is only in the
// [Answer], not in the feed: its neighbours are unknown. Look does nothing while the operation is requested, or if its
// project is not polled.
func (p *Poller) Look(k Key) {
	r := request{Project: k.Project, ID: k.ID, Purpose: Reread}
	pr := p.projects[k.Project]
	if pr == nil || pr.asks(r.target()) || slices.ContainsFunc(pr.waiting, r.isSame) {
		return
	}
	pr.waiting = append(pr.waiting, r)
	p.put(pr)
}

// Keep drops all projects but these: nothing is known of the others any more, and nothing is requested for them.
func (p *Poller) Keep(projects map[string]bool) {
	p.pinned = 0
	for _, pr := range p.order {
		switch {
		case !projects[pr.ID]:
			p.unrange(pr)
			delete(p.olderErrs, pr)
			p.poll.Forget(p, pr.ID)
			delete(p.projects, pr.ID)
		case pr.Pinned:
			p.pinned++
		}
	}
	p.order = slices.DeleteFunc(p.order, func(pr *project) bool { return !projects[pr.ID] })
	p.many = len(p.order)
	p.SetScope(p.scope)
}
