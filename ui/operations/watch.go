package operations

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// toggleWatch follows an operation until it ends, or no longer.
func (p *Page) toggleWatch(r row) tea.Cmd {
	k := p.rows.Key(r)
	switch {
	case p.watch[k]:
		delete(p.watch, k)
		return page.Say(page.Notice{Tone: style.Muted, Text: "no longer watching " + p.title(r), Here: true})
	case r.op.Done():
		return page.Say(page.Notice{Tone: style.Waiting, Text: p.title(r) + " has ended already: there is nothing to watch", Here: true})
	}
	p.watch[k] = true
	return tea.Batch(p.poll(), page.Say(page.Notice{Tone: style.Good, Text: "◉ watching " + p.title(r) + ": you will be told when it ends"}))
}

// watchAll follows all unfinished operations of a project that are shown.
func (p *Page) watchAll(project string) tea.Cmd {
	more := 0
	for i := range p.timeline.Len() {
		op := p.timeline.At(i)
		if k := (key{project: project, id: op.ID}); p.timeline.ProjectAt(i) == project && !op.Done() && !p.watch[k] && !models.NoID(op.ID) {
			p.watch[k] = true
			more++
		}
	}
	name := p.name(project)
	said := page.Notice{Tone: style.Good, Text: fmt.Sprintf("◉ watching %d more of %s: you will be told when they end", more, name)}
	switch {
	case more == 0 && p.watches(project):
		said = page.Notice{Tone: style.Waiting, Text: "all unfinished operations of " + name + " are watched already", Here: true}
	case more == 0:
		said = page.Notice{Tone: style.Waiting, Text: "nothing of " + name + " is unfinished: there is nothing to watch", Here: true}
	}
	return tea.Batch(p.poll(), page.Say(said))
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

// endWatches tells the user how operations ended that were watched.
func (p *Page) endWatches(project string, c feed.Change) tea.Cmd {
	var cmds []tea.Cmd
	for _, r := range c.Changed {
		k, op := key{project: project, id: r.After.ID}, r.After
		if !p.watch[k] || !op.Done() {
			continue
		}
		delete(p.watch, k)
		l := lookOf(op)
		text := l.glyph + " " + op.Action.Title() + " " + l.word
		if took := op.Took(p.session.ServiceNow()); took.Known && !op.Gone {
			text += " after " + style.Took(took.Value)
		}
		if op.Gone {
			text = "⊘ " + op.Action.Title() + " is gone: the service no longer knows it"
		}
		cmds = append(cmds, page.Say(page.Alert{Tone: l.tone, Title: p.name(project), Text: text}))
	}
	return tea.Batch(cmds...)
}
