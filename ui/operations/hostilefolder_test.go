package operations_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgtower/internal/play"
)

// The name of the current folder is untrusted.
func TestExportInAFolderOfAHostileName(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a\x1b[2J\u202eb")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Skip("no such name on this system")
	}
	t.Chdir(folder)
	play.Run(t, 200, 36, nil, func(p *play.Program) {
		for _, said := range []string{"operations saved to ", "already exists"} {
			p.Export("feed.csv")
			p.CheckView()
			p.Sees(said)
		}
	})
	if b, err := os.ReadFile("feed.csv"); err != nil || !strings.HasPrefix(string(b), "id,project_id") {
		t.Errorf("%v: %q", err, b)
	}
}
