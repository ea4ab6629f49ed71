package operations

import (
	"time"

	"pgtower/ui/style"
	"pgtower/ui/timeline"
)

// viewport is the time that the timeline shows.
type viewport struct {
	fixed bool // its end stays; otherwise it ends now, while the table follows the newest operation
	span  time.Duration
	end   time.Time // the end, if fixed
	moves int       // counts the user's changes
}

const (
	defaultSpan = 15 * time.Minute
	strides     = 16 // while it follows, the timeline moves by this fraction of its width
)

// newest returns the span in so many cells, up to now. As everything moves with its end, it moves rarely, by whole cells:
// there are some more cells than the span needs, so that all of it is always in view.
func (p *viewport) newest(cells int, now time.Time) timeline.Spec {
	spare := 1 + cells/strides
	needs := time.Duration(max(1, cells-spare))
	cell := max(time.Millisecond, (p.span+needs-1)/needs)
	stride := cell * time.Duration(spare)
	return timeline.Spec{Cells: cells, Cell: cell, To: now.Truncate(stride).Add(stride), Now: now}
}

// spec returns what is shown in so many cells. It never ends after the newest.
func (p *viewport) spec(cells int, now time.Time) timeline.Spec {
	spec := p.newest(cells, now)
	if p.fixed {
		spec.To = earliest(p.end, spec.To)
	}
	return spec
}

// follow goes to now.
func (p *viewport) follow() {
	if p.fixed {
		p.moves++
	}
	p.fixed, p.end = false, time.Time{}
}

// stay stops following, with the end where it was last drawn.
func (p *viewport) stay(end time.Time) {
	if !p.fixed {
		p.fixed, p.end = true, end
	}
}

// limit keeps the end from being beyond the newest view.
func (p *viewport) limit(newest time.Time) { p.end = earliest(p.end, newest) }

// show brings an operation that began at a time into view.
func (p *viewport) show(began, newest time.Time) {
	p.fixed, p.end = true, earliest(began.Add(p.span/2), newest)
	p.moves++
}

// pan moves the view by a duration, to later time if positive.
func (p *viewport) pan(distance time.Duration) {
	p.fixed, p.end = true, p.end.Add(distance)
	p.moves++
}

// zoom shows more or less time. Unless it follows, what is at a time stays in its place; zero is the middle.
func (p *viewport) zoom(closer bool, about time.Time) {
	previous := p.span
	p.span = timeline.Zoom(previous, closer)
	p.moves++
	if !p.fixed {
		return
	}
	if about.IsZero() {
		about = p.end.Add(-previous / 2)
	}
	p.end = about.Add(time.Duration(float64(p.end.Sub(about)) * float64(p.span) / float64(previous)))
}

// covered returns the span that ends with a view or now, whichever is earlier: what it holds is counted.
func (p *viewport) covered(end, now time.Time) (from, until time.Time) {
	until = earliest(end, now)
	return until.Add(-p.span), until
}

// reach returns how far back the view needs operations.
func (p *viewport) reach(now time.Time) time.Duration {
	if !p.fixed {
		return p.span
	}
	return now.Sub(p.end) + p.span
}

// between formats the time that is counted, such as 12:04 – 12:19, with the days except today.
func (p *viewport) between(end, now time.Time, times style.Times) string {
	from, until := p.covered(end, now)
	from, until = times.In(from), times.In(until)
	layout := "15:04"
	if p.span < 10*time.Minute {
		layout = time.TimeOnly
	}
	today, day, nextDay := times.In(now).Format("Jan 02 "), from.Format("Jan 02 "), until.Format("Jan 02 ")
	if nextDay == day || nextDay == today {
		nextDay = ""
	}
	if day == today {
		day = ""
	}
	return day + from.Format(layout) + " – " + nextDay + until.Format(layout)
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
