//go:build unix

package e2e

import (
	"regexp"
	"testing"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// keyless runs pgtower on the backend without a key and without a keyring.
func (b *backend) keyless(args ...string) *program {
	b.t.Helper()
	return start(b.t, termtest.Options{Args: args, Env: []string{"PGTOWER_BASE_URL=" + b.api.base}})
}

func TestSignInWithoutAKeyring(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.keyless()
	p.waitSaid("Sign in", b.api.base, "API key:", "this session has no D-Bus, so the OS keyring cannot be reached.", "Set PGTOWER_API_KEY")
	// Without a key, Enter looks for one again.
	p.Press("enter")
	p.waitSaid("Sign in", "the OS keyring cannot be reached.")
	const wrong = "pgt_wrong_0123456789abcdef"
	p.Send(wrong)
	p.Wait("API key: •••••")
	p.Press("enter")
	p.waitSaid("✗ That key was refused (401). Try another.")
	p.Paste("  " + b.APIKey() + "\n")
	p.Wait("API key: •••••")
	p.Press("enter")
	p.choose("payments")
	p.Wait("key in memory", "held for this session only", "● live, every 5s")
	p.quit()
	p.neverShowed(wrong)
	p.neverShowed(b.APIKey())
}

func TestSignInTyped(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.keyless("--project", b.project("payments"))
	p.Wait("API key:")
	p.Send("something else that is wrong")
	p.Wait("API key: •••••")
	p.Press("ctrl+u")
	p.WaitGone("•")
	p.enter(b.APIKey())
	p.Wait("● live, every 5s", " payments ", "held for this session only")
	p.quit()
	p.neverShowed(b.APIKey())
}

func TestSignInWhileTheServiceIsDown(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	b.stop()
	p := b.keyless()
	p.Wait("API key:")
	p.enter(b.APIKey())
	p.waitSaid("✗ verify the key: the service cannot be reached")
	b.restart()
	p.Press("enter") // the key still exists and was not refused
	p.Wait("all projects (12)")
	p.Press("ctrl+c")
	p.ended()
	p.neverShowed(b.APIKey())
}

func TestSignInIsLeftWithCtrlC(t *testing.T) {
	t.Parallel()
	p := serve(t, mock.Options{}).keyless()
	p.Wait("API key:")
	p.Press("q") // text for the key
	p.Wait("API key: •")
	p.Press("ctrl+c")
	p.ended()
}

func TestKeyIsRevokedMeanwhile(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	other := b.api.createKey("other")
	// Wide enough for an id on one line of the details.
	p := start(t, termtest.Options{
		Env: b.env(), Args: []string{"--project", b.project("payments"), "--interval", "1s"}, Cols: 170, Rows: 40,
	})
	p.Wait("● live, every 1s", "finished")
	p.Press("j", "j", "j", "j", "j")
	p.waitRow("6", func(row, _ int) bool { return row == 6 })
	// The detail pane follows after a pause in the keys; opened details belong to the row.
	p.Press("enter")
	p.WaitGone("STATUS")
	id := regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`).FindString(p.Screen().String())
	if id == "" {
		t.Fatalf("no id on the screen:\n%s", p.Screen())
	}
	p.Press("esc")
	p.Wait("STATUS")

	if !b.RevokeSecret(b.APIKey()) {
		t.Fatal("no key to revoke")
	}
	p.Wait("Sign in", "signed out · as of", "finished", " payments ", "The service refused the API key (401).")
	p.Paste(b.APIKey())
	p.Wait("API key: •••••")
	p.Press("enter")
	p.waitSaid("That key was refused (401). Try another.")
	p.Paste(other)
	p.Wait("API key: •••••")
	p.Press("enter")
	p.Wait("● live, every 1s", " payments ")
	p.Press("enter")
	p.WaitGone("STATUS")
	p.Wait(id)
	p.Press("esc")
	p.Wait("STATUS")
	p.waitRow("the same as before or lower", func(row, _ int) bool { return row >= 6 })
	p.quit()
	p.neverShowed(b.APIKey())
	p.neverShowed(other)
}

func TestOtherPagesComeBackToo(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	other := b.api.createKey("other")
	p := b.program("--project", b.project("payments"), "--interval", "1s")
	p.Wait("● live, every 1s")
	p.Press("3")
	p.Wait("LAST USED")
	p.Press("j", "j", "j")
	p.waitSelected("ci-deploy")
	p.Press("n")
	p.Wait("Name: ")
	b.RevokeSecret(b.APIKey())
	p.Wait("Sign in", "The service refused the API key")
	p.WaitGone("Name: ")
	p.Paste(other)
	p.Press("enter")
	p.WaitGone("signed out")
	p.Wait("LAST USED", "other")
	p.waitSelected("ci-deploy")
	p.quit()
}

func TestServerErrorIsNoReasonToSignOut(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.program("--project", b.project("payments"), "--interval", "1s")
	p.Wait("● live, every 1s", "finished")
	if _, err := b.Inject("403 of /projects/*/operations"); err != nil {
		t.Fatal(err)
	}
	p.Wait("✗ cannot read payments (403): permission denied", "finished")
	p.quit()
}
