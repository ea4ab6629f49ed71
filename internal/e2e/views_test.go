//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgtower/client/mock"
)

// The dashboard opens with a view of the file, switches to the others, and saves the current state as another one.
func TestViews(t *testing.T) {
	t.Parallel()
	const config = "# mine\r\n[[views]] # a\r\nname = \"Slowest\" # b\r\nsort = \"-took\"\r\ncolumns = ['took', 'action']\r\n"
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	b := serve(t, mock.Options{})
	p := b.program("--config", path, "--view", "slowest")
	p.Wait("TOOK▼", " Slowest ", " Failed ")
	p.WaitGone("BRANCH")
	p.Press("}") // after the last comes the first
	p.Wait("BRANCH")
	p.Press("}")
	p.Wait("/ is:failed")
	p.Press("2")
	p.Wait("REGION")
	p.Press(":")
	p.Send("view unf")
	p.Wait("Unfinished", "is:unfinished")
	p.Press("enter")
	p.Wait("/ is:unfinished")
	p.Press(":")
	p.Send("save view Now")
	p.Press("enter")
	p.Wait("Saved the view Now", " Now ")
	p.quit()
	saved, err := os.ReadFile(path)
	rest, kept := strings.CutPrefix(string(saved), config)
	if err != nil || !kept || !strings.Contains(rest, "name = 'Now'\r\nfilter = 'is:unfinished'\r\n") {
		t.Errorf("%q, %v", saved, err)
	}
	p = b.program("--config", path, "--view", "now")
	p.Wait("/ is:unfinished", " Now ")
	p.quit()
}
