package cli

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"pgtower/client"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/ui"
)

// gateway connects to a service with the key of the first source that has one. Which
// service, its caller says each time.
type gateway struct {
	// remember puts the address of a service that the person typed where it is found the
	// next time, and says what stands in the way of that, or nothing.
	remember func(baseURL string) (warning string)
	options  client.Options   // without the key and the base URL
	sources  keystore.Sources // for the host that pgtower began with

	looking sync.WaitGroup // for a key

	mu      sync.Mutex
	own     string                    // the base URL that the profile has the next time
	held    map[string]keystore.Found // by base URL: the keys that the person gave
	current *client.Client
}

// at returns what connects to a service, and what may have its key.
func (g *gateway) at(baseURL string) (client.Options, keystore.Sources, error) {
	base, err := client.ParseBaseURL(baseURL)
	if err != nil {
		return client.Options{}, keystore.Sources{}, err
	}
	options, sources := g.options, g.sources
	options.BaseURL, sources.Host = base.String(), base.Host
	return options, sources, nil
}

// Open connects with the key that is there, without trying it.
func (g *gateway) Open(ctx context.Context, baseURL string) (ui.Connection, error) {
	g.looking.Add(1)
	defer g.looking.Done()
	options, sources, err := g.at(baseURL)
	if err != nil {
		return ui.Connection{}, err
	}
	found, err := g.find(ctx, options.BaseURL, sources)
	switch {
	case errors.Is(err, keystore.ErrNotFound):
		return ui.Connection{}, ui.ErrNoKey
	case err != nil:
		if e, ok := errors.AsType[*keystore.Error](err); ok {
			err = fmt.Errorf("the keyring cannot be used: %s. %s", e.Reason, e.Reason.Advice())
		}
		return ui.Connection{}, err
	}
	return g.connect(options, sources, found.Key, ui.Connection{Source: keyOf(found.Source)})
}

// find prefers the key that was given for the service to what would be found again: a
// source that has none, or a key that was refused.
func (g *gateway) find(ctx context.Context, baseURL string, sources keystore.Sources) (keystore.Found, error) {
	g.mu.Lock()
	held, ok := g.held[baseURL]
	g.mu.Unlock()
	if ok {
		return held, nil
	}
	if sources.Host != g.sources.Host {
		// The key of the environment was given for the host that pgtower began with. To one
		// that was typed since it must not go.
		sources.Getenv = without(sources.Getenv, keystore.EnvKey)
	}
	return sources.Find(ctx)
}

// hold keeps a key for as long as the program runs and the service takes it.
func (g *gateway) hold(baseURL string, found keystore.Found) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.held == nil {
		g.held = map[string]keystore.Found{}
	}
	g.held[baseURL] = found
}

// Forget drops a key that was refused, so that a newer one is found where there is one.
func (g *gateway) Forget(baseURL string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.held, baseURL)
}

// settle makes an address that was typed the profile's own, and says what stands in the
// way of that, or nothing.
func (g *gateway) settle(baseURL string) (warning string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if baseURL == g.own {
		return ""
	}
	if warning = g.remember(baseURL); warning == "" {
		g.own = baseURL
	}
	return warning
}

// SignIn tries the key by reading one project, and keeps it in the keyring. A key that
// is good but cannot be kept is used for the session.
func (g *gateway) SignIn(ctx context.Context, baseURL string, secret models.Secret) (ui.Connection, error) {
	options, sources, err := g.at(baseURL)
	if err != nil {
		return ui.Connection{}, err
	}
	if err := tryKey(ctx, options, secret); err != nil {
		return ui.Connection{}, err
	}
	key := keystore.Key{Secret: secret}
	// The id of a key that pgtower made must not be forgotten because it was given again.
	if old, err := sources.Ring.Get(ctx, sources.Account()); err == nil && old.Secret == secret {
		key = old
	}
	var c ui.Connection
	passing := g.settle(options.BaseURL) // why the address is not found the next time
	source := keystore.Source{Origin: keystore.OriginKeyring}
	switch err := g.keepUnless(ctx, passing, sources, key); {
	case passing != "":
		source, c.Warning = keystore.Source{}, passing
	case err != nil:
		why := err.Error()
		if e, ok := errors.AsType[*keystore.Error](err); ok {
			why = e.Reason.String()
		}
		source, c.Warning = keystore.Source{}, "The key is held for this session only: "+why+"."
	default:
		c.Warning = overruled(sources)
	}
	c.Source = keyOf(source)
	g.hold(options.BaseURL, keystore.Found{Key: key, Source: source})
	return g.connect(options, sources, key, c)
}

// keepUnless puts the key into the keyring, unless it would not be found there.
func (*gateway) keepUnless(ctx context.Context, passing string, s keystore.Sources, key keystore.Key) error {
	if passing != "" {
		return nil
	}
	return s.Ring.Set(ctx, s.Account(), key)
}

// overruled says that a key of the keyring will not be the one that is used the next
// time, or nothing.
func overruled(s keystore.Sources) string {
	before, err := s.BeforeKeyring()
	if err != nil || before.Origin == keystore.OriginNone {
		return ""
	}
	return fmt.Sprintf("The key was kept, but the %s goes before it the next time.", keyOf(before))
}

// connect completes the connection with a client that uses the key.
func (g *gateway) connect(o client.Options, s keystore.Sources, key keystore.Key, c ui.Connection) (ui.Connection, error) {
	api, err := newClient(o, key.Secret)
	if err != nil {
		return ui.Connection{}, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.current != nil {
		g.current.Close()
	}
	g.current = api
	c.API, c.Skew, c.KeyID, c.ReadOnly, c.BaseURL, c.Host = api, api.Skew, key.ID, whyReadOnly(o), o.BaseURL, s.Host
	hold := func(found keystore.Found) { g.hold(o.BaseURL, found) }
	c.Holder = &holder{options: o, place: ringPlace{s, hold}, api: api}
	return c, nil
}

// redact takes the keys that are in use out of a text.
func (g *gateway) redact(text string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.current == nil {
		return text
	}
	return g.current.Redact(text)
}

func (g *gateway) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.current != nil {
		g.current.Close()
	}
}

// keyOf is what the screen calls the key of a source.
func keyOf(s keystore.Source) string {
	switch s.Origin {
	case keystore.OriginKeyring:
		return "key of the " + s.String()
	case keystore.OriginCommand:
		return "key of the key command" // the profile is said elsewhere
	case keystore.OriginNone:
		return "key in memory"
	default:
		return "key of " + s.String()
	}
}

// newClient returns a client with the key.
func newClient(o client.Options, key models.Secret) (*client.Client, error) {
	o.Key, o.UserAgent = key, userAgent()
	return client.New(o)
}

// tryKey asks the service for one project with the key.
func tryKey(ctx context.Context, o client.Options, key models.Secret) error {
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
