//go:build unix

package e2e

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgtower/internal/termtest"
)

const goodKey = "napi_s3cret_of_the_test"

// TestLoginErrors runs login against everything that a base URL may lead to. There is no keyring, which is
// noticed only with a valid key.
func TestLoginErrors(t *testing.T) {
	t.Parallel()
	good := plain(t, goodKey)
	answers := func(status int, kind, body string) string {
		s := plain(t, goodKey)
		s.changing(func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Type", kind)
			if status/100 == 3 {
				w.Header().Set("Location", "https://elsewhere.example/login")
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
			return true
		})
		return s.base()
	}
	closed := plain(t, goodKey)
	closed.Close()
	hour := time.Hour
	own := secured(t, goodKey, certificate(t, "console.example", time.Now().Add(hour)))
	old := secured(t, goodKey, certificate(t, "console.example", time.Now().Add(-hour)))
	other := certificate(t, "console.example", time.Now().Add(hour))
	named := secured(t, goodKey, other)

	for name, c := range map[string]struct {
		base, key string
		env       []string
		code      int
		says      []string
	}{
		"refused key":        {good.base(), "napi_other", nil, 3, []string{"the key was not saved: verify the key: the API key was refused (status 401): authorization failed", "Sign in with a valid key."}},
		"no key":             {good.base(), "", nil, 1, []string{"no API key was given"}},
		"not a key":          {good.base(), goodKey + " x", nil, 1, []string{"invalid API key: white space"}},
		"no keyring":         {good.base(), goodKey, nil, 1, []string{"this session has no D-Bus, so the OS keyring cannot be reached", "Set PGTOWER_API_KEY or a key command"}},
		"silent keyring":     {good.base(), goodKey, []string{silentBus(t)}, 1, []string{"the OS keyring does not respond", "Answer its prompt", "PGTOWER_API_KEY"}},
		"wrong path":         {good.URL + "/v1", goodKey, nil, 1, []string{"not found (status 404): this route does not exist", "Check the base URL: it should end in /api/v2"}},
		"web page":           {answers(200, "text/html; charset=utf-8", "<!doctype html>"), goodKey, nil, 1, []string{"a web page instead of JSON", "The server returned a web page, not the API. Check the base URL"}},
		"not JSON":           {answers(200, "application/json", "hello"), goodKey, nil, 1, []string{"unexpected response format", "Check the base URL."}},
		"another API":        {answers(200, "application/json", `{"items":[]}`), goodKey, nil, 1, []string{"unexpected response format"}},
		"redirect":           {answers(302, "text/html", ""), goodKey, nil, 1, []string{"redirect refused", "elsewhere.example"}},
		"trouble":            {answers(500, "text/plain", "oops"), goodKey, nil, 1, []string{"the service failed (status 500): oops", "Try again in a moment."}},
		"connection refused": {closed.base(), goodKey, nil, 1, []string{"the service cannot be reached", "Nothing listens there: check the base URL's host and port."}},
		"no such host":       {"https://no-such-host.invalid/api/v2", goodKey, nil, 1, []string{"the service cannot be reached", "no-such-host.invalid"}},
		"own certificate":    {own.base(), goodKey, nil, 1, []string{"the secure connection failed", "not signed by a trusted authority"}},
		"old certificate":    {old.base(), goodKey, nil, 1, []string{"certificate has expired or is not yet valid", "Check this computer's clock."}},
		"other certificate":  {strings.Replace(named.base(), "127.0.0.1", "localhost", 1), goodKey, []string{trust(t, other)}, 1, []string{"The certificate is for another host"}},
		"http at the port":   {strings.Replace(good.base(), "http:", "https:", 1), goodKey, nil, 1, []string{"The port does not speak TLS"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShell(t, c.env...)
			o := s.run(c.key+"\n", "login", "--base-url", c.base, "--profile", "new").ends(c.code, c.says...)
			o.never(goodKey)
			if o.stdout != "" {
				t.Errorf("it also says %q", o.stdout)
			}
			// A failed login saves nothing.
			if _, err := os.Stat(filepath.Join(s.home, ".config")); err == nil {
				t.Error("the profile was added")
			}
		})
	}
}

func TestLoginNeedsAKeyring(t *testing.T) {
	t.Parallel()
	b := plain(t, goodKey)
	p := start(t, termtest.Options{Args: []string{"login", "--base-url", b.base()}, Env: []string{silentBus(t)}})
	p.refused(1, "the OS keyring does not respond", "Answer its prompt if one is open", "PGTOWER_API_KEY")
	if p.showed("API key of") > p.showed("read the API key of") {
		t.Error("it asked all the same")
	}
}

func TestLogoutWithoutAKeyring(t *testing.T) {
	t.Parallel()
	newShell(t).run("", "logout").ends(1, "this session has no D-Bus")
	newShell(t, silentBus(t)).run("", "logout").ends(1, "the OS keyring does not respond")
}
