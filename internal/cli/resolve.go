package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"pgtower/keystore"
	"pgtower/keystore/keyenv"
	"pgtower/models"
)

// The names of the environment variables.
const (
	envConfig     = "PGTOWER_CONFIG"
	envProfile    = "PGTOWER_PROFILE"
	envBaseURL    = "PGTOWER_BASE_URL"
	envOrgID      = "PGTOWER_ORG_ID"
	envInterval   = "PGTOWER_INTERVAL"
	envPageSize   = "PGTOWER_PAGE_SIZE"
	envWindow     = "PGTOWER_WINDOW"
	envSearchBack = "PGTOWER_SEARCH_BACK"
	envTheme      = "PGTOWER_THEME"
	envTime       = "PGTOWER_TIME"
	envMockKey    = keyenv.Mock

	// envAccessible is what other programs for the terminal look at, too.
	envAccessible   = "ACCESSIBLE"
	envReduceMotion = "PGTOWER_REDUCE_MOTION"
)

// resolve takes what the flags leave open from the environment, and what that leaves
// open from the profile, and checks all of it. Which of the settings there are is for
// the flags to say.
func (s *settings) resolve(f *pflag.FlagSet, p Process) error {
	if err := s.loadFile(f, p); err != nil {
		return err
	}
	if err := s.chooseProfile(f, p.Getenv); err != nil {
		return err
	}
	for _, one := range allSettings() {
		if err := s.resolveOne(one, f, p.Getenv); err != nil {
			return err
		}
	}
	return nil
}

// checkGiven takes what flags and environment set, and checks what can be checked without
// the disk, so that it is said before there is anything on the screen.
func (s *settings) checkGiven(f *pflag.FlagSet, p Process) error {
	getenv := p.Getenv
	for _, one := range allSettings() {
		flag := f.Lookup(one.flag)
		if flag == nil || !flag.Changed && (one.env == "" || getenv(one.env) == "") {
			continue
		}
		if err := s.resolveOne(one, f, getenv); err != nil {
			return err
		}
	}
	s.inForce = nil // which is for resolve to find out
	if name, from := s.givenProfile(f, getenv); from != "" {
		if err := keystore.CheckProfileName(name); err != nil {
			return usagef("%s: %w", from, err)
		}
	}
	if _, err := s.clock(p.Clock); err != nil {
		return err
	}
	if _, err := (keystore.Sources{Getenv: without(getenv, keystore.EnvLiveKey)}).Environment(); err != nil {
		return usageError{err}
	}
	return nil
}

func (s *settings) resolveOne(one setting, f *pflag.FlagSet, getenv func(string) string) error {
	flag := f.Lookup(one.flag)
	if flag == nil {
		return nil
	}
	from, value := fromDefault, ""
	switch v := one.file(s.current); {
	case flag.Changed:
		from = "--" + one.flag
	case one.env != "" && getenv(one.env) != "":
		from, value = one.env, ofEnvironment(flag, getenv(one.env))
	case v != "":
		from, value = fromProfile+s.current.Name, v
	}
	if value != "" {
		if err := flag.Value.Set(value); err != nil {
			return usagef("%s: %s", from, tidyParseError(err))
		}
	}
	if err := one.check(s); err != nil {
		return usagef("%s: %w", from, err)
	}
	s.inForce = append(s.inForce, inForce{one.flag, flag.Value.String(), from})
	return nil
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

// tidyParseError is an error of a flag's value without the name of the function that
// found it.
func tidyParseError(err error) string {
	if number, ok := errors.AsType[*strconv.NumError](err); ok {
		return fmt.Sprintf("%q is not a number that it can be", number.Num)
	}
	return strings.TrimPrefix(err.Error(), "time: ")
}

// loadFile reads the configuration file. That there is none where nobody named one is
// no error.
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
	config, err := keystore.LoadConfig(s.file.path, fileCheck())
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
	if err := keystore.CheckProfileName(s.profile); err != nil {
		return usagef("%s: %w", from, err)
	}
	s.inForce = append(s.inForce, inForce{"profile", s.profile, from})
	var ok bool
	if s.current, ok = s.file.config.Profile(s.profile); ok {
		return nil
	}
	s.current = keystore.Profile{Name: s.profile}
	if s.mayBeNew || s.profile == keystore.DefaultProfile {
		return nil
	}
	where := models.Clean(s.file.path)
	if !s.file.exists {
		return usagef("%s: there is no profile %s, because there is no %s; pgtower login --profile %s makes it",
			from, s.profile, where, s.profile)
	}
	return usagef("%s: there is no profile %s in %s, only %s", from, s.profile, where, strings.Join(profileNames(s.file.config), ", "))
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
func profileNames(c keystore.Config) []string {
	names := []string{keystore.DefaultProfile}
	for _, p := range c.Profiles {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
