//go:build unix

package e2e

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/internal/faultserver"
	"pgtower/internal/termtest"
)

// doctor reports each check, sends the key once it is needed, and asks for the list of the organization.
func TestDoctorWithoutProblems(t *testing.T) {
	t.Parallel()
	at := plain(t, goodKey)
	s := newShell(t, "PGTOWER_API_KEY="+goodKey, "PGTOWER_BASE_URL="+at.base(), "PGTOWER_ORG_ID=org-1", "TERM=xterm-256color")
	o := s.run("", "doctor").ends(0,
		"ok       configuration   no file; using the defaults",
		"ok       API key         the key from PGTOWER_API_KEY, for 127.0.0.1:",
		"warning  OS keyring      this session has no D-Bus",
		"ok       DNS             not needed for 127.0.0.1",
		"ok       TLS             not used on this machine",
		"ok       HTTP            HTTP/1.1, status 401 without a key, after ",
		"ok       clock           matches the service's",
		"ok       authentication  the service accepts the key",
		"ok       list            the account's keys: 0 keys",
		"warning  terminal        not a terminal; the dashboard needs one",
	)
	o.neverKey()
	if strings.Contains(o.stdout, "Set PGTOWER_API_KEY") {
		t.Error("the advice is what was done")
	}
	const list = "/api/v2/projects?limit=400&org_id=org-1"
	if at.sent[0] != "" || !slices.Contains(at.asks, list) || !slices.Equal(at.keys(), []string{goodKey}) {
		t.Errorf("asked for %q with the keys %q", at.asks, at.keys())
	}
}

// doctor names each problem in the check that it belongs to, with advice, and fails only for those that matter.
func TestDoctorFindsProblems(t *testing.T) {
	t.Parallel()
	authority := faultserver.NewAuthority(t, time.Now())
	until := func(d time.Duration) *service {
		return secured(t, goodKey, certificate(authority, "console.example", time.Now().Add(d)))
	}
	ends, old := until(time.Hour), until(-time.Hour)
	good := plain(t, goodKey)
	closed := plain(t, goodKey)
	closed.Close()
	dated := func(ahead time.Duration) *service {
		s := plain(t, goodKey)
		s.changing(func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Date", time.Now().Add(ahead).UTC().Format(http.TimeFormat))
			return false
		})
		return s
	}
	undated := plain(t, goodKey)
	undated.changing(func(w http.ResponseWriter, _ *http.Request) bool { w.Header()["Date"] = nil; return false })
	web := plain(t, goodKey)
	web.changing(func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html>"))
		return true
	})
	for name, c := range map[string]struct {
		base, key string
		env       []string
		code      int
		check     string
		want      found
	}{
		"refused key":        {good.base(), "napi_other", nil, 1, "authentication", found{Verdict: "failed", Detail: "the API key was refused (status 401)", Advice: "Sign in"}},
		"wrong path":         {good.URL, goodKey, nil, 1, "authentication", found{Verdict: "failed", Detail: "not found (status 404)", Advice: "should end in /api/v2"}},
		"wrong path, no key": {good.URL, goodKey, nil, 1, "HTTP", found{Verdict: "warning", Detail: "status 404 without a key", Advice: "should end in /api/v2"}},
		"web page":           {web.base(), goodKey, nil, 1, "authentication", found{Verdict: "failed", Detail: "a web page", Advice: "answered 200 with a web page"}},
		"connection refused": {closed.base(), goodKey, nil, 1, "HTTP", found{Verdict: "failed", Detail: "cannot be reached", Advice: "Nothing listens there"}},
		"no such host":       {"https://no-such-host.invalid/api/v2", goodKey, nil, 1, "DNS", found{Verdict: "failed", Detail: "no-such-host.invalid"}},
		"wrong proxy":        {"https://no-such-host.invalid/api/v2", goodKey, []string{"HTTPS_PROXY=pro xy:80"}, 1, "HTTP", found{Verdict: "failed", Detail: "HTTPS_PROXY is not a valid proxy address", Advice: "Set it to an address"}},
		"own certificate":    {ends.base(), goodKey, nil, 1, "TLS", found{Verdict: "failed", Detail: "certificate", Advice: "not signed by a trusted authority"}},
		"old certificate":    {old.base(), goodKey, nil, 1, "TLS", found{Verdict: "failed", Detail: "expired or is not yet valid", Advice: "Check this computer's clock"}},
		"certificate ends":   {ends.base(), goodKey, []string{"SSL_CERT_FILE=" + authority.File()}, 0, "TLS", found{Verdict: "warning", Detail: "TLS 1.3; the service's certificate expires on "}},
		"clock behind":       {dated(330 * time.Second).base(), goodKey, nil, 0, "clock", found{Verdict: "warning", Detail: "s behind the service's", Advice: "Set the clock"}},
		"clock ahead":        {dated(-330 * time.Second).base(), goodKey, nil, 0, "clock", found{Verdict: "warning", Detail: "ahead of the service's", Advice: "Set the clock"}},
		"no date":            {undated.base(), goodKey, nil, 0, "clock", found{Verdict: "warning", Detail: "no date"}},
		"silent keyring":     {good.base(), goodKey, []string{silentBus(t)}, 0, "OS keyring", found{Verdict: "warning", Detail: "does not respond", Advice: "Answer its prompt"}},
		"no keyring, no key": {good.base(), "", nil, 1, "OS keyring", found{Verdict: "failed", Detail: "no D-Bus", Advice: "PGTOWER_API_KEY"}},
		"key not read":       {good.base(), "", []string{silentBus(t)}, 1, "API key", found{Verdict: "failed", Detail: "the OS keyring does not respond", Advice: "PGTOWER_API_KEY"}},
		"no key to try":      {good.base(), "", nil, 1, "authentication", found{Verdict: "warning", Detail: "skipped: no key"}},
		"locale":             {good.base(), goodKey, []string{"LC_ALL=POSIX"}, 0, "terminal", found{Verdict: "warning", Detail: "the locale is POSIX", Advice: "C.UTF-8"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShell(t, c.env...)
			if c.key != "" {
				s.env = append(s.env, "PGTOWER_API_KEY="+c.key)
			}
			got := s.doctor(c.code, "--base-url", c.base)[c.check]
			if got.Verdict != c.want.Verdict || !strings.Contains(got.Detail, c.want.Detail) || !strings.Contains(got.Advice, c.want.Advice) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

// In a terminal, doctor checks its type and size.
func TestDoctorInATerminal(t *testing.T) {
	t.Parallel()
	at := plain(t, goodKey)
	env := []string{"PGTOWER_API_KEY=" + goodKey, "PGTOWER_BASE_URL=" + at.base()}
	p := start(t, termtest.Options{Args: []string{"doctor"}, Env: env})
	if code := p.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	p.Sees("ok       terminal        xterm-256color, 120×36")
	p.neverShowed(goodKey)
	small := start(t, termtest.Options{Args: []string{"doctor"}, Env: env, Cols: 59, Rows: 40})
	small.Reads("warning terminal", "Enlarge it to at least 60×15.")
	dumb := start(t, termtest.Options{Args: []string{"doctor"}, Env: append(env, "TERM=dumb")})
	dumb.Reads("TERM is not a known terminal", "Set TERM")
}

// An interrupt ends doctor while a service does not answer.
func TestDoctorIsInterrupted(t *testing.T) {
	t.Parallel()
	hangs := plain(t, goodKey)
	reached, over := make(chan struct{}, 8), make(chan struct{})
	t.Cleanup(func() { close(over) })
	hangs.changing(func(http.ResponseWriter, *http.Request) bool { reached <- struct{}{}; <-over; return true })
	p := start(t, termtest.Options{Args: []string{"doctor"}, Env: []string{"PGTOWER_API_KEY=" + goodKey, "PGTOWER_BASE_URL=" + hangs.base()}})
	<-reached
	p.Press("ctrl+c")
	if code := p.Exit(); code != 130 {
		t.Errorf("exit code %d", code)
	}
}
