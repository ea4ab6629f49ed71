package settings

import (
	"strings"
	"testing"
	"time"

	"pgtower/models/moment"
)

// Every setting with a flag has a text, and every default is valid.
func TestSettingsHaveValidDefaults(t *testing.T) {
	t.Parallel()
	r := Defaults()
	known := map[string]bool{}
	for _, s := range r.Settings() {
		if s.Usage == "" || known[s.Flag] || s.Env != "" && known[s.Env] {
			t.Errorf("%+v", s)
		}
		known[s.Flag], known[s.Env] = true, true
		if err := s.Check(); err != nil {
			t.Errorf("%s: %v", s.Flag, err)
		}
	}
	if len(known) < 19 {
		t.Errorf("only %d", len(known))
	}
}

// A wrong value of a flag is an error that says what is wanted. An address is brought into its usual form.
func TestSettingsAreChecked(t *testing.T) {
	t.Parallel()
	ago := func(d time.Duration) moment.Time { return moment.Ago(d) }
	for want, change := range map[string]func(*Run){
		"base-url: ":                                                   func(r *Run) { r.BaseURL = "ftp://x" },
		"org-id: must be an organization id":                           func(r *Run) { r.OrgID = "a b" },
		"project: must be the id or the name":                          func(r *Run) { r.Project = " a" },
		"interval: must be a duration from 1s to 5m":                   func(r *Run) { r.Interval = 5*time.Minute + 1 },
		"page-size: must be between 1 and 1000, not 0":                 func(r *Run) { r.PageSize = 0 },
		"window: must be whole minutes between 1m and 24h":             func(r *Run) { r.Window = 90 * time.Second },
		"since: must be between 1m and 744h":                           func(r *Run) { r.Since = ago(time.Second) },
		"quiet-for: must be between 1m and 91d":                        func(r *Run) { r.QuietFor = time.Second },
		"budget: must be between 1 and 100, not 101":                   func(r *Run) { r.Budget = 101 },
		"theme: must be one of auto, dark, light, high-contrast, mono": func(r *Run) { r.Theme = "pink" },
		"time: must be one of relative, local, utc":                    func(r *Run) { r.Time = "zulu" },
	} {
		r := Defaults()
		change(&r)
		var said []string
		for _, s := range r.Settings() {
			if err := s.Check(); err != nil {
				said = append(said, s.Flag+": "+err.Error())
			}
		}
		if len(said) != 1 || !strings.HasPrefix(said[0], want) {
			t.Errorf("%q, not %q", said, want)
		}
	}
	r := Defaults()
	r.BaseURL = "HTTPS://Console.Example/api/v2/"
	if err := r.Settings()[0].Check(); err != nil || r.BaseURL != "https://console.example/api/v2" {
		t.Errorf("%s, %v", r.BaseURL, err)
	}
}
