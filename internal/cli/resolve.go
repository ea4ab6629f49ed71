package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"pgtower/keystore"
	"pgtower/keystore/profile"
	"pgtower/models"
)

// configFile is the configuration file.
type configFile struct {
	path   string
	exists bool
	config profile.Config
}

// inForce is the value of a setting, and where it came from.
type inForce struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  string `json:"from"`
}

const (
	fromDefault = "default"
	// fromProfile begins what is said of a setting of the profile in force.
	fromProfile = "profile "
)

// resolve takes what the flags leave open from the environment, and what that leaves
// open from the profile, and checks all of it.
func (s *settings) resolve(f *pflag.FlagSet, p Process) error {
	if err := s.loadFile(f, p); err != nil {
		return err
	}
	if err := s.chooseProfile(f, p.Getenv); err != nil {
		return err
	}
	return s.take(s.current, f, p.Getenv)
}

// checkGiven checks what can be checked without the disk, so that it is said before there is
// anything on the screen.
func (s *settings) checkGiven(f *pflag.FlagSet, p Process) error {
	if err := s.take(profile.Profile{}, f, p.Getenv); err != nil {
		return err
	}
	s.inForce = nil // which is for resolve to find out
	if name, from := s.givenProfile(f, p.Getenv); from != "" {
		if err := profile.CheckName(name); err != nil {
			return usagef("%s: %w", from, err)
		}
	}
	if _, err := s.clock(p.Clock); err != nil {
		return err
	}
	if _, err := (keystore.Sources{Getenv: without(p.Getenv, keystore.EnvLiveKey)}).Environment(); err != nil {
		return usageError{err}
	}
	return nil
}

// take takes every setting that has a flag from the first of flag, environment and profile that has it.
func (s *settings) take(p profile.Profile, f *pflag.FlagSet, getenv func(string) string) error {
	for _, one := range s.table(p) {
		flag := f.Lookup(one.flag)
		if flag == nil {
			continue
		}
		from, value := fromDefault, ""
		switch {
		case flag.Changed:
			from = "--" + one.flag
		case one.env != "" && getenv(one.env) != "":
			from, value = one.env, ofEnvironment(flag, getenv(one.env))
		case one.value != "":
			from, value = fromProfile+p.Name, one.value
		}
		if err := one.set(flag, value); err != nil {
			return usagef("%s: %w", from, err)
		}
		s.inForce = append(s.inForce, inForce{one.flag, flag.Value.String(), from})
	}
	return nil
}

// set gives a setting a value, unless that is empty, and checks what it then is.
func (one setting) set(flag *pflag.Flag, value string) error {
	if value != "" && flag.Value.Set(value) != nil {
		return wrongValue(flag, value)
	}
	if one.check == nil {
		return nil
	}
	return one.check()
}

// wrongValue is the error of a value that the type of a flag does not have.
func wrongValue(flag *pflag.Flag, value string) error {
	wanted := map[string]string{
		"duration": "a duration, such as 5s", "time": "a time, such as 2026-11-21T12:00:00Z", "bool": "true or false",
		"int": "a whole number", "uint64": "a whole number from 0", "float64": "a number",
	}
	return fmt.Errorf("must be %s, not %q", wanted[flag.Value.Type()], value)
}

// of returns the settings with another profile in force. What flags and environment say goes before it, but for which
// service it is. Of a profile that cannot be, key is the first wrong line.
func (s *settings) of(p profile.Profile) (o *settings, key string, err error) {
	o = new(settings)
	*o = defaults()
	o.current = p
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	o.addFlags(f)
	for _, one := range o.table(p) {
		value := one.value
		for _, given := range s.inForce {
			byUser := given.From != fromDefault && !strings.HasPrefix(given.From, fromProfile)
			if given.Name == one.flag && byUser && !one.connection {
				value = given.Value
			}
		}
		if err := one.set(f.Lookup(one.flag), value); err != nil {
			return nil, one.key, err
		}
	}
	return o, "", nil
}

// checkProfile checks what a configuration file sets.
func checkProfile(p profile.Profile) (key string, err error) {
	_, key, err = new(settings).of(p)
	return key, err
}

// ofEnvironment is a value of the environment as the flag would have it. To switch
// something on takes any value but those that clearly mean no.
func ofEnvironment(flag *pflag.Flag, value string) string {
	if flag.Value.Type() != "bool" {
		return value
	}
	switch strings.ToLower(value) {
	case "0", "f", "false", "no", "off":
		return "false"
	}
	return "true"
}

// loadFile reads the configuration file. It need not exist unless it was named.
func (s *settings) loadFile(f *pflag.FlagSet, p Process) error {
	s.file.path = s.configPath
	named := f.Changed("config")
	if v := p.Getenv(envConfig); v != "" && !named {
		s.file.path, named = v, true
	}
	if !named {
		dir, err := p.ConfigDir()
		if err != nil {
			return nil //nolint:nilerr // without a home there is no configuration, and nothing depends on it
		}
		s.file.path = filepath.Join(dir, "pgtower", "config.toml")
	}
	config, err := profile.Load(s.file.path, fileCheck())
	switch {
	case err == nil:
		s.file.config, s.file.exists = config, true
	case errors.Is(err, fs.ErrNotExist) && (!named || s.mayBeNew):
	default:
		return err
	}
	return nil
}

// chooseProfile finds the profile in force.
func (s *settings) chooseProfile(f *pflag.FlagSet, getenv func(string) string) error {
	name, from := s.givenProfile(f, getenv)
	switch {
	case from != "":
	case s.file.config.Default != "":
		name, from = s.file.config.Default, "default_profile"
	default:
		name, from = standardProfile(s.file.config), fromDefault
	}
	s.profile = name
	if err := profile.CheckName(s.profile); err != nil {
		return usagef("%s: %w", from, err)
	}
	s.inForce = append(s.inForce, inForce{"profile", s.profile, from})
	var ok bool
	if s.current, ok = s.file.config.Profile(s.profile); ok {
		return nil
	}
	s.current = profile.Profile{Name: s.profile}
	if s.mayBeNew || s.profile == profile.Default {
		return nil
	}
	where := models.Clean(s.file.path)
	if !s.file.exists {
		return usagef("%s: there is no profile %s, because there is no %s; pgtower login --profile %s makes it",
			from, s.profile, where, s.profile)
	}
	names := strings.Join(profileNames(s.file.config), ", ")
	return usagef("%s: there is no profile %s in %s, only %s", from, s.profile, where, names)
}

// givenProfile is the profile that a flag or else the environment names, and which of them
// does; neither may.
func (s *settings) givenProfile(f *pflag.FlagSet, getenv func(string) string) (name, from string) {
	if f.Changed("profile") {
		return s.profile, "--profile"
	}
	if v := getenv(envProfile); v != "" {
		return v, envProfile
	}
	return "", ""
}

// profileNames are the names of the profiles that can be chosen.
func profileNames(c profile.Config) []string {
	names := []string{profile.Default}
	for _, p := range c.Profiles {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// clock is the program's clock: the demo's may stand still.
func (s *settings) clock(real func() time.Time) (func() time.Time, error) {
	if !s.demo || s.demoTime == "" {
		return real, nil
	}
	t, err := time.Parse(time.RFC3339, s.demoTime)
	if err != nil {
		return nil, usagef("--demo-time: must be a time such as 2026-03-01T12:00:00Z, not %q", s.demoTime)
	}
	return func() time.Time { return t }, nil
}

// isFileError reports whether the configuration file cannot be used.
func isFileError(err error) bool {
	_, ok := errors.AsType[*profile.FileError](err)
	return ok
}
