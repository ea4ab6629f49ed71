//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgtower/internal/termtest"
)

// The error of a program does not show its name if that may be an API key in the wrong place.
func TestProgramsThatFailAreNamedWithoutKeys(t *testing.T) {
	t.Parallel()
	const key = "Ab3dEf9hIj2kLm5nOp8qRs1tUv4wXy7z" // without a known form
	dir := t.TempDir()
	enter, screen := filepath.Join(dir, "enter"), filepath.Join(dir, "screen")
	fails := filepath.Join(dir, key)
	if err := os.WriteFile(enter, []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	termtest.WriteScript(t, fails, "#!/bin/sh\nexit 3\n")
	in, err := os.Open(enter)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close() //nolint:errcheck // it was only read
	out, err := os.Create(screen)
	if err != nil {
		t.Fatal(err)
	}
	for program, says := range map[string]string{key: "could not run (•••: ", fails: "failed (exit status 3)"} {
		b := borrowing{
			cmd: exec.CommandContext(t.Context(), program), process: Process{Stdin: in, Stderr: out},
			jobs: &jobControl{}, left: make(chan struct{}),
		}
		if err := b.Run(); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), key) {
			t.Errorf("got %v", err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(screen)
	if err != nil || !strings.Contains(string(text), "/••• failed (exit status 3). Press enter") {
		t.Errorf("%q, %v", text, err)
	}
}
