package apikeys

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
)

// fill types a line into the last form, and submits it.
func (b *bench) fill(t *testing.T, text string) tea.Cmd {
	t.Helper()
	b.do(nil)
	form := b.dialog(t)
	form.Update(tea.PasteMsg{Content: text})
	enter, ok := action.Find(form.Actions(), tea.KeyPressMsg{Code: tea.KeyEnter})
	if !ok || enter.Reason() != "" {
		t.Fatalf("%q cannot be submitted: %s", text, enter.Reason())
	}
	return enter.Run()
}

// A secret is saved to a new file or piped to a command. After an error it is still there.
func TestSecretIsGiven(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	taken := filepath.Join(folder, "taken")
	if err := os.WriteFile(taken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		does, typed string
		fails       error
		said        string
		given       bool
	}{
		"file":           {"save to file", filepath.Join(folder, "key"), nil, "✓ Saved the secret to " + filepath.Join(folder, "key"), true},
		"taken":          {"save to file", taken, nil, "✗ The secret was not saved. " + taken + " already exists", false},
		"no folder":      {"save to file", filepath.Join(folder, "none", "key"), nil, "none does not exist.", false},
		"command":        {"pipe to command", "pass insert -m key", nil, "✓ The command read the secret and succeeded", true},
		"failed command": {"pipe to command", "exit 3", errors.New("the command failed (exit status 3)"), "✗ The command failed (exit status 3).", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, Options{}, "one")
			b.store.pipeErr = c.fails
			b.do(b.newCreation(keys.Change{Key: models.APIKey{Name: "new"}}).create())
			secret, ok := b.dialog(t).(*dialog.Secret)
			if !ok {
				t.Fatalf("a %T was opened", b.dialog(t))
			}
			run(t, secret.Actions(), c.does)
			b.do(nil)
			what := map[bool]string{true: "command", false: "file"}[c.does == "pipe to command"]
			if got, want := b.dialog(t).Actions()[0].Actions[0].Reason(), "the "+what+" must not be empty"; got != want {
				t.Errorf("%q, want %q", got, want)
			}
			b.do(b.fill(t, c.typed))
			contains(t, textOf(secret.Describe(page.Frame{Width: 100, Height: 40, Accessible: true})), c.said)
			if given := secret.ExitWarning() == ""; given != c.given {
				t.Errorf("given: %v: %s", given, secret.ExitWarning())
			}
			asked := slices.Contains(b.service.asked, "pipe napi_made to "+c.typed)
			if want := c.does == "pipe to command"; asked != want {
				t.Errorf("asked for %q", b.service.asked)
			}
		})
	}
}

// The result of saving a secret is shown even if the session has ended.
func TestSecretIsGivenTooLate(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{}, "one")
	b.do(b.newCreation(keys.Change{Key: models.APIKey{Name: "new"}}).create())
	secret := b.dialog(t)
	run(t, secret.Actions(), "save to file")
	file := filepath.Join(t.TempDir(), "key")
	cmd := b.fill(t, file)
	b.session.End()
	secret.OnSessionEnd()
	d, ok := cmd().(page.Delivery)
	if !ok {
		t.Fatal("no answer came")
	}
	d.Late()
	got, err := os.ReadFile(file)
	if err != nil || models.NewSecret(string(got)) != models.NewSecret("napi_made") || secret.ExitWarning() != "" {
		t.Errorf("it holds %q, %v; lost is %q", got, err, secret.ExitWarning())
	}
}
