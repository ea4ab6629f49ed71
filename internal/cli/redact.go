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

// leftOut stands for what a redacted finding does not tell.
const leftOut = "(left out)"

// redactor leaves out of findings what others need not know: folders, hosts, addresses, the profile, and what is in the
// account. A finding of a check that it does not know keeps its verdict alone.
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

// fileName returns what a redacted finding tells of a path.
func fileName(path string) string { return filepath.Join("…", filepath.Base(path)) }

// withoutEmpty returns pairs of an old and a new text, without those whose old one is empty.
func withoutEmpty(pairs []string) (kept []string) {
	for pair := range slices.Chunk(pairs, 2) {
		if pair[0] != "" {
			kept = append(kept, pair...)
		}
	}
	return kept
}

// told reports whether a finding is told but for its names: it is about nothing in the account.
func told(f finding) bool {
	switch f.Check {
	case "configuration":
		return f.Verdict != verdictFailed // what is wrong with it quotes it
	case "state", "time zone", "demo", "API key", "OS keyring", "proxy", "DNS", "TLS", "HTTP", "clock", "authentication", "terminal":
		return true
	}
	return false
}

// finding returns a finding without what others need not know.
func (r *redactor) finding(f finding) finding {
	if told(f) {
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
