package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
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

// The messages are compared with testdata; PGTOWER_UPDATE=1 updates it.
func TestKeysThatCannotBe(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, config := range wrongKeys() {
		s, err := resolved(t, config, nil)
		if faults := s.file.config.Faults; len(faults) > 0 {
			err = faults[0]
		}
		if !isFileError(err) {
			t.Errorf("%q: %v", config, err)
			continue
		}
		_, said, _ := strings.Cut(err.Error(), "config.toml:")
		fmt.Fprintf(&b, "%s\n    %s\n\n", config, said)
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

func TestBindingsAreListed(t *testing.T) {
	t.Parallel()
	const config = "[keys]\nrefresh = 'Ctrl+R'\nquit = []\n[keys.apikeys]\nrevoke = ['D', 'delete']\ncopy = 'y'\n"
	s, err := resolved(t, config, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range s.bindings() {
		if r.From != fromDefault {
			got = append(got, fmt.Sprint(r.Page, " ", r.Action, " ", r.Keys, " ", r.From))
		}
	}
	want := []string{
		"every page refresh [ctrl+r] [keys]", "every page quit [] [keys]",
		"apikeys revoke [D delete] [keys.apikeys]", "apikeys copy [y] [keys.apikeys]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if s.keyMap().Count() != 3 {
		t.Errorf("%d actions have other keys, want 3", s.keyMap().Count())
	}
	all, err := resolved(t, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range all.bindings() {
		if seen[r.Page+" "+r.Action] || seen["every page"+" "+r.Action] || r.Does == "" || len(r.Keys) == 0 && !slices.Contains([]string{"acknowledge", "alerts", "unmute", "reload", "rotate-own"}, r.Action) {
			t.Errorf("%+v", r)
		}
		seen[r.Page+" "+r.Action] = true
	}
	if !seen["every page refresh"] || !seen["apikeys revoke"] || !seen["every page details"] || !seen["projects open-operations"] {
		t.Errorf("only %v", seen)
	}
	if b, err := json.Marshal(s.bindings()); err != nil || !strings.Contains(string(b), `"action":"quit","keys":[],`) {
		t.Errorf("%v: %s", err, b)
	}
}

// Names of the last version are ignored, and named in one line. Other unknown names are faults.
func TestRetiredNamesAreIgnored(t *testing.T) {
	t.Parallel()
	s, err := resolved(t, "[keys]\nfaster = 'F5'\nquit = 'Q'\n[keys.operations]\nslower = 'f6'\nfaster = []\nsloer = 'f7'\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	c := s.file.config
	if got := retiredLine(c); got != "ignored, no longer in pgtower: keys.faster, keys.slower" || len(c.Faults) != 1 || len(c.Keys) != 1 {
		t.Errorf("%q, %v, %+v", got, c.Faults, c.Keys)
	}
}

func TestRetiredFlagsAreIgnored(t *testing.T) {
	t.Parallel()
	var said strings.Builder
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.SetOutput(&said)
	kept := f.Int("kept", 0, "")
	retireFlags(f, "gone", "kept")
	err := f.Parse([]string{"--gone", "3d", "--kept", "5"})
	if err != nil || *kept != 5 || said.String() != "Flag --gone has been deprecated, it is ignored\n" || f.FlagUsages() != "      --kept int   \n" {
		t.Errorf("%v, %d, %q, %q", err, *kept, said.String(), f.FlagUsages())
	}
}

func TestBindingsShowWhatACommandRuns(t *testing.T) {
	t.Parallel()
	const config = "[[commands]]\nname = 'psql'\nkey = 'ctrl+p'\npage = 'projects'\nrun = ['psql', '-h', '{proxy_host}']\n"
	s, err := resolved(t, config, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range s.bindings() {
		if b.Action == "psql" && b.Does == "psql -h {proxy_host}" {
			return
		}
	}
	t.Errorf("the command is missing: %+v", s.bindings())
}
