package cli

import (
	"errors"
	"net/url"
	"time"

	"github.com/spf13/pflag"

	"pgtower/client"
	"pgtower/keystore"
	"pgtower/ui/operations"
	"pgtower/ui/style"
)

// settings are what the person set by flags, environment and configuration file.
type settings struct {
	demo     bool
	demoSeed uint64
	demoTime string
	readOnly bool
	noMouse  bool
	// accessible is for those who hear the screen, still for those whom movement troubles.
	accessible bool
	still      bool
	wire       wire

	configPath string
	profile    string
	baseURL    string
	orgID      string
	theme      string
	times      string
	project    string
	interval   time.Duration
	pageSize   int
	window     time.Duration
	searchBack time.Duration
	budget     int

	// mayBeNew allows a profile that the configuration file does not have.
	mayBeNew bool

	// What follows is there after resolve.
	file    configFile
	current keystore.Profile
	base    *url.URL
	inForce []inForce
}

// configFile is the configuration file.
type configFile struct {
	path   string
	exists bool
	config keystore.Config
}

// addFlags adds the flags of the dashboard.
func (s *settings) addFlags(f *pflag.FlagSet) {
	s.addConnectionFlags(f)
	f.BoolVar(&s.demo, "demo", false, "use the built-in mock backend: no account, no key, no network")
	f.StringVar(&s.project, "project", "", "id of the project whose operations are shown first")
	f.DurationVar(&s.interval, "interval", defaultInterval, "time between polls of the operations, 1s to 5m ("+envInterval+")")
	f.IntVar(&s.pageSize, "page-size", defaultPageSize, "operations asked for at once, 1 to 1000 ("+envPageSize+")")
	f.DurationVar(&s.window, "window", operations.DefaultWindow, "time whose operations are counted, 1m to 24h ("+envWindow+")")
	f.DurationVar(&s.searchBack, "search-back", operations.DefaultSearchBack, "how far back failures and sorted rows are loaded, 1m to 744h ("+envSearchBack+")")
	f.IntVar(&s.budget, "budget", 10, "requests a second that are made at most, 1 to 100")
	f.BoolVar(&s.readOnly, "read-only", false, "create and revoke nothing, whatever is pressed")
	f.StringVar(&s.theme, "theme", style.Auto, "colours: auto, dark, light, high-contrast or mono ("+envTheme+")")
	f.StringVar(&s.times, "time", style.Relative, "times: relative, local or utc ("+envTime+")")
	f.BoolVar(&s.noMouse, "no-mouse", false, "leave the mouse to the terminal")
	f.BoolVar(&s.accessible, "accessible", false, "lines of words for a screen reader in place of the screen ("+envAccessible+")")
	f.BoolVar(&s.still, "reduce-motion", false, "nothing moves but when something happens ("+envReduceMotion+")")
	f.Uint64Var(&s.demoSeed, "demo-seed", 7, "seed of the demo's simulation")
	f.StringVar(&s.demoTime, "demo-time", "", "let the demo's clock stand still at this time")
	for _, hidden := range []string{"demo-seed", "demo-time"} {
		_ = f.MarkHidden(hidden)
	}
}

// addConnectionFlags adds the flags that say where to, and as whom.
func (s *settings) addConnectionFlags(f *pflag.FlagSet) {
	s.addFileFlag(f)
	f.StringVar(&s.profile, "profile", "", "profile of the configuration file to use ("+envProfile+")")
	f.StringVar(&s.baseURL, "base-url", client.DefaultBaseURL, "address of the control API: https, or http on loopback ("+envBaseURL+")")
	f.StringVar(&s.orgID, "org-id", "", "organisation whose projects are listed ("+envOrgID+")")
	s.wire.addFlags(f)
}

func (s *settings) addFileFlag(f *pflag.FlagSet) {
	f.StringVar(&s.configPath, "config", "", "the configuration file ("+envConfig+")")
}

// liveHost is the host of the live service.
func liveHost() string {
	u, err := client.ParseBaseURL(client.DefaultBaseURL)
	if err != nil {
		return ""
	}
	return u.Host
}

// profileBase is the base URL that a profile itself names.
func profileBase(p keystore.Profile) (*url.URL, error) {
	if p.BaseURL == "" {
		return client.ParseBaseURL(client.DefaultBaseURL)
	}
	return client.ParseBaseURL(p.BaseURL)
}

// sources are the places that may have the key of the profile in force.
func (s *settings) sources(getenv func(string) string) (keystore.Sources, error) {
	return sourcesOf(s.current, s.base, getenv)
}

// sourcesOf are the places that may have the key of a profile for a base URL.
func sourcesOf(profile keystore.Profile, base *url.URL, getenv func(string) string) (keystore.Sources, error) {
	own, err := profileBase(profile)
	if err != nil {
		return keystore.Sources{}, err
	}
	sources := keystore.Sources{
		Profile: profile, Host: base.Host, ProfileHost: own.Host, LiveHost: liveHost(),
		Getenv: getenv, Ring: keystore.New(keystore.Options{}),
	}
	if _, err := sources.Environment(); err != nil {
		return keystore.Sources{}, usageError{err}
	}
	return sources, nil
}

// clientOptions are those of a client for the profile in force, without the key.
func (s *settings) clientOptions(clock func() time.Time) client.Options {
	return client.Options{
		BaseURL: s.baseURL, OrgID: s.orgID, Clock: clock, Budget: s.budget, ReadOnly: s.readOnly,
		RootCAs: s.wire.roots, Log: s.wire.log,
	}
}

// clock is the program's clock: the demo's may stand still.
func (s *settings) clock(real func() time.Time) (func() time.Time, error) {
	if !s.demo || s.demoTime == "" {
		return real, nil
	}
	t, err := time.Parse(time.RFC3339, s.demoTime)
	if err != nil {
		return nil, usagef("--demo-time: %q is not a time such as 2026-03-01T12:00:00Z", s.demoTime)
	}
	return func() time.Time { return t }, nil
}

// isFileError says that the configuration file cannot be used.
func isFileError(err error) bool {
	_, ok := errors.AsType[*keystore.FileError](err)
	return ok
}
