package cli

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"pgtower/internal/state"
	"pgtower/keystore/keyenv"
	"pgtower/models"
	"pgtower/models/moment"
	"pgtower/models/settings"
)

// setup is set by flags, environment and configuration file. [defaults] returns its defaults.
type setup struct {
	settings.Run

	demo, demoIncidents bool
	demoSeed            uint64
	demoTime            time.Time

	configPath, profile string
	json                bool
	transport           transport

	mayBeNew bool   // the profile need not exist
	color    string // of a new profile
	keepKey  bool   // removing a profile leaves its key in the keyring

	example, schema bool // config prints one of these instead of the settings

	// Set by resolve.
	steady  func() time.Time // [Process].Steady
	memory  *memory
	linked  linked
	known   state.Reached // of the service, for completion
	file    configFile
	current settings.Profile
	base    *url.URL
	inForce []inForce
}

func defaults() setup { return setup{Run: settings.Defaults(), memory: &memory{}} }

// Environment variables that do not belong to a [settings.Setting].
const (
	envConfig  = "PGTOWER_CONFIG"
	envProfile = "PGTOWER_PROFILE"
	envMockKey = keyenv.Mock
)

// connectionFlags select the service and the account.
var connectionFlags = []string{"config", "profile", "base-url", "org-id", "ca-file", "log"}

// addFlags adds the flags with these names. Without names, it adds those of the dashboard.
func (s *setup) addFlags(f *pflag.FlagSet, names ...string) {
	commands := map[string]string{} // the only commands that have flags
	for _, setting := range s.Settings() {
		commands[setting.Flag] = setting.Command
	}
	for _, flag := range flagsOf(s.allFlags()) {
		if len(names) == 0 && commands[flag.Name] == "" || slices.Contains(names, flag.Name) {
			f.AddFlag(flag)
		}
	}
}

// flagsOf returns the flags of a set, sorted by name.
func flagsOf(set *pflag.FlagSet) (flags []*pflag.Flag) {
	set.VisitAll(func(flag *pflag.Flag) { flags = append(flags, flag) })
	return flags
}

// allFlags returns the flags of all settings.
func (s *setup) allFlags() *pflag.FlagSet {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.StringVar(&s.configPath, "config", "", "the configuration file ("+envConfig+")")
	flags.StringVar(&s.profile, "profile", "", "profile of the configuration file to use ("+envProfile+")")
	flags.BoolVar(&s.demo, "demo", false, "use the built-in mock backend: no account, no key, no network")
	flags.BoolVar(&s.demoIncidents, "demo-incidents", false, "the demo has three incidents: a region, a project, a deploy")
	flags.Uint64Var(&s.demoSeed, "demo-seed", 7, "seed of the demo's simulation")
	flags.TimeVar(&s.demoTime, "demo-time", time.Time{}, []string{time.RFC3339}, "stop the demo's clock at this time")
	hide(flags, "demo-seed", "demo-time")
	for _, setting := range s.Settings() {
		usage := setting.Usage
		if setting.Env != "" {
			usage += " (" + setting.Env + ")"
		}
		switch text := setting.To.(type) {
		case *string:
			flags.StringVar(text, setting.Flag, *text, usage)
		case *int:
			flags.IntVar(text, setting.Flag, *text, usage)
		case *bool:
			flags.BoolVar(text, setting.Flag, *text, usage)
		case *time.Duration:
			flags.Var((*duration)(text), setting.Flag, usage)
		case *moment.Time:
			flags.Var((*givenTime)(text), setting.Flag, usage)
		case *[]string:
			flags.Var((*list)(text), setting.Flag, usage)
		}
	}
	return flags
}

// addReportFlags adds the flags of a command that prints the configuration file's content.
func (s *setup) addReportFlags(f *pflag.FlagSet) {
	s.addFlags(f, "config")
	s.addJSONFlag(f)
}

// addCheckFlags adds the flags of the dashboard to a command that prints its settings or checks them.
func (s *setup) addCheckFlags(f *pflag.FlagSet) {
	s.addFlags(f)
	hide(f, "demo", "project")
	s.addJSONFlag(f)
}

func (s *setup) addJSONFlag(f *pflag.FlagSet) { f.BoolVar(&s.json, "json", false, "print JSON") }

func hide(f *pflag.FlagSet, names ...string) {
	for _, name := range names {
		f.Lookup(name).Hidden = true
	}
}

// duration is a flag for a duration in the form of the filter, such as 90s or 7d.
type duration time.Duration

func (d *duration) Type() string { return "duration" }

func (d *duration) String() string { return strings.TrimPrefix(time.Duration(*d).String(), "0s") }

func (d *duration) Set(s string) error {
	got, ok := models.ParseDuration(s)
	if !ok && s != "0" {
		return errors.New("not a duration")
	}
	*d = duration(got)
	return nil
}

// givenTime is a flag for a time or a duration before now, in the form of the filter.
type givenTime moment.Time

func (t *givenTime) Type() string { return "time" }

func (t *givenTime) String() string {
	given := moment.Time(*t)
	if d, ok := given.Length(); ok {
		return d.String() // as those of other settings
	}
	return given.String()
}

func (t *givenTime) Set(s string) error {
	got, ok := moment.Parse(s)
	if !ok {
		return errors.New("not a time")
	}
	*t = givenTime(got)
	return nil
}

// list is a flag for words with commas between them. It can be given several times.
type list []string

func (l *list) Type() string { return "list" }

func (l *list) String() string { return strings.Join(*l, ",") }

func (l *list) Set(s string) error {
	for word := range strings.SplitSeq(s, ",") {
		*l = append(*l, strings.TrimSpace(word))
	}
	return nil
}

type configFile struct {
	path   string
	exists bool
	note   string          // why it was not looked for, or empty
	own    settings.Config // the file alone
	config settings.Config // completed with the state
}

// inForce is the value of a setting and its source.
type inForce struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  string `json:"from"`

	shared bool // for other profiles, too: a flag or the environment set it, and it does not belong to a service
}

func (f inForce) isUnset() bool { return f.Value == "" || f.Value == "0" }
