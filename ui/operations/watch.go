package operations

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/theme"
	"pgtower/ui/when"
)

const (
	// watchEvery is the interval that the service suggests for following one operation
	// (section 4.8).
	watchEvery = 5 * time.Second
	// watchShare is the part of the budget that watching takes, in percent.
	watchShare = 15
)

// maxWatched is how many operations can be followed at once within the budget.
func (p *Page) maxWatched() int {
	return max(5, p.options.Budget*int(watchEvery/time.Second)*watchShare/100)
}

// watched is how an operation that was watched ended, or why it could not be followed.
type watched struct {
	key       key
	title     string
	done      chan struct{} // as in [Page.watch]
	operation models.Operation
	err       error
}

// toggleWatch follows an operation until it ends, or no longer.
func (p *Page) toggleWatch(r row) tea.Cmd {
	k := p.rows.Key(r)
	switch {
	case p.watch[k] != nil:
		close(p.watch[k])
		delete(p.watch, k)
		return page.Say(page.Notice{Tone: theme.Muted, Text: "no longer watching " + r.op.Action.Title(), Here: true})
	case r.op.Done():
		return page.Say(page.Notice{Tone: theme.Waiting, Text: r.op.Action.Title() + " has ended already: there is nothing to watch", Here: true})
	case len(p.watch) >= p.maxWatched():
		return page.Say(page.Notice{Tone: theme.Waiting, Text: fmt.Sprintf("%d operations are watched: more would take the budget from the feed", len(p.watch)), Here: true})
	}
	return tea.Batch(p.follow(k, r.op), page.Say(page.Notice{Tone: theme.Good, Text: "◉ watching " + r.op.Action.Title() + ": you will be told when it ends"}))
}

// watchAll follows all unfinished operations of a project that are shown.
func (p *Page) watchAll(project string) tea.Cmd {
	var cmds []tea.Cmd
	left := 0
	for i := range p.timeline.Len() {
		op := p.timeline.At(i)
		k := key{project: project, id: op.ID}
		switch {
		case p.timeline.ProjectAt(i) != project || op.Done() || p.watch[k] != nil:
		case len(p.watch) >= p.maxWatched():
			left++
		default:
			cmds = append(cmds, p.follow(k, op))
		}
	}
	return tea.Batch(append(cmds, page.Say(p.watchingMore(project, len(cmds), left)))...)
}

// watchingMore says how many operations of a project are watched besides those that were
// watched already, and how many are not because of the budget.
func (p *Page) watchingMore(project string, more, left int) page.Notice {
	name := p.name(project)
	switch {
	case more == 0 && left > 0:
		return page.Notice{Tone: theme.Waiting, Text: fmt.Sprintf("%d operations are watched: more would take the budget from the feed", len(p.watch)), Here: true}
	case more == 0 && p.watches(project):
		return page.Notice{Tone: theme.Waiting, Text: "all unfinished operations of " + name + " are watched already", Here: true}
	case more == 0:
		return page.Notice{Tone: theme.Waiting, Text: "nothing of " + name + " is unfinished: there is nothing to watch", Here: true}
	}
	said := page.Notice{Tone: theme.Good, Text: fmt.Sprintf("◉ watching %d more of %s: you will be told when they end", more, name)}
	if left > 0 {
		said.Text += fmt.Sprintf("; %d others are beyond the budget", left)
	}
	return said
}

// watches says that something of the project is watched.
func (p *Page) watches(project string) bool {
	for k := range p.watch {
		if k.project == project {
			return true
		}
	}
	return false
}

// follow reads an operation until it ends, in this scope and in any other.
func (p *Page) follow(k key, op *models.Operation) tea.Cmd {
	done := make(chan struct{})
	p.watch[k] = done
	service, title := p.service, op.Action.Title()
	return p.do(func(ctx context.Context) tea.Msg {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		go func() {
			select {
			case <-done:
				cancel()
			case <-ctx.Done():
			}
		}()
		op, err := service.WaitOperation(ctx, k.project, k.id, watchEvery, nil)
		return watched{k, title, done, op, err}
	})
}

// tookWatched tells the person how an operation ended, unless they watch it no longer.
func (p *Page) tookWatched(msg watched) tea.Cmd {
	if p.watch[msg.key] != msg.done {
		return nil
	}
	delete(p.watch, msg.key)
	now := p.session.Now()
	switch {
	case models.KindOf(msg.err) == models.KindNotFound:
		p.mark(msg.key.project, p.timeline.Vanish(msg.key.project, msg.key.id, now))
		return tea.Batch(p.refresh(), page.Say(page.Alert{
			Tone: theme.Waiting, Title: p.name(msg.key.project), Text: "⊘ " + msg.title + " is gone: the service no longer knows it",
		}))
	case msg.err != nil:
		return tea.Batch(page.Say(page.Failed{Err: msg.err}),
			page.Say(page.Notice{Tone: theme.Bad, Text: "✗ no longer watching: " + msg.err.Error()}))
	}
	op := &msg.operation
	p.mark(msg.key.project, p.timeline.Update(msg.key.project, *op, now))
	l := lookOf(op)
	text := l.glyph + " " + op.Action.Title() + " " + l.word
	if took := op.Took(now); took.Known {
		text += " after " + when.Took(took.Value)
	}
	return tea.Batch(p.refresh(), page.Say(page.Alert{
		Tone: l.tone, Title: p.name(msg.key.project), Text: text,
	}))
}
