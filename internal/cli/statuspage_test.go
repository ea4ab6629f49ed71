package cli

import (
	"testing"

	"pgtower/models"
)

// Only the live service has a status page without a setting. A page in a profile is for its own service, and needs https.
func TestStatusPagesAreOfTheirService(t *testing.T) {
	t.Parallel()
	const other = "https://other.example/api/v2"
	none, own := "[profiles.work]\nstatus_url = ''\n", "[profiles.work]\nbase_url = '"+other+"'\nstatus_url = 'https://status.example/page'\n"
	for _, c := range []struct{ config, base, name string }{
		{"", models.DefaultBaseURL, "neonstatus.com"},
		{"", "https://console.neon.tech/elsewhere/api/v2", ""},
		{"", other, ""},
		{"", "http://127.0.0.1:8787/api/v2", ""},
		{none, models.DefaultBaseURL, ""},
		{none, other, ""},
		{own, other, "status.example"},
		{own, models.DefaultBaseURL, "neonstatus.com"},
		{own, "https://third.example/api/v2", ""},
	} {
		args := []string{"--base-url", c.base}
		if c.config != "" {
			args = append(args, "--profile", "work")
		}
		auth := accountsOf(t, c.config, nil, args...).authenticators[0]
		options, _, err := auth.optionsFor(c.base)
		if err != nil {
			t.Fatal(err)
		}
		options.Key = models.NewSecret("napi_good")
		name := ""
		if page := auth.statusPage(options); page != nil {
			name = page.Name
		}
		if name != c.name {
			t.Errorf("%q at %s: %q, not %q", c.config, c.base, name, c.name)
		}
	}
	if _, err := resolved(t, "[profiles.work]\nstatus_url = 'http://status.example'\n", "--profile", "work"); err == nil {
		t.Error("a page over http is accepted")
	}
}
