package keystore

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"pgtower/models"
	"pgtower/models/settings"
)

const live = "console.live.example"

// places are the sources of a profile with the live service's host, with a key in each named one.
func places(t *testing.T, host string, with ...string) (Sources, *fakeRing) {
	t.Helper()
	env := map[string]string{}
	f := &fakeRing{}
	s := Sources{
		Profile: settings.Profile{Name: "work"}, Host: host, ProfileHost: live, LiveHost: live,
		LookupEnv: func(name string) (string, bool) { value, set := env[name]; return value, set }, Ring: over(f),
	}
	for _, place := range with {
		switch place {
		case "command":
			s.Profile.KeyCommand = settings.KeyCommand{Shell: "echo s3cret-of-the-command"}
		case "keyring":
			if err := s.Ring.Set(t.Context(), s.Account(), Key{Secret: models.NewSecret("s3cret-of-the-keyring"), ID: 7}); err != nil {
				t.Fatal(err)
			}
		default:
			env[place] = "s3cret-of-" + place
		}
	}
	f.calls = nil
	return s, f
}

// The first source that has a key is used, and none that is for another host. A key of the keyring has its id.
func TestSourcesHaveAnOrder(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("its shell has another language")
	}
	const other = "other.example"
	for _, c := range []struct {
		host       string
		with       []string
		want, name string
		rings      bool
	}{
		{live, []string{EnvKey, EnvLiveKey, "command", "keyring"}, "s3cret-of-PGTOWER_API_KEY", "PGTOWER_API_KEY", false},
		{live, []string{EnvLiveKey, "command", "keyring"}, "s3cret-of-NEON_API_KEY", "NEON_API_KEY", false},
		{live, []string{"command", "keyring"}, "s3cret-of-the-command", "key command", false},
		{live, []string{"keyring"}, "s3cret-of-the-keyring", "OS keyring", true},
		{live, nil, "", "OS keyring", true},
		// The profile's and the live service's sources are not used for another host.
		{other, []string{EnvKey, EnvLiveKey, "command", "keyring"}, "s3cret-of-PGTOWER_API_KEY", "PGTOWER_API_KEY", false},
		{other, []string{EnvLiveKey, "command", "keyring"}, "s3cret-of-the-keyring", "OS keyring", true},
		{other, []string{EnvLiveKey, "command"}, "", "OS keyring", true},
	} {
		s, f := places(t, c.host, c.with...)
		found, err := s.Find(t.Context())
		if c.want == "" != errors.Is(err, ErrNotFound) || c.want != "" && err != nil {
			t.Errorf("%s, %v: %v", c.host, c.with, err)
		}
		if got := found.Secret.Reveal(); got != c.want || c.want != "" && string(found.Origin) != c.name {
			t.Errorf("%s, %v: got %s of %s", c.host, c.with, got, found.Origin)
		}
		if inRing := strings.HasSuffix(c.want, "keyring"); inRing != (found.ID == 7) {
			t.Errorf("%s, %v: got the id %d", c.host, c.with, found.ID)
		}
		if asked := f.count() > 0; asked != c.rings {
			t.Errorf("%s, %v: the keyring was asked: %v", c.host, c.with, asked)
		}
		before, err := s.BeforeKeyring()
		if want := !c.rings; err != nil || want != (before != OriginNone) || want && before != found.Origin {
			t.Errorf("%s, %v: before the keyring is %s, %v", c.host, c.with, before, err)
		}
	}
}

// only is an environment with one variable.
func only(name, value string) func(string) (string, bool) {
	return func(asked string) (string, bool) {
		if asked == name {
			return value, true
		}
		return "", false
	}
}

// A variable that is set, and from which no key is taken, is named with the reason, unless another one comes first.
func TestSourcesNameUnusedVariables(t *testing.T) {
	t.Parallel()
	const none = ""
	for name, c := range map[string]struct {
		env       map[string]string
		host      string
		elsewhere bool
		want      string
	}{
		"none":                  {nil, live, false, none},
		"a key":                 {map[string]string{EnvKey: "k", EnvLiveKey: "k"}, "other.example", false, none},
		"of the live service":   {map[string]string{EnvLiveKey: "k"}, live, false, none},
		"empty":                 {map[string]string{EnvKey: " "}, live, false, "[PGTOWER_API_KEY is set, but empty]"},
		"both empty":            {map[string]string{EnvKey: "", EnvLiveKey: ""}, live, false, "[PGTOWER_API_KEY is set, but empty NEON_API_KEY is set, but empty]"},
		"another service":       {map[string]string{EnvLiveKey: "k"}, "other.example", false, "[NEON_API_KEY is only for " + live + ", not for other.example]"},
		"of the start":          {map[string]string{EnvKey: "k"}, "other.example", true, "[PGTOWER_API_KEY is only for the profile and the base URL of the start]"},
		"of the start, and one": {map[string]string{EnvKey: "k", EnvLiveKey: "k"}, live, true, "[PGTOWER_API_KEY is only for the profile and the base URL of the start]"},
	} {
		s := Sources{Host: c.host, LiveHost: live, Elsewhere: c.elsewhere}
		s.LookupEnv = func(name string) (string, bool) { value, set := c.env[name]; return value, set }
		if got := fmt.Sprint(s.Unused()); got != c.want && (c.want != none || got != "[]") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A source that fails ends the search with an error without the key. An empty variable is skipped.
func TestSourcesThatFail(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Sources, *fakeRing){
		"bad key of the environment": func(s *Sources, _ *fakeRing) {
			s.LookupEnv = only(EnvKey, "s3cret x")
		},
		"bad key of the live tools": func(s *Sources, _ *fakeRing) {
			s.LookupEnv = only(EnvLiveKey, "s3cret x")
		},
		"keyring": func(_ *Sources, f *fakeRing) {
			f.before = func(string) error { return ReasonLocked }
		},
		"command": func(s *Sources, _ *fakeRing) {
			s.Profile.KeyCommand = settings.KeyCommand{Args: []string{"no-such-program-of-pgtower"}}
		},
	} {
		s, f := places(t, live)
		change(&s, f)
		found, err := s.Find(t.Context())
		if err == nil || errors.Is(err, ErrNotFound) || !found.Secret.IsZero() || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	// An empty variable does not count.
	s, _ := places(t, live, "keyring")
	s.LookupEnv = func(string) (string, bool) { return " \n", true }
	if found, err := s.Find(t.Context()); err != nil || found.Origin != OriginKeyring {
		t.Errorf("got %s, %v", found.Origin, err)
	}
}

// A round trip leaves nothing in the keyring, and fails with the first call that does.
func TestKeyringRoundTrip(t *testing.T) {
	t.Parallel()
	f := &fakeRing{}
	if err := over(f).RoundTrip(t.Context()); err != nil || f.count() != 5 || len(f.items) != 0 {
		t.Errorf("got %v after %v, left %v", err, f.calls, f.items)
	}
	for _, broken := range []string{"set", "get", "delete"} {
		f := &fakeRing{before: func(op string) error {
			if op == broken {
				return ReasonLocked
			}
			return nil
		}}
		err := over(f).RoundTrip(t.Context())
		wantReason(t, err, ReasonLocked)
	}
}
