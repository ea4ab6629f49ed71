package cli

import (
	"context"

	"pgtower/client"
	"pgtower/client/mock"
	"pgtower/models"
	"pgtower/ui"
	"pgtower/ui/apikeys"
)

// demo connects to a mock backend of its own, over loopback and the real client.
type demo struct {
	options client.Options // the base URL is that of the mock, once it listens
	seed    uint64
	server  *mock.Server
}

const demoSource = "key of the built-in mock"

// Open starts the mock, which stops with ctx; or comes back to the one that runs.
func (d *demo) Open(ctx context.Context) (ui.Connection, error) {
	if d.server == nil {
		server, err := mock.New(mock.Options{Seed: d.seed, Clock: d.options.Clock, Live: true})
		if err != nil {
			return ui.Connection{}, err
		}
		l, err := mock.Listen(ctx, server, mock.ListenOptions{})
		if err != nil {
			return ui.Connection{}, err
		}
		d.server, d.options.BaseURL = server, l.BaseURL()
	}
	return d.SignIn(ctx, d.options.BaseURL, models.NewSecret(d.server.APIKey()))
}

// SignIn tries the key. Nothing is kept: the mock forgets its keys when it ends.
func (d *demo) SignIn(ctx context.Context, _ string, key models.Secret) (ui.Connection, error) {
	if err := tryKey(ctx, d.options, key); err != nil {
		return ui.Connection{}, err
	}
	api, err := newClient(d.options, key)
	if err != nil {
		return ui.Connection{}, err
	}
	c := ui.Connection{API: api, Source: demoSource, ReadOnly: whyReadOnly(d.options)}
	if key.Reveal() == d.server.APIKey() {
		c.KeyID = d.server.APIKeyID()
	}
	c.Holder = &holder{options: d.options, place: nowhere{}, api: api}
	return c, nil
}

// nowhere keeps nothing.
type nowhere struct{}

func (nowhere) ready(context.Context) error { return nil }

func (nowhere) keep(context.Context, models.CreatedAPIKey) (apikeys.Kept, error) {
	return apikeys.Kept{Source: demoSource, Warning: "The demo keeps nothing: the key is used until you quit."}, nil
}
