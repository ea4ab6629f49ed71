//go:build unix

package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgtower/internal/termtest"
	"pgtower/models"
	"pgtower/models/settings"
)

// hostile is a name that could be read as an option, as a connection string, or as a line for a shell.
const hostile = `x' host=evil user=evil "$(touch pwned)"; touch pwned; #`

// The examples of commands pass any field to the program unchanged, as one argument.
func TestExamplesOfCommandsAreSafe(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	var psql int
	for _, block := range fence.FindAllStringSubmatch(string(page), -1) {
		if !strings.Contains(block[2], "[[commands]]") {
			continue
		}
		c, err := settings.Parse("config.toml", []byte(block[2]), settings.Check{})
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range c.Commands {
			got := runExample(t, command.Run)
			if command.Name != "psql" {
				continue
			}
			psql++
			if want := []string{"-h", hostile, "-d", "neondb"}; !slices.Equal(got, want) {
				t.Errorf("psql gets %q, want %q", got, want)
			}
		}
	}
	inShell := regexp.MustCompile(`\["sh", "-c", "notify-send \\"\$1\\"", "sh", "\{name\}"\]`).Find(page)
	if psql != 1 || inShell == nil {
		t.Fatalf("found %d examples with psql, and with a shell: %s", psql, inShell)
	}
	if got := runExample(t, []string{"sh", "-c", `notify-send "$1"`, "sh", "{name}"}); !slices.Equal(got, []string{hostile}) {
		t.Errorf("notify-send gets %q", got)
	}
}

// runExample runs a command on a hostile row, and returns the arguments that psql or notify-send got.
func runExample(t *testing.T, command []string) []string {
	t.Helper()
	bin, home := t.TempDir(), t.TempDir()
	for _, name := range []string{"psql", "notify-send"} {
		script := "#!/bin/sh\nprintf '%s\\n' \"$@\" >'" + home + "/arguments'\n"
		termtest.WriteScript(t, filepath.Join(bin, name), script)
	}
	fields := models.Fields{"name": hostile, "proxy_host": hostile, "id": hostile, "action": hostile, "project_id": hostile}
	args, err := models.Arguments(command, fields, false)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(args[0], "/") {
		if path := filepath.Join(bin, args[0]); isFile(path) {
			args[0] = path
		}
	}
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir, cmd.Env = home, []string{"PATH=" + bin + ":/usr/bin:/bin"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%q: %v: %s", args, err, out)
	}
	if isFile(filepath.Join(home, "pwned")) {
		t.Errorf("%q ran a command of the row", args)
	}
	text, err := os.ReadFile(filepath.Join(home, "arguments"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func isFile(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
