package cli

import (
	"context"

	"pgtower/client/mock"
	"pgtower/models"
	"pgtower/ui"
)

// demo connects to a mock backend of its own, over loopback and the real client.
type demo struct {
	dial   dialer // its base is that of the mock, once it listens
	seed   uint64
	server *mock.Server
}

// Open starts the mock, which stops with ctx.
func (d *demo) Open(ctx context.Context) (ui.Connection, error) {
	server, err := mock.New(mock.Options{Seed: d.seed, Clock: d.dial.clock, Live: true})
	if err != nil {
		return ui.Connection{}, err
	}
	l, err := mock.Listen(ctx, server, mock.ListenOptions{})
	if err != nil {
		return ui.Connection{}, err
	}
	d.server, d.dial.base = server, l.BaseURL()
	return d.SignIn(ctx, "", models.NewSecret(server.APIKey()))
}

// SignIn tries the key. Nothing is kept: the mock forgets its keys when it ends.
func (d *demo) SignIn(ctx context.Context, _ string, key models.Secret) (ui.Connection, error) {
	if err := d.dial.prove(ctx, key); err != nil {
		return ui.Connection{}, err
	}
	api, err := d.dial.client(key)
	if err != nil {
		return ui.Connection{}, err
	}
	const source = "key of the built-in mock"
	c := ui.Connection{API: api, Source: source, ReadOnly: d.dial.whyReadOnly()}
	if key.Reveal() == d.server.APIKey() {
		c.KeyID = d.server.APIKeyID()
	}
	c.Holder = &holder{
		dial: d.dial, api: api,
		ready: func(context.Context) error { return nil },
		keep: func(context.Context, models.CreatedAPIKey) (string, string, error) {
			return source, "The demo keeps nothing: the key is used until you quit.", nil
		},
	}
	return c, nil
}
