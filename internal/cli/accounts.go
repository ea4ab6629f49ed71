package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"pgtower/client"
	"pgtower/internal/cli/exit"
	"pgtower/keystore"
	"pgtower/keystore/profile"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/ui"
	"pgtower/ui/apikeys"
)

// accounts are the profiles between which the dashboard can switch.
type accounts struct {
	settings       *settings
	options        client.Options // common to all
	getenv         func(string) string
	all            []ui.Profile // the one in force first
	authenticators []*authenticator
	demo           *demo
	connections    *connections // those that these replace share it
}

// connections are what is in use of all accounts that the configuration had since the start.
type connections struct {
	finding sync.WaitGroup // lookups of keys

	mu   sync.Mutex
	open map[*client.Client]bool
	held map[string]*sync.Map // by profile, then by base URL: the [keystore.Found] in use, until the service refuses it
}

func newConnections() *connections {
	return &connections{open: map[*client.Client]bool{}, held: map[string]*sync.Map{}}
}

// heldOf returns the keys of a profile that are held for the session only, by base URL.
func (c *connections) heldOf(name string) *sync.Map {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held[name] == nil {
		c.held[name] = &sync.Map{}
	}
	return c.held[name]
}

// replace closes a connection in favor of another one; each may be nil.
func (c *connections) replace(before, after *client.Client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if after != nil {
		c.open[after] = true
	}
	if before != nil {
		delete(c.open, before)
		before.Close()
	}
}

// redact removes the keys in use from a text.
func (c *connections) redact(text string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for api := range c.open {
		text = api.Redact(text)
	}
	return text
}

// close closes all connections, once no key is looked up any more.
func (c *connections) close() {
	c.finding.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	for api := range c.open {
		api.Close()
	}
	clear(c.open)
}

// newAccounts returns the profile in force, then those of the configuration file, then the demo. Keys that are held for
// the session only are those of before, if there are any.
func newAccounts(
	s *settings, clock func() time.Time, getenv func(string) string, before *accounts,
) (*accounts, error) {
	a := &accounts{settings: s, options: s.clientOptions(clock), getenv: getenv, connections: newConnections()}
	if before != nil {
		a.connections = before.connections
	}
	if err := a.add(s, getenv); err != nil {
		return nil, err
	}
	for _, p := range s.file.offeredProfiles() {
		if p.Name == s.current.Name {
			continue
		}
		of, _, err := s.of(p)
		if err != nil {
			return nil, err
		}
		// PGTOWER_API_KEY is only for the profile that pgtower started with: it must not reach another host.
		if err := a.add(of, without(getenv, keystore.EnvKey)); err != nil {
			return nil, err
		}
	}
	if before != nil {
		a.demo = before.demo
	} else {
		a.demo = &demo{options: a.options, seed: s.demoSeed, incidents: s.demoIncidents}
		a.demo.connections = a.connections
		a.demo.options.ReadOnly = s.readOnly && !s.ofProfile("read-only")
		if !s.ofProfile("org-id") {
			a.demo.key.Org = s.orgID
		}
	}
	at := len(a.all)
	if s.demo {
		at = 0
	}
	shown := s.profileWith(ui.Profile{
		Name: profile.Demo, Host: profile.Demo, Note: "the built-in mock", Demo: true,
		Authenticator: a.demo, Clock: a.demo.now,
	})
	if s.ofProfile("project") {
		shown.Project = ""
	}
	a.all = slices.Insert(a.all, at, shown)
	return a, nil
}

// add adds the current profile of the settings to those of the dashboard.
func (a *accounts) add(s *settings, getenv func(string) string) error {
	sources, err := s.sources(getenv)
	if err != nil {
		return err
	}
	auth := &authenticator{options: a.options, sources: sources, file: &a.settings.file, memory: a.settings.memory}
	auth.connections, auth.held = a.connections, a.connections.heldOf(s.current.Name)
	auth.profileURL, auth.key = s.base.String(), s.accountOptions()
	auth.options.Budget, auth.options.ReadOnly = s.budget, s.readOnly
	if s.ofProfile("read-only") {
		auth.readOnly = "the profile " + s.current.Name + " is read-only"
	}
	a.authenticators = append(a.authenticators, auth)
	note := cmp.Or(overridingKey(sources), keyLabel(keystore.OriginKeyring)+", if it has one")
	if s.orgID != "" {
		note = s.orgID + " · " + note
	}
	name, memory := s.current.Name, a.settings.memory
	a.all = append(a.all, s.profileWith(ui.Profile{
		Name: name, BaseURL: s.base.String(), Host: s.base.Host, Note: note,
		Pinned: s.current.Pinned, Authenticator: auth,
		SavePin: func(id string, pinned func() bool) error { return memory.savePin(name, id, pinned) },
		Color:   s.current.Color, AlwaysType: s.current.Confirm == profile.AlwaysType, ConsoleURL: s.consoleURL(),
	}))
	return nil
}

// profileWith returns a profile of the dashboard with the settings for display and polling.
func (s *settings) profileWith(p ui.Profile) ui.Profile {
	p.Interval, p.PageSize, p.Window, p.Since = s.interval, s.pageSize, s.window, s.since
	p.QuietFor = s.quietFor
	p.Theme, p.Times, p.Project, p.Key, p.Budget = s.theme, s.times, s.project, s.accountOptions(), s.budget
	p.Linked = s.linked.ProjectID
	p.Settings = fmt.Sprint(s.baseURL, s.orgID, s.project, s.interval, s.pageSize, s.window, s.since, s.quietFor, s.budget,
		s.readOnly, s.current.Confirm, s.current.KeyCommand, s.current.KeyStoreCommand)
	return p
}

// liveConsole is the address template of the live service.
const liveConsole = "https://console.neon.tech/app/projects/{project_id}"

// consoleURL returns the address template of a row in the service's console, or "". That of a profile is for its own
// service only.
func (s *settings) consoleURL() string {
	switch {
	case s.base.Host == hostOf(s.current.BaseURL) && s.current.ConsoleURL != "":
		return s.current.ConsoleURL
	case s.base.Host == hostOf(""):
		return liveConsole
	}
	return ""
}

// redact removes the keys of the environment and those in use from a text.
func (a *accounts) redact(text string) string {
	var keys models.Redactor
	for _, name := range []string{keystore.EnvKey, keystore.EnvLiveKey} {
		keys = keys.With(models.NewSecret(a.getenv(name)))
	}
	return a.connections.redact(keys.Text(text))
}

// close closes all connections. It waits up to 2 s for key commands, which the program's context has stopped.
func (a *accounts) close() {
	waitBriefly(func() {
		a.demo.close()
		a.connections.close()
	})
}

// connector opens connections. Only the last one stays open.
type connector struct {
	connections *connections
	api         atomic.Pointer[client.Client]
	readOnly    string // why connections are read-only; empty: because of the flag
}

// connect opens a connection with a key, and closes the previous one.
func (c *connector) connect(o client.Options, key models.Secret, store store) (ui.Connection, error) {
	o.Key = key
	api, err := client.New(o)
	if err != nil {
		return ui.Connection{}, err
	}
	c.replace(api)
	store.options, store.api = o, api
	open := ui.Connection{API: api, Skew: api.Skew, SetBudget: api.SetBudget, BaseURL: o.BaseURL, KeyStore: &store}
	if o.ReadOnly {
		open.ReadOnly = cmp.Or(c.readOnly, "pgtower was started with --read-only")
	}
	return open, nil
}

func (c *connector) replace(api *client.Client) {
	c.connections.replace(c.api.Swap(api), api)
}

// store saves a session's new keys, and makes the session use them.
type store struct {
	check func(ctx context.Context) error // returns why no key could be saved, or nil
	save  func(ctx context.Context, key models.CreatedAPIKey) (apikeys.Saved, error)

	options client.Options
	key     account.Options
	api     *client.Client
}

func (s *store) Verify(ctx context.Context, key models.Secret) error {
	_, err := verify(ctx, s.options, s.key, key)
	if errors.Is(err, account.ErrNoProject) {
		return nil // the service accepts it
	}
	return err
}

func (s *store) Check(ctx context.Context) error { return s.check(ctx) }

// Pipe runs a command with a key as its input.
func (s *store) Pipe(ctx context.Context, command string, key models.Secret) error {
	return keystore.Pipe(ctx, command, key)
}

// Save saves a key. The session uses it from then on.
func (s *store) Save(ctx context.Context, key models.CreatedAPIKey) (apikeys.Saved, error) {
	saved, err := s.save(ctx, key)
	if err == nil {
		err = s.api.UseKey(key.Key)
	}
	return saved, err
}

// verify finds out what a key is, and thereby that the service accepts it.
func verify(ctx context.Context, o client.Options, about account.Options, key models.Secret) (*account.Account, error) {
	o.Key = key
	c, err := client.New(o)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	known := account.New(about)
	err = known.Identify(ctx, c, o.Clock)
	return known, models.Doing(err, "verify the key")
}

// accountOptions returns what the user says about the key. The project matters for a key of one project only.
func (s *settings) accountOptions() account.Options {
	remembered := s.memory.state.Keys[s.current.Name].Project
	return account.Options{Org: s.orgID, Project: cmp.Or(s.project, remembered, s.linked.ProjectID)}
}

// sources returns the places where the current profile's key may be.
func (s *settings) sources(getenv func(string) string) (keystore.Sources, error) {
	sources := keystore.Sources{
		Profile: s.current, Host: s.base.Host, ProfileHost: hostOf(s.current.BaseURL), LiveHost: hostOf(""),
		Getenv: getenv, Ring: keystore.New(nil),
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

func (s *settings) clientOptions(clock func() time.Time) client.Options {
	return client.Options{
		BaseURL: s.baseURL, Clock: clock, Budget: s.budget, ReadOnly: s.readOnly,
		RootCAs: s.transport.roots, Log: s.transport.log, UserAgent: "pgtower/" + version(),
	}
}

// explain returns why something failed, without the account it was about, and what to do.
func explain(err error) (why, advice string) {
	if e, ok := errors.AsType[*keystore.Error](err); ok {
		return e.Reason.Error(), strings.TrimSpace(e.Reason.Remedy() + " " + e.Advice())
	}
	return err.Error(), adviceOn(err)
}

func without(getenv func(string) string, name string) func(string) string {
	return func(asked string) string {
		if asked == name {
			return ""
		}
		return getenv(asked)
	}
}
