package operations

import (
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/page"
	"pgtower/ui/rowlist"
	"pgtower/ui/theme"
)

// startRound asks the projects whose turn it is. Without any, the next round is armed all
// the same: it may be somebody's turn by then.
func (p *Page) startRound() tea.Cmd {
	now := p.session.Now()
	p.plan.fill(p.asked(), p.unfinished, p.poll.room(p.options.Budget), p.poll.every(), now)
	p.poll.begin(now)
	if len(p.plan.queue) == 0 {
		p.poll.busy = false
		wait := p.plan.wait(p.asked(), p.poll.every(), now)
		if wait == 0 {
			wait = p.poll.every() // there is no project
		}
		return p.next(p.poll.arm(wait, now))
	}
	return p.nextBatch()
}

// asked are the projects that are asked for their operations.
func (p *Page) asked() []string {
	if !p.all() {
		return p.inScope()
	}
	return slices.DeleteFunc(p.inScope(), func(id string) bool { return p.plan.gone[id] })
}

// next returns the command that brings the tick of the round that was armed.
func (p *Page) next(wait time.Duration) tea.Cmd {
	return p.poll.alarm.Set(p.session, page.Operations, wait, tick{p.visit, p.poll.round})
}

func (p *Page) unfinished(project string) bool {
	f := p.feeds[project]
	return f != nil && f.Unfinished() > 0
}

// nextBatch asks for what is shown at once when it has come. While there is nothing to
// see, that is what is under way together, and none of it waits for others that the
// budget holds back; later it is what the budget lets through in two seconds, because
// each time that rows arrive half of the screen is written anew.
func (p *Page) nextBatch() tea.Cmd {
	size := 2 * p.options.Budget
	if p.poll.good.IsZero() {
		size = min(atOnce, p.options.Budget)
	}
	return p.askAll(p.plan.take(size, p.session.Now()))
}

// tookAnswers takes in a batch and goes on: through the gaps that pages left, then to
// the unfinished operations that they did not speak of, then to the rest of the round.
func (p *Page) tookAnswers(answers []answer) tea.Cmd {
	if p.poll.fresh {
		// What the last round brought is marked until this one brings something.
		p.poll.fresh, p.marks = false, nil
	}
	answering := slices.ContainsFunc(answers, func(a answer) bool { return a.err == nil })
	p.poll.answered = p.poll.answered || answering
	var over error
	for _, a := range answers {
		switch {
		case a.err == nil && a.id != "":
			p.mark(a.project, p.timeline.Update(a.project, a.operation, a.asOf))
		case a.err == nil:
			p.tookPage(a)
		case a.id != "" && models.KindOf(a.err) == models.KindNotFound:
			p.mark(a.project, p.timeline.Vanish(a.project, a.id, a.asOf))
		case endsRound(a.err), outOfReach(a.err) && !p.poll.answered:
			// What was cancelled was so because of the first that failed.
			if over == nil || models.KindOf(over) == models.KindCanceled {
				over = a.err
			}
		default:
			p.refused(a)
		}
	}
	cmd := p.refresh()
	switch {
	case over != nil:
		return tea.Batch(cmd, p.endRound(p.anyProject(over)))
	case len(p.plan.queue) > 0 && (!p.poll.paused() || p.poll.once):
		return tea.Batch(cmd, p.nextBatch())
	}
	return tea.Batch(cmd, p.endRound(nil))
}

// anyProject leaves out of an error which of many projects was being read: which one it
// was is chance, and it says nothing about that project.
func (p *Page) anyProject(err error) error {
	e, ok := errors.AsType[*models.Error](err)
	if !ok || !p.all() {
		return err
	}
	general := *e
	general.Doing = "list operations"
	return &general
}

// tookPage merges a page of a round.
func (p *Page) tookPage(a answer) {
	delete(p.plan.fails, a.project)
	feed := p.feed(a.project)
	known := feed.Loaded()
	change := p.timeline.Merge(a.project, a.page)
	p.sayOdd(change.Anomalies)
	if known {
		p.mark(a.project, change)
	}
	if change.Gap != nil && a.depth < maxDepth {
		p.plan.first(ask{project: a.project, cursor: change.Gap.Cursor, depth: a.depth + 1})
		return
	}
	for _, id := range feed.Overdue(maxReread) {
		p.plan.first(ask{project: a.project, id: id})
	}
}

// refused notes that a project, or one of its operations, could not be read, while the
// others may well be. A project that is not found is asked no more until the list of
// projects has been read again.
func (p *Page) refused(a answer) {
	p.poll.part = a.err
	if a.id != "" {
		p.feed(a.project).Asked(a.id, a.asOf)
		return
	}
	p.plan.fails[a.project]++
	if models.KindOf(a.err) == models.KindNotFound && p.all() {
		p.timeline.Retire(a.project)
		p.plan.gone[a.project] = true
	}
}

// endRound notes how the round ended and arms the next one. A round in which nothing was
// answered well has failed, whatever the reasons.
func (p *Page) endRound(err error) tea.Cmd {
	if err == nil && !p.poll.answered && p.poll.part != nil {
		err = p.anyProject(p.poll.part)
	}
	p.plan.queue = nil
	p.learn()
	now := p.session.Now()
	wait := p.poll.end(err, now)
	if due := p.plan.wait(p.asked(), p.poll.every(), now); due > wait {
		wait = p.poll.arm(due, now) // a round that finds nobody to ask is none
	}
	next := p.next(wait)
	if err != nil {
		return tea.Batch(next, page.Say(page.Failed{Err: err}))
	}
	return tea.Batch(next, p.wantOlder())
}

// rearm changes when the next round is due, if none is under way.
func (p *Page) rearm() tea.Cmd {
	if p.poll.busy || p.poll.paused() {
		return nil
	}
	now := p.session.Now()
	return p.next(p.poll.arm(max(0, p.poll.every()-now.Sub(p.poll.began)), now))
}

// soon asks without waiting for the interval, unless the service is to be left alone.
func (p *Page) soon() tea.Cmd {
	if p.poll.busy || p.poll.paused() {
		return nil
	}
	if wait := p.poll.arm(0, p.session.Now()); wait > 0 {
		return p.next(wait)
	}
	return p.startRound()
}

// refreshNow asks at once because the person says so, which ends any backoff: one request
// of a person is not what a service has to be protected from.
func (p *Page) refreshNow() tea.Cmd {
	p.older.err = nil
	p.poll.notBefore = time.Time{}
	clear(p.plan.fails)
	return p.soon()
}

// pause stops asking, or goes on with it at once.
func (p *Page) pause() tea.Cmd {
	was := p.poll.pausedAt
	if p.poll.pausedAt = (time.Time{}); was.IsZero() {
		p.poll.pausedAt = p.session.Now()
	}
	return p.soon()
}

// pace makes polling slower or faster while it runs.
func (p *Page) pace(by int) tea.Cmd {
	p.poll.step(by)
	return p.rearm()
}

// focus slows polling down while nobody looks, and catches up when somebody does.
func (p *Page) focus(on bool) tea.Cmd {
	p.poll.blurred = !on
	if on && p.session.Now().Sub(p.poll.began) >= p.poll.every() {
		return p.soon()
	}
	return p.rearm()
}

// sayOdd says what is odd about the answers, once in a session.
func (p *Page) sayOdd(odd feed.Anomaly) {
	if news := odd &^ p.odd; news != 0 {
		p.odd |= news
		p.session.Tell(page.Notice{Tone: theme.Waiting, Text: strings.Join(news.Sentences(), " ")})
	}
}

// mark remembers what is new or changed until the next round.
func (p *Page) mark(project string, c feed.Change) {
	p.sayOdd(c.Anomalies)
	if p.marks == nil {
		p.marks = map[key]rowlist.Change{}
	}
	for _, op := range c.Added {
		p.marks[key{project: project, id: op.ID}] = rowlist.Added
	}
	for _, r := range c.Changed {
		k := key{project: project, id: r.After.ID}
		p.marks[k] |= p.changedCells(project, r)
	}
}
