package apikeys

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/page"
)

// loaded is the answer to reading the list.
type loaded struct {
	keys []models.APIKey
	err  error
}

func (p *Page) list() tea.Cmd {
	service := p.service
	return p.session.Do(page.APIKeys, func(ctx context.Context) tea.Msg {
		got, err := service.APIKeys(ctx)
		return loaded{got, err}
	})
}

// createWanted is the form's yes, created the service's answer.
type createWanted struct{ name string }

type created struct {
	name string
	key  models.CreatedAPIKey
	err  error
}

func (p *Page) create(name string) tea.Cmd {
	service := p.service
	return p.session.Do(page.APIKeys, func(ctx context.Context) tea.Msg {
		key, err := service.CreateAPIKey(ctx, name)
		return created{name, key, err}
	})
}

// revokeWanted is the confirmation's yes. It names the key that was asked about.
type revokeWanted struct {
	id   int64
	name string
}

// revoked is the service's answer to it.
type revoked struct {
	revokeWanted
	err error
}

func (p *Page) revoke(target revokeWanted) tea.Cmd {
	service := p.service
	return p.session.Do(page.APIKeys, func(ctx context.Context) tea.Msg {
		_, err := service.RevokeAPIKey(ctx, target.id)
		return revoked{target, err}
	})
}
