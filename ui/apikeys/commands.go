package apikeys

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/secret"
)

// loaded is the answer to reading the list.
type loaded struct {
	listing

	err error
}

func (p *Page) list() tea.Cmd {
	service, now := p.service, p.session.Now
	return p.session.Do(page.APIKeys, func(ctx context.Context) tea.Msg {
		got, err := service.APIKeys(ctx)
		return loaded{newListing(got, now()), err}
	})
}

// createWanted is the form's yes, created the service's answer. rotate says that the new
// key is to take the place of the one that the session uses.
type createWanted struct {
	name   string
	rotate bool
}

type created struct {
	createWanted
	key models.CreatedAPIKey
	err error
}

func (p *Page) create(wanted createWanted) tea.Cmd {
	service := p.service
	return p.session.Do(page.APIKeys, func(ctx context.Context) tea.Msg {
		key, err := service.CreateAPIKey(ctx, wanted.name)
		return created{wanted, key, err}
	})
}

// keepWanted asks for a new key to become the profile's own. The dialog is the one that
// holds the key, and is told how that goes.
type keepWanted struct {
	key    models.CreatedAPIKey
	name   string
	dialog *secret.Model
	rotate bool
}

// proved is what became of trying the key, kept of keeping it.
type proved struct {
	keepWanted
	err error
}

type kept struct {
	keepWanted
	place Kept
	err   error
}

func (p *Page) prove(wanted keepWanted) tea.Cmd {
	wanted.dialog.Keeping("Trying the new key with a request…")
	holder := p.holder
	return p.session.Do(page.APIKeys, func(ctx context.Context) tea.Msg {
		return proved{wanted, holder.Prove(ctx, wanted.key.Key)}
	})
}

func (p *Page) keep(wanted keepWanted) tea.Cmd {
	wanted.dialog.Keeping("The new key works. Keeping it…")
	holder := p.holder
	return p.session.Do(page.APIKeys, func(ctx context.Context) tea.Msg {
		place, err := holder.Keep(ctx, wanted.key)
		return kept{wanted, place, err}
	})
}

// target is a key that is to be revoked, as it was when that was asked for.
type target struct {
	id   int64
	name string
}

// revokeWanted is the confirmation's yes, revoked the service's answer to it.
type revokeWanted struct{ target }

type revoked struct {
	target

	err error
}

func (p *Page) revoke(t target) tea.Cmd {
	service := p.service
	return p.session.Do(page.APIKeys, func(ctx context.Context) tea.Msg {
		_, err := service.RevokeAPIKey(ctx, t.id)
		return revoked{t, err}
	})
}
