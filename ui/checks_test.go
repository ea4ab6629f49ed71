package ui_test

import (
	"cmp"
	"flag"
	"os"
	"runtime/debug"
	"testing"
)

// thorough reports whether the tests play everything, and not only what finds most mistakes.
func thorough() bool { return os.Getenv("PGTOWER_CHECKS") != "" }

// TestMain sets how often each property is checked: PGTOWER_CHECKS times, or as often as -rapid.checks says.
func TestMain(m *testing.M) {
	err := flag.Set("rapid.checks", cmp.Or(os.Getenv("PGTOWER_CHECKS"), "20"))
	if err != nil {
		panic("PGTOWER_CHECKS must be a number: " + err.Error())
	}
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() == "" {
		// Each test has a small service and program of its own: a quarter of the time would be for collecting them.
		debug.SetGCPercent(400)
	}
	m.Run()
}
