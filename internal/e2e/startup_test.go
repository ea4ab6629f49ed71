//go:build unix

package e2e

import (
	"regexp"
	"strconv"
	"testing"
)

// No package builds a large table or pattern when it is initialized: every command would wait for it. Memory is measured,
// because time depends on the machine. The libraries of the metrics have a bound of their own: half a millisecond.
func TestStartupBuildsNothingLarge(t *testing.T) {
	t.Parallel()
	const most, ofMetrics = 64 << 10, 2 << 20 // bytes for each package
	bound := map[string]int{"github.com/prometheus/procfs": ofMetrics, "github.com/prometheus/client_golang/prometheus": ofMetrics}
	out := newShell(t, "GODEBUG=inittrace=1").run("", "version").ends(0)
	packages := regexp.MustCompile(`(?m)^init (\S+) @.* clock, (\d+) bytes`).FindAllStringSubmatch(out.stderr, -1)
	if len(packages) < 20 {
		t.Fatalf("no trace of the packages:\n%s", out.stderr)
	}
	for _, of := range packages {
		if bytes, err := strconv.Atoi(of[2]); err != nil || bytes > max(most, bound[of[1]]) {
			t.Errorf("%s allocates %s bytes when it is initialized", of[1], of[2])
		}
	}
}
