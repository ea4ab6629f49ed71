package cli

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"pgtower/client"
	"pgtower/internal/cli/exit"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/status"
)

// sources returns the places where the current profile's key may be. another tells that pgtower did not start with the profile.
func (s *setup) sources(lookup func(string) (string, bool), another bool) (keystore.Sources, error) {
	sources := keystore.Sources{
		Profile: s.current, Host: s.base.Host, ProfileHost: hostOf(s.current.BaseURL),
		LiveHost: hostOf(""), LookupEnv: lookup, Elsewhere: another, Ring: keystore.New(nil),
	}
	if _, err := sources.Environment(); err != nil {
		return keystore.Sources{}, exit.NewUsageError(err)
	}
	return sources, nil
}

// hostOf returns the host of a valid base URL, the live service's if it is empty.
func hostOf(baseURL string) string {
	u, err := models.ParseBaseURL(cmp.Or(baseURL, models.DefaultBaseURL))
	if err != nil {
		return ""
	}
	return u.Host
}

func (s *setup) clientOptions(clock func() time.Time) client.Options {
	return client.Options{
		BaseURL: s.BaseURL, Clock: clock, Steady: s.clock(s.steady), ReadOnly: s.ReadOnly,
		RootCAs: s.transport.roots, Log: s.transport.log, UserAgent: "pgtower/" + version(),
	}
}

// accountOptions returns the organization and the project of the key. The project matters for a key of one project only.
func (s *setup) accountOptions() account.Options {
	remembered, given := s.memory.state.Keys[s.current.Name].Project, s.Project
	if !models.IsID(given) { // a name becomes no part of a path
		given = ""
	}
	return account.Options{Org: s.OrgID, Project: cmp.Or(given, remembered, s.linked.ProjectID)}
}

// The addresses of the live service's console: the template for a row, and the page that makes keys.
const (
	liveConsole = "https://console.neon.tech/app/projects/{project_id}"
	liveKeys    = "https://console.neon.tech/app/settings/api-keys"
)

// keysURL returns the page of the service's console that makes API keys, or "" if that is unknown.
func (s *setup) keysURL() string {
	if s.base.Host == hostOf("") {
		return liveKeys
	}
	return ""
}

// consoleURL returns the address template for a row in the service's console, or "". A template in a profile is for the
// profile's own service only.
func (s *setup) consoleURL() string {
	switch {
	case s.base.Host == hostOf(s.current.BaseURL) && s.current.ConsoleURL != "":
		return s.current.ConsoleURL
	case s.base.Host == hostOf(""):
		return liveConsole
	}
	return ""
}

// The live service's public status page, and its name for users.
const (
	liveStatus     = "https://api.status.io/1.0/status/6878fc85709daa75be6c7e3c"
	liveStatusName = "neonstatus.com"
)

// statusURL returns the address of the public status page of the service at a base URL, or "". An address in a profile is for
// the profile's own service only.
func (s *setup) statusURL(baseURL string) string {
	switch text := s.current.StatusURL; {
	case text != nil && hostOf(baseURL) == hostOf(s.current.BaseURL):
		return *text
	case baseURL == models.DefaultBaseURL:
		return liveStatus
	}
	return ""
}

// statusPage returns the status page of the service at a base URL, or nil if there is none. It gets no key.
func (s *setup) statusPage(o client.Options) *status.Source {
	return statusSource(o, s.statusURL(o.BaseURL))
}

// statusSource returns the status page at an address, or nil if that is empty.
func statusSource(o client.Options, address string) *status.Source {
	o.BaseURL = address
	page, err := client.NewStatusPage(o)
	if address == "" || err != nil {
		return nil
	}
	name := hostOf(address)
	source := &status.Source{Name: name, Host: name, Read: page.Read}
	if address == liveStatus {
		source.Name = liveStatusName
	}
	return source
}

// knownKey returns a key that was entered, with its id if the keyring has it.
func knownKey(ctx context.Context, s keystore.Sources, secret models.Secret) keystore.Key {
	if old, err := s.Ring.Get(ctx, s.Account()); err == nil && old.Secret == secret {
		return old
	}
	return keystore.Key{Secret: secret}
}

// overridingKey returns the label of the key that has precedence over the keyring's, or "".
func overridingKey(s keystore.Sources) string {
	origin, err := s.BeforeKeyring()
	if err != nil || origin == keystore.OriginNone {
		return ""
	}
	return keyLabel(origin)
}

// overrideWarning returns a warning that another key has precedence over the keyring's, or "".
func overrideWarning(s keystore.Sources) string {
	label := overridingKey(s)
	if label == "" {
		return ""
	}
	warning := fmt.Sprintf("Saved, but the %s takes precedence the next time.", label)
	if label == keyLabel(keystore.OriginCommand) {
		warning += " With key_store_command in the profile, pgtower saves keys there."
	}
	return warning
}

// keyLabel returns the name on the screen for a key of an origin.
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
