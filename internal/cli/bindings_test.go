package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgtower/ui/page"
)

// wrongKeys returns invalid lines below [keys], in the order of their explanations.
func wrongKeys() []string {
	return []string{
		"keys = 3",
		"[keys]\nrefresh = 3",
		"[keys]\nrefresh = ['f5', 3]",
		"[keys]\nrefresh = ''",
		"[keys]\nrefresh = 'F 5'",
		"[keys]\nrefresh = 'ctrl+i'",
		"[keys]\nrefresh = 'Ctrl+C'",
		"[keys]\nrefresh = 'ctrl+1'",
		"[keys]\nrefresh = 'shift+r'",
		"[keys]\nrefresh = 'alt+R'",
		"[keys]\nrefresch = 'f5'",
		"[keys]\nconfirm = 'y'",
		"[keys.apikey]\nrevoke = 'D'",
		"[keys.settings]\nrevoke = 'D'",
		"[keys.projects]\nrevoke = 'D'",
		"[keys]\nrefresh = 'q'",
		"[keys]\nrefresh = 'n'",
		"[keys]\nrefresh = 'f5'\n[keys.apikeys]\nrevoke = 'f5'",
		"[keys]\ndown = 'r'\nrefresh = 'j'\nup = ['up', 'r']",
		"keys.apikeys = { new = 'f5', rotate = 'f5' }",
		"[keys]\nwork = 'napi_s3cret'",
		"[keys]\nrefresh = 'napi_s3cret'",
		"[keys]\nrefresh = 'napi_s3cret_that_is_as_long_as_they_are'",
	}
}

// Each wrong binding has an explanation, without the keys that were put in its place. The messages are compared with testdata;
// PGTOWER_UPDATE=1 updates it.
func TestBindingsThatAreRefused(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	var names []string
	for id := range page.Count {
		names = append(names, id.Name())
	}
	for _, config := range wrongKeys() {
		s, err := resolved(t, config)
		if faults := s.file.config.Faults; len(faults) > 0 {
			err = faults[0]
		}
		if !isFileError(err) {
			t.Errorf("%q: %v", config, err)
			continue
		}
		_, explanation, _ := strings.Cut(err.Error(), "config.toml:")
		fmt.Fprintf(&b, "%s\n    %s\n\n", config, strings.Replace(explanation, strings.Join(names, ", "), "{pages}", 1))
	}
	path := filepath.Join("testdata", "keys.golden")
	if os.Getenv("PGTOWER_UPDATE") != "" {
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || b.String() != string(want) {
		t.Errorf("%v: PGTOWER_UPDATE=1 go test ./internal/cli accepts\n%s", err, b.String())
	}
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(line, "    ") && strings.Contains(line, "s3cret") {
			t.Errorf("it repeats a key: %s", line)
		}
	}
}
