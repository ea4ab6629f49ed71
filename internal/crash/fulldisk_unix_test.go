//go:build unix

package crash

import (
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// envFullDisk makes a process the child of TestFullDisk.
const envFullDisk = "PGTOWER_TEST_FULL_DISK"

// TestFullDiskChild is a process that can create files but not write to them.
func TestFullDiskChild(t *testing.T) {
	t.Parallel()
	if os.Getenv(envFullDisk) == "" {
		t.Skip("is run by TestFullDisk")
	}
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{}); err != nil {
		t.Fatal(err)
	}
	path, err := report("boom").Write(".")
	t.Fatalf("%q, %v", path, err)
}

// A report that cannot be written leaves no file, neither in its folder nor in that for temporary files.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder, temporary := t.TempDir(), t.TempDir()
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestFullDiskChild$")
	cmd.Env, cmd.Dir = []string{envFullDisk + "=1", "TMPDIR=" + temporary}, folder
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "write pgtower-crash-") || !strings.Contains(string(out), "file too large") {
		t.Fatalf("%v: %s", err, out)
	}
	for _, at := range []string{folder, temporary} {
		if left, err := os.ReadDir(at); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
}
