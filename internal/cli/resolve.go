package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"pgtower/internal/cli/exit"
	"pgtower/internal/files"
	"pgtower/models"
	"pgtower/models/query"
	"pgtower/models/settings"
	"pgtower/models/shell"
)

const (
	fromDefault = "default"
	fromProfile = "profile " // before the name of the profile
)

// resolve sets each setting from flags, environment and profile, and checks it. It must be called before signals are caught, so
// that ctrl+c ends the program while a disk hangs.
func (s *setup) resolve(f *pflag.FlagSet, p Process) error {
	s.steady = p.Steady
	if err := s.loadFile(f, p); err != nil {
		return err
	}
	if err := s.chooseProfile(f, p.Getenv); err != nil {
		return err
	}
	if from, _, err := s.setAll(s.current, f, p.Getenv); err != nil {
		return exit.Usagef("%s: %w", from, err)
	}
	if err := s.transport.open(s.CAFile, s.Log); err != nil {
		return err
	}
	if s.transport.log != nil {
		for _, fault := range s.file.config.Faults {
			s.transport.log.Warn("ignored a part of the configuration file", "error", fault.Error())
		}
	}
	return nil
}

// ofProfile reports whether a setting comes from the profile in force.
func (s *setup) ofProfile(name string) bool {
	for _, setting := range s.inForce {
		if setting.Name == name && strings.HasPrefix(setting.From, fromProfile) {
			return true
		}
	}
	return false
}

// setAll sets all settings that have a flag in f. For a wrong value it returns its source and its key in a profile.
func (s *setup) setAll(p settings.Profile, f *pflag.FlagSet, getenv func(string) string) (from, key string, err error) {
	for _, setting := range s.Settings() {
		flag := f.Lookup(setting.Flag)
		ownFlag := flag != nil && (flag.Value.Type() == "stringArray" || flag.Annotations[notASetting] != nil)
		if flag == nil || ownFlag { // such as the list --project of scripts
			continue
		}
		value, shared := p.Text(setting.Key), !setting.Own
		switch {
		case flag.Changed:
			from, value = "--"+setting.Flag, ""
		case setting.Env != "" && getenv(setting.Env) != "":
			from, value = setting.Env, ofEnvironment(flag, getenv(setting.Env))
		case value != "":
			from, shared = fromProfile+p.Name, false
		default:
			from, shared = fromDefault, false
		}
		if value != "" && flag.Value.Set(value) != nil {
			return from, setting.Key, wrongValue(flag)
		}
		if err := setting.Check(); err != nil {
			return from, setting.Key, err
		}
		if err := s.follow(setting.Flag); err != nil {
			return from, setting.Key, err
		}
		s.inForce = append(s.inForce, inForce{setting.Flag, flag.Value.String(), from, shared})
	}
	return "", "", nil
}

// notASetting marks a flag of a command that has the name of a setting and is none.
const notASetting = "pgtower_not_a_setting"

// follow parses the base URL, or checks that the view exists. It is called for each setting after its own check.
func (s *setup) follow(flag string) (err error) {
	switch {
	case flag == "base-url":
		s.base, err = models.ParseBaseURL(s.BaseURL)
	case flag == "view" && s.View != "":
		_, err = query.FindView(s.file.config.Views, s.View)
	}
	return err
}

// withProfile returns the settings with another profile, or the key in it that is wrong.
func (s *setup) withProfile(p settings.Profile) (o *setup, key string, err error) {
	o = new(defaults())
	o.current, o.memory, o.linked, o.steady = p, s.memory, s.linked, s.steady
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.AddFlagSet(o.allFlags())
	for _, given := range s.inForce {
		if given.shared {
			_ = f.Set(given.Name, given.Value) // the value is valid: it was set before
		}
	}
	_, key, err = o.setAll(p, f, noVariable)
	return o, key, err
}

func noVariable(string) string { return "" }

// wrongValue returns the error for a value that is not of the flag's type.
func wrongValue(flag *pflag.Flag) error {
	forms := map[string]string{
		"duration": "a duration, such as 5s or 24h", "time": "a time, such as 2026-11-21T12:00:00Z",
		"bool": "true or false", "int": "a whole number", "int64": "a whole number", "uint64": "a whole number from 0",
		"float64": "a number", "fields": "names of fields, such as --json=id,status",
	}
	if _, given := flag.Value.(*givenTime); given {
		return errors.New("must be a time or a duration, such as 14:00, yesterday, 2026-11-20 09:00 or 2h")
	}
	return errors.New("must be " + forms[flag.Value.Type()])
}

// ofEnvironment returns the value of an environment variable in the form of the flag. A switch is on unless the value
// is a clear no.
func ofEnvironment(flag *pflag.Flag, value string) string {
	if flag.Value.Type() != "bool" {
		return value
	}
	no := []string{"0", "f", "false", "no", "off"}
	return strconv.FormatBool(!slices.Contains(no, strings.ToLower(value)))
}

// loadFile reads the configuration file and the state.
func (s *setup) loadFile(_ *pflag.FlagSet, p Process) error {
	s.memory.load(p)
	s.linked = p.link()
	err := s.readFiles(p)
	if s.file.note != "" {
		p.warn("%s", s.file.note)
	}
	return err
}

// readFiles reads the configuration file and completes it with the state. The file need not exist unless it was named.
func (s *setup) readFiles(p Process) error {
	if err := s.readConfig(p); err != nil {
		return err
	}
	s.file.config = s.memory.completed(s.file.own)
	return nil
}

// readConfig reads the configuration file. If it cannot look for the file, that is an error, because the file may set
// read_only. It is only a note if there certainly is no file.
func (s *setup) readConfig(p Process) error {
	s.file.path = cmp.Or(s.configPath, p.Getenv(envConfig))
	named := s.file.path != ""
	if !named {
		dir, err := p.configDir()
		switch {
		case errors.Is(err, errRelative):
			return exit.Usagef("no configuration folder: %w; set --config", err)
		case err != nil:
			s.file.note = fmt.Sprintf("read no configuration: %v; set --config", err)
			return nil
		}
		s.file.path = filepath.Join(dir, "pgtower", "config.toml")
	}
	config, err := loadConfig(s.file.path, s.memory.check())
	optional := !named || s.mayBeNew
	_, hidden := errors.AsType[*files.LinkError](err)
	switch {
	case optional && errors.Is(err, fs.ErrNotExist):
		return nil
	case optional && errors.Is(err, syscall.ENOTDIR): // as in a home that is /dev/null: nothing can be below a file
		s.file.note = fmt.Sprintf("read no configuration: %v", err)
		return nil
	case hidden:
		const next = "restore what it leads to, remove the link, or name a file with --config (%s for none)"
		return fmt.Errorf("%w: "+next, err, os.DevNull)
	}
	s.file.own, s.file.exists = config, err == nil
	return err
}

var errRelative = errors.New("XDG_CONFIG_HOME is no absolute path")

// configDir returns the folder for configuration files: $XDG_CONFIG_HOME on every system, or the system's own.
func (p Process) configDir() (string, error) {
	dir := p.Getenv("XDG_CONFIG_HOME")
	switch {
	case dir == "":
		return p.ConfigDir()
	case !filepath.IsAbs(dir): // read_only might be in a file that is not found
		return "", errRelative
	}
	return dir, nil
}

func (s *setup) chooseProfile(f *pflag.FlagSet, getenv func(string) string) error {
	name, from := s.file.standardProfile()
	if f.Changed("profile") {
		name, from = s.profile, "--profile"
	} else if env := getenv(envProfile); env != "" {
		name, from = env, envProfile
	}
	if err := settings.CheckName(name); err != nil {
		return exit.Usagef("%s: %w", from, err)
	}
	s.profile = name
	s.inForce = append(s.inForce, inForce{"profile", name, from, false})
	profile, ok := s.file.config.Profiles[name]
	if ok {
		s.current = profile
		return nil
	}
	s.current = s.memory.pinned(settings.Profile{Name: name})
	switch where := models.Clean(s.file.path); {
	case s.mayBeNew, name == settings.Default:
		return nil
	case s.file.path == "":
		return exit.Usagef("%s: %w %s: %w", from, errNoProfile, name, errNoFolder)
	case !s.file.exists:
		login := shell.Line("pgtower", "login", "--profile", name)
		return exit.Usagef("%s: %w %s: %s does not exist; %s creates it", from, errNoProfile, name, where, login)
	default:
		names := strings.Join(profileNames(s.file.config), ", ")
		return exit.Usagef("%s: %w %s in %s; it has %s", from, errNoProfile, name, where, names)
	}
}

var (
	errNoFolder  = errors.New("there is no configuration folder; set --config")
	errNoProfile = errors.New("unknown profile")
)

func profileNames(c settings.Config) []string {
	names := slices.AppendSeq([]string{settings.Default}, maps.Keys(c.Profiles))
	slices.Sort(names)
	return slices.Compact(names)
}

func (s *setup) clock(real func() time.Time) func() time.Time {
	if !s.demo || s.demoTime.IsZero() {
		return real
	}
	return s.stopped
}

func (s *setup) stopped() time.Time { return s.demoTime }

func isFileError(err error) bool {
	_, ok := errors.AsType[*settings.FileError](err)
	return ok
}

// standardProfile returns the profile that is used unless another is chosen, and why. A sign-in with a new profile does not
// change the choice among those of the file.
func (c *configFile) standardProfile() (name, from string) {
	switch {
	case c.own.Default != "":
		return c.own.Default, "default_profile"
	case c.config.Default != "":
		return c.config.Default, fromState
	}
	profiles := c.own.Profiles
	if len(profiles) == 0 {
		profiles = c.config.Profiles
	}
	if len(profiles) == 1 {
		for name := range profiles {
			return name, fromDefault
		}
	}
	return settings.Default, fromDefault
}

// offeredProfiles returns the profiles. One named default that is not in the file is among them only if there is no other.
func (c *configFile) offeredProfiles() []settings.Profile {
	var offered []settings.Profile
	standard, _ := c.standardProfile()
	for _, name := range profileNames(c.config) {
		p, ok := c.config.Profiles[name]
		p.Name = name
		if ok || standard == name || len(c.config.Profiles) == 0 {
			offered = append(offered, p)
		}
	}
	return offered
}
