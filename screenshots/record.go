package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// What the test of the recordings is told: to compare them with the program, or to write them.
const (
	envCompare = "PGTOWER_TEST_SCREENSHOTS"
	envWrite   = "PGTOWER_UPDATE"
)

// record makes, or checks, the recordings that are asked for. Simulated time is to be had in tests
// only, so it is a test that does the work.
func record(ctx context.Context, out io.Writer, root string, opts options) error {
	var names []string
	for _, r := range recordings() {
		if strings.Contains(r.name, opts.only) {
			names = append(names, r.name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-run", "^TestRecordings$/^("+strings.Join(names, "|")+")$", "./screenshots") //nolint:gosec // names of this package
	cmd.Dir = root
	cmd.Env = append(os.Environ(), envCompare+"=1", envWrite+"=")
	if !opts.check {
		cmd.Env = append(cmd.Env, envWrite+"=1")
	}
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("recordings: %w\n%s", err, said)
	}
	if opts.check {
		return nil
	}
	_, err := fmt.Fprintln(out, strings.Join(names, "\n"))
	return err
}
