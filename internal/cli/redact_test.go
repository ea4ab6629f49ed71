package cli

import (
	"net/url"
	"testing"
)

// A redacted report has no folder, host, address or profile in it.
func TestRedactedFindings(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	p, s := h.process(), h.resolved()
	p.LookupEnv = func(name string) (string, bool) {
		value := map[string]string{"HOME": "/home/ada", "HTTPS_PROXY": "http://proxy.corp:3128"}[name]
		return value, value != ""
	}
	s.base, s.profile, s.file.path = &url.URL{Host: "console.corp:8443"}, "acme-prod", "/home/ada/.config/pgtower/config.toml"
	r := newRedactor(p, s)
	for _, c := range []struct{ check, detail, want string }{
		{"configuration", "/home/ada/.config/pgtower/config.toml, profile acme-prod", "…/config.toml, profile PROFILE"},
		{"API key", "none for acme-prod@console.corp:8443", "none for PROFILE@HOST"},
		{"API key", "open /home/ada/.key: no such file", "open ~/.key: no such file"},
		{"DNS", "resolved by the proxy http://proxy.corp:3128", "resolved by the proxy http://PROXY"},
		{"DNS", "console.corp is 203.0.113.7, 2001:db8::1", "HOST is ADDRESS, ADDRESS"},
		{"DNS", "lookup console.corp on 10.0.0.53:53: no such host", "lookup HOST on ADDRESS: no such host"},
		{"HTTP", "HTTP/1.1, status 401 without a key, after 1.5ms", "HTTP/1.1, status 401 without a key, after 1.5ms"},
		{"TLS", "TLS 1.3; the certificate is valid until 2027-01-02", "TLS 1.3; the certificate is valid until 2027-01-02"},
		{"list", "projects of Acme: 31 projects", "(left out)"},
		{"list", "projects of Acme: permission denied (status 403)", "(left out) status 403"},
		{"rotation", "ci-deploy (id 1): can go", "(left out)"},
		{"a check of a later version", "secret", "(left out)"},
	} {
		got := r.finding(finding{c.check, verdictOK, c.detail, "Ask ada."})
		if got.Detail != c.want {
			t.Errorf("%s: %s, want %s", c.check, got.Detail, c.want)
		}
	}
	broken := r.finding(finding{"configuration", verdictFailed, `config.toml:2:1: "Acme failures"`, "Fix the file."})
	if broken.Detail != leftOut {
		t.Errorf("a mistake in the configuration: %+v", broken)
	}
}
