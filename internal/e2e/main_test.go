//go:build unix

package e2e

import (
	"context"
	"flag"
	"os"
	"runtime/debug"
	"slices"
	"testing"

	"pgtower/internal/termtest"
)

// TestMain builds the program, unless PGTOWER_TEST_PROGRAM is the path of one that was built with [buildFlags].
func TestMain(m *testing.M) {
	// The tests wait more than they work; -parallel on the command line still wins.
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	if path := os.Getenv("PGTOWER_TEST_PROGRAM"); path != "" {
		os.Exit(termtest.MainOf(m, path))
	}
	os.Exit(termtest.Main(context.Background(), m, "../..", buildFlags()...))
}

// buildFlags returns the flags that build the program with the race detector if the tests are built with it.
func buildFlags() []string {
	tests, ok := debug.ReadBuildInfo()
	if ok && slices.Contains(tests.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		return []string{"-race"}
	}
	return nil
}
