//go:build unix

package e2e

import (
	"context"
	"flag"
	"os"
	"testing"

	"pgtower/internal/termtest"
)

func TestMain(m *testing.M) {
	// The tests wait more than they work; -parallel on the command line still wins.
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	os.Exit(termtest.Main(context.Background(), m, "pgtower", buildFlags()...))
}
