//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// spy makes a folder of programs that record their arguments and environment in the file that it returns.
func spy(t *testing.T, programs ...string) (folder string, calls func() string) {
	t.Helper()
	folder = t.TempDir()
	file := filepath.Join(folder, "calls")
	for _, name := range programs {
		script := "#!/bin/sh\n{ echo \"called: ${0##*/} $*\"; env; } >>'" + file + "'\ncat >/dev/null\n"
		termtest.WriteScript(t, filepath.Join(folder, name), script)
	}
	return folder, func() string {
		text, _ := os.ReadFile(file)
		return string(text)
	}
}

// No program that pgtower starts inherits a key: neither tmux, which the dashboard and doctor ask, nor the clipboard tool.
// Other commands start no program.
func TestKeyenvNoProgramInheritsTheKeys(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	folder, calls := spy(t, "tmux", "xclip")
	const other, tools = "napi_s3cret_mock", "napi_s3cret_tools"
	env := append(b.env(), "PATH="+folder+":"+os.Getenv("PATH"), "TMUX=/tmp/tmux-test,1,0", "COLORTERM=",
		"NEON_API_KEY="+tools, "PGTOWER_MOCK_API_KEY="+other)
	for _, args := range [][]string{{"version"}, {"--help"}, {"mock", "--listen", "none"}, {"no-such"}} {
		start(t, termtest.Options{Args: args, Env: env}).Exit()
	}
	if got := calls(); got != "" {
		t.Errorf("a command ran a program:\n%s", got)
	}
	start(t, termtest.Options{Args: []string{"doctor"}, Env: env}).Exit()
	p := start(t, termtest.Options{Env: env})
	p.keys()
	p.Press("y", "enter")
	p.Sees("✓ copied")
	p.quit()
	got := calls()
	for _, needed := range []string{"called: tmux info", "called: tmux show-options", "called: xclip ", "TMUX="} {
		if !strings.Contains(got, needed) {
			t.Errorf("no %q among the programs that were run:\n%s", needed, got)
		}
	}
	for _, bad := range []string{b.APIKey(), other, tools, "API_KEY"} {
		if strings.Contains(got, bad) {
			t.Errorf("%q is in the environment of a program:\n%s", bad, got)
		}
	}
	if !b.wasShown(b.APIKey()) {
		t.Error("the key of the environment was not used")
	}
}
