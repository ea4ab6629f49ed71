package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgtower/keystore"
)

// resolved returns the settings for arguments and a configuration file.
func resolved(t *testing.T, config string, args ...string) (*setup, error) {
	t.Helper()
	return newHome(t, config).start(args...)
}

// Each profile may set its own value, unless a flag sets it for all.
func TestSettingsStayWithTheirProfile(t *testing.T) {
	t.Parallel()
	const config = "default_profile = 'work'\n[profiles.work]\nread_only = true\nbudget = 3\nproject = 'p-1'\ncolor = 'red'\n" +
		"console_url = 'https://x.example/{id}'\n[profiles.other]\nbudget = 5\n"
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--profile", "work"}, "work true 3 p-1, other false 5 , demo false 3 "},
		{[]string{"--profile", "work", "--demo"}, "demo false 3 , work true 3 p-1, other false 5 "},
		{[]string{"--profile", "other"}, "other false 5 , work true 3 p-1, demo false 5 "},
		{[]string{"--profile", "other", "--read-only"}, "other true 5 , work true 3 p-1, demo true 5 "},
		{
			[]string{"--profile", "work", "--read-only=false", "--budget=9", "--project=p-2"},
			"work false 9 p-2, other false 9 , demo false 9 p-2",
		},
	} {
		a := accountsOf(t, config, nil, c.args...)
		readOnly := map[string]bool{"demo": a.demo.options.ReadOnly}
		for _, auth := range a.authenticators {
			name := auth.sources.Profile.Name
			readOnly[name] = auth.options.ReadOnly
			if by := auth.readOnly == "the profile work is read-only"; by != (name == "work" && !slices.ContainsFunc(a.settings.inForce, func(f inForce) bool { return f.From == "--read-only" })) {
				t.Errorf("%q: %s is read-only because %q", c.args, name, auth.readOnly)
			}
		}
		var got []string
		for _, p := range a.profiles {
			got = append(got, fmt.Sprintln(p.Name, readOnly[p.Name], p.Budget, p.Project))
			if safe := p.Color == "red" && p.ConsoleURL != ""; safe != (p.Name == "work") {
				t.Errorf("%q: %+v", c.args, p)
			}
		}
		if listed := strings.ReplaceAll(strings.TrimSuffix(strings.Join(got, ""), "\n"), "\n", ", "); listed != c.want {
			t.Errorf("%q: got %q, want %q", c.args, listed, c.want)
		}
	}
}

// A key command gives its key only to the host of its profile, however the address is written.
func TestSettingsKeyCommandIsForTheHostOfItsProfile(t *testing.T) {
	t.Parallel()
	const config = "[profiles.other]\nbase_url = 'https://other.example/api/v2'\nkey_command = 'echo s3cret'\n"
	for _, c := range []struct {
		args []string
		want keystore.Origin
	}{
		{nil, keystore.OriginCommand},
		{[]string{"--base-url", "https://OTHER.example:443/elsewhere"}, keystore.OriginCommand},
		{[]string{"--base-url", "https://evil.example/api/v2"}, keystore.OriginNone},
	} {
		a := accountsOf(t, config, nil, append(c.args, "--profile", "other")...)
		if origin, err := a.authenticators[0].sources.BeforeKeyring(); err != nil || origin != c.want {
			t.Errorf("%q: got %s, %v", c.args, origin, err)
		}
	}
}
