package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"pgtower/client"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/ui"
	"pgtower/ui/apikeys"
)

// authenticator connects to a service with the key of the first source that has one. Which
// service, its caller says each time.
type authenticator struct {
	connector

	// remember saves the address of a service that the user typed, so that it is used the
	// next time, and says what stands in the way of that, or nothing.
	remember func(baseURL string) (warning string)
	options  client.Options   // without the key and the base URL
	sources  keystore.Sources // for the host that pgtower began with

	finding sync.WaitGroup // keys

	mu         sync.Mutex
	profileURL string                    // the base URL of the profile
	held       map[string]keystore.Found // by base URL: the keys that the user gave
}

// at returns what connects to a service, and what may have its key.
func (a *authenticator) at(baseURL string) (client.Options, keystore.Sources, error) {
	base, err := client.ParseBaseURL(baseURL)
	if err != nil {
		return client.Options{}, keystore.Sources{}, err
	}
	options, sources := a.options, a.sources
	options.BaseURL, sources.Host = base.String(), base.Host
	return options, sources, nil
}

// Open connects with the key that is there, without trying it.
func (a *authenticator) Open(ctx context.Context, baseURL string) (ui.Connection, error) {
	a.finding.Add(1)
	defer a.finding.Done()
	options, sources, err := a.at(baseURL)
	if err != nil {
		return ui.Connection{}, err
	}
	found, err := a.find(ctx, options.BaseURL, sources)
	switch {
	case errors.Is(err, keystore.ErrNotFound):
		return ui.Connection{}, ui.ErrNoKey
	case err != nil:
		if e, ok := errors.AsType[*keystore.Error](err); ok {
			err = fmt.Errorf("the keyring cannot be used: %s. %s", e.Reason.String(), e.Reason.Advice())
		}
		return ui.Connection{}, err
	}
	return a.connectWith(options, sources, found, "")
}

// find prefers the key that was given for the service to what would be found again: a
// source that has none, or a key that was refused.
func (a *authenticator) find(ctx context.Context, baseURL string, sources keystore.Sources) (keystore.Found, error) {
	a.mu.Lock()
	held, ok := a.held[baseURL]
	a.mu.Unlock()
	if ok {
		return held, nil
	}
	if sources.Host != a.sources.Host {
		// The key of the environment was given for the host that pgtower began with. To one
		// that was typed since it must not go.
		sources.Getenv = without(sources.Getenv, keystore.EnvKey)
	}
	return sources.Find(ctx)
}

// hold keeps a key for as long as the program runs and the service accepts it.
func (a *authenticator) hold(baseURL string, found keystore.Found) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.held == nil {
		a.held = map[string]keystore.Found{}
	}
	a.held[baseURL] = found
}

// Forget drops a key that was refused, so that a newer one is found where there is one.
func (a *authenticator) Forget(baseURL string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.held, baseURL)
}

// settle makes an address that was typed the profile's own, and says what stands in the
// way of that, or nothing.
func (a *authenticator) settle(baseURL string) (warning string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if baseURL != a.profileURL {
		if warning = a.remember(baseURL); warning == "" {
			a.profileURL = baseURL
		}
	}
	return warning
}

// SignIn verifies the key by reading one project, and saves it in the keyring. A key that
// is good but cannot be saved is used for the session.
func (a *authenticator) SignIn(ctx context.Context, baseURL string, secret models.Secret) (ui.Connection, error) {
	options, sources, err := a.at(baseURL)
	if err != nil {
		return ui.Connection{}, err
	}
	if err := verify(ctx, options, secret); err != nil {
		return ui.Connection{}, err
	}
	found := keystore.Found{Key: keystore.Key{Secret: secret}}
	// The id of a key that pgtower made must not be forgotten because it was given again.
	if old, err := sources.Ring.Get(ctx, sources.Account()); err == nil && old.Secret == secret {
		found.Key = old
	}
	warning := a.settle(options.BaseURL)
	if warning == "" { // or the keyring would not be asked for it the next time
		if err := sources.Ring.Set(ctx, sources.Account(), found.Key); err == nil {
			found.Source.Origin, warning = keystore.OriginKeyring, precedence(sources)
		} else {
			why, _ := explain(err)
			warning = "The key is held for this session only: " + why + "."
		}
	}
	a.hold(options.BaseURL, found)
	return a.connectWith(options, sources, found, warning)
}

// precedence says which other key will be used the next time in place of that of the keyring, or nothing.
func precedence(s keystore.Sources) string {
	before, err := s.BeforeKeyring()
	if err != nil || before.Origin == keystore.OriginNone {
		return ""
	}
	return fmt.Sprintf("Saved, but the %s takes precedence the next time.", keyOf(before))
}

// connectWith connects with a key.
func (a *authenticator) connectWith(
	o client.Options, s keystore.Sources, found keystore.Found, warning string,
) (ui.Connection, error) {
	c, err := a.connect(o, found.Key.Secret, keyRing{s, func(kept keystore.Found) { a.hold(o.BaseURL, kept) }})
	c.KeyID, c.Source, c.Host, c.Warning = found.Key.ID, keyOf(found.Source), s.Host, warning
	return c, err
}

// keyRing saves keys where the profile's is in the keyring of the operating system.
type keyRing struct {
	keystore.Sources

	// hold makes a key that was saved the session's as well.
	hold func(keystore.Found)
}

// check asks the keyring for the account's key, to see whether it answers.
func (r keyRing) check(ctx context.Context) error {
	if _, err := r.Ring.Get(ctx, r.Account()); !errors.Is(err, keystore.ErrNotFound) {
		return err
	}
	return nil
}

// save saves a key in place of the one that the keyring has. A keyring that stopped
// answering may save it all the same, when its prompt is answered.
func (r keyRing) save(ctx context.Context, key models.CreatedAPIKey) (apikeys.Saved, error) {
	source := keystore.Source{Origin: keystore.OriginKeyring}
	found := keystore.Found{Key: keystore.Key{Secret: key.Key, ID: key.ID}, Source: source}
	err := r.Ring.Set(ctx, r.Account(), found.Key)
	perhaps := []keystore.Reason{keystore.ReasonTimeout, keystore.ReasonCanceled, keystore.ReasonOther}
	if e, ok := errors.AsType[*keystore.Error](err); ok && slices.Contains(perhaps, e.Reason) {
		err = fmt.Errorf("%w: %w", apikeys.ErrMaybeSaved, err)
	}
	if err == nil {
		r.hold(found)
	}
	return apikeys.Saved{Source: keyOf(found.Source), Warning: precedence(r.Sources)}, err
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
