package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"pgtower/client"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/control"
	"pgtower/models/keys"
	"pgtower/models/settings"
)

// authenticator connects to a service with the key of the first source that has one.
type authenticator struct {
	connector

	options client.Options   // without the key and the base URL
	key     account.Options  // what the profile says about the key
	sources keystore.Sources // for the host that pgtower started with
	file    *configFile
	memory  *memory
	watcher *keys.Watcher
	inUse   sync.Map // by base URL: the [keystore.Found] in use, until the service refuses it

	mu         sync.Mutex
	profileURL string // the base URL of the profile
}

// optionsFor returns the options and key sources for a service.
func (a *authenticator) optionsFor(baseURL string) (client.Options, keystore.Sources, error) {
	base, err := models.ParseBaseURL(baseURL)
	if err != nil {
		return client.Options{}, keystore.Sources{}, err
	}
	options, sources := a.options, a.sources
	options.BaseURL, sources.Host = base.String(), base.Host
	return options, sources, nil
}

// Open connects with the stored key, without verifying it.
func (a *authenticator) Open(ctx context.Context, baseURL string) (control.Connection, error) {
	a.connections.finding.Add(1)
	defer a.connections.finding.Done()
	options, sources, err := a.optionsFor(baseURL)
	if err != nil {
		return control.Connection{}, err
	}
	found, err := a.find(ctx, options, sources)
	if err != nil {
		return control.Connection{}, err
	}
	return a.connectWith(options, sources, found, "")
}

// find returns the key in use, or else the key of the sources. The sources may have none, or one that was refused.
func (a *authenticator) find(
	ctx context.Context, options client.Options, sources keystore.Sources,
) (keystore.Found, error) {
	if used, ok := a.inUse.Load(options.BaseURL); ok {
		return used.(keystore.Found), nil
	}
	// PGTOWER_API_KEY is for the host that pgtower started with, not for one that was typed later.
	sources.Elsewhere = sources.Elsewhere || sources.Host != a.sources.Host
	found, err := sources.Find(ctx)
	switch _, ofRing := errors.AsType[*keystore.Error](err); {
	case errors.Is(err, keystore.ErrNotFound):
		return keystore.Found{}, &control.NoKeyError{Unused: unusedVariables(sources)}
	case ofRing:
		why, advice := explain(err)
		unused := unusedVariables(sources)
		if unused != "" {
			advice = unused + ". " + advice
		}
		return keystore.Found{}, fmt.Errorf("the keyring cannot be used: %s. %s", why, advice)
	}
	return found, err
}

// unusedVariables names the variables that are set and give no key, or returns "".
func unusedVariables(s keystore.Sources) string {
	var list []string
	for _, entry := range s.Unused() {
		list = append(list, entry.String())
	}
	return strings.Join(list, "; ")
}

// Forget drops a refused key, so that the next Open looks for a newer one.
func (a *authenticator) Forget(baseURL string) { a.inUse.Delete(baseURL) }

// remember saves a typed address in a new profile. It returns a notice for the user, and whether the profile has this address
// now.
func (a *authenticator) remember(baseURL string) (text string, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if baseURL == a.profileURL {
		return "", true
	}
	name := a.sources.Profile.Name
	if _, ok := a.file.config.Profiles[name]; ok {
		return fmt.Sprintf("The address %s is used for this session only: profile %s has another one.", baseURL, name), false
	}
	added := settings.Profile{Name: name, BaseURL: baseURL, OrgID: a.key.Org}
	if err := a.memory.saveProfile(added); err != nil {
		return "The address was not saved: " + models.Clean(err.Error()) + ".", false
	}
	a.profileURL = baseURL
	return "The address was saved in the new profile " + name + ".", true
}

// isOfProfile reports whether an address is the profile's.
func (a *authenticator) isOfProfile(baseURL string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return baseURL == a.profileURL
}

// SignIn verifies the key and saves it in the keyring. A key that cannot be saved is used for this session only.
func (a *authenticator) SignIn(
	ctx context.Context, baseURL string, secret models.Secret, project string,
) (control.Connection, error) {
	options, sources, err := a.optionsFor(baseURL)
	if err != nil {
		return control.Connection{}, err
	}
	about := a.key
	about.Project = cmp.Or(project, about.Project)
	if secret.IsZero() {
		return a.signInWithFound(ctx, options, sources, about)
	}
	account, err := verify(ctx, options, about, secret)
	if err != nil {
		return control.Connection{}, err
	}
	found := keystore.Found{Key: knownKey(ctx, sources, secret)}
	text, ok := a.remember(options.BaseURL)
	if ok { // otherwise the next session does not look in the keyring for this address
		warning := ""
		if err := sources.Ring.Set(ctx, sources.Account(), found.Key); err == nil {
			found.Origin, warning = keystore.OriginKeyring, overrideWarning(sources)
		} else {
			why, _ := explain(err)
			warning = "The key is held for this session only: " + why + "."
		}
		text = strings.TrimSpace(text + " " + warning)
		readLists(ctx, options, secret, account) // the session uses the lists
		a.memory.saveKey(a.sources.Profile.Name, found.Origin, account)
	}
	a.inUse.Store(options.BaseURL, found)
	c, err := a.connectWith(options, sources, found, text)
	c.Account = account
	c.Remember(options.Clock())
	return c, err
}

// signInWithFound verifies the key that Open finds, for the project that the user named.
func (a *authenticator) signInWithFound(
	ctx context.Context, options client.Options, sources keystore.Sources, about account.Options,
) (control.Connection, error) {
	found, err := a.find(ctx, options, sources)
	if err != nil {
		return control.Connection{}, err
	}
	keyAccount, err := verify(ctx, options, about, found.Secret)
	if err != nil {
		return control.Connection{}, err
	}
	if a.isOfProfile(options.BaseURL) {
		readLists(ctx, options, found.Secret, keyAccount)
		a.memory.saveKey(a.sources.Profile.Name, found.Origin, keyAccount)
	}
	c, err := a.connectWith(options, sources, found, "")
	c.Account = keyAccount
	c.Remember(options.Clock())
	return c, err
}

// connectWith connects with a key. New keys are saved with the profile's command or in the keyring.
func (a *authenticator) connectWith(
	o client.Options, s keystore.Sources, found keystore.Found, warning string,
) (control.Connection, error) {
	entry := a.memory.keysOf(s.Host)
	save := func(ctx context.Context, key models.CreatedAPIKey) (control.Saved, error) {
		return a.save(ctx, o.BaseURL, s, entry, key)
	}
	c, err := a.connect(o, found.Secret, store{key: a.key, check: s.CanSave, save: save})
	c.Source, c.Host, c.Warning = keyLabel(found.Origin), s.Host, warning
	c.Journal = a.memory.journal(s.Account().String(), a.options.Clock)
	c.Watcher = a.watcher
	remembered := a.memory.accountOf(s.Host, found.Secret, o.Clock)
	c.Memory, c.Known, c.Names = entry, remembered, remembered
	key, listed := entry.own(found.Secret, found.ID)
	c.KeyID, c.KeyList = key.ID, models.Opt[models.ListID]{Value: key.List, Known: listed}
	return c, err
}

// save saves a key that the session created. From then on it is the one in use for the service. memory is that of the session,
// which remembers it also where no file can be written.
func (a *authenticator) save(
	ctx context.Context, baseURL string, s keystore.Sources, memory *keyMemory, key models.CreatedAPIKey,
) (control.Saved, error) {
	saved := keystore.Key{Secret: key.Key, ID: key.ID}
	origin, err := s.Save(ctx, saved)
	if err != nil {
		return control.Saved{}, maybeSaved(err)
	}
	a.inUse.Store(baseURL, keystore.Found{Key: saved, Origin: origin})
	// Without it, the next session does not know which key is its own.
	_, _ = memory.Change(func(m *keys.Memory) {
		m.Add(keys.Made{Key: key.Ref(), Print: m.Print(key.Key), Took: keys.Killed, Own: true})
	})
	warning := ""
	if origin == keystore.OriginKeyring {
		warning = overrideWarning(s)
	}
	return control.Saved{Source: keyLabel(origin), Warning: warning}, nil
}

// maybeSaved marks the errors after which the key may be saved: a keyring still saves it when its prompt is answered.
func maybeSaved(err error) error {
	perhaps := []keystore.Reason{keystore.ReasonTimeout, keystore.ReasonCanceled, keystore.ReasonOther}
	ring, ofRing := errors.AsType[*keystore.Error](err)
	command, ofCommand := errors.AsType[*keystore.CommandError](err)
	if ofRing && slices.Contains(perhaps, ring.Reason) || ofCommand && command.Changed {
		return fmt.Errorf("%w: %w", control.ErrMaybeSaved, err)
	}
	return err
}
