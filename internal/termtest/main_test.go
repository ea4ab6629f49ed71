//go:build unix

package termtest

import (
	"context"
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	os.Exit(Main(context.Background(), leakChecked{m}, "./testdata/stage"))
}

// leakChecked runs the tests, and fails them if a terminal left a goroutine behind.
type leakChecked struct{ m *testing.M }

func (l leakChecked) Run() int {
	code := l.m.Run()
	if err := goleak.Find(); err != nil && code == 0 {
		_, _ = os.Stderr.WriteString(err.Error() + "\n")
		return 1
	}
	return code
}

// stage starts the program of testdata/stage.
func stage(t *testing.T, opts Options) *Terminal {
	t.Helper()
	opts.Path = Binary(t)
	term := Start(t, opts)
	term.Wait("size ")
	return term
}

// shell starts a shell script.
func shell(t *testing.T, script string, opts Options) *Terminal {
	t.Helper()
	opts.Path, opts.Args = "/bin/sh", []string{"-c", script}
	return Start(t, opts)
}
