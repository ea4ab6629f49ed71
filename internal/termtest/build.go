package termtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// binaryEnv passes the path of the binary from [Main] to [Binary]: the alternative would be a global variable.
const binaryEnv = "TERMTEST_BINARY"

// Build compiles the package pkg, a path or import path, into dir and returns the path of the binary. The flags go to
// go build.
func Build(ctx context.Context, dir, pkg string, flags ...string) (string, error) {
	path := filepath.Join(dir, "program")
	args := slices.Concat([]string{"build"}, flags, []string{"-o", path, pkg})
	out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput() //nolint:gosec // the caller's own package
	if err != nil {
		return "", fmt.Errorf("go build %s: %w\n%s", pkg, err, out)
	}
	return path, nil
}

// Main is a TestMain that builds pkg once, runs the tests, and removes the binary again. The tests find it with
// [Binary]:
//
//	func TestMain(m *testing.M) {
//		os.Exit(termtest.Main(context.Background(), m, "../.."))
//	}
func Main(ctx context.Context, m interface{ Run() int }, pkg string, flags ...string) int {
	dir, err := os.MkdirTemp("", "termtest-build-")
	if err != nil {
		return fail(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path, err := Build(ctx, dir, pkg, flags...)
	if err != nil {
		return fail(err)
	}
	return MainOf(m, path)
}

// MainOf is [Main] for a program that is built already.
func MainOf(m interface{ Run() int }, path string) int {
	if err := os.Setenv(binaryEnv, path); err != nil {
		return fail(err)
	}
	heedSignals()
	return m.Run()
}

// heedSignals catches the signals that the tests ignore, as under nohup or in the background of a script. A program inherits
// ignored signals, so that it could not be ended by them. It does not inherit caught ones.
func heedSignals() {
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGHUP} {
		if signal.Ignored(sig) {
			signal.Notify(make(chan os.Signal, 1), sig)
		}
	}
}

// WriteScript writes a program. No process is started meanwhile: it would inherit the open file for a moment, and a file that
// is open for writing cannot be run.
func WriteScript(tb testing.TB, path, text string) {
	tb.Helper()
	syscall.ForkLock.RLock()
	err := os.WriteFile(path, []byte(text), 0o700) //nolint:gosec // it is to be run
	syscall.ForkLock.RUnlock()
	if err != nil {
		tb.Fatal(err)
	}
}

func fail(err error) (code int) {
	fmt.Fprintln(os.Stderr, "termtest:", err)
	return 1
}

// Binary returns the path of the program that [Main] has built.
func Binary(tb testing.TB) string {
	tb.Helper()
	path := os.Getenv(binaryEnv)
	if path == "" {
		tb.Fatal("no binary: the package's TestMain must call termtest.Main")
	}
	return path
}
