package ui

import (
	"cmp"
	"flag"
	"os"
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
	m.Run()
}
