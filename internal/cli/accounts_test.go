package cli

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"pgtower/client"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/models/control"
	"pgtower/models/settings"
)

const threeProfiles = `default_profile = "work"

[profiles.work]
base_url = "https://work.example/api/v2"
interval = "7s"
theme = "light"

[profiles.home]
base_url = "https://home.example/api/v2"
org_id = "org-home"
page_size = 30
key_command = "print-the-key"

[profiles.live]
`

// accountsOf returns the accounts of a command line with a configuration file.
func accountsOf(t *testing.T, file string, env map[string]string, args ...string) *accounts {
	t.Helper()
	h := newHome(t, file)
	h.env = env
	return h.accounts(args...)
}

// names returns the names of the profiles, the current one first.
func names(a *accounts) string {
	var out []string
	for _, p := range a.profiles {
		out = append(out, p.Name)
	}
	return strings.Join(out, " ")
}

// The profile in force comes first, then those of the file, then the demo. A profile default that is not in the file is offered
// only where it is in use.
func TestAccountsOfferTheProfilesInOrder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file string
		args []string
		want string
	}{
		"no file":       {"", nil, "default demo"},
		"the default":   {threeProfiles, nil, "work home live demo"},
		"another":       {threeProfiles, []string{"--profile", "home"}, "home live work demo"},
		"the unwritten": {threeProfiles, []string{"--profile", "default"}, "default home live work demo"},
		"demo":          {threeProfiles, []string{"--demo"}, "demo work home live"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := names(accountsOf(t, c.file, nil, c.args...)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// A flag applies to all profiles. Each setting of the file stays with its profile.
func TestAccountsKeepTheirOwnSettings(t *testing.T) {
	t.Parallel()
	a := accountsOf(t, threeProfiles, nil, "--page-size", "55")
	work, home := a.profiles[0], a.profiles[1]
	if work.Interval != 7*time.Second || work.PageSize != 55 || work.Theme != "light" || work.Host != "work.example" {
		t.Errorf("work: %+v", work)
	}
	// A flag applies to all of them; a setting of another profile does not.
	if home.Interval != 5*time.Second || home.PageSize != 55 || home.Theme != "auto" || home.Note != "org-home · key from the key command" {
		t.Errorf("home: %+v", home)
	}
	if org := a.authenticators[1].key.Org; home.BaseURL != "https://home.example/api/v2" || org != "org-home" {
		t.Errorf("home asks %s as %s", home.BaseURL, org)
	}
	if live := a.profiles[2]; live.Host != "console.neon.tech" {
		t.Errorf("live: %+v", live)
	}
}

// PGTOWER_API_KEY is for the current profile only, and NEON_API_KEY for the live service only.
func TestAccountsKeyOfTheEnvironmentStaysWithItsProfile(t *testing.T) {
	t.Parallel()
	a := accountsOf(t, threeProfiles, map[string]string{keystore.EnvKey: "for-work", keystore.EnvLiveKey: "for-live"})
	for i, want := range []string{"for-work", "", "for-live"} {
		found, err := a.authenticators[i].sources.Environment()
		if got := found.Secret.Reveal(); err != nil || got != want {
			t.Errorf("%s finds %q, want %q (%v)", a.profiles[i].Name, got, want, err)
		}
	}
}

// A typed address is saved in a new profile of the state. A profile of the file keeps its address, and so does the file.
func TestAuthenticatorRemembersATypedAddress(t *testing.T) {
	t.Parallel()
	a := accountsOf(t, "", nil)
	const typed = "https://typed.example/api/v2"
	if notice, ok := a.authenticators[0].remember(typed); !ok || notice != "The address was saved in the new profile default." {
		t.Error(notice)
	}
	saved, err := a.settings.memory.file.Read()
	if err != nil || saved.Profiles["default"].BaseURL != typed {
		t.Errorf("%+v, %v", saved, err)
	}
	b := accountsOf(t, threeProfiles, nil)
	if notice, ok := b.authenticators[0].remember(typed); ok || !strings.Contains(notice, "for this session only") {
		t.Errorf("of a profile that is there: %q", notice)
	}
	if file, err := os.ReadFile(b.settings.file.path); err != nil || string(file) != threeProfiles {
		t.Errorf("the file was changed: %s, %v", file, err)
	}
}

// service is an API that records its requests and their keys.
type service struct {
	*httptest.Server

	mu    sync.Mutex
	asked []string
}

func newService(t *testing.T) *service {
	t.Helper()
	s := &service{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked = append(s.asked, r.Method+" "+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"projects":[]}`))
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *service) options() client.Options {
	return client.Options{BaseURL: s.URL + "/api/v2", Clock: time.Now}
}

func newClient(o client.Options, key models.Secret) (*client.Client, error) {
	o.Key = key
	return client.New(o)
}

// heard returns the requests since the last call.
func (s *service) heard() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	heard := strings.Join(s.asked, ", ")
	s.asked = nil
	return heard
}

// somewhere returns a store that fails with err, if any.
func somewhere(err error) store {
	return store{
		check: func(context.Context) error { return err },
		save: func(context.Context, models.CreatedAPIKey) (control.Saved, error) {
			return control.Saved{Source: "somewhere"}, err
		},
	}
}

// A new key is verified without use of the old one, and a session uses it only after it was saved.
func TestAccountsChangeTheKeyOnlyOnceTheNewOneIsKept(t *testing.T) {
	t.Parallel()
	s := newService(t)
	api, err := newClient(s.options(), models.NewSecret("old"))
	if err != nil {
		t.Fatal(err)
	}
	ask := func() string {
		if _, err := api.Projects(t.Context(), models.ListID{}, models.PageRequest{}); err != nil {
			t.Error(err)
		}
		return s.heard()
	}
	key := models.CreatedAPIKey{ID: 7, Key: models.NewSecret("new")}
	locked := errors.New("locked")
	h := somewhere(locked)
	h.options, h.api = s.options(), api
	err = h.Verify(t.Context(), key.Key)
	if tried := s.heard(); err != nil || !strings.HasPrefix(tried, "GET new") || strings.Contains(tried, "old") {
		t.Errorf("the new key was not tried: %v, %s", err, tried)
	}
	if _, err := h.Save(t.Context(), key); !errors.Is(err, locked) {
		t.Errorf("%v", err)
	}
	if err := h.Check(t.Context()); !errors.Is(err, locked) {
		t.Errorf("%v", err)
	}
	if got := ask(); got != "GET old" {
		t.Errorf("after a failure: %s", got)
	}
	h.save = somewhere(nil).save
	if kept, err := h.Save(t.Context(), key); err != nil || kept.Source != "somewhere" {
		t.Errorf("%v, %v", kept, err)
	}
	if got := ask(); got != "GET new" {
		t.Errorf("after it was kept: %s", got)
	}
}

// The screen gets the service's clock from the current connection.
func TestConnectionKnowsTheServicesClock(t *testing.T) {
	t.Parallel()
	s := newService(t)
	open := connector{connections: newConnections()}
	t.Cleanup(func() { open.replace(nil) })
	c, err := open.connect(s.options(), models.NewSecret("key"), somewhere(nil))
	if err != nil || c.Skew().Known {
		t.Fatalf("%v, or a clock was read before the service was asked", err)
	}
	_, _ = c.API.Projects(t.Context(), models.ListID{}, models.PageRequest{})
	if skew := c.Skew(); !skew.Known || skew.Value.Abs() > time.Minute {
		t.Errorf("got %+v of a service on this machine", skew)
	}
}

// A read-only connection refuses changes without a request, and the screen learns that it is read-only.
func TestConnectionIsReadOnly(t *testing.T) {
	t.Parallel()
	s := newService(t)
	set := setup{Run: settings.Run{Profile: settings.Profile{ReadOnly: true, BaseURL: s.options().BaseURL, Budget: 10}}}
	api, err := newClient(set.clientOptions(time.Now), models.NewSecret("key"))
	if err != nil {
		t.Fatal(err)
	}
	_, revoking := api.RevokeAPIKey(t.Context(), models.APIKey{ID: 7})
	_, creating := api.CreateAPIKey(t.Context(), "name", models.Reach{})
	if models.KindOf(revoking) != models.KindReadOnly || models.KindOf(creating) != models.KindReadOnly {
		t.Errorf("revoking: %v, creating: %v", revoking, creating)
	}
	if heard := s.heard(); heard != "" {
		t.Errorf("the service was asked: %s", heard)
	}
	open := connector{connections: newConnections()}
	t.Cleanup(func() { open.replace(nil) })
	if c, err := open.connect(set.clientOptions(time.Now), models.NewSecret("key"), somewhere(nil)); err != nil || c.ReadOnly == "" {
		t.Errorf("the screen does not say so: %v", err)
	}
}
