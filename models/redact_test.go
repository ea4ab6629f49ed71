package models

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"
)

// Every key is replaced, plain or as quoting and URLs spell it, except for short ones.
func TestRedactorText(t *testing.T) {
	t.Parallel()
	const odd = `Ab+/="\%c~Z9`
	r := Redactor{}.With(NewSecret(hidden), NewSecret(odd), NewSecret("short"), Secret{})
	for text, want := range map[string]string{
		"":                                    "",
		"a short text":                        "a short text",
		"Bearer " + hidden + ", " + hidden:    "Bearer •••, •••",
		"x" + odd + "x":                       "x•••x",
		fmt.Sprintf("%q", odd):                `"•••"`,
		"/?key=" + url.QueryEscape(odd) + "&": "/?key=•••&",
		"/" + url.PathEscape(odd) + "/":       "/•••/",
	} {
		if got := r.Text(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
		if got := (Redactor{}).Text(text); got != text {
			t.Errorf("without a key, %q became %q", text, got)
		}
	}
}

// Of two keys of which one begins with the other, nothing is left.
func TestRedactorReplacesTheLongerKeyFirst(t *testing.T) {
	t.Parallel()
	if got := (Redactor{}).With(NewSecret("napi_s3cret"), NewSecret("napi_s3cret-tail")).Text("napi_s3cret-tail"); got != masked {
		t.Errorf("left %q", got)
	}
}

// Every string of a document is redacted, whatever its escapes; the rest stays as it is.
func TestRedactorJSON(t *testing.T) {
	t.Parallel()
	r := Redactor{}.With(NewSecret("napi_s3cret/key"))
	for doc, want := range map[string]string{
		`{"a": [1, "b\/c", "\u00e4"]}`:                          `{"a": [1, "b\/c", "\u00e4"]}`,
		`{"a":"napi_s3cret/key", "n" : 9007199254740993}`:       `{"a":"•••", "n" : 9007199254740993}`,
		`{"napi_s3cret/key":[["x napi_s3cret/key"],null]}`:      `{"•••":[["x •••"],null]}`,
		`["\u006eapi_s3cret\/key", "\"\\", "napi_s3cret\/key"]`: `["•••", "\"\\", "•••"]`,
		`"napi_s3cret%2Fkey"`:                                   `"•••"`,
		`{}`:                                                    `{}`,
	} {
		if got := string(r.JSON([]byte(doc))); got != want {
			t.Errorf("%s became %s, want %s", doc, got, want)
		}
	}
}

// A redacted document is valid, has no key, and is the same otherwise.
func FuzzRedactor(f *testing.F) {
	f.Add(`{"id":"x","error":"napi_s3cret-key","n":1}`)
	f.Add(`["\u006eapi_s3cret-key",{"napi_s3cret-key":"\\"}]`)
	f.Fuzz(func(t *testing.T, doc string) {
		r := Redactor{}.With(NewSecret("napi_s3cret-key"))
		got := r.JSON([]byte(doc))
		var before, after any
		if json.Unmarshal([]byte(doc), &before) != nil {
			return // the sanitized part ends within
		}
		if err := json.Unmarshal(got, &after); err != nil {
			t.Fatalf("%s became %s: %v", doc, got, err)
		}
		said, _ := json.Marshal(after)
		if bytes.Contains(said, []byte("napi_s3cret-key")) {
			t.Errorf("%s became %s", doc, got)
		}
		if plain, _ := json.Marshal(before); !bytes.Contains(plain, []byte("napi_s3cret-key")) && !reflect.DeepEqual(before, after) {
			t.Errorf("%s became %s", doc, got)
		}
	})
}

// Keys are found by their prefix, or by their length and randomness; ids, paths and digests are no keys.
func TestFindKey(t *testing.T) {
	t.Parallel()
	const long = "a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8s9t0u1v2w3x4y5z6"
	for text, want := range map[string]int{
		"napi_s3cret":                           0,
		strings.Repeat("I", 40) + "napi_s3cret": 40,
		"theme = 'napi_do-not-print-me'":        9,
		"https://napi_s3cret@x.example":         8,
		"\nkey " + long:                         5,
		strings.ToUpper(long):                   0,
		"":                                      -1,
		"napi_key":                              -1,
		"pass show neon/napi_work":              -1,
		"org-cool-breeze-12345678":              -1,
		"/tmp/TestDashboardTakesItsSettingsFromTheProfile1234567890/001":            -1,
		"/nix/store/0c3xqk5v7b1l8hn2m4r6s9wzayj3d5fg-password-store-1.7.4/bin/pass": -1,
		"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08":   -1,
		"gpg -d 0123456789ABCDEF0123456789ABCDEF01234567":                           -1,
		"op read op://vault/123e4567-e89b-12d3-a456-426614174000/credential":        -1,
	} {
		if got := FindKey(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

// Words that look like keys are masked; where it is doubtful, only on demand.
func TestMasks(t *testing.T) {
	t.Parallel()
	const unknown = "Ab3dEf9hIj2kLm5nOp8qRs1tUv4wXy7z" // without a known form
	for text, want := range map[string][2]string{
		"key napi_s3cret-key.":             {"key •••.", "key •••."},
		unknown + unknown + " is a key":    {"••• is a key", "••• is a key"},
		"a " + unknown:                     {"a " + unknown, "a •••"},
		"0123456789abcdef0123456789abcdef": {"0123456789abcdef0123456789abcdef", "•••"},
		"/home/me/a-word-without-numbers":  {"/home/me/a-word-without-numbers", "/home/me/a-word-without-numbers"},
	} {
		if got := [2]string{MaskKeys(text), MaskDoubtful(text)}; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]bool{
		unknown: true, unknown[:19]: false, "5dfaa84f-1a6b-4d4c-8c8d-0f8f3f3c0a51": false, "12345678901234567890": false,
		"a_word_without_numbers": false, "/" + unknown: false,
	} {
		if got := MayBeKey(text); got != want {
			t.Errorf("%q may be a key: %v", text, got)
		}
	}
}
