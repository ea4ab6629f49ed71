//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// TestCrash runs pgtower with deliberate panics.
func TestCrash(t *testing.T) {
	t.Parallel()
	binary, err := termtest.Build(t.Context(), t.TempDir(), "pgtower/internal/e2e/crashing", buildFlags()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("everywhere", func(t *testing.T) { t.Parallel(); crashEverywhere(t, binary) })
	t.Run("without a place for the report", func(t *testing.T) { t.Parallel(); crashWithoutAPlace(t, binary) })
}

// crashEverywhere panics in every place where the program runs, and checks the terminal's modes, the one line of
// output, and that the report contains no secrets.
func crashEverywhere(t *testing.T, binary string) {
	t.Helper()
	b := serve(t, mock.Options{})
	const unknown = "pgt_typed_but_never_sent_1"
	places := []string{"init", "update", "view", "command", "worker"}
	if len(buildFlags()) == 0 {
		// After a panic of its own loop, Bubble Tea closes the input while it is read, which the race detector reports.
		places = append(places, "loop")
	}
	for _, where := range places {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			const script = `"$0" "$@" 2>errors; echo "code $?"; stty -a; read line; echo "read $line"`
			with := "no\x1b]0;owned\x07way\n" + b.APIKey() + " " + unknown + " " + strings.Repeat("long ", 5000)
			p := start(t, termtest.Options{
				Path: "/bin/sh", Args: []string{"-c", script, binary}, Home: home,
				Env: append(b.env(), "PGTOWER_CRASH="+where, "PGTOWER_CRASH_WITH="+with),
			})
			if where != "init" {
				p.Sees("● live")
				p.Press("f12")
			}
			p.Sees("code 1", " icanon", " echo ")
			if where != "init" {
				p.gaveBack()
			}
			p.Enter("as before")
			p.Sees("read as before")

			said := read(t, filepath.Join(home, "errors"))
			if strings.Count(said, "\n") != 1 || !strings.HasPrefix(said, "pgtower: crashed: no�]0;owned�way") {
				t.Errorf("said %q", said)
			}
			path := regexp.MustCompile(home + `/\.cache/pgtower/pgtower-crash-\d{8}T\d{6}Z-\d+\.txt`).FindString(said)
			report := read(t, path)
			for _, want := range []string{"version ", "go        go1.", "platform  ", "terminal  120×36", "TERM      xterm-256color", "panic     string", "main.crash"} {
				if !strings.Contains(report, want) {
					t.Errorf("the report lacks %q:\n%s", want, report)
				}
			}
			for _, bad := range []string{b.APIKey(), unknown, "\x1b", "\x07", "PGTOWER_", strings.Repeat("long ", 1000)} {
				if strings.Contains(report+said, bad) {
					t.Errorf("%q is in the report or in what was said:\n%s\n%s", bad, said, report)
				}
			}
			info, err := os.Stat(path)
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%v, %v", info.Mode(), err)
			}
			p.neverShowed(b.APIKey())
			if p.showed("goroutine ") > 0 {
				t.Error("a trace was written to the terminal")
			}
		})
	}
}

// crashWithoutAPlace panics when the report cannot be written to its folder, and when it cannot be written at all.
func crashWithoutAPlace(t *testing.T, binary string) {
	t.Helper()
	for name, test := range map[string]struct{ cache, temporary, says string }{
		"cache":     {"/dev/null", t.TempDir(), "The report, which has no keys in it, is "},
		"all of it": {"/dev/null", "/dev/null", "Could not write a crash report: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, termtest.Options{
				Path: binary, Args: []string{"--demo"},
				Env: []string{"PGTOWER_CRASH=update", "PGTOWER_CRASH_WITH=oh", "XDG_CACHE_HOME=" + test.cache, "TMPDIR=" + test.temporary},
			})
			p.Sees("all projects (12)")
			p.Press("f12")
			if code := p.Exit(); code != 1 {
				t.Errorf("exit code %d", code)
			}
			p.gaveBack()
			p.Reads("pgtower: crashed: oh.", test.says)
		})
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
