package cli

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"pgtower/client"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/ui"
	"pgtower/ui/apikeys"
)

// connector makes connections, of which the last one is open.
type connector struct {
	opening sync.Mutex
	api     *client.Client
}

// connect opens a connection with a key, and closes the one before.
func (c *connector) connect(o client.Options, key models.Secret, store store) (ui.Connection, error) {
	api, err := newClient(o, key)
	if err != nil {
		return ui.Connection{}, err
	}
	c.opening.Lock()
	defer c.opening.Unlock()
	if c.api != nil {
		c.api.Close()
	}
	c.api = api
	return ui.Connection{
		API: api, Skew: api.Skew, BaseURL: o.BaseURL, ReadOnly: whyReadOnly(o), KeyStore: &sessionKey{o, store, api},
	}, nil
}

// redact takes the key that is in use out of a text.
func (c *connector) redact(text string) string {
	c.opening.Lock()
	defer c.opening.Unlock()
	if c.api == nil {
		return text
	}
	return c.api.Redact(text)
}

func (c *connector) close() {
	c.opening.Lock()
	defer c.opening.Unlock()
	if c.api != nil {
		c.api.Close()
	}
}

// store is where a session's new keys are saved.
type store interface {
	// check says why no key could be saved, or returns nil.
	check(ctx context.Context) error
	// save saves a key where it is found the next time.
	save(ctx context.Context, key models.CreatedAPIKey) (apikeys.Saved, error)
}

// sessionKey is the key that a session makes its requests with.
type sessionKey struct {
	options client.Options // without the key
	store   store
	api     *client.Client
}

// Verify verifies a key.
func (k *sessionKey) Verify(ctx context.Context, key models.Secret) error {
	return verify(ctx, k.options, key)
}

// Ready says why no key could be saved.
func (k *sessionKey) Check(ctx context.Context) error { return k.store.check(ctx) }

// Save saves a key, and makes the session's requests with it from then on.
func (k *sessionKey) Save(ctx context.Context, key models.CreatedAPIKey) (apikeys.Saved, error) {
	kept, err := k.store.save(ctx, key)
	if err != nil {
		return apikeys.Saved{}, err
	}
	return kept, k.api.UseKey(key.Key)
}

// newClient returns a client with the key.
func newClient(o client.Options, key models.Secret) (*client.Client, error) {
	o.Key, o.UserAgent = key, userAgent()
	return client.New(o)
}

// verify asks the service for one project with the key.
func verify(ctx context.Context, o client.Options, key models.Secret) error {
	c, err := newClient(o, key)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Projects(ctx, models.PageRequest{Limit: 1})
	if e, ok := errors.AsType[*models.Error](err); ok {
		tried := *e
		tried.Doing = "try the key"
		return &tried
	}
	return err
}

func whyReadOnly(o client.Options) string {
	if o.ReadOnly {
		return "pgtower was started with --read-only"
	}
	return ""
}

// sources are the places that may have the key of the profile in force.
func (s *settings) sources(getenv func(string) string) (keystore.Sources, error) {
	sources := keystore.Sources{
		Profile: s.current, Host: s.base.Host, ProfileHost: hostOf(s.current.BaseURL), LiveHost: hostOf(""),
		Getenv: getenv, Ring: keystore.New(keystore.Options{}),
	}
	if _, err := sources.Environment(); err != nil {
		return keystore.Sources{}, usageError{err}
	}
	return sources, nil
}

// hostOf is the host of a base URL that was checked, the live service's if it is empty.
func hostOf(baseURL string) string {
	u, err := client.ParseBaseURL(cmp.Or(baseURL, client.DefaultBaseURL))
	if err != nil {
		return ""
	}
	return u.Host
}

// clientOptions are those of a client for the profile in force, without the key.
func (s *settings) clientOptions(clock func() time.Time) client.Options {
	return client.Options{
		BaseURL: s.baseURL, OrgID: s.orgID, Clock: clock, Budget: s.budget, ReadOnly: s.readOnly,
		RootCAs: s.transport.roots, Log: s.transport.log,
	}
}

// explain returns why something failed, without whose key it was about, and what to do.
func explain(err error) (why, advice string) {
	if e, ok := errors.AsType[*keystore.Error](err); ok {
		return e.Reason.String(), e.Reason.Advice()
	}
	return err.Error(), adviceOn(err)
}

// without is the environment without a variable.
func without(getenv func(string) string, name string) func(string) string {
	return func(asked string) string {
		if asked == name {
			return ""
		}
		return getenv(asked)
	}
}
