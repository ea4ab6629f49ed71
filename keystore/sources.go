package keystore

import (
	"context"
	"errors"
	"fmt"
	"os"

	"pgtower/keystore/keyenv"
	"pgtower/models"
	"pgtower/models/settings"
)

// The environment variables with an API key: pgtower's own, and that of the live service's own tools.
const (
	EnvKey     = keyenv.Own
	EnvLiveKey = keyenv.Live
)

// Origin names the source of a key.
type Origin string

// The origins, in order of precedence.
const (
	OriginNone    Origin = "" // no source has one, or the user typed it
	OriginEnv     Origin = EnvKey
	OriginLiveEnv Origin = EnvLiveKey
	OriginCommand Origin = "key command"
	OriginKeyring Origin = "OS keyring"
)

// Found is a key and its origin.
type Found struct {
	Key

	Origin Origin
}

// Sources finds the API key of a profile: in [EnvKey], [EnvLiveKey], the profile's key command or the keyring.
//
// A key is used for one host only. [EnvKey] is for the host in force: its user decides. [EnvLiveKey] is for the live
// service's host, because other programs set it. A key command is for the host of its profile, not for one that a flag
// or the environment replaces it with. Items of the keyring name their host.
type Sources struct {
	Profile     settings.Profile
	Host        string // the host in force
	ProfileHost string // the profile's own host
	LiveHost    string // the live service's
	// LookupEnv returns a variable and whether it is set, such as [keyenv.LookupEnv].
	LookupEnv func(string) (string, bool)
	Elsewhere bool // [EnvKey] is for another profile or host: that of the start
	Ring      *Keyring
	// Terminal is the input of a key command, or nil if another program uses the terminal.
	Terminal *os.File
}

// Account names the profile's item in the keyring.
func (s Sources) Account() Account { return Account{Profile: s.Profile.Name, Host: s.Host} }

// Environment returns the key of the environment, if there is one. The error is that of [models.Secret.Check].
func (s Sources) Environment() (Found, error) {
	origin, secret := OriginEnv, models.Secret{}
	if !s.Elsewhere {
		secret, _ = s.variable(EnvKey)
	}
	if secret.IsZero() && s.Host == s.LiveHost {
		origin = OriginLiveEnv
		secret, _ = s.variable(EnvLiveKey)
	}
	if secret.IsZero() {
		return Found{}, nil
	}
	if err := secret.Check(); err != nil {
		return Found{}, fmt.Errorf("%s: %w", origin, err)
	}
	return Found{Key{Secret: secret}, origin}, nil
}

// variable returns the key in a variable, and whether that is set.
func (s Sources) variable(name string) (models.Secret, bool) {
	value, set := s.LookupEnv(name)
	return models.NewSecret(value), set
}

// Unused returns the environment variables for an API key that are set and not used, and why. One without a key is
// [UnusedVariable.Empty].
func (s Sources) Unused() (list []UnusedVariable) {
	secret, set := s.variable(EnvKey)
	switch {
	case set && secret.IsZero():
		list = append(list, UnusedVariable{EnvKey, "is set, but empty", true})
	case set && s.Elsewhere:
		list = append(list, UnusedVariable{EnvKey, "is only for the profile and the base URL of the start", false})
	case set:
		return nil // it is used, before all other sources
	}
	live, set := s.variable(EnvLiveKey)
	switch {
	case set && live.IsZero():
		list = append(list, UnusedVariable{EnvLiveKey, "is set, but empty", true})
	case set && s.Host != s.LiveHost:
		list = append(list, UnusedVariable{EnvLiveKey, "is only for " + s.LiveHost + ", not for " + s.Host, false})
	}
	return list
}

// UnusedVariable is an environment variable for an API key that is not used.
type UnusedVariable struct {
	Name, Why string
	Empty     bool
}

func (u UnusedVariable) String() string { return u.Name + " " + u.Why }

// BeforeKeyring returns the source that is used instead of the keyring, or [OriginNone]. The error is that of Environment.
func (s Sources) BeforeKeyring() (Origin, error) {
	found, err := s.Environment()
	command := !s.Profile.KeyCommand.IsZero() && s.Host == s.ProfileHost
	if err == nil && found.Origin == OriginNone && command {
		return OriginCommand, nil
	}
	return found.Origin, err
}

// Find returns the key, or [ErrNotFound]. Other errors are those of [Sources.Environment], a [*CommandError], or an
// [*Error] of the keyring. A source that fails ends the search; only one without a key is skipped.
func (s Sources) Find(ctx context.Context) (found Found, err error) {
	origin, err := s.BeforeKeyring()
	switch {
	case err != nil:
	case origin == OriginCommand:
		found.Secret, err = runKeyCommand(ctx, s.Profile, s.Terminal)
	case origin == OriginNone:
		origin = OriginKeyring
		found.Key, err = s.Ring.Get(ctx, s.Account())
	default:
		found, err = s.Environment()
	}
	found.Origin = origin
	return found, err
}

// storesByCommand reports whether [Sources.Save] runs the profile's key_store_command: it goes with the key command.
func (s Sources) storesByCommand() bool {
	origin, err := s.BeforeKeyring()
	return err == nil && origin == OriginCommand && !s.Profile.KeyStoreCommand.IsZero()
}

// CanSave returns why [Sources.Save] could not save a key now, as far as that is known, or nil.
func (s Sources) CanSave(ctx context.Context) error {
	if s.storesByCommand() {
		return nil
	}
	if _, err := s.Ring.Get(ctx, s.Account()); !errors.Is(err, ErrNotFound) {
		return err
	}
	return nil
}

// Save saves a key, and returns where. A key_store_command has saved it once the key command prints it. Other errors
// than those of the keyring are [*CommandError].
func (s Sources) Save(ctx context.Context, key Key) (Origin, error) {
	if !s.storesByCommand() {
		return OriginKeyring, s.Ring.Set(ctx, s.Account(), key)
	}
	failed := &CommandError{What: "the key_store_command of profile " + s.Profile.Name, Setting: "key_store_command"}
	within, cancel := context.WithTimeout(ctx, CommandDeadline)
	defer cancel()
	err := give(within, s.Profile.KeyStoreCommand, key.Secret, "\n", failed)
	if err != nil {
		return OriginCommand, err
	}
	printed, err := runKeyCommand(ctx, s.Profile, s.Terminal)
	if err == nil && printed != key.Secret {
		err = keyCommandError(s.Profile, "", errors.New("still prints another key"))
	}
	if e, ok := errors.AsType[*CommandError](err); ok {
		e.Changed = true
	}
	return OriginCommand, err
}
