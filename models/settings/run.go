package settings

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/incident"
	"pgtower/models/keys"
	"pgtower/models/moment"
	"pgtower/models/poll"
)

// Run are the settings of a run of the program: those that a profile may have, too, and those that only flags and variables
// set.
type Run struct {
	Profile

	View         string `flag:"view" of:"service" help:"initial view of the operations"`
	NoMouse      bool   `flag:"no-mouse" help:"do not capture the mouse"`
	NoBell       bool   `flag:"no-bell" env:"PGTOWER_NO_BELL" help:"no bell, no desktop notifications, no status for the terminal"`
	Accessible   bool   `flag:"accessible" env:"ACCESSIBLE" help:"print lines of text for a screen reader instead of a screen"`
	ReduceMotion bool   `flag:"reduce-motion" env:"PGTOWER_REDUCE_MOTION" help:"no animation"`
	CAFile       string `flag:"ca-file" help:"PEM file of certificate authorities to trust besides the system's"`
	Log          string `flag:"log" help:"file to append a JSON line of each request to, without keys and bodies"`
}

// Defaults returns the settings that nothing sets.
func Defaults() Run {
	return Run{Profile: Profile{
		BaseURL: models.DefaultBaseURL, Interval: 5 * time.Second, PageSize: 100, Window: incident.DefaultWindow,
		Since: moment.Ago(24 * time.Hour), QuietFor: keys.QuietFor, Budget: poll.DefaultBudget, Theme: "auto", Time: "relative",
	}}
}

// Setting is a setting that a flag, a variable or a profile sets, in this order of precedence.
type Setting struct {
	Flag, Env string   // Env may be empty
	Key       string   // in a profile; may be empty
	To        any      // pointer to its field, which has the default
	Names     []string // the possible values; nil: not a list
	Usage     string
	Own       bool   // its value belongs to a service: other profiles do not take it from flags or variables
	Command   string // the only one that has the flag; empty: the dashboard has it
}

// Settings returns the settings that have a flag, in the order of their declaration.
func (r *Run) Settings() []Setting {
	value := reflect.ValueOf(r).Elem()
	return slices.Concat(
		declared(value.FieldByName("Profile"), ""), declared(value.FieldByName("Audit"), auditTable), declared(value, ""),
	)
}

// declared returns the settings of the fields of a struct that have a flag. Their keys begin with its table.
func declared(structure reflect.Value, table string) (list []Setting) {
	for f, value := range structure.Fields() {
		s := Setting{Flag: f.Tag.Get("flag"), Env: f.Tag.Get("env"), Key: f.Tag.Get("toml"), Usage: f.Tag.Get("help")}
		if s.Flag == "" {
			continue
		}
		if s.Key != "" {
			s.Key = table + s.Key
		}
		if s.Usage == "" {
			s.Usage = about()["profiles."+s.Key].doc
		}
		if names := f.Tag.Get("names"); names != "" {
			s.Names = strings.Split(names, ",")
		}
		s.Own, s.To, s.Command = f.Tag.Get("of") == "service", value.Addr().Interface(), f.Tag.Get("command")
		list = append(list, s)
	}
	return list
}

// Names returns the possible values of a setting of a profile.
func Names(flag string) []string {
	for _, s := range new(Run).Settings() {
		if s.Flag == flag {
			return s.Names
		}
	}
	return nil
}

// Check returns what is wrong with the value, or nil. An address is brought into its usual form.
func (s Setting) Check() error {
	switch text := s.To.(type) {
	case *string:
		return s.checkText(text)
	case *int:
		return s.checkNumber(*text)
	case *time.Duration:
		return s.checkDuration(*text)
	case *moment.Time:
		return CheckSince(*text)
	case *[]string:
		return checkFindings(*text)
	}
	return nil
}

func (s Setting) checkText(text *string) error {
	switch {
	case s.Names != nil && !slices.Contains(s.Names, *text):
		return errors.New("must be one of " + strings.Join(s.Names, ", "))
	case s.Flag == "base-url":
		base, err := models.ParseBaseURL(*text)
		if err == nil {
			*text = base.String()
		}
		return err
	case s.Flag == "org-id" && *text != "" && !models.IsOrgID(*text):
		return errors.New("must be an organization id (up to 64 letters, digits, - and _, without a - at the start)")
	case s.Flag == "project" && *text != "" && !models.MayName(*text):
		return errors.New("must be the id or the name of one project")
	}
	return nil
}

func checkFindings(names []string) error {
	for i := range names {
		if _, err := keys.ParseKinds(names[i : i+1]); err != nil {
			return &ItemError{i, err}
		}
	}
	return nil
}

func (s Setting) checkNumber(n int) error {
	limit := map[string]int{
		"page-size": 1000, // as many as the live service gives
		"budget":    feed.MaxBudget,
	}[s.Flag]
	if limit > 0 && (n < 1 || n > limit) {
		return fmt.Errorf("must be between 1 and %d, not %d", limit, n)
	}
	return nil
}

func (s Setting) checkDuration(d time.Duration) error {
	switch s.Flag {
	case "interval":
		return CheckInterval(d)
	case "window":
		return CheckWindow(d)
	case "quiet-for":
		return keys.CheckQuiet(d)
	}
	return nil
}

// CheckInterval returns what is wrong with a polling interval, or nil.
func CheckInterval(d time.Duration) error {
	if d < time.Second || d > 5*time.Minute {
		return errors.New("must be a duration from 1s to 5m")
	}
	return nil
}

// CheckWindow returns what is wrong with the time whose operations are counted, or nil.
func CheckWindow(d time.Duration) error {
	if d < time.Minute || d > feed.MaxWindow || d%time.Minute != 0 {
		return fmt.Errorf("must be whole minutes between 1m and %dh, such as 15m", feed.MaxWindow/time.Hour)
	}
	return nil
}

// How long before the present the first range begins, at least and at most.
const (
	MinSince = time.Minute
	MaxSince = 31 * 24 * time.Hour
)

// CheckSince returns what is wrong with the first range, or nil. A time that is no duration can only be checked with the
// service's clock.
func CheckSince(t moment.Time) error {
	if d, ok := t.Length(); ok && (d < MinSince || d > MaxSince) {
		return fmt.Errorf("must be between 1m and %dh, such as 24h", MaxSince/time.Hour)
	}
	return nil
}
