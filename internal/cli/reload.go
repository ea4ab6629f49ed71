package cli

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/spf13/pflag"

	"pgtower/keystore/profile"
	"pgtower/ui"
)

// reloader has the configuration in force of the dashboard, and reads it again.
type reloader struct {
	process Process
	flags   *pflag.FlagSet // of the command line

	mu       sync.Mutex
	settings *settings
	accounts *accounts
}

// reload reads the configuration file and the state again. With an error, what was in force stays.
func (r *reloader) reload() (ui.Loaded, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, f := new(defaults()), pflag.NewFlagSet("", pflag.ContinueOnError)
	s.memory = r.settings.memory
	s.addFlags(f)
	r.flags.Visit(func(flag *pflag.Flag) {
		if !slices.Contains([]string{"ca-file", "log"}, flag.Name) { // which are open
			_ = f.Set(flag.Name, flag.Value.String()) // it was valid at the start
		}
	})
	// PGTOWER_API_KEY belongs to the profile of the start.
	_ = f.Set("profile", r.settings.profile)
	quiet := r.process
	quiet.Stderr = nil // the screen is the dashboard's
	if err := s.resolve(f, quiet); err != nil {
		return ui.Loaded{}, r.brief(err)
	}
	s.transport = r.settings.transport
	accounts, err := newAccounts(s, s.clock(r.process.Clock), r.process.Getenv, r.accounts)
	if err != nil {
		return ui.Loaded{}, err
	}
	r.settings, r.accounts = s, accounts
	return r.loaded(), nil
}

// brief returns the error of a reload for a line of the screen. The profile is that of the start, whatever named it.
func (r *reloader) brief(err error) error {
	fault, isOfFile := errors.AsType[*profile.FileError](err)
	switch {
	case isOfFile:
		return errors.New(fault.Brief())
	case errors.Is(err, errNoProfile):
		return fmt.Errorf("%w %s, which is in use", errNoProfile, r.settings.profile)
	}
	return err
}

// loaded returns what the dashboard takes from the configuration.
func (r *reloader) loaded() ui.Loaded {
	return ui.Loaded{Config: r.settings.uiConfig(), Profiles: r.accounts.all, Keys: r.settings.keyMap()}
}

// redact removes all keys that are or were in use from a text.
func (r *reloader) redact(text string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.accounts.redact(text)
}

// close closes all connections.
func (r *reloader) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.accounts.close()
}
