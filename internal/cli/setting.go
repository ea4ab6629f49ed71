package cli

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"pgtower/client"
	"pgtower/keystore"
	"pgtower/ui/operations"
	"pgtower/ui/style"
)

const (
	defaultInterval = 5 * time.Second
	defaultPageSize = 100

	minInterval = time.Second
	maxInterval = 5 * time.Minute
	// maxPageSize is the largest page of operations that the live service gives.
	maxPageSize = 1000
	// maxBudget is far above what the live service allows an account.
	maxBudget = 100
	maxOrgID  = 64
)

// setting is what a flag, a variable of the environment and a line of a profile set, in
// this order.
type setting struct {
	flag string
	env  string // or empty
	key  string // in the configuration file, or empty
	// file is what a profile has for it, as the flag would have it; empty for nothing.
	file func(keystore.Profile) string
	// check says what is wrong with it, and keeps what it found out by that.
	check func(*settings) error
}

// inForce is the value of a setting, and where it came from.
type inForce struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  string `json:"from"`
}

const fromDefault = "default"

// overridden says that a flag or the environment decides a setting, whatever a profile has.
func (s *settings) overridden(name string) bool {
	i := slices.IndexFunc(s.inForce, func(f inForce) bool { return f.Name == name })
	return i >= 0 && s.inForce[i].From != fromDefault && !strings.HasPrefix(s.inForce[i].From, fromProfile)
}

// fromProfile begins what is said of a setting of the profile in force.
const fromProfile = "profile "

func allSettings() []setting {
	return []setting{
		{"base-url", envBaseURL, "base_url", func(p keystore.Profile) string { return p.BaseURL }, (*settings).checkBaseURL},
		{"org-id", envOrgID, "org_id", func(p keystore.Profile) string { return p.OrgID }, (*settings).checkOrgID},
		{"interval", envInterval, "interval", func(p keystore.Profile) string { return unlessZero(p.Interval) }, (*settings).checkInterval},
		{"page-size", envPageSize, "page_size", func(p keystore.Profile) string { return unlessZero(p.PageSize) }, (*settings).checkPageSize},
		{"window", envWindow, "window", func(p keystore.Profile) string { return unlessZero(p.Window) }, (*settings).checkWindow},
		{"search-back", envSearchBack, "search_back", func(p keystore.Profile) string { return unlessZero(p.SearchBack) }, (*settings).checkSearchBack},
		{"theme", envTheme, "theme", func(p keystore.Profile) string { return p.Theme }, (*settings).checkTheme},
		{"time", envTime, "time", func(p keystore.Profile) string { return p.Time }, (*settings).checkTime},
		{"budget", "", "", nothing, (*settings).checkBudget},
		{"accessible", envAccessible, "", nothing, (*settings).fine},
		{"reduce-motion", envReduceMotion, "", nothing, (*settings).fine},
	}
}

func nothing(keystore.Profile) string { return "" }

func unlessZero[T comparable](v T) string {
	if v == *new(T) {
		return ""
	}
	return fmt.Sprint(v)
}

// checkProfile holds what a configuration file sets to the rules for flags.
func checkProfile(p keystore.Profile) (key string, err error) {
	var s settings
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	s.addFlags(f)
	for _, one := range allSettings() {
		v := one.file(p)
		if v == "" {
			continue
		}
		if err := f.Set(one.flag, v); err != nil {
			return one.key, err
		}
		if err := one.check(&s); err != nil {
			return one.key, err
		}
	}
	return "", nil
}

// fine is the check of what cannot be wrong.
func (*settings) fine() error { return nil }

func (s *settings) checkBaseURL() error {
	base, err := client.ParseBaseURL(s.baseURL)
	if err != nil {
		return err
	}
	s.base, s.baseURL = base, base.String()
	return nil
}

func (s *settings) checkOrgID() error {
	if s.orgID != "" && (len(s.orgID) > maxOrgID || !regexp.MustCompile(`^[A-Za-z0-9_-]+$`).MatchString(s.orgID)) {
		return errors.New("it is not the id of an organisation: those have letters, digits, - and _ in them")
	}
	return nil
}

func (s *settings) checkInterval() error {
	if s.interval < minInterval || s.interval > maxInterval {
		return fmt.Errorf("%s is not between 1s and 5m", s.interval)
	}
	return nil
}

func (s *settings) checkPageSize() error {
	if s.pageSize < 1 || s.pageSize > maxPageSize {
		return fmt.Errorf("%d is not between 1 and %d", s.pageSize, maxPageSize)
	}
	return nil
}

func (s *settings) checkWindow() error { return operations.CheckWindow(s.window) }

func (s *settings) checkSearchBack() error { return operations.CheckSearchBack(s.searchBack) }

func (s *settings) checkTheme() error {
	if !slices.Contains(style.ThemeNames(), s.theme) {
		return fmt.Errorf("%q is not a theme: there are %s", s.theme, strings.Join(style.ThemeNames(), ", "))
	}
	return nil
}

func (s *settings) checkTime() error {
	if !slices.Contains(style.TimesNames(), s.times) {
		return fmt.Errorf("%q is not a way to show times: there are %s", s.times, strings.Join(style.TimesNames(), ", "))
	}
	return nil
}

func (s *settings) checkBudget() error {
	if s.budget < 1 || s.budget > maxBudget {
		return fmt.Errorf("%d is not between 1 and %d", s.budget, maxBudget)
	}
	return nil
}
