package feed

import (
	"slices"
	"time"
)

// bytesEach is how many bytes an operation may have on average: 200 MB for [MostLoaded]. If the number of operations is not
// bounded, neither are their bytes.
const bytesEach = 2000

// Has reports whether an operation is loaded. One that was given back is not.
func (p *Poller) Has(k Key) bool {
	f := p.Feed(k.Project)
	return f != nil && f.byID[k.ID] != nil
}

// giveBack drops the oldest operations of all projects if more are kept than the range allows. Projects out of scope give
// first. Each project keeps its newest page, as long as there is room for the newest pages of all. A sixteenth is then free,
// so that few answers have this cost.
func (p *Poller) giveBack() {
	limit := p.most()
	if limit == 0 {
		return
	}
	mostBytes := limit * bytesEach
	least := min(p.pageSize(), limit/16/max(1, len(p.order)))
	for p.kept.rows > limit || p.kept.bytes > mostBytes {
		rows, n := p.kept.rows, limit-max(1, limit/16)
		if p.kept.bytes > mostBytes {
			n = min(n, int(float64(rows)*15/16*float64(mostBytes)/float64(p.kept.bytes)))
		}
		p.keep(n, max(1, least))
		if p.kept.rows == rows && least <= 1 {
			return // a row of each project is left
		}
		least /= 2
	}
}

// most returns how many operations are kept, or 0 for all.
func (p *Poller) most() int {
	if p.reach == (Range{}) {
		return MostLoaded
	}
	return p.reach.Most
}

// keep drops operations until about n are left. Each project keeps at least as many as least says.
func (p *Poller) keep(n, least int) {
	var scope, rest quotas
	for _, pr := range p.order {
		if pr.feed.timeline == p.timeline {
			scope = append(scope, quota{feed: pr.feed})
		} else {
			rest = append(rest, quota{feed: pr.feed})
		}
	}
	keys := map[Key]bool{}
	for _, k := range slices.Concat(p.watched, p.held) {
		keys[k] = true
	}
	rest.giveBack(n-scope.rows(), least, keys)
	p.givenBack = later(p.givenBack, scope.giveBack(n-rest.rows(), least, keys))
	p.timeline.compact()
	p.cached = nil
}

// quota is how many of its newest rows a feed keeps.
type quota struct {
	feed *Feed
	keep int
}

// quotas has a quota for each of some feeds of a poller.
type quotas []quota

// rows returns the number of rows of the feeds.
func (q quotas) rows() (n int) {
	for i := range q {
		n += q[i].feed.Len()
	}
	return n
}

// giveBack drops rows until about n are left, in up to three steps. The first step keeps held operations, unfinished ones,
// and those that may be tried again, with the rows around them. If too much is left, the second step keeps only held ones. If
// that is too much, the third step keeps none of these. giveBack returns a time after which no row was dropped, or zero if
// none was.
func (q quotas) giveBack(n, least int, keys map[Key]bool) (newest time.Time) {
	if len(q) == 0 {
		return newest
	}
	q.divide(n, least)
	kept := q[0].feed.kept // also has what other feeds keep
	limit := kept.rows - q.rows() + n + n/32
	isHeld := func(e *entry) bool { return keys[Key{e.feed.project, e.op().ID}] }
	isNeeded := func(e *entry) bool { return e.feed.isOpen(e) || isHeld(e) }
	for _, stays := range []func(*entry) bool{isNeeded, isHeld} {
		for i := range q {
			if kept.rows > limit {
				newest = later(newest, q[i].feed.giveBack(q[i].keep, stays))
			}
		}
	}
	// The feeds with the most rows left to drop come first.
	slices.SortFunc(q, func(a, b quota) int { return b.excess() - a.excess() })
	for i := range q {
		if kept.rows > limit {
			newest = later(newest, q[i].feed.cut(q[i].keep))
		}
	}
	return newest
}

func (q *quota) excess() int { return q.feed.Len() - q.keep }

// divide decides how many of its newest rows each feed keeps: about n together, and at least as many of each as least says.
// All feeds keep what is newer than some second. If not all rows of that second fit, each feed keeps the same part of them.
func (q quotas) divide(n, least int) {
	low, high := q.seconds() // that second lies between them
	for high.Sub(low) > time.Second && q.since(low, least) > n {
		middle := low.Add((high.Sub(low) / 2).Truncate(time.Second))
		if q.since(middle, least) > n {
			low = middle
		} else {
			high = middle
		}
	}
	fit, total := q.since(high, least), q.since(low, least)
	for i := range q {
		newer, older := q[i].since(high, least), q[i].since(low, least)
		q[i].keep = older
		if total > n && total > fit {
			q[i].keep = newer + (older-newer)*max(0, n-fit)/(total-fit)
		}
	}
}

// since returns the number of rows since a time. If least is greater, it returns that, or all rows if there are fewer.
func (q *quota) since(instant time.Time, least int) int {
	return max(q.feed.since(instant), min(least, q.feed.Len()))
}

func (q quotas) since(instant time.Time, least int) (n int) {
	for i := range q {
		n += q[i].since(instant, least)
	}
	return n
}

// seconds returns the second of the oldest row of all feeds, and the one after that of the newest.
func (q quotas) seconds() (oldest, end time.Time) {
	for i := range q {
		f := q[i].feed
		if f.Len() == 0 {
			continue
		}
		first, last := f.rows[f.Len()-1].second(), f.rows[0].second().Add(time.Second)
		if oldest.IsZero() || first.Before(oldest) {
			oldest = first
		}
		end = later(end, last)
	}
	return oldest, end
}
