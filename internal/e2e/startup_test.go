//go:build unix

package e2e

import (
	"regexp"
	"strconv"
	"testing"
)

// No package builds a large table or pattern when it is initialized, which every command would pay for. Memory is
// measured, because time depends on the machine.
func TestStartupBuildsNothingLarge(t *testing.T) {
	t.Parallel()
	const most = 64 << 10 // bytes for each package
	out := newShell(t, "GODEBUG=inittrace=1").run("", "version").ends(0)
	packages := regexp.MustCompile(`(?m)^init (\S+) @.* clock, (\d+) bytes`).FindAllStringSubmatch(out.stderr, -1)
	if len(packages) < 20 {
		t.Fatalf("no trace of the packages:\n%s", out.stderr)
	}
	for _, of := range packages {
		if bytes, err := strconv.Atoi(of[2]); err != nil || bytes > most {
			t.Errorf("%s allocates %s bytes when it is initialized", of[1], of[2])
		}
	}
}
