package apikeys

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/page"
)

// A secret is saved to a new file or piped to a command. After an error, it can be given again.
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
			b.creates(named("new"))
			secret := b.Opened()
			secret.Run(c.does)
			what := map[bool]string{true: "command", false: "file"}[c.does == "pipe to command"]
			if got, want := b.Opened().Actions()[0].Actions[0].Reason(), "the "+what+" must not be empty"; got != want {
				t.Errorf("%q, want %q", got, want)
			}
			form := b.Opened()
			form.Paste(c.typed)
			form.Press("enter")
			secret.Says(c.said)
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
	b.creates(named("new"))
	secret := b.Opened()
	secret.Run("save to file")
	file := filepath.Join(t.TempDir(), "key")
	form := b.Opened()
	form.Paste(file)
	cmd := form.Begin("enter")
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

// The row of a new key shows where its secret is as soon as it is listed. What could not be written of that is reported.
func TestRowTellsWhereTheSecretIs(t *testing.T) {
	t.Parallel()
	const lost = "The journal does not have what came of this change: disk full."
	file := filepath.Join(t.TempDir(), "key")
	for name, take := range map[string]func(b *bench, c *creation){
		"file":    func(b *bench, c *creation) { b.Do(c.toFile(file)) },
		"command": func(b *bench, c *creation) { b.Do(c.toCommand("store it")) },
		"screen":  func(b *bench, _ *creation) { b.Opened().Run("reveal") },
	} {
		for _, err := range []error{nil, errors.New("disk full")} {
			journal := &fakeJournal{}
			b := newBench(t, Options{Journal: journal}, "one")
			b.listsUse(1, time.Hour)
			c := b.creates(keys.Change{Key: models.APIKey{Name: "next"}, Old: *b.keys.Row(0), Quiet: time.Hour})
			b.listsUse(101, 0)
			contains(t, b.noteOf(101), "nobody has its secret")
			journal.err = err
			_ = os.Remove(file)
			take(b, c)
			if note := b.noteOf(101); strings.Contains(note, "nobody") {
				t.Errorf("%s: %s", name, note)
			}
			if told := slices.Contains(b.Notices(), lost); told != (err != nil) {
				t.Errorf("%s, with the error %v: %q", name, err, b.Notices())
			}
		}
	}
}
