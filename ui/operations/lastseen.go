package operations

import (
	"cmp"
	"fmt"
	"time"

	"pgtower/models/feed"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	// absence is how long no pgtower must have read to tell what happened meanwhile.
	absence = 5 * time.Minute
	// tellWithin is the time after the first answer in which it tells that: later, the user has read it on the screen.
	tellWithin = 2 * time.Minute
)

// lastSeen tells once what happened since pgtower was last closed.
type lastSeen struct {
	since time.Time // by the service's clock; zero: unknown, or told
	began time.Time // when the first answer came
}

// tell tells what ended since pgtower was closed, as soon as all operations since then are loaded.
func (l *lastSeen) tell(p *Page) {
	if l.since.IsZero() {
		return
	}
	now := p.session.ServiceNow()
	l.began = cmp.Or(l.began, p.session.Now())
	away := now.Sub(l.since)
	if away < absence || p.session.Now().Sub(l.began) > tellWithin || p.live.paused() {
		l.since = time.Time{}
		return
	}
	e := p.list.extent()
	if e.limited() || e.unknown || !e.covers(feed.WindowSince(now, away)) {
		return
	}
	ended := p.live.timeline().Window(now, away)
	tone, text := style.Good, "nothing failed"
	if ended.Failed > 0 || ended.Recovered > 0 {
		tone = style.Muted
		text = count(ended.Failed) + " failed" + when(ended.Recovered > 0, ", "+count(ended.Recovered)+" recovered")
	}
	if ended.Failed > 0 {
		tone = style.Bad
	}
	where := when(p.scope.single(), " in "+p.scope.title())
	since := p.session.Times.Minute(l.since, now)
	p.session.Emit(page.Notice{Tone: tone, Text: fmt.Sprintf("since %s%s: %s", since, where, text), Waits: true})
	l.since = time.Time{}
}
