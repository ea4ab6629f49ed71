package naming

import (
	"flag"
	"os"
	"testing"
)

// TestMain sets how often each property is checked: PGTOWER_CHECKS times, or as often as -rapid.checks says.
func TestMain(m *testing.M) {
	checks := os.Getenv("PGTOWER_CHECKS")
	if checks == "" {
		checks = "300"
	}
	err := flag.Set("rapid.checks", checks)
	if err != nil {
		panic("PGTOWER_CHECKS must be a number: " + err.Error())
	}
	flag.Parse()
	os.Exit(m.Run())
}
