package keystore

import (
	"context"
	"errors"
	"fmt"
	"os"

	"pgtower/keystore/keyenv"
	"pgtower/keystore/profile"
	"pgtower/models"
)

// The environment variables that hold an API key: pgtower's own, and that of the live service's own tools.
const (
	EnvKey     = keyenv.Own
	EnvLiveKey = keyenv.Live
)

// Origin is what kind of place a key comes from.
type Origin int

// The origins, in the order in which they are asked.
const (
	OriginNone    Origin = iota // no key at all
	OriginEnv                   // [EnvKey]
	OriginLiveEnv               // [EnvLiveKey]
	OriginCommand               // the profile's key command
	OriginKeyring               // the keyring of the operating system
)

// Source is where a key comes from.
type Source struct {
	Origin  Origin
	Profile string // that a key command belongs to
}

// String names the source, such as "PGTOWER_API_KEY" or "key command of profile work".
func (s Source) String() string {
	switch s.Origin {
	case OriginEnv:
		return EnvKey
	case OriginLiveEnv:
		return EnvLiveKey
	case OriginCommand:
		return "key command of profile " + s.Profile
	case OriginKeyring:
		return "OS keyring"
	case OriginNone:
	}
	return "none"
}

// Found is a key, and where it was found.
type Found struct {
	Key    Key
	Source Source
}

// Sources finds the API key of a profile. It asks, in this order: [EnvKey], [EnvLiveKey],
// the profile's key command, the keyring.
//
// A key is given out for one host only. [EnvKey] is for whichever host is in force, as who sets it decides.
// [EnvLiveKey] is for the live service's, because other programs set it. A key command is for the host of its profile,
// and not for one that a flag or the environment puts in its place. Items of the keyring name theirs.
type Sources struct {
	Profile     profile.Profile
	Host        string              // the one that the key is for
	ProfileHost string              // the one that the profile itself names
	LiveHost    string              // the live service's
	Getenv      func(string) string // such as [keyenv.Getenv]
	Ring        *Keyring
	// Terminal is what a key command may read from, or nil where the terminal belongs to another program.
	Terminal *os.File
}

// Account names the profile's item in the keyring.
func (s Sources) Account() Account { return Account{Profile: s.Profile.Name, Host: s.Host} }

// Environment returns the key of the environment, with [OriginNone] where it has none.
// The error is that of [models.Secret.Check] for the variable that counts.
func (s Sources) Environment() (Found, error) {
	name, origin := EnvKey, OriginEnv
	secret := models.NewSecret(s.Getenv(name))
	if secret.IsZero() && s.Host == s.LiveHost {
		name, origin = EnvLiveKey, OriginLiveEnv
		secret = models.NewSecret(s.Getenv(name))
	}
	if secret.IsZero() {
		return Found{}, nil
	}
	if err := secret.Check(); err != nil {
		return Found{}, fmt.Errorf("%s: %w", name, err)
	}
	return Found{Key{Secret: secret}, Source{Origin: origin}}, nil
}

// commands reports whether the profile's key command is asked.
func (s Sources) commands() bool { return !s.Profile.KeyCommand.IsZero() && s.Host == s.ProfileHost }

// BeforeKeyring is the source that is asked before the keyring, so that what the keyring
// holds is not used; or [OriginNone]. The error is that of [Sources.Environment].
func (s Sources) BeforeKeyring() (Source, error) {
	found, err := s.Environment()
	if err == nil && found.Source.Origin == OriginNone && s.commands() {
		return Source{OriginCommand, s.Profile.Name}, nil
	}
	return found.Source, err
}

// Find returns the key, or [ErrNotFound] where no source has one. Other errors are
// those of [Sources.Environment], a [*CommandError], or an [*Error] of the keyring: the
// next source is asked only where one is not there, not where it fails.
func (s Sources) Find(ctx context.Context) (found Found, err error) {
	if found, err = s.Environment(); err != nil || found.Source.Origin != OriginNone {
		return found, err
	}
	if s.commands() {
		found.Source = Source{OriginCommand, s.Profile.Name}
		found.Key.Secret, err = runKeyCommand(ctx, s.Profile, s.Terminal)
	} else {
		found.Source.Origin = OriginKeyring
		found.Key, err = s.Ring.Get(ctx, s.Account())
	}
	return found, err
}

// Where says where [Sources.Find] would take the key from, without running a key command.
// It is [OriginNone] where no source has one. The errors are those of Find.
func (s Sources) Where(ctx context.Context) (Source, error) {
	if before, err := s.BeforeKeyring(); err != nil || before.Origin != OriginNone {
		return before, err
	}
	_, err := s.Ring.Get(ctx, s.Account())
	if errors.Is(err, ErrNotFound) {
		return Source{}, nil
	}
	if err != nil {
		return Source{}, err
	}
	return Source{Origin: OriginKeyring}, nil
}
