package cli

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"pgtower/client"
	"pgtower/client/mock"
	"pgtower/keystore/profile"
	"pgtower/models"
	"pgtower/ui"
	"pgtower/ui/apikeys"
)

// demo connects to a mock backend of its own, over loopback and the real client.
type demo struct {
	connector

	seed   uint64
	server atomic.Pointer[mock.Server] // nil until it listens

	mu       sync.Mutex
	options  client.Options // the base URL is that of the mock, once it listens
	listener *mock.Listener
}

const demoSource = "key of the built-in mock"

// Open starts the mock, which stops with ctx, or returns to the one that runs. Its faults are
// then over: the user whom they signed out has no commands to end them with.
func (d *demo) Open(ctx context.Context, baseURL string) (ui.Connection, error) {
	server, own, err := d.start(ctx)
	if err != nil {
		return ui.Connection{}, err
	}
	server.ClearFaults()
	return d.SignIn(ctx, cmp.Or(baseURL, own), models.NewSecret(server.APIKey()))
}

// Forget does nothing: no key is held.
func (d *demo) Forget(string) {}

// start lets the mock listen, and returns its base URL.
func (d *demo) start(ctx context.Context) (*mock.Server, string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.server.Load() == nil {
		server, err := mock.New(mock.Options{Seed: d.seed, Clock: d.options.Clock, Live: true})
		if err != nil {
			return nil, "", err
		}
		if d.listener, err = mock.Listen(ctx, server, mock.ListenOptions{}); err != nil {
			return nil, "", err
		}
		d.options.BaseURL = d.listener.BaseURL()
		d.server.Store(server)
	}
	return d.server.Load(), d.options.BaseURL, nil
}

// close ends the connections and then the mock, whose requests have ended with the
// program's context.
func (d *demo) close() {
	d.connector.close()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.listener != nil {
		_ = d.listener.Close() // nothing can be done about an error
	}
}

// SignIn verifies the key. Nothing is saved: the mock forgets its keys when it ends.
func (d *demo) SignIn(ctx context.Context, baseURL string, key models.Secret) (ui.Connection, error) {
	d.mu.Lock()
	options := d.options
	d.mu.Unlock()
	if baseURL != options.BaseURL {
		return ui.Connection{}, fmt.Errorf("the demo is at %s only: for another service, choose its profile", options.BaseURL)
	}
	if err := verify(ctx, options, key); err != nil {
		return ui.Connection{}, err
	}
	c, err := d.connect(options, key, nowhere{})
	c.Source, c.Host, c.Skew = demoSource, profile.Demo, nil // the demo's clock is the mock's
	if server := d.server.Load(); key.Reveal() == server.APIKey() {
		c.KeyID = server.APIKeyID()
	}
	return c, err
}

// now is the simulated time: the ages on the screen are those of the simulation.
func (d *demo) now() time.Time {
	if server := d.server.Load(); server != nil {
		return server.Now()
	}
	return d.options.Clock()
}

// nowhere saves nothing.
type nowhere struct{}

func (nowhere) check(context.Context) error { return nil }

func (nowhere) save(context.Context, models.CreatedAPIKey) (apikeys.Saved, error) {
	return apikeys.Saved{Source: demoSource, Warning: "The demo keeps nothing: the key is used until you quit."}, nil
}
