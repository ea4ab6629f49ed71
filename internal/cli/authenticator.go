package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"pgtower/client"
	"pgtower/keystore"
	"pgtower/keystore/profile"
	"pgtower/models"
	"pgtower/ui"
	"pgtower/ui/apikeys"
)

// authenticator connects to a service with the key of the first source that has one.
type authenticator struct {
	connector

	options client.Options   // without the key and the base URL
	sources keystore.Sources // for the host that pgtower started with
	file    *configFile
	finding sync.WaitGroup // lookups of keys
	held    sync.Map       // by base URL: the [keystore.Found] in use, until the service refuses it

	mu         sync.Mutex
	profileURL string // the base URL of the profile
}

// at returns the options and key sources for a service.
func (a *authenticator) at(baseURL string) (client.Options, keystore.Sources, error) {
	base, err := models.ParseBaseURL(baseURL)
	if err != nil {
		return client.Options{}, keystore.Sources{}, err
	}
	options, sources := a.options, a.sources
	options.BaseURL, sources.Host = base.String(), base.Host
	return options, sources, nil
}

// Open connects with the stored key, without verifying it.
func (a *authenticator) Open(ctx context.Context, baseURL string) (ui.Connection, error) {
	a.finding.Add(1)
	defer a.finding.Done()
	options, sources, err := a.at(baseURL)
	if err != nil {
		return ui.Connection{}, err
	}
	// The key in use comes first: the sources may have none, or one that was refused.
	if held, ok := a.held.Load(options.BaseURL); ok {
		return a.connectWith(options, sources, held.(keystore.Found), "")
	}
	if sources.Host != a.sources.Host {
		// PGTOWER_API_KEY is for the host that pgtower started with, not for one that was typed later.
		sources.Getenv = without(sources.Getenv, keystore.EnvKey)
	}
	found, err := sources.Find(ctx)
	switch _, ofRing := errors.AsType[*keystore.Error](err); {
	case errors.Is(err, keystore.ErrNotFound):
		return ui.Connection{}, ui.ErrNoKey
	case ofRing:
		why, advice := explain(err)
		return ui.Connection{}, fmt.Errorf("the keyring cannot be used: %s. %s", why, advice)
	case err != nil:
		return ui.Connection{}, err
	}
	return a.connectWith(options, sources, found, "")
}

// Forget drops a refused key, so that the next Open looks for a newer one.
func (a *authenticator) Forget(baseURL string) { a.held.Delete(baseURL) }

// remember saves a typed address as that of a new profile. It returns what the user should know of that, and whether the
// profile has this address now.
func (a *authenticator) remember(baseURL string) (said string, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if baseURL == a.profileURL {
		return "", true
	}
	name := a.sources.Profile.Name
	if _, ok := a.file.config.Profiles[name]; ok || a.file.path == "" {
		return fmt.Sprintf("The address %s is used for this session only: profile %s has another one.", baseURL, name), false
	}
	added := profile.Profile{Name: name, BaseURL: baseURL, OrgID: a.options.OrgID}
	if err := profile.Add(a.file.path, added, fileCheck()); err != nil {
		return "The address was not saved: " + models.Clean(err.Error()) + ".", false
	}
	a.profileURL = baseURL
	return "The address was saved in the new profile " + name + ".", true
}

// SignIn verifies the key and saves it in the keyring. A key that cannot be saved is used for this session only.
func (a *authenticator) SignIn(ctx context.Context, baseURL string, secret models.Secret) (ui.Connection, error) {
	options, sources, err := a.at(baseURL)
	if err != nil {
		return ui.Connection{}, err
	}
	if err := verify(ctx, options, secret); err != nil {
		return ui.Connection{}, err
	}
	found := keystore.Found{Key: knownKey(ctx, sources, secret)}
	said, ok := a.remember(options.BaseURL)
	if ok { // otherwise the next session would not look in the keyring for this address
		warning := ""
		if err := sources.Ring.Set(ctx, sources.Account(), found.Key); err == nil {
			found.Origin, warning = keystore.OriginKeyring, overrideWarning(sources)
		} else {
			why, _ := explain(err)
			warning = "The key is held for this session only: " + why + "."
		}
		said = strings.TrimSpace(said + " " + warning)
	}
	a.held.Store(options.BaseURL, found)
	return a.connectWith(options, sources, found, said)
}

// knownKey returns a key that was entered, with its id if the keyring has it.
func knownKey(ctx context.Context, s keystore.Sources, secret models.Secret) keystore.Key {
	if old, err := s.Ring.Get(ctx, s.Account()); err == nil && old.Secret == secret {
		return old
	}
	return keystore.Key{Secret: secret}
}

// overridingKey returns the label of the key that takes precedence over that of the keyring, or "".
func overridingKey(s keystore.Sources) string {
	before, err := s.BeforeKeyring()
	if err != nil || before == keystore.OriginNone {
		return ""
	}
	return keyLabel(before)
}

// overrideWarning returns a warning that another key takes precedence over that of the keyring, or "".
func overrideWarning(s keystore.Sources) string {
	before := overridingKey(s)
	if before == "" {
		return ""
	}
	said := fmt.Sprintf("Saved, but the %s takes precedence the next time.", before)
	if before == keyLabel(keystore.OriginCommand) {
		said += " With key_store_command in the profile, pgtower saves keys there."
	}
	return said
}

// connectWith connects with a key. New keys are saved with the profile's command or in the keyring.
func (a *authenticator) connectWith(
	o client.Options, s keystore.Sources, found keystore.Found, warning string,
) (ui.Connection, error) {
	c, err := a.connect(o, found.Secret, store{
		check: s.CanSave,
		save: func(ctx context.Context, key models.CreatedAPIKey) (apikeys.Saved, error) {
			saved := keystore.Found{Key: keystore.Key{Secret: key.Key, ID: key.ID}}
			var err error
			if saved.Origin, err = s.Save(ctx, saved.Key); err != nil {
				return apikeys.Saved{}, maybeSaved(err)
			}
			a.held.Store(o.BaseURL, saved)
			warning := ""
			if saved.Origin == keystore.OriginKeyring {
				warning = overrideWarning(s)
			}
			return apikeys.Saved{Source: keyLabel(saved.Origin), Warning: warning}, nil
		},
	})
	c.KeyID, c.Source, c.Host, c.Warning = found.ID, keyLabel(found.Origin), s.Host, warning
	return c, err
}

// maybeSaved marks errors after which the key may have been saved: a keyring saves it once its prompt is answered.
func maybeSaved(err error) error {
	perhaps := []keystore.Reason{keystore.ReasonTimeout, keystore.ReasonCanceled, keystore.ReasonOther}
	ring, ofRing := errors.AsType[*keystore.Error](err)
	command, ofCommand := errors.AsType[*keystore.CommandError](err)
	if ofRing && slices.Contains(perhaps, ring.Reason) || ofCommand && command.Changed {
		return fmt.Errorf("%w: %w", apikeys.ErrMaybeSaved, err)
	}
	return err
}

// keyLabel returns what the screen calls a key of an origin.
func keyLabel(origin keystore.Origin) string {
	switch origin {
	case keystore.OriginNone:
		return "key in memory"
	case keystore.OriginKeyring, keystore.OriginCommand:
		return "key from the " + string(origin)
	default:
		return "key from " + string(origin)
	}
}
