package cli

import (
	"cmp"
	"flag"
	"os"
	"testing"
)

// TestMain sets how often each property is checked: PGTOWER_CHECKS times, or as often as -rapid.checks says.
func TestMain(m *testing.M) {
	err := flag.Set("rapid.checks", cmp.Or(os.Getenv("PGTOWER_CHECKS"), "20"))
	if err != nil {
		panic("PGTOWER_CHECKS must be a number: " + err.Error())
	}
	flag.Parse()
	m.Run()
}
