package desktop

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pgtower/internal/termtest"
)

// The browser gets the address as one argument, and its failure is reported. There is none over SSH or without a
// screen.
func TestBrowser(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the program has another name")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	env := map[string]string{"DISPLAY": ":0"}
	of := func() Browser { return BrowserOf(func(name string) string { return env[name] }) }
	if of().Known() {
		t.Error("there is none yet")
	}
	said := filepath.Join(dir, "said")
	program := "#!/bin/sh\necho \"$#: $1\" >" + said + "\ncase $1 in *fail*) exit 3; esac\n"
	termtest.WriteScript(t, filepath.Join(dir, "xdg-open"), program)
	const address = "https://c.example/$(touch x)?a=b&c;`d`"
	if err := of().Open(t.Context(), address); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(said); err != nil || strings.TrimSpace(string(got)) != "1: "+address {
		t.Errorf("%v: %s", err, got)
	}
	if of().Open(t.Context(), "https://c.example/fail") == nil {
		t.Error("that it failed is not said")
	}
	env["SSH_CONNECTION"] = "x"
	if of().Known() {
		t.Error("over SSH, the user sits elsewhere")
	}
	env = nil
	if of().Known() {
		t.Error("without a screen, it would take the terminal")
	}
}

// Hyperlinks are for terminals that are known to support them.
func TestBrowserLinks(t *testing.T) {
	t.Parallel()
	for env, want := range map[[2]string]bool{
		{"TERM", "xterm-256color"}: false, {"TERM", "foot-extra"}: true, {"KITTY_WINDOW_ID", "1"}: true,
		{"TERM_PROGRAM", "vscode"}: true, {"TERM_PROGRAM", "Apple_Terminal"}: false, {"TMUX", "x"}: false,
	} {
		if got := Links(func(name string) string { return map[string]string{env[0]: env[1]}[name] }); got != want {
			t.Errorf("%v: got %v", env, got)
		}
	}
}
