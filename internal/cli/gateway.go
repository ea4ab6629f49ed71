package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	"pgtower/client"
	"pgtower/client/mock"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/ui"
)

// defaultProfile is the profile that keys are kept under.
const defaultProfile = "default"

// gateway connects to the service at base with the key of the environment, else with
// that of the keyring.
type gateway struct {
	base   *url.URL
	key    models.Secret // of the environment; zero where it has none
	ring   *keystore.Keyring
	clock  func() time.Time
	budget int // requests a second

	mu      sync.Mutex
	current *client.Client
}

func (g *gateway) account() keystore.Account {
	return keystore.Account{Profile: defaultProfile, Host: g.base.Host}
}

// Open connects with the key that is there, without trying it.
func (g *gateway) Open(ctx context.Context) (ui.Connection, error) {
	if !g.key.IsZero() {
		return g.connect(g.key, "key of "+envKey, "")
	}
	key, err := g.ring.Get(ctx, g.account())
	switch {
	case errors.Is(err, keystore.ErrNotFound):
		return ui.Connection{}, ui.ErrNoKey
	case err != nil:
		if e, ok := errors.AsType[*keystore.Error](err); ok {
			err = fmt.Errorf("the keyring cannot be used: %s. %s", e.Reason, e.Reason.Advice())
		}
		return ui.Connection{}, err
	}
	return g.connect(key, "key of the keyring", "")
}

// SignIn tries the key by reading one project, and keeps it in the keyring. A key that
// is good but cannot be kept is used for the session.
func (g *gateway) SignIn(ctx context.Context, key models.Secret) (ui.Connection, error) {
	c, err := newClient(g.base.String(), key, g.clock, g.budget)
	if err != nil {
		return ui.Connection{}, err
	}
	defer c.Close()
	if _, err := c.Projects(ctx, models.PageRequest{Limit: 1}); err != nil {
		return ui.Connection{}, err
	}
	if err := g.ring.Set(ctx, g.account(), key); err != nil {
		why := err.Error()
		if e, ok := errors.AsType[*keystore.Error](err); ok {
			why = e.Reason.String()
		}
		return g.connect(key, "key in memory", "The key is held for this session only: "+why)
	}
	warning := ""
	if !g.key.IsZero() {
		warning = "The key was kept, but " + envKey + " is set and goes before it the next time."
	}
	return g.connect(key, "key of the keyring", warning)
}

func (g *gateway) connect(key models.Secret, source, warning string) (ui.Connection, error) {
	c, err := newClient(g.base.String(), key, g.clock, g.budget)
	if err != nil {
		return ui.Connection{}, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.current != nil {
		g.current.Close()
	}
	g.current = c
	return ui.Connection{API: c, Source: source, Warning: warning}, nil
}

func (g *gateway) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.current != nil {
		g.current.Close()
	}
}

func newClient(base string, key models.Secret, clock func() time.Time, budget int) (*client.Client, error) {
	return client.New(client.Options{
		BaseURL: base, Key: key, UserAgent: "pgtower/" + version(), Clock: clock, Budget: budget,
	})
}

// demo connects to a mock backend of its own, over loopback and the real client.
type demo struct {
	seed   uint64
	clock  func() time.Time
	budget int
	base   string // of the mock, once it listens
}

// Open starts the mock, which stops with ctx.
func (d *demo) Open(ctx context.Context) (ui.Connection, error) {
	server, err := mock.New(mock.Options{Seed: d.seed, Clock: d.clock, Live: true})
	if err != nil {
		return ui.Connection{}, err
	}
	l, err := mock.Listen(ctx, server, mock.ListenOptions{})
	if err != nil {
		return ui.Connection{}, err
	}
	d.base = l.BaseURL()
	return d.SignIn(ctx, models.NewSecret(server.APIKey()))
}

// SignIn takes the key as it is; the first request tells whether it is good.
func (d *demo) SignIn(ctx context.Context, key models.Secret) (ui.Connection, error) {
	c, err := newClient(d.base, key, d.clock, d.budget)
	if err != nil {
		return ui.Connection{}, err
	}
	if _, err := c.Projects(ctx, models.PageRequest{Limit: 1}); err != nil {
		return ui.Connection{}, err
	}
	return ui.Connection{API: c, Source: "key of the built-in mock"}, nil
}
