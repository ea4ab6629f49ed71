package cli

import (
	"net/url"
	"time"

	"github.com/spf13/pflag"

	"pgtower/client"
	"pgtower/models"
)

// The names of the environment variables.
const (
	envBaseURL = "PGTOWER_BASE_URL"
	envKey     = "PGTOWER_API_KEY"
	envMockKey = "PGTOWER_MOCK_API_KEY"
)

const (
	minInterval = time.Second
	maxInterval = 5 * time.Minute
	// maxPageSize is the largest page of operations that the live service gives.
	maxPageSize = 1000
	// maxBudget is far above what the live service allows an account.
	maxBudget = 100
)

// settings are what the person set by flags and environment.
type settings struct {
	demo     bool
	demoSeed uint64
	demoTime string
	baseURL  string
	project  string
	interval time.Duration
	pageSize int
	budget   int
	readOnly bool

	base *url.URL
	key  models.Secret
}

func (s *settings) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&s.demo, "demo", false, "use the built-in mock backend: no account, no key, no network")
	f.StringVar(&s.baseURL, "base-url", client.DefaultBaseURL, "address of the control API: https, or http on loopback ("+envBaseURL+")")
	f.StringVar(&s.project, "project", "", "id of the project whose operations are shown first")
	f.DurationVar(&s.interval, "interval", 5*time.Second, "time between polls of the operations, 1s to 5m")
	f.IntVar(&s.pageSize, "page-size", 100, "operations asked for at once, 1 to 1000")
	f.IntVar(&s.budget, "budget", 10, "requests a second that are made at most, 1 to 100")
	f.BoolVar(&s.readOnly, "read-only", false, "create and revoke nothing, whatever is pressed")
	f.Uint64Var(&s.demoSeed, "demo-seed", 7, "seed of the demo's simulation")
	f.StringVar(&s.demoTime, "demo-time", "", "let the demo's clock stand still at this time")
	for _, hidden := range []string{"demo-seed", "demo-time"} {
		_ = f.MarkHidden(hidden)
	}
}

// resolve takes what the flags leave open from the environment, and checks all of it.
func (s *settings) resolve(f *pflag.FlagSet, getenv func(string) string) error {
	from := "--base-url"
	if v := getenv(envBaseURL); v != "" && !f.Changed("base-url") {
		s.baseURL, from = v, envBaseURL
	}
	base, err := client.ParseBaseURL(s.baseURL)
	if err != nil {
		return usagef("%s: %w", from, err)
	}
	s.base = base
	if s.interval < minInterval || s.interval > maxInterval {
		return usagef("--interval: %s is not between 1s and 5m", s.interval)
	}
	if s.pageSize < 1 || s.pageSize > maxPageSize {
		return usagef("--page-size: %d is not between 1 and %d", s.pageSize, maxPageSize)
	}
	if s.budget < 1 || s.budget > maxBudget {
		return usagef("--budget: %d is not between 1 and %d", s.budget, maxBudget)
	}
	if s.key = models.NewSecret(getenv(envKey)); !s.key.IsZero() {
		if err := s.key.Check(); err != nil {
			return usagef("%s: %w", envKey, err)
		}
	}
	return nil
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
