package cli

import (
	"fmt"
	"net/url"
	"time"

	"pgtower/client"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/ui"
	"pgtower/ui/operations"
	"pgtower/ui/style"
)

// accounts are the profiles that the dashboard can be switched between.
type accounts struct {
	settings *settings
	options  client.Options // what all of them have in common
	getenv   func(string) string
	all      []ui.Profile // the one in force first
	gateways []*gateway
	demo     *demo
}

// newAccounts makes the profile in force, then those of the configuration file, then the
// demo.
func newAccounts(s *settings, clock func() time.Time, getenv func(string) string) (*accounts, error) {
	a := &accounts{settings: s, options: s.clientOptions(clock), getenv: getenv}
	a.options.BaseURL = "" // each has its own
	a.demo = &demo{options: a.options, seed: s.demoSeed}
	demoProfile := ui.Profile{
		Name: keystore.DemoProfile, Host: keystore.DemoProfile, Note: "the built-in mock", Demo: true,
		Interval: s.interval, PageSize: s.pageSize, Window: s.window, SearchBack: s.searchBack, Theme: s.theme, Times: s.times, Gateway: a.demo, Knobs: a.demo.knobs(), Clock: a.demo.now,
	}
	if s.demo {
		a.all = []ui.Profile{demoProfile}
	}
	first := s.current
	first.OrgID = s.orgID
	if err := a.add(first, s.base, getenv); err != nil {
		return nil, err
	}
	for _, name := range offeredProfiles(s.file.config) {
		if name == s.current.Name {
			continue
		}
		profile, ok := s.file.config.Profile(name)
		if !ok {
			profile.Name = name
		}
		base, err := profileBase(profile)
		if err != nil {
			return nil, err
		}
		// The key of the environment was given for the profile that pgtower began with. To
		// another one's host it must not go.
		if err := a.add(profile, base, without(getenv, keystore.EnvKey)); err != nil {
			return nil, err
		}
	}
	if !s.demo {
		a.all = append(a.all, demoProfile)
	}
	return a, nil
}

// add makes a profile of the dashboard.
func (a *accounts) add(p keystore.Profile, base *url.URL, getenv func(string) string) error {
	sources, err := sourcesOf(p, base, getenv)
	if err != nil {
		return err
	}
	s := a.settings
	profile := ui.Profile{
		Name: p.Name, BaseURL: base.String(), Host: base.Host, Note: note(p, sources),
		Interval: s.interval, PageSize: s.pageSize, Window: s.window, SearchBack: s.searchBack, Theme: s.theme, Times: s.times, Pinned: p.Pinned,
	}
	if p.Name != s.current.Name {
		profile.Interval = inProfile(s, "interval", s.interval, p.Interval, defaultInterval)
		profile.PageSize = inProfile(s, "page-size", s.pageSize, p.PageSize, defaultPageSize)
		profile.Window = inProfile(s, "window", s.window, p.Window, operations.DefaultWindow)
		profile.SearchBack = inProfile(s, "search-back", s.searchBack, p.SearchBack, operations.DefaultSearchBack)
		profile.Theme = inProfile(s, "theme", s.theme, p.Theme, style.Auto)
		profile.Times = inProfile(s, "time", s.times, p.Time, style.Relative)
	}
	options := a.options
	options.OrgID = p.OrgID
	g := &gateway{
		options: options, sources: sources, own: profile.BaseURL,
		remember: func(baseURL string) string { return a.remember(p, baseURL) },
	}
	a.gateways = append(a.gateways, g)
	profile.Gateway = g
	a.all = append(a.all, profile)
	return nil
}

// inProfile is a setting in another profile than the one in force: a flag or a variable of
// the environment goes before what the profile has.
func inProfile[T comparable](s *settings, name string, inForce, own, standard T) T {
	var none T
	switch {
	case s.overridden(name):
		return inForce
	case own != none:
		return own
	}
	return standard
}

// note is what else there is to know about a profile: its organisation, and where its
// key will come from.
func note(p keystore.Profile, s keystore.Sources) string {
	before, err := s.BeforeKeyring()
	key := keyOf(before)
	if err != nil || before.Origin == keystore.OriginNone {
		key = keyOf(keystore.Source{Origin: keystore.OriginKeyring}) + ", if it has one"
	}
	if p.OrgID != "" {
		return p.OrgID + " · " + key
	}
	return key
}

// remember adds the profile with the address of its service to the configuration file.
// What the file says of a profile is the person's to change.
func (a *accounts) remember(p keystore.Profile, baseURL string) (warning string) {
	path := a.settings.file.path
	if _, ok := a.settings.file.config.Profile(p.Name); ok || path == "" {
		return fmt.Sprintf("The address %s is used in this session only: the profile %s has another one.", baseURL, p.Name)
	}
	p.BaseURL = baseURL
	if err := keystore.AddProfile(path, p, fileCheck()); err != nil {
		return "The address was not kept: " + models.Clean(err.Error()) + "."
	}
	return ""
}

// redact takes the keys of the environment and those in use out of a text.
func (a *accounts) redact(text string) string {
	text = redactKeys(text, a.getenv)
	for _, g := range a.gateways {
		text = g.redact(text)
	}
	return text
}

// redactKeys takes the keys of the environment out of a text.
func redactKeys(text string, getenv func(string) string) string {
	var keys models.Redactor
	for _, name := range []string{keystore.EnvKey, keystore.EnvLiveKey} {
		keys = keys.With(models.NewSecret(getenv(name)))
	}
	return keys.Text(text)
}

// close ends all connections. It waits, not for long, until key commands have ended that
// the end of the program's context has stopped.
func (a *accounts) close() {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		a.demo.close()
		for _, g := range a.gateways {
			g.looking.Wait()
			g.close()
		}
	}()
	select {
	case <-ended:
	case <-time.After(2 * time.Second):
	}
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
