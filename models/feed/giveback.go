package feed

import (
	"slices"
	"time"
)

// seamRows is the least number of rows between two seams.
const seamRows = 250

// seam is a row below which the service's next page begins: where a feed can be cut, because its cursor leads on.
type seam struct {
	above  *entry
	cursor string
	back   string // of the page that ends with the row
}

// note notes the end of a page unless another one is near.
func (f *Feed) note(m seam) {
	at, _ := slices.BinarySearchFunc(f.seams, m.above, func(s seam, row *entry) int {
		return compare(s.above, row)
	})
	row := f.search(m.above)
	for _, i := range []int{at - 1, at} {
		if i < 0 || i >= len(f.seams) {
			continue
		}
		if apart := row - f.search(f.seams[i].above); max(apart, -apart) < seamRows {
			return
		}
	}
	f.seams = slices.Insert(f.seams, at, m)
}

// lastOf returns the known row of a page's last operation, or nil.
func (f *Feed) lastOf(s span) *entry {
	if s.last == nil {
		return nil
	}
	return f.byID[s.last.op().ID]
}

// clean reports whether a seam is between two seconds: within one, the order of rows is a guess.
func (f *Feed) clean(m seam) bool {
	row := f.search(m.above)
	return row+1 >= len(f.rows) || !f.rows[row+1].second().Equal(m.above.second())
}

// giveBack drops the rows older than a time, by what lies between two seams, and leaves edges that load them again. What
// has an unfinished operation, one that may be tried again, or one that is held stays.
func (f *Feed) giveBack(until time.Time, held func(*entry) bool) {
	f.seams = slices.DeleteFunc(f.seams, func(m seam) bool { return !f.clean(m) })
	stays := func(e *entry) bool {
		id := e.op().ID
		return f.active[id] != nil || f.failed[id] != nil || held(e)
	}
	dropped := map[*entry]bool{}
	var cut []seam
	for i, m := range f.seams {
		from, to := f.search(m.above)+1, len(f.rows)
		if i+1 < len(f.seams) {
			to = f.search(f.seams[i+1].above) + 1
		}
		if m.above.at.After(until) || from == to || slices.ContainsFunc(f.rows[from:to], stays) {
			continue
		}
		for _, e := range f.rows[from:to] {
			dropped[e] = true
			delete(f.byID, e.op().ID)
		}
		if !dropped[m.above] {
			cut = append(cut, m)
		}
	}
	if len(dropped) == 0 {
		return
	}
	f.edges = slices.DeleteFunc(f.edges, func(e edge) bool { return dropped[e.above] })
	f.seams = slices.DeleteFunc(f.seams, func(m seam) bool { return dropped[m.above] })
	f.rows = f.without(dropped)
	for _, m := range cut {
		if f.edgeBelow(m.above) == nil {
			f.addEdge(edge{above: m.above, cursor: m.cursor, back: m.back, last: m.above})
		}
	}
	f.dropped(dropped)
}

// giveBack drops the oldest operations of all projects if there are more than the range allows.
func (p *Poller) giveBack() {
	since, most := p.reach.Since, p.reach.Most
	if most == 0 || p.grown < most/16 {
		return
	}
	p.grown = 0
	newer := func(at time.Time) (n int) {
		for _, pr := range p.order {
			n += pr.feed.since(at)
		}
		return n
	}
	if newer(since) <= most {
		return
	}
	until := since
	for after := p.poll.Health(p.poll.Now()).Last.Add(plausibleSkew); after.Sub(until) > time.Second; {
		middle := until.Add(after.Sub(until) / 2)
		if newer(middle) > most {
			until = middle
		} else {
			after = middle
		}
	}
	held := map[Key]bool{}
	for _, k := range slices.Concat(p.watched, p.held) {
		held[k] = true
	}
	for _, pr := range p.order {
		pr.feed.giveBack(until, func(e *entry) bool { return held[Key{pr.ID, e.op().ID}] })
	}
	p.givenBack = until
}
