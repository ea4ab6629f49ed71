package cli

import (
	"cmp"
	"os"
	"slices"
	"time"

	"pgtower/client"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/models/settings"
	"pgtower/ui"
)

// accounts are the profiles of the dashboard, which can switch between them.
type accounts struct {
	settings       *setup
	options        client.Options // common to all
	lookup         func(string) (string, bool)
	profiles       []ui.Profile // the one in force first
	authenticators []*authenticator
	demo           *demo
	connections    *connections
	watchers       *watchers
}

// newAccounts returns the profile in force, then those of the configuration file, then the demo.
func newAccounts(s *setup, clock func() time.Time, lookup func(string) (string, bool)) (*accounts, error) {
	a := &accounts{settings: s, options: s.clientOptions(clock), lookup: lookup, connections: newConnections()}
	a.watchers = newWatchers(s.memory)
	if err := a.add(s, false); err != nil {
		return nil, err
	}
	for _, p := range s.file.offeredProfiles() {
		if p.Name == s.current.Name {
			continue
		}
		setup, _, err := s.withProfile(p)
		if err != nil {
			return nil, err
		}
		if err := a.add(setup, true); err != nil {
			return nil, err
		}
	}
	a.demo = &demo{options: a.options, seed: s.demoSeed, incidents: s.demoIncidents, noHistory: s.NoHistory}
	a.demo.connections = a.connections
	a.demo.options.ReadOnly = s.ReadOnly && !s.ofProfile("read-only")
	if !s.ofProfile("org-id") {
		a.demo.key.Org = s.OrgID
	}
	index := len(a.profiles)
	if s.demo {
		index = 0
	}
	visible := s.profileWith(ui.Profile{
		Profile:       settings.Profile{Name: settings.Demo},
		Host:          settings.Demo,
		Note:          "the built-in mock",
		Demo:          true,
		Authenticator: a.demo,
		Clock:         a.demo.now,
	})
	if s.ofProfile("project") {
		visible.Project = ""
	}
	a.profiles = slices.Insert(a.profiles, index, visible)
	return a, nil
}

// add adds the current profile of the settings to the dashboard. PGTOWER_API_KEY belongs to the profile that pgtower started
// with. It must not reach the host of another one.
func (a *accounts) add(s *setup, another bool) error {
	sources, err := s.sources(a.lookup, another)
	if err != nil {
		return err
	}
	auth := &authenticator{options: a.options, sources: sources, file: &a.settings.file, memory: a.settings.memory}
	auth.connections, auth.statusPage = a.connections, s.statusPage
	auth.profileURL, auth.key = s.base.String(), s.accountOptions()
	auth.options.ReadOnly, auth.watcher = s.ReadOnly, a.watchers.forProfile(s.NoHistory)
	if s.ofProfile("read-only") {
		auth.readOnly = "the profile " + s.current.Name + " is read-only"
	}
	a.authenticators = append(a.authenticators, auth)
	note := cmp.Or(overridingKey(sources), keyLabel(keystore.OriginKeyring)+", if it has one")
	if s.OrgID != "" {
		note = s.OrgID + " · " + note
	}
	name, memory := s.current.Name, a.settings.memory
	a.profiles = append(a.profiles, s.profileWith(ui.Profile{
		Profile:       settings.Profile{Name: name, BaseURL: s.base.String(), Pinned: s.current.Pinned, Color: s.current.Color, ConsoleURL: s.consoleURL()},
		Host:          s.base.Host,
		KeysURL:       s.keysURL(),
		Note:          note,
		Authenticator: auth,
		Computer:      computer(),
		SavePin:       func(id string, pinned func() bool) error { return memory.savePin(name, id, pinned) },
		LastSeen:      memory.state.Seen[name],
		KeepSeen:      func(instant time.Time) { memory.saveSeen(name, instant) },
	}))
	return nil
}

// computer returns the name of this computer, or "" if it has none.
func computer() string {
	name, _ := os.Hostname()
	return name
}

// profileWith returns a profile with the settings in force. It keeps its own name, address, pins and looks.
func (s *setup) profileWith(p ui.Profile) ui.Profile {
	profile := p.Profile
	p.Profile = s.Profile
	p.Name, p.BaseURL, p.Pinned, p.Color, p.ConsoleURL = profile.Name, profile.BaseURL, profile.Pinned, profile.Color, profile.ConsoleURL
	p.Key, p.Linked = s.accountOptions(), s.linked.ProjectID
	return p
}

// redact removes the keys of the environment and those in use from a text.
func (a *accounts) redact(text string) string {
	var keys models.Redactor
	for _, name := range []string{keystore.EnvKey, keystore.EnvLiveKey} {
		key, _ := a.lookup(name)
		keys = keys.With(models.NewSecret(key))
	}
	return a.connections.redact(keys.Text(text))
}

// close closes the watchers and all connections. It does not wait long for either: another program may have the file, and a
// key command may still run although the program's context has stopped it.
func (a *accounts) close() {
	waitAtMost(closeWait, a.watchers.close)
	waitAtMost(closeWait, a.closeConnections)
}

func (a *accounts) closeConnections() {
	a.demo.close()
	a.connections.close()
}
