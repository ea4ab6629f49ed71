package cli

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"pgtower/client"
	"pgtower/client/mock"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/ui"
	"pgtower/ui/apikeys"
)

// demo connects to a mock backend of its own, over loopback and the real client.
type demo struct {
	seed   uint64
	server atomic.Pointer[mock.Server] // nil until it listens

	mu       sync.Mutex
	options  client.Options // the base URL is that of the mock, once it listens
	listener *mock.Listener
	current  *client.Client
}

const demoSource = "key of the built-in mock"

// Open starts the mock, which stops with ctx; or comes back to the one that runs. Its
// faults are then over: whom they signed out has no commands to heal them with.
func (d *demo) Open(ctx context.Context, baseURL string) (ui.Connection, error) {
	key, err := d.start(ctx)
	if err != nil {
		return ui.Connection{}, err
	}
	if baseURL == "" {
		baseURL = d.listener.BaseURL()
	}
	return d.SignIn(ctx, baseURL, key)
}

// Forget does nothing: no key is held.
func (d *demo) Forget(string) {}

// start lets the mock listen, and returns its key.
func (d *demo) start(ctx context.Context) (models.Secret, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.server.Load() == nil {
		server, err := mock.New(mock.Options{Seed: d.seed, Clock: d.options.Clock, Live: true})
		if err != nil {
			return models.Secret{}, err
		}
		if d.listener, err = mock.Listen(ctx, server, mock.ListenOptions{}); err != nil {
			return models.Secret{}, err
		}
		d.options.BaseURL = d.listener.BaseURL()
		d.server.Store(server)
	}
	d.server.Load().ClearFaults()
	return models.NewSecret(d.server.Load().APIKey()), nil
}

// close ends the connections and then the mock, whose requests have ended with the
// program's context.
func (d *demo) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.current != nil {
		d.current.Close()
	}
	if d.listener != nil {
		_ = d.listener.Close() // there is nobody left to tell
	}
}

// SignIn tries the key. Nothing is kept: the mock forgets its keys when it ends.
func (d *demo) SignIn(ctx context.Context, baseURL string, key models.Secret) (ui.Connection, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if baseURL != d.options.BaseURL {
		return ui.Connection{}, fmt.Errorf("the demo is at %s only: for another service, choose its profile", d.options.BaseURL)
	}
	if err := tryKey(ctx, d.options, key); err != nil {
		return ui.Connection{}, err
	}
	api, err := newClient(d.options, key)
	if err != nil {
		return ui.Connection{}, err
	}
	if d.current != nil {
		d.current.Close()
	}
	d.current = api
	c := ui.Connection{
		API: api, Source: demoSource, ReadOnly: whyReadOnly(d.options),
		BaseURL: d.options.BaseURL, Host: keystore.DemoProfile,
	}
	if server := d.server.Load(); key.Reveal() == server.APIKey() {
		c.KeyID = server.APIKeyID()
	}
	c.Holder = &holder{options: d.options, place: nowhere{}, api: api}
	return c, nil
}

// now is the simulated time: the ages on the screen are those of the simulation.
func (d *demo) now() time.Time {
	if server := d.server.Load(); server != nil {
		return server.Now()
	}
	return d.options.Clock()
}

// nowhere keeps nothing.
type nowhere struct{}

func (nowhere) ready(context.Context) error { return nil }

func (nowhere) keep(context.Context, models.CreatedAPIKey) (apikeys.Kept, error) {
	return apikeys.Kept{Source: demoSource, Warning: "The demo keeps nothing: the key is used until you quit."}, nil
}
