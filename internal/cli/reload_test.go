package cli

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgtower/keystore"
	"pgtower/models"
	"pgtower/ui"
	"pgtower/ui/page"
)

// reloaderOf starts with a command line in a home.
func (h home) reloaderOf(args ...string) *reloader {
	h.Helper()
	s, f, err := h.start(args...)
	if err != nil {
		h.Fatal(err)
	}
	a, err := newAccounts(s, time.Now, h.process().Getenv, nil)
	if err != nil {
		h.Fatal(err)
	}
	return &reloader{process: h.process(), flags: f, settings: s, accounts: a}
}

func (r *reloader) mustReload(t *testing.T) ui.Loaded {
	t.Helper()
	l, err := r.reload()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A reload takes settings, views, commands and keys from the file. Flags stay in force.
func TestReload(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[profiles.work]\ntheme = 'dark'\nbudget = 3\n")
	r := h.reloaderOf("--profile", "work", "--budget", "7")
	before := r.loaded()
	h.write("config.toml", "[profiles.work]\ntheme = 'light'\nbudget = 5\n[profiles.other]\n[keys]\nhelp = 'f5'\n"+
		"[[views]]\nname = 'Mine'\n[[commands]]\nname = 'tell'\npage = 'projects'\nrun = ['tell']\n")
	l := r.mustReload(t)
	work := l.Profiles[0]
	if work.Name != "work" || work.Theme != "light" || work.Budget != 7 || work.Settings != before.Profiles[0].Settings {
		t.Errorf("%+v", work)
	}
	if len(l.Views) != 1 || len(l.Commands) != 1 || l.Keys.Count() != 1 || len(l.Profiles) != 4 {
		t.Errorf("%+v", l)
	}
	h.write("config.toml", "[profiles.work]\nread_only = true\n[[views]]\nname = 'Mine'\n")
	if got := r.mustReload(t).Profiles[0].Settings; got == work.Settings {
		t.Error("read_only changes nothing")
	}
	// What is in the file now has precedence over what is remembered.
	if err := l.SaveView(l.Views[0]); err == nil {
		t.Error("a view of the file was saved")
	}
	h.write("config.toml", "what = 1\n")
	if _, err := r.reload(); err == nil || !strings.HasPrefix(err.Error(), "config.toml:1:1: unknown") {
		t.Error(err)
	}
	h.write("config.toml", "[profiles.home]\n")
	if _, err := r.reload(); err == nil || err.Error() != "unknown profile work, which is in use" {
		t.Error(err)
	}
	if got := r.loaded().Profiles[0].Name; got != "work" {
		t.Errorf("after an error: %s", got)
	}
}

// A key of the environment stays with the profile of the start, and one that is held for the session is kept.
func TestReloadKeepsTheKeys(t *testing.T) {
	t.Parallel()
	h := newHome(t, "default_profile = 'work'\n[profiles.work]\n[profiles.home]\nbase_url = 'https://home.example/api/v2'\n")
	h.env = map[string]string{keystore.EnvKey: "napi_env"}
	r := h.reloaderOf()
	key := keystore.Found{Key: keystore.Key{Secret: models.NewSecret("napi_held")}}
	r.accounts.authenticators[1].inUse.Store("https://home.example/api/v2", key)
	demo := r.accounts.demo
	h.write("config.toml", "default_profile = 'home'\n[profiles.work]\n[profiles.home]\nbase_url = 'https://home.example/api/v2'\n")
	names := []string{}
	for _, p := range r.mustReload(t).Profiles {
		names = append(names, p.Name)
	}
	if !slices.Equal(names, []string{"work", "home", "demo"}) || r.accounts.demo != demo {
		t.Errorf("%q", names)
	}
	found, err := r.accounts.authenticators[1].sources.Environment()
	if err != nil || !found.Secret.IsZero() {
		t.Errorf("home has the key of the environment, %v", err)
	}
	if _, ok := r.accounts.authenticators[1].inUse.Load("https://home.example/api/v2"); !ok {
		t.Error("the key was forgotten")
	}
	r.close()
}

// The dashboard remembers things while the configuration is read again: the race detector has to find nothing.
func TestReloadWhileTheStateChanges(t *testing.T) {
	t.Parallel()
	r := newHome(t, "").reloaderOf()
	var saved sync.WaitGroup
	keep := r.settings.memory
	saved.Go(func() { keep.saveFilter(page.Operations, "is:failed") })
	r.mustReload(t)
	saved.Wait()
	if read, err := keep.file.Read(); err != nil || len(read.Filters) != 1 {
		t.Errorf("%v, %v", read.Filters, err)
	}
}
