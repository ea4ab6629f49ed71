//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// The dashboard opens with a view of the file, switches to the others, and remembers the screen as another one. The
// file stays as it is.
func TestViews(t *testing.T) {
	t.Parallel()
	const config = "# mine\r\n[[views]] # a\r\nname = \"Slowest\" # b\r\nsort = \"-took\"\r\ncolumns = ['took', 'action']\r\n"
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	b := serve(t, mock.Options{})
	home := t.TempDir()
	start := func(view string) *program {
		return start(t, termtest.Options{Home: home, Args: []string{"--config", path, "--view", view}, Env: b.env()})
	}
	p := start("slowest")
	p.Wait("TOOK▼", " Slowest ", " Failed ")
	p.WaitGone("BRANCH")
	p.Press("f")
	p.Wait("BRANCH", "/ is:failed")
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
	p.Wait("Saved the view Now", "[[views]]", "name = 'Now'", "filter = 'is:unfinished'")
	p.leave("Saved the view Now")
	p.Wait(" Now ")
	p.quit()
	if saved, err := os.ReadFile(path); err != nil || string(saved) != config {
		t.Errorf("%q, %v", saved, err)
	}
	p = start("now")
	p.Wait("/ is:unfinished", " Now ")
	p.quit()
}
