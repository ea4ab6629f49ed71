package operations

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/page"
)

// tick says that the next poll is due.
type tick struct{ visit, round int }

// polled is the answer to one page of a poll; depth counts the pages before it.
type polled struct {
	visit, depth int
	page         models.OperationPage
	err          error
}

func (p *Page) pollHead() tea.Cmd { return p.pollPage("", 0) }

func (p *Page) pollPage(cursor string, depth int) tea.Cmd {
	p.poll.begin()
	service, project, visit := p.service, p.project.ID, p.visit
	request := models.PageRequest{Limit: p.options.PageSize, Cursor: cursor}
	return p.session.Do(page.Operations, func(ctx context.Context) tea.Msg {
		got, err := service.Operations(ctx, project, request)
		return polled{visit, depth, got, err}
	})
}

// reread are the answers to reading operations one by one.
type reread struct {
	visit   int
	answers []answer
}

type answer struct {
	id        string
	operation models.Operation
	asOf      time.Time
	err       error
}

func (p *Page) rereadAll(ids []string) tea.Cmd {
	service, project, visit, now := p.service, p.project.ID, p.visit, p.session.Now
	return p.session.Do(page.Operations, func(ctx context.Context) tea.Msg {
		m := reread{visit: visit}
		for _, id := range ids {
			asOf := now()
			op, err := service.Operation(ctx, project, id)
			m.answers = append(m.answers, answer{id, op, asOf, err})
			if err != nil && models.KindOf(err) != models.KindNotFound {
				break
			}
		}
		return m
	})
}

// olderLoaded is the answer to a page of history.
type olderLoaded struct {
	visit int
	page  models.OperationPage
	err   error
}

func (p *Page) loadPage(cursor string) tea.Cmd {
	p.older = older{cursor: cursor}
	service, project, visit := p.service, p.project.ID, p.visit
	request := models.PageRequest{Limit: p.options.PageSize, Cursor: cursor}
	return p.session.Do(page.Operations, func(ctx context.Context) tea.Msg {
		got, err := service.Operations(ctx, project, request)
		return olderLoaded{visit, got, err}
	})
}
