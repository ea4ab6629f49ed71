//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// vault starts pgtower with a profile whose key is in a file, which its commands read and write.
func (b *backend) vault(store string) (p *program, file string) {
	b.t.Helper()
	s := newShell(b.t)
	file = filepath.Join(s.home, "vault")
	if err := os.WriteFile(file, []byte(b.APIKey()+"\n"), 0o600); err != nil {
		b.t.Fatal(err)
	}
	s.config("[profiles.default]\nbase_url = '" + b.base + "'\n" +
		"key_command = ['cat', '" + file + "']\nkey_store_command = \"" + strings.ReplaceAll(store, "FILE", file) + "\"\n")
	return start(b.t, termtest.Options{Home: s.home, Args: []string{"--project", b.project("payments")}}), file
}

func holds(t *testing.T, file, want string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil || string(text) != want {
		t.Errorf("%s has %d bytes, %v", file, len(text), err)
	}
}

// A rotation saves the new key with the profile's command, and continues with it.
func TestRotationByCommand(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p, file := b.vault("cat > 'FILE'")
	p.keys()
	p.RotateOwn().Submit()
	rotated := p.Dialog("The key was rotated").Reads("works and is now in use: key from the key command.")
	holds(t, file, b.createdSecret()+"\n")
	rotated.Leave()
	p.Press("r")
	p.quit()
	p.neverShowed(b.createdSecret())
}

// A secret goes to a file and to a command, and nowhere else.
func TestSecretGoesToFileAndCommand(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	w := b.watch()
	given := w.keys().Create("given")
	secret := b.createdSecret()
	given.ToCommand("exec sleep 0")
	w.Reads("The command ended without reading the key.")
	given.ToFile("~/none/key")
	w.Reads("The secret was not saved.", "does not exist.")
	file := filepath.Join(b.t.TempDir(), "key")
	given.ToFile(file)
	w.Reads("Saved the secret to ", "which only you can read.")
	holds(t, file, secret)
	given.ToCommand("cat > '" + file + ".piped'")
	w.Reads("The command read the secret and succeeded (exit status 0).")
	holds(t, file+".piped", secret)
	given.Leave()
	w.keptNothingOf(secret)
}
