//go:build unix

package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"pgtower/internal/termtest"
)

const goodKey = "napi_s3cret_of_the_test"

// TestLoginErrors runs login with keys and services that are wrong. There is no keyring, which is noticed only with a
// valid key.
func TestLoginErrors(t *testing.T) {
	t.Parallel()
	good, redirects := plain(t, goodKey), plain(t, goodKey)
	redirects.changing(func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Location", "https://elsewhere.example/login")
		w.WriteHeader(http.StatusFound)
		return true
	})
	for name, c := range map[string]struct {
		base, key string
		env       []string
		code      int
		says      []string
	}{
		"refused key":    {good.base(), "napi_other", nil, 3, []string{"the key was not saved: verify the key: the API key was refused (status 401): authorization failed", "Sign in with a valid key."}},
		"not a key":      {good.base(), goodKey + " x", nil, 1, []string{"invalid API key: white space"}},
		"no keyring":     {good.base(), goodKey, nil, 1, []string{"this session has no D-Bus, so the OS keyring cannot be reached", "Set PGTOWER_API_KEY or a key command"}},
		"silent keyring": {good.base(), goodKey, []string{silentBus(t)}, 1, []string{"the OS keyring does not respond", "Answer its prompt", "PGTOWER_API_KEY"}},
		"redirect":       {redirects.base(), goodKey, nil, 1, []string{"redirected to ", "elsewhere.example", "which pgtower does not follow"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShell(t, c.env...)
			o := s.run(c.key+"\n", "login", "--base-url", c.base, "--profile", "new").ends(c.code, c.says...)
			o.neverKey()
			if o.stdout != "" {
				t.Errorf("it also says %q", o.stdout)
			}
			// A failed login saves nothing.
			if _, err := os.Stat(filepath.Join(s.home, ".local")); err == nil {
				t.Error("the profile was added")
			}
		})
	}
}

// login asks for no key that it could not save.
func TestLoginNeedsAKeyring(t *testing.T) {
	t.Parallel()
	b := plain(t, goodKey)
	p := start(t, termtest.Options{Args: []string{"login", "--base-url", b.base()}, Env: []string{silentBus(t)}})
	p.refused(1, "the OS keyring does not respond", "Answer its prompt if one is open", "PGTOWER_API_KEY")
	if p.showed("API key of") > p.showed("read the API key of") {
		t.Error("it asked for a key that it could not save")
	}
}

// logout says why the keyring cannot be used.
func TestLogoutWithoutAKeyring(t *testing.T) {
	t.Parallel()
	newShell(t).run("", "logout").ends(1, "this session has no D-Bus")
	newShell(t, silentBus(t)).run("", "logout").ends(1, "the OS keyring does not respond")
}
