package dialog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const key = "napi_the-secret"

func mayQuit(m *dialog.Secret) bool { return m.ExitWarning() == "" || m.Warn() }

func secretView(m *dialog.Secret) string { return view(m, frame(80, 24)) }

// made returns the dialog of a created key; without a text its secret is lost. Its clipboard works.
func made(text string) *dialog.Secret {
	m := dialog.NewSecret("ci", func(c page.Copy) { c.Taken() })
	if text == "" {
		m.Created(models.CreatedAPIKey{ID: 7}, "", dialog.Line{Text: "Revoke it."})
		return m
	}
	m.Created(models.CreatedAPIKey{ID: 7, Key: models.NewSecret(text)}, "works with every project of the account")
	m.Keep = func() tea.Cmd { return nil }
	return m
}

// A footer of 60 cells has every way to save a new secret.
func TestSecretFooterHasEveryWayToSave(t *testing.T) {
	t.Parallel()
	m := made(key)
	m.ToFile, m.ToCommand = func() {}, func() {}
	const width = 60
	want := " c copy  r reveal  k profile  esc done  f file  p command "
	if got := action.NewBar(&style.Theme{}, width, m.Actions()).View(width); strings.TrimRight(got, " ")+" " != want {
		t.Errorf("%q", got)
	}
}

// TestSecretLeaving presses keys, and checks after each whether the dialog is closed.
func TestSecretLeaving(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		key, keys string
		gone      int // closed after this many keys, or none
	}{
		"esc asks again, however often": {key, "⎋⎋⎋", 0},
		"q after that leaves":           {key, "⎋q", 2},
		"another key takes that back":   {key, "⎋xq", 0},
		"q alone does not":              {key, "qq", 0},
		"enter never leaves unseen":     {key, "\n\n\n", 0},
		"seen":                          {key, "r\n", 2},
		"seen and hidden again":         {key, "rr⎋", 3},
		"copied":                        {key, "c⎋", 2},
		"keeping is asked for twice":    {key, "k⎋", 0},
		"there is nothing to be lost":   {"", "⎋", 1},
		"nothing to reveal or to copy":  {"", "rc\n", 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := made(c.key)
			abandoned := false
			m.Abandon = func() { abandoned = true }
			gone := send(t, m, keysOf(c.keys)...)
			if !m.Done() {
				gone = 0
			}
			if gone != c.gone || abandoned != (m.Done() && c.keys == "⎋q") {
				t.Errorf("gone after %d, want %d; abandoned: %v", gone, c.gone, abandoned)
			}
		})
	}
}

// A paste is not a sequence of keys: it does not reveal the secret.
func TestSecretIgnoresAPaste(t *testing.T) {
	t.Parallel()
	m := made(key)
	if send(t, m, tea.PasteMsg{Content: "rc"}, keysOf("⎋")[0]); m.Done() {
		t.Error("it is left")
	}
}

// The secret is drawn only after r, is never announced, and is copied as a secret. A lost one is named with what to do.
func TestSecretIsShownOnlyWhenAskedFor(t *testing.T) {
	t.Parallel()
	var got page.Copy
	var receivers []string
	m := dialog.NewSecret("ci", func(c page.Copy) { got = c })
	m.Taking = func(receiver string) tea.Cmd {
		receivers = append(receivers, receiver)
		return nil
	}
	m.Created(models.CreatedAPIKey{ID: 7, Key: models.NewSecret(key)}, "")
	for _, shown := range []bool{false, true, false} {
		if strings.Contains(secretView(m), key) != shown || !strings.Contains(secretView(m), "id 7") {
			t.Error(secretView(m))
		}
		said := m.Describe(frame(80, 24))
		if (said.Secret == key) != shown {
			t.Errorf("%q is shown to those who hear", said.Secret)
		}
		if said.Secret = ""; strings.Contains(fmt.Sprintf("%+v", said), key) {
			t.Errorf("the secret is said: %+v", said)
		}
		send(t, m, keysOf("r")...)
	}
	send(t, m, keysOf("c")...)
	if got.Text != models.NewSecret(key) || !got.Secret || got.Label != "the API key ci" {
		t.Errorf("%+v", got)
	}
	if want := []string{"screen", "screen", "clipboard"}; !slices.Equal(receivers, want) { // not when it is hidden
		t.Errorf("taken to %q, want %q", receivers, want)
	}
	lost := made("")
	if !strings.Contains(secretView(lost), "Revoke it.") || !strings.Contains(lost.ExitWarning(), "(id 7)") {
		t.Error(secretView(lost), lost.ExitWarning())
	}
}

// TestSecretIgnoresKeysDuringTheCreation types while the key is being created.
func TestSecretIgnoresKeysDuringTheCreation(t *testing.T) {
	t.Parallel()
	m := dialog.NewSecret("ci", func(page.Copy) { t.Error("copied") })
	if send(t, m, keysOf("ckr\n⎋")...); m.Done() {
		t.Error("it is left")
	}
	m.Created(models.CreatedAPIKey{ID: 7, Key: models.NewSecret(key)}, "")
	if strings.Contains(secretView(m), key) || mayQuit(m) {
		t.Error(secretView(m))
	}
}

// If only the terminal can copy, a second c is needed, and the copy is not taken as saved.
func TestSecretCopiedByTheTerminalIsUnconfirmed(t *testing.T) {
	t.Parallel()
	var got []page.Copy
	m := dialog.NewSecret("ci", func(c page.Copy) {
		if got = append(got, c); !c.Terminal {
			c.OnlyTerminal()
		}
	})
	m.Created(models.CreatedAPIKey{ID: 7, Key: models.NewSecret(key)}, "")
	send(t, m, keysOf("c")...)
	if len(got) != 1 || got[0].Terminal || !strings.Contains(secretView(m), "Not copied: only your terminal can copy it") {
		t.Errorf("%+v\n%s", got, secretView(m))
	}
	if send(t, m, keysOf("c")...); !strings.Contains(secretView(m), "Clear the clipboard yourself after use.") {
		t.Error(secretView(m))
	}
	if send(t, m, keysOf("⎋")...); len(got) != 2 || !got[1].Terminal || m.Done() || !strings.Contains(secretView(m), "OSC 52, unconfirmed") {
		t.Error(secretView(m))
	}
	m.Abandon = func() { t.Error("the user may have the secret") }
	if send(t, m, keysOf("q")...); !m.Done() {
		t.Error("q does not leave")
	}
}

// The key replaces that of the profile only after k twice. The result or the failure is shown.
func TestSecretIsKept(t *testing.T) {
	t.Parallel()
	m, kept := made(key), 0
	m.Keep = func() tea.Cmd {
		kept++
		return nil
	}
	if send(t, m, keysOf("k")...); kept > 0 || !strings.Contains(secretView(m), "Press k again") {
		t.Error(secretView(m))
	}
	if send(t, m, keysOf("k")...); kept != 1 {
		t.Errorf("kept %d times", kept)
	}
	m.Doing("Keeping it…")
	if send(t, m, keysOf("⎋")...); m.Done() || !strings.Contains(m.ExitWarning(), "may not have been saved") {
		t.Errorf("left while it is being kept, or lost: %q", m.ExitWarning())
	}
	m.NotKept("The keyring is locked.")
	send(t, m, keysOf("⎋")...)
	if !strings.Contains(secretView(m), "copied, revealed or saved") {
		t.Error(secretView(m))
	}
	send(t, m, keysOf("kk")...)
	m.NotKept("The keyring is locked.")
	if !strings.Contains(secretView(m), "The keyring is locked.") {
		t.Errorf("why it failed cannot be seen:\n%s", secretView(m))
	}
	m.Kept("key from the keyring")
	if send(t, m, keysOf("\n")...); !m.Done() || !mayQuit(m) {
		t.Error("a key that is kept may be left")
	}
}

// Quitting is refused once while the secret could be lost, and not if there is none to lose.
func TestSecretWarnsOnceOfQuitting(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]*dialog.Secret{"unseen": made(key), "being made": dialog.NewSecret("ci", nil)} {
		if mayQuit(m) || !mayQuit(m) {
			t.Errorf("%s: not warned of once", name)
		}
	}
	failed := dialog.NewSecret("ci", nil)
	failed.Created(models.CreatedAPIKey{}, "", dialog.Line{Text: "no"})
	if !mayQuit(failed) || !mayQuit(made("")) {
		t.Error("there is nothing to be lost")
	}
}

// The dialog stays after the end of the session, and can be left.
func TestSecretOutlivesTheSession(t *testing.T) {
	t.Parallel()
	m := made(key)
	m.Abandon = func() { t.Error("the session is over") }
	m.Doing("Keeping it…")
	m.OnSessionEnd()
	if !strings.Contains(secretView(m), "may not have been saved") {
		t.Error(secretView(m))
	}
	if send(t, m, keysOf("kk⎋q")...); !m.Done() {
		t.Error("it cannot be left")
	}
}
