package apikeys

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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

// The row of a new key tells where its secret is as soon as it is there, and what could not be written of that is told.
func TestRowTellsWhereTheSecretIs(t *testing.T) {
	t.Parallel()
	const lost = "The journal does not have what came of this change: disk full."
	for name, take := range map[string]func(t *testing.T, b *bench, c *creation) tea.Cmd{
		"file": func(t *testing.T, _ *bench, c *creation) tea.Cmd {
			t.Helper()
			return c.toFile(filepath.Join(t.TempDir(), "key"))
		},
		"command": func(_ *testing.T, _ *bench, c *creation) tea.Cmd { return c.toCommand("store it") },
		"screen": func(t *testing.T, b *bench, _ *creation) tea.Cmd {
			t.Helper()
			return run(t, b.dialog(t).Actions(), "reveal")
		},
	} {
		for _, err := range []error{nil, errors.New("disk full")} {
			journal := &fakeJournal{}
			b := newBench(t, Options{Journal: journal}, "one")
			b.used(1, time.Hour)
			b.reload()
			c := b.newCreation(keys.Change{Key: models.APIKey{Name: "next"}, Old: *b.keys.Row(0), Quiet: time.Hour})
			b.do(c.create())
			b.used(101, 0)
			b.reload()
			contains(t, b.noteOf(101), "nobody has its secret")
			journal.err = err
			b.do(take(t, b, c))
			if note := b.noteOf(101); strings.Contains(note, "nobody") {
				t.Errorf("%s: %s", name, note)
			}
			if told := slices.Contains(b.notices(), lost); told != (err != nil) {
				t.Errorf("%s, with the error %v: %q", name, err, b.notices())
			}
		}
	}
}
