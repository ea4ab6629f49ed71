package driver

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Files are the standard files of a command.
type Files struct {
	In, Out, Err *os.File

	tb testing.TB
}

// NewFiles returns the files of a command with a standard input.
func NewFiles(tb testing.TB, stdin string) *Files {
	tb.Helper()
	f, folder := &Files{tb: tb}, tb.TempDir()
	for name, file := range map[string]**os.File{"stdin": &f.In, "stdout": &f.Out, "stderr": &f.Err} {
		var err error
		if *file, err = os.Create(filepath.Join(folder, name)); err != nil { //nolint:gosec // a file of the test
			tb.Fatal(err)
		}
		tb.Cleanup(func() { _ = (*file).Close() })
	}
	if _, err := f.In.WriteString(stdin); err != nil {
		tb.Fatal(err)
	}
	if _, err := f.In.Seek(0, io.SeekStart); err != nil {
		tb.Fatal(err)
	}
	return f
}

// Printed returns the output of the command.
func (f *Files) Printed() (stdout, stderr string) {
	f.tb.Helper()
	return f.text(f.Out), f.text(f.Err)
}

func (f *Files) text(file *os.File) string {
	f.tb.Helper()
	text, err := os.ReadFile(file.Name())
	if err != nil {
		f.tb.Fatal(err)
	}
	return string(text)
}
