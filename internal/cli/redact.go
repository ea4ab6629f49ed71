package cli

import (
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"pgtower/models/settings"
)

// leftOut replaces the details of a redacted finding.
const leftOut = "(left out)"

// redactor removes folders, hosts, addresses, the profile and the contents of the account from findings, so that others can
// read them. A finding of a check that it does not know keeps its verdict only.
type redactor struct{ names *strings.Replacer }

// newRedactor returns the redactor of a run of the doctor.
func newRedactor(p Process, s *setup) *redactor {
	names := []string{s.file.path, fileName(s.file.path), s.memory.file.Path, fileName(s.memory.file.Path)}
	if s.base != nil && s.base.Host != hostOf("") {
		names = append(names, s.base.Host, "HOST", s.base.Hostname(), "HOST")
	}
	for _, variable := range []string{"HTTPS_PROXY", "https_proxy"} {
		if proxy, err := url.Parse(p.Getenv(variable)); err == nil {
			names = append(names, proxy.Host, "PROXY", proxy.Hostname(), "PROXY")
		}
	}
	if s.profile != settings.Default {
		names = append(names, s.profile, "PROFILE")
	}
	names = append(names, p.Getenv("HOME"), "~")
	return &redactor{names: strings.NewReplacer(withoutEmpty(names)...)}
}

// fileName returns a path without its folders.
func fileName(path string) string { return filepath.Join("…", filepath.Base(path)) }

// withoutEmpty returns the pairs of an old and a new text in which the old one is not empty.
func withoutEmpty(pairs []string) (kept []string) {
	for pair := range slices.Chunk(pairs, 2) {
		if pair[0] != "" {
			kept = append(kept, pair...)
		}
	}
	return kept
}

// keepsText reports whether a finding keeps its text, with other words for names: it is about nothing in the account.
func keepsText(f finding) bool {
	switch f.Check {
	case "configuration":
		return f.Verdict != verdictFailed // the text quotes the file
	case "state", "time zone", "demo", "API key", "OS keyring", "proxy", "DNS", "TLS", "HTTP", "clock", "authentication", "terminal":
		return true
	}
	return false
}

// finding returns a redacted finding.
func (r *redactor) finding(f finding) finding {
	if keepsText(f) {
		f.Detail, f.Advice = r.text(f.Detail), r.text(f.Advice)
		return f
	}
	status := regexp.MustCompile(`status \d{3}`).FindString(f.Detail)
	f.Detail, f.Advice = strings.TrimSpace(leftOut+" "+status), ""
	return f
}

// text returns a text with other words for the names and addresses in it. This computer's own address is no secret.
func (r *redactor) text(s string) string {
	address := regexp.MustCompile(`[0-9A-Fa-f:.]*[0-9A-Fa-f][:.][0-9A-Fa-f:.]*[0-9A-Fa-f]`)
	return address.ReplaceAllStringFunc(r.names.Replace(s), redactedAddress)
}

// redactedAddress returns ADDRESS for an address of another computer, with or without a port, and other texts as they are.
func redactedAddress(text string) string {
	ip, err := netip.ParseAddr(text)
	if pair, failed := netip.ParseAddrPort(text); failed == nil {
		ip, err = pair.Addr(), nil
	}
	if err != nil || ip.IsLoopback() {
		return text
	}
	return "ADDRESS"
}
