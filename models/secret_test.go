package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

const hidden = "napi_do-not-print-me"

// leaks reports whether s contains the key, plain or as fmt prints bytes.
func leaks(s string) bool {
	const bytes = "110 97 112 105 95 100 111" // of its beginning
	for _, spelt := range []string{hidden[5:], fmt.Sprintf("%x", hidden), fmt.Sprintf("%X", hidden), fmt.Sprintf("% x", hidden), bytes} {
		if strings.Contains(s, spelt) {
			return true
		}
	}
	return false
}

// embedded has the key in every kind of field: package fmt does not call the methods of unexported fields.
type embedded struct {
	Key  Secret
	key  Secret
	ptr  *Secret
	keys []Secret
	by   map[string]Secret
	any  any
}

func newEmbedded() embedded {
	s := NewSecret(hidden)
	return embedded{s, s, &s, []Secret{s}, map[string]Secret{"k": s}, s}
}

// No verb prints a secret, wherever it is in a value.
func TestSecretIsNeverPrinted(t *testing.T) {
	t.Parallel()
	s, h := NewSecret(hidden), newEmbedded()
	for _, v := range []any{s, &s, h, &h, []Secret{s}, map[Secret]int{s: 1}, CreatedAPIKey{Key: s}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "% x", "%d", "%c", "%U", "%t", "%o", "%e", "%100s", "%-.3s", "%w"} {
			if got := fmt.Sprintf(verb, v); leaks(got) {
				t.Errorf("%s of a %T: %s", verb, v, got)
			}
		}
		if got := fmt.Sprint(v) + fmt.Sprintln(v); leaks(got) {
			t.Errorf("%T: %s", v, got)
		}
		if got := fmt.Errorf("failed with %v", v).Error(); leaks(got) {
			t.Errorf("error with a %T: %s", v, got)
		}
	}
}

// No encoding writes a secret.
func TestSecretIsNeverEncoded(t *testing.T) {
	t.Parallel()
	s, h := NewSecret(hidden), newEmbedded()
	for _, v := range []any{s, &s, h, map[Secret]Secret{s: s}, CreatedAPIKey{Key: s}} {
		got, err := json.Marshal(v)
		if err != nil || leaks(string(got)) {
			t.Errorf("%T: %s, %v", v, got, err)
		}
	}
	var b strings.Builder
	for _, handler := range []slog.Handler{slog.NewTextHandler(&b, nil), slog.NewJSONHandler(&b, nil)} {
		log := slog.New(handler).With("with", s)
		log.Info("message", "key", s, "pointer", &s, "struct", h, "group", slog.GroupValue(slog.Any("key", s)), "error", fmt.Errorf("%v", s))
	}
	if leaks(b.String()) {
		t.Error(b.String())
	}
}

// Two secrets are equal if their keys are.
func TestSecretsAreComparable(t *testing.T) {
	t.Parallel()
	a, b := NewSecret(hidden), NewSecret(strings.Clone(hidden)+"\n")
	if a != b || a == NewSecret("other") {
		t.Error("equal keys differ, or different ones do not")
	}
	if zero := NewSecret(" \n"); zero != (Secret{}) || !zero.IsZero() || zero.Reveal() != "" || a.IsZero() {
		t.Error("a key of white space is none")
	}
}

// Only printable ASCII without spaces can be a key. The error names what was copied with it, and not the key.
func TestSecretCheck(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ key, want string }{
		"good":             {hidden, ""},
		"trimmed":          {"\t" + hidden + "\r\n", ""},
		"empty":            {"", "it is empty"},
		"white space":      {" \n", "it is empty"},
		"a space inside":   {"napi x", "white space at character 5"},
		"two lines":        {"napi\nx", "white space at character 5"},
		"a control":        {"napi\x1bx", "at position 5"},
		"beyond ASCII":     {"nápì", "at position 2"},
		"counted in runes": {"éx", "at position 1"},
		"not UTF-8":        {"napi\xff", "at position 5"},
		"of a header":      {"Bearer " + hidden, "it begins with Bearer: give the key alone"},
		"a whole header":   {"authorization: bearer " + hidden, "it begins with Bearer"},
		"in quotes":        {"'" + hidden + "'", "it is in quotes: give the key alone"},
		"in other quotes":  {`"` + hidden + `"`, "it is in quotes"},
		"of a file":        {"PGTOWER_API_KEY=" + hidden, "it begins with the name of a variable"},
		"of a shell":       {"export NEON_API_KEY='" + hidden + "'", "it begins with the name of a variable"},
		"of Windows":       {"set token=" + hidden, "it begins with the name of a variable"},
		"a quote":          {"'", ""},
		"an end of base64": {"bW9ua2V5key==", ""},
		"an equals sign":   {"a=b", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := NewSecret(c.key).Check()
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.Is(err, ErrBadSecret) || !strings.Contains(err.Error(), c.want) || leaks(err.Error()) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}
