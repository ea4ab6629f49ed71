package cli

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"pgtower/keystore/keyenv"
	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/keys"
	"pgtower/models/moment"
	"pgtower/models/query"
	"pgtower/models/settings"
	"pgtower/ui/operations"
	"pgtower/ui/style"
)

// setup is set by flags, environment and configuration file. [defaults] returns their defaults.
type setup struct {
	demo, demoIncidents bool
	demoSeed            uint64
	demoTime            time.Time

	configPath, profile                                 string
	baseURL, orgID, project                             string
	theme, times, view                                  string
	interval, window, quietFor                          time.Duration
	since                                               moment.Time
	pageSize, budget                                    int
	readOnly, noMouse, noBell, accessible, reduceMotion bool
	json                                                bool
	transport                                           transport

	mayBeNew bool   // the profile need not exist
	color    string // of a new profile

	// Set by resolve.
	memory  *memory
	linked  linked
	file    configFile
	current settings.Profile
	base    *url.URL
	inForce []inForce
}

func defaults() setup {
	return setup{
		memory: &memory{}, baseURL: models.DefaultBaseURL, interval: 5 * time.Second, pageSize: 100,
		window: operations.DefaultWindow, since: operations.DefaultSince(),
		quietFor: keys.QuietFor, theme: style.Auto, times: style.Relative, budget: 5,
	}
}

// Environment variables that do not belong to a [setting].
const (
	envConfig  = "PGTOWER_CONFIG"
	envProfile = "PGTOWER_PROFILE"
	envMockKey = keyenv.Mock
)

// setting can be set by a flag, an environment variable or a profile, in this order of precedence.
type setting struct {
	Flag, Env string   // Env may be empty
	key       string   // in a profile; may be empty
	to        any      // pointer to the field of settings, which has the default
	names     []string // the possible values; nil: not a list
	Usage     string
	check     func() error // may be nil
	own       bool         // its value belongs to a service: other profiles do not take it from flags or environment
}

func (s *setup) table() []setting {
	table := []setting{
		{Flag: "base-url", Env: "PGTOWER_BASE_URL", key: "base_url", to: &s.baseURL, own: true, check: s.checkBaseURL},
		{
			Flag: "org-id", Env: "PGTOWER_ORG_ID", key: "org_id", to: &s.orgID, own: true,
			check: func() error {
				if s.orgID != "" && !models.IsOrgID(s.orgID) {
					return errors.New("must be an organization id (up to 64 letters, digits, - and _, without a - at the start)")
				}
				return nil
			},
		},
		{Flag: "project", key: "project", to: &s.project, own: true, check: s.checkProjectID},
		{
			Flag: "interval", Env: "PGTOWER_INTERVAL", key: "interval", to: &s.interval,
			check: func() error { return operations.CheckInterval(s.interval) },
		},
		{
			Flag: "page-size", Env: "PGTOWER_PAGE_SIZE", key: "page_size", to: &s.pageSize, // as many as the live service gives
			check: func() error { return between(s.pageSize, 1, 1000) },
		},
		{
			Flag: "window", Env: "PGTOWER_WINDOW", key: "window", to: &s.window,
			check: func() error { return operations.CheckWindow(s.window) },
		},
		{
			Flag: "since", Env: "PGTOWER_SINCE", key: "since", to: &s.since,
			check: func() error { return operations.CheckSince(s.since) },
		},
		{
			Flag: "quiet-for", key: "quiet_for", to: &s.quietFor,
			check: func() error { return keys.CheckQuiet(s.quietFor) },
		},
		{Flag: "theme", Env: "PGTOWER_THEME", key: "theme", to: &s.theme, names: style.ThemeNames()},
		{Flag: "time", Env: "PGTOWER_TIME", key: "time", to: &s.times, names: style.TimesNames()},
		{
			Flag: "budget", key: "budget", to: &s.budget,
			check: func() error { return between(s.budget, 1, feed.MaxBudget) },
		},
		{
			Flag: "view", to: &s.view, own: true, Usage: "initial view of the operations",
			check: func() error {
				if s.view == "" {
					return nil
				}
				_, err := query.FindView(s.file.config.Views, s.view)
				return err
			},
		},
		{Flag: "read-only", key: "read_only", to: &s.readOnly},
		{Flag: "no-mouse", to: &s.noMouse, Usage: "do not capture the mouse"},
		{
			Flag: "no-bell", Env: "PGTOWER_NO_BELL", to: &s.noBell,
			Usage: "no bell, no desktop notifications, no status for the terminal",
		},
		{
			Flag: "accessible", Env: "ACCESSIBLE", to: &s.accessible, // other programs read the variable, too
			Usage: "print lines of text for a screen reader instead of a screen",
		},
		{Flag: "reduce-motion", Env: "PGTOWER_REDUCE_MOTION", to: &s.reduceMotion, Usage: "no animation"},
		{
			Flag: "ca-file", to: &s.transport.caFile,
			Usage: "PEM file of certificate authorities to trust besides the system's",
		},
		{
			Flag: "log", to: &s.transport.logFile,
			Usage: "file to append a JSON line of each request to, without keys and bodies",
		},
	}
	for i := range table {
		table[i].Usage = cmp.Or(table[i].Usage, settings.Usage(table[i].key))
	}
	return table
}

func between(n, low, high int) error {
	if n < low || n > high {
		return fmt.Errorf("must be between %d and %d, not %d", low, high, n)
	}
	return nil
}

func (s *setup) checkProjectID() error {
	if s.project != "" && !models.IsID(s.project) {
		return errors.New("must be the id of one project")
	}
	return nil
}

func (s *setup) checkBaseURL() error {
	base, err := models.ParseBaseURL(s.baseURL)
	if err != nil {
		return err
	}
	s.base, s.baseURL = base, base.String()
	return nil
}

// connectionFlags select the service and the account.
var connectionFlags = []string{"config", "profile", "base-url", "org-id", "ca-file", "log"}

// addFlags adds the flags of these names, without names all.
func (s *setup) addFlags(f *pflag.FlagSet, names ...string) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.StringVar(&s.configPath, "config", "", "the configuration file ("+envConfig+")")
	all.StringVar(&s.profile, "profile", "", "profile of the configuration file to use ("+envProfile+")")
	all.BoolVar(&s.demo, "demo", false, "use the built-in mock backend: no account, no key, no network")
	all.BoolVar(&s.demoIncidents, "demo-incidents", false, "the demo has three incidents: a region, a project, a deploy")
	all.Uint64Var(&s.demoSeed, "demo-seed", 7, "seed of the demo's simulation")
	all.TimeVar(&s.demoTime, "demo-time", time.Time{}, []string{time.RFC3339}, "stop the demo's clock at this time")
	hide(all, "demo-seed", "demo-time")
	for _, one := range s.table() {
		usage := one.Usage
		if one.Env != "" {
			usage += " (" + one.Env + ")"
		}
		switch to := one.to.(type) {
		case *string:
			all.StringVar(to, one.Flag, *to, usage)
		case *int:
			all.IntVar(to, one.Flag, *to, usage)
		case *bool:
			all.BoolVar(to, one.Flag, *to, usage)
		case *time.Duration:
			all.Var((*duration)(to), one.Flag, usage)
		case *moment.Time:
			all.Var((*givenTime)(to), one.Flag, usage)
		}
	}
	all.VisitAll(func(flag *pflag.Flag) {
		if len(names) == 0 || slices.Contains(names, flag.Name) {
			f.AddFlag(flag)
		}
	})
}

func (s *setup) addConnectionFlags(f *pflag.FlagSet) { s.addFlags(f, connectionFlags...) }

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

type configFile struct {
	path   string
	exists bool
	note   string          // why it was not looked for, or empty
	own    settings.Config // as it is in the file
	config settings.Config // with what is remembered besides
}

// inForce is the value of a setting and its source.
type inForce struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  string `json:"from"`

	shared bool // other profiles take it, too: it was set by a flag or the environment, and does not belong to a service
}
