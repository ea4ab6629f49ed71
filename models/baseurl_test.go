package models

import (
	"strings"
	"testing"
)

// A base address is brought into one form: keys are stored by its host.
func TestParseBaseURL(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		DefaultBaseURL:                         DefaultBaseURL,
		" https://Console.Example/api/v2/ \n":  "https://console.example/api/v2",
		"HTTPS://console.example":              "https://console.example",
		"https://console.example:443/api/v2":   "https://console.example/api/v2",
		"https://console.example:/api/v2":      "https://console.example/api/v2",
		"https://console.example:8443/a/v2///": "https://console.example:8443/a/v2",
		"https://10.0.0.1/api/v2":              "https://10.0.0.1/api/v2",
		"https://[2001:DB8::1]:443/api/v2":     "https://[2001:db8::1]/api/v2",
		"https://console.example/a%2Fb/v2/":    "https://console.example/a%2Fb/v2",
		"http://127.0.0.1:8787/api/v2":         "http://127.0.0.1:8787/api/v2",
		"http://127.9.9.9":                     "http://127.9.9.9",
		"http://[::1]:8787/api/v2":             "http://[::1]:8787/api/v2",
		"http://LOCALHOST:80/api/v2":           "http://localhost/api/v2",
	} {
		u, err := ParseBaseURL(given)
		if err != nil {
			t.Errorf("%q: %v", given, err)
			continue
		}
		if u.String() != want {
			t.Errorf("%q: got %q, want %q", given, u, want)
		}
	}
}

// The error of a wrong address says what is wrong and what to do, and repeats nothing that may be a secret.
func TestParseBaseURLRefuses(t *testing.T) {
	t.Parallel()
	for given, reason := range map[string]string{
		"":                                       "empty",
		"   ":                                    "empty",
		"console.example/api/v2":                 "no scheme",
		"localhost:8787/api/v2":                  "no scheme",
		"//console.example/api/v2":               "no scheme",
		"napi_s3cret":                            "no scheme",
		"https:console.example":                  "no scheme",
		"ftp://console.example":                  "its scheme is not https",
		"http://console.example/api/v2":          "plain http",
		"http://10.0.0.1":                        "plain http",
		"http://0.0.0.0:8787":                    "plain http",
		"http://localhost.evil.example":          "plain http",
		"http://127.0.0.1.evil.example":          "plain http",
		"http://[::]:8787":                       "plain http",
		"http://2130706433":                      "plain http",
		"https://":                               "no host",
		"https:///api/v2":                        "no host",
		"https://:443/api/v2":                    "no host",
		"https://me:napi_s3cret@console.example": "user name",
		"https://napi_s3cret@console.example":    "user name",
		"https://console.example/?key=s3cret":    "query",
		"https://console.example/api/v2?":        "query",
		"https://console.example/api/v2#s3cret":  "fragment",
		"https://console.example/api/v2#":        "fragment",
		"https://console.example:0":              "port",
		"https://console.example:65536":          "port",
		"https://console.example:s3cret":         "malformed",
		"https://exa mple":                       "malformed",
		"https://exa\x1bmple":                    "malformed",
		"https://cоnsole.example":                "ASCII", // a Cyrillic о
		"https://console.example\u202e/":         "ASCII",
	} {
		u, err := ParseBaseURL(given)
		if err == nil || !strings.HasPrefix(err.Error(), "invalid base URL: ") {
			t.Errorf("%q: got %v, %v", given, u, err)
			continue
		}
		if !strings.Contains(err.Error(), reason) || !strings.Contains(err.Error(), "; ") {
			t.Errorf("%q: %q does not say that it is about %q and what to do", given, err, reason)
		}
		if strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: %q repeats what may be a secret", given, err)
		}
	}
}

// An accepted address never sends the key in plain text to another machine, and is parsed to itself.
func FuzzParseBaseURL(f *testing.F) {
	for _, s := range []string{DefaultBaseURL, "http://[::1]:80/a", "https://a:443//", "https://a/%2e%2e/?#", "http://localhost"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := ParseBaseURL(s)
		if err != nil {
			return
		}
		if u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())) {
			t.Errorf("%q lets the key out by %s", s, u)
		}
		if u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Hostname() == "" {
			t.Errorf("%q became %q", s, u)
		}
		again, err := ParseBaseURL(u.String())
		if err != nil || again.String() != u.String() {
			t.Errorf("%q became %q and then %v, %v", s, u, again, err)
		}
	})
}
