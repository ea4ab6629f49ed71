//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// TestSwitchProfiles switches between two services with keys from different sources, and checks that neither gets the
// other's.
func TestSwitchProfiles(t *testing.T) {
	t.Parallel()
	work, home := serve(t, mock.Options{}), serve(t, mock.Options{APIKey: "pgt_of_the_home_service"})
	dir := t.TempDir()
	config := fmt.Sprintf(`default_profile = "work"
[profiles.work]
base_url = %q
interval = "1s"
[profiles.home]
base_url = %q
interval = "2s"
key_command = ["printf", "%%s", "pgt_of_the_home_service"]
`, work.api.base, home.api.base)
	path := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	p := start(t, termtest.Options{
		Args: []string{"--config", path, "--project", work.BusiestProject()},
		Env:  []string{"PGTOWER_API_KEY=" + work.APIKey()},
	})
	p.Wait("● live, every 1s", "work · 127.0.0.1")
	p.Press("P")
	p.Wait("Switch profile", "key command", "in use", "the built-in mock")
	p.enter("home")
	p.Wait("● live, every 2s", "home · 127.0.0.1")
	p.Press("P")
	p.Wait("Switch profile")
	p.enter("work")
	p.Wait("● live, every 1s", "work · 127.0.0.1")
	p.quit()
	if !work.wasShown(work.APIKey()) || !home.wasShown(home.APIKey()) {
		t.Error("one of the services was not asked")
	}
	if work.wasShown(home.APIKey()) || home.wasShown(work.APIKey()) {
		t.Error("a key was sent to the other's service")
	}
	p.neverShowed(work.APIKey())
	p.neverShowed(home.APIKey())
}
