package feed

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// thorough reports whether tests of a whole fleet have as many projects as it may have.
func thorough() bool {
	checks, _ := strconv.Atoi(os.Getenv("PGTOWER_CHECKS"))
	return checks >= 1000
}

// TestMain sets how often each property is checked: PGTOWER_CHECKS times, or as often as -rapid.checks says.
func TestMain(m *testing.M) {
	checks := os.Getenv("PGTOWER_CHECKS")
	if checks == "" {
		checks = "30"
	}
	err := flag.Set("rapid.checks", checks)
	if err != nil {
		panic("PGTOWER_CHECKS must be a number: " + err.Error())
	}
	flag.Parse()
	os.Exit(m.Run())
}
