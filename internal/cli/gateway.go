package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"sync"

	"pgtower/client"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/ui"
	"pgtower/ui/apikeys"
)

// defaultProfile is the profile that keys are kept under.
const defaultProfile = "default"

// gateway connects to the service at base with the key of the environment, else with
// that of the keyring.
type gateway struct {
	dial dialer
	base *url.URL
	key  models.Secret // of the environment; zero where it has none
	ring *keystore.Keyring

	mu      sync.Mutex
	current *client.Client
}

func (g *gateway) account() keystore.Account {
	return keystore.Account{Profile: defaultProfile, Host: g.base.Host}
}

// Open connects with the key that is there, without trying it.
func (g *gateway) Open(ctx context.Context) (ui.Connection, error) {
	if !g.key.IsZero() {
		return g.connect(keystore.Key{Secret: g.key}, ui.Connection{Source: "key of " + envKey})
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
	return g.connect(key, ui.Connection{Source: keyringSource})
}

// keyringSource is what the screen calls a key that the keyring holds.
const keyringSource = "key of the keyring"

// SignIn tries the key by reading one project, and keeps it in the keyring. A key that
// is good but cannot be kept is used for the session.
func (g *gateway) SignIn(ctx context.Context, _ string, secret models.Secret) (ui.Connection, error) {
	if err := g.dial.prove(ctx, secret); err != nil {
		return ui.Connection{}, err
	}
	key := keystore.Key{Secret: secret}
	// The id of a key that pgtower made must not be forgotten because it was given again.
	if old, err := g.ring.Get(ctx, g.account()); err == nil && old.Secret == secret {
		key = old
	}
	if err := g.ring.Set(ctx, g.account(), key); err != nil {
		why := err.Error()
		if e, ok := errors.AsType[*keystore.Error](err); ok {
			why = e.Reason.String()
		}
		return g.connect(key, ui.Connection{Source: "key in memory", Warning: "The key is held for this session only: " + why})
	}
	return g.connect(key, ui.Connection{Source: keyringSource, Warning: g.overruled()})
}

// overruled says that a key of the keyring will not be the one that is used the next
// time, or nothing.
func (g *gateway) overruled() string {
	if g.key.IsZero() {
		return ""
	}
	return "The key was kept, but " + envKey + " is set and goes before it the next time."
}

// connect completes the connection with a client that uses the key.
func (g *gateway) connect(key keystore.Key, c ui.Connection) (ui.Connection, error) {
	api, err := g.dial.client(key.Secret)
	if err != nil {
		return ui.Connection{}, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.current != nil {
		g.current.Close()
	}
	g.current = api
	c.API, c.KeyID, c.ReadOnly = api, key.ID, g.dial.whyReadOnly()
	c.Holder = &holder{dial: g.dial, ready: g.ready, keep: g.keep, api: api}
	return c, nil
}

// ready asks the keyring for the account's key, as a proof that it answers.
func (g *gateway) ready(ctx context.Context) error {
	if _, err := g.ring.Get(ctx, g.account()); !errors.Is(err, keystore.ErrNotFound) {
		return err
	}
	return nil
}

// keep keeps a key in place of the one that the keyring has. A keyring that stopped
// answering may keep it all the same, when somebody answers its prompt.
func (g *gateway) keep(ctx context.Context, key models.CreatedAPIKey) (source, warning string, err error) {
	err = g.ring.Set(ctx, g.account(), keystore.Key{Secret: key.Key, ID: key.ID})
	if e, ok := errors.AsType[*keystore.Error](err); ok {
		if slices.Contains([]keystore.Reason{keystore.ReasonTimeout, keystore.ReasonCanceled, keystore.ReasonOther}, e.Reason) {
			err = fmt.Errorf("%w: %w", apikeys.ErrPerhapsKept, err)
		}
	}
	return keyringSource, g.overruled(), err
}

func (g *gateway) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.current != nil {
		g.current.Close()
	}
}
