package cli

import (
	"fmt"
	"slices"
	"time"

	"pgtower/client"
	"pgtower/keystore"
	"pgtower/keystore/profile"
	"pgtower/models"
	"pgtower/ui"
)

// accounts are the profiles that the dashboard can be switched between.
type accounts struct {
	settings       *settings
	options        client.Options // what all of them have in common
	getenv         func(string) string
	all            []ui.Profile // the one in force first
	authenticators []*authenticator
	demo           *demo
}

// newAccounts makes the profile in force, then those of the configuration file, then the
// demo.
func newAccounts(s *settings, clock func() time.Time, getenv func(string) string) (*accounts, error) {
	a := &accounts{settings: s, options: s.clientOptions(clock), getenv: getenv}
	a.options.BaseURL = "" // each has its own
	if err := a.add(s, getenv); err != nil {
		return nil, err
	}
	for _, p := range offeredProfiles(s.file.config) {
		if p.Name == s.current.Name {
			continue
		}
		of, _, err := s.of(p)
		if err != nil {
			return nil, err
		}
		// The key of the environment was given for the profile that pgtower began with. To
		// another one's host it must not go.
		if err := a.add(of, without(getenv, keystore.EnvKey)); err != nil {
			return nil, err
		}
	}
	a.demo = &demo{options: a.options, seed: s.demoSeed}
	demo := s.profileWith(ui.Profile{
		Name: profile.Demo, Host: profile.Demo, Note: "the built-in mock", Demo: true,
		Authenticator: a.demo, DemoCommands: a.demo.commands(), Clock: a.demo.now,
	})
	if s.demo {
		a.all = slices.Insert(a.all, 0, demo)
	} else {
		a.all = append(a.all, demo)
	}
	return a, nil
}

// add makes the profile in force of some settings one of the dashboard.
func (a *accounts) add(s *settings, getenv func(string) string) error {
	sources, err := s.sources(getenv)
	if err != nil {
		return err
	}
	auth := &authenticator{
		options: a.options, sources: sources, profileURL: s.base.String(),
		remember: func(baseURL string) string { return a.remember(s, baseURL) },
	}
	auth.options.OrgID = s.orgID
	a.authenticators = append(a.authenticators, auth)
	a.all = append(a.all, s.profileWith(ui.Profile{
		Name: s.current.Name, BaseURL: s.base.String(), Host: s.base.Host, Note: note(s.orgID, sources),
		Pinned: s.current.Pinned, Authenticator: auth,
	}))
	return nil
}

// profileWith is a profile of the dashboard with what the settings say of how it looks and polls.
func (s *settings) profileWith(p ui.Profile) ui.Profile {
	p.Interval, p.PageSize, p.Window, p.SearchBack = s.interval, s.pageSize, s.window, s.searchBack
	p.Theme, p.Times = s.theme, s.times
	return p
}

// note is what else there is to know about a profile: its organisation, and where its
// key will come from.
func note(orgID string, s keystore.Sources) string {
	before, err := s.BeforeKeyring()
	key := keyOf(before)
	if err != nil || before.Origin == keystore.OriginNone {
		key = keyOf(keystore.Source{Origin: keystore.OriginKeyring}) + ", if it has one"
	}
	if orgID != "" {
		return orgID + " · " + key
	}
	return key
}

// remember adds the profile with the address of its service to the configuration file. A profile that the file has is
// the user's to change.
func (a *accounts) remember(s *settings, baseURL string) (warning string) {
	path, name := a.settings.file.path, s.current.Name
	if _, ok := a.settings.file.config.Profile(name); ok || path == "" {
		return fmt.Sprintf("The address %s is used in this session only: the profile %s has another one.", baseURL, name)
	}
	added := profile.Profile{Name: name, BaseURL: baseURL, OrgID: s.orgID}
	if err := profile.Add(path, added, fileCheck()); err != nil {
		return "The address was not saved: " + models.Clean(err.Error()) + "."
	}
	return ""
}

// redact takes the keys of the environment and those in use out of a text.
func (a *accounts) redact(text string) string {
	text = redactKeys(text, a.getenv)
	for _, auth := range a.authenticators {
		text = auth.redact(text)
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
		for _, auth := range a.authenticators {
			auth.finding.Wait()
			auth.close()
		}
	}()
	select {
	case <-ended:
	case <-time.After(2 * time.Second):
	}
}
