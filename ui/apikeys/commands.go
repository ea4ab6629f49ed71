package apikeys

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
)

// loaded is the answer to reading the list.
type loaded struct {
	listing

	err error
}

func (p *Page) list(number int) tea.Cmd {
	service, now := p.service, p.session.Now
	return p.session.Do(page.APIKeys, func(ctx context.Context) tea.Msg {
		got, err := service.APIKeys(ctx)
		return loaded{newListing(got, now(), number), err}
	})
}

// createWanted is the form's yes. rotate says that the new key is to take the place of
// the one that the session uses, which is old as far as it is known.
type createWanted struct {
	name   string
	rotate bool
	old    target
}

// creation is a key that is being made, and the dialog that shows how that goes.
type creation struct {
	createWanted

	dialog *dialog.Secret
	before listing // the keys that there were
}

// created is the service's answer. notBegun says that it was not asked.
type created struct {
	creation

	key      models.CreatedAPIKey
	notBegun bool
	err      error
}

// create makes the key even when the session ends meanwhile: the answer is the only one
// that has the secret.
func (p *Page) create(c creation) tea.Cmd {
	service, holder := p.service, p.holder
	late := func(answer tea.Msg) {
		if answer, ok := answer.(created); ok {
			answer.show()
		}
	}
	return p.session.DoAnyway(page.APIKeys, late, func(ctx context.Context) tea.Msg {
		if c.rotate {
			// A key that could not be kept would only be one more to revoke.
			if err := holder.Ready(ctx); err != nil {
				return created{creation: c, notBegun: true, err: err}
			}
		}
		key, err := service.CreateAPIKey(ctx, c.name)
		return created{creation: c, key: key, err: err}
	})
}

// abandoned is a key whose secret nobody took.
type abandoned struct{ target }

// keepWanted asks for a new key to become the profile's own.
type keepWanted struct {
	creation

	key    models.CreatedAPIKey
	holder Holder // that tries and keeps it
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
	wanted.dialog.Doing("Trying the new key with a request…")
	wanted.holder = p.holder
	return p.session.Do(page.APIKeys, func(ctx context.Context) tea.Msg {
		return proved{wanted, wanted.holder.Prove(ctx, wanted.key.Key)}
	})
}

func (p *Page) keep(wanted keepWanted) tea.Cmd {
	wanted.dialog.Doing("The new key works. Keeping it…")
	wanted.holder = p.holder
	return p.session.Do(page.APIKeys, func(ctx context.Context) tea.Msg {
		place, err := wanted.holder.Keep(ctx, wanted.key)
		return kept{wanted, place, err}
	})
}

// target is a key that is to be revoked, as it was when that was asked for.
type target struct {
	id   int64
	name string
}

// revokeWanted is the confirmation's yes, revoked the service's answer to it. of is the
// batch that the key is one of, or nil.
type revokeWanted struct{ target }

type revoked struct {
	target

	of  *batch
	err error
}

// errNotSaid is an answer that leaves open whether the key is revoked (section 4.3).
var errNotSaid = errors.New("the service did not say that it is revoked")

func (p *Page) revoke(t target, of *batch) tea.Cmd {
	p.rows.fate[t.id] = fate{state: revoking, name: t.name}
	service := p.service
	return p.session.Do(page.APIKeys, func(ctx context.Context) tea.Msg {
		answer, err := service.RevokeAPIKey(ctx, t.id)
		if err == nil && !answer.Revoked {
			err = &models.Error{Kind: models.KindMalformed, Doing: "revoke " + t.name, Err: errNotSaid}
		}
		return revoked{t, of, err}
	})
}
