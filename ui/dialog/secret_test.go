package dialog_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pgtower/models"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const key = "napi_the-secret"

type keep struct{}

func secretView(m *dialog.Secret) string {
	return ansi.Strip(m.View(page.Frame{Width: 80, Height: 24, Theme: style.NewTheme(true, colorprofile.TrueColor)}))
}

func letter(r rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: r, Text: string(r)} }

func esc() tea.KeyPressMsg   { return tea.KeyPressMsg{Code: tea.KeyEscape} }
func enter() tea.KeyPressMsg { return tea.KeyPressMsg{Code: tea.KeyEnter} }

// made is the dialog of a key that was created; without a text its secret is lost.
func made(text string) *dialog.Secret {
	m := dialog.NewSecret("ci")
	if text == "" {
		m.Unusable(models.CreatedAPIKey{ID: 7}, dialog.Line{Text: "Revoke it."})
		return m
	}
	m.Created(models.CreatedAPIKey{ID: 7, Key: models.NewSecret(text)})
	m.OfferKeep(keep{})
	return m
}

// TestLeaving presses keys, and asks after each whether the dialog is gone. What is copied
// reaches the clipboard.
func TestSecretLeaving(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		key  string
		msgs []tea.Msg
		gone int // after how many messages
	}{
		"esc asks again, however often": {key, []tea.Msg{esc(), esc(), esc()}, 0},
		"q after that leaves":           {key, []tea.Msg{esc(), letter('q')}, 2},
		"q alone does not":              {key, []tea.Msg{letter('q'), letter('q')}, 0},
		"enter never leaves unseen":     {key, []tea.Msg{enter(), enter(), enter()}, 0},
		"seen":                          {key, []tea.Msg{letter('r'), enter()}, 2},
		"seen and hidden again":         {key, []tea.Msg{letter('r'), letter('r'), esc()}, 3},
		"copied":                        {key, []tea.Msg{letter('c'), esc()}, 2},
		"keeping is asked for twice":    {key, []tea.Msg{letter('k'), esc()}, 0},
		"a paste does nothing":          {key, []tea.Msg{tea.PasteMsg{Content: "rc"}, esc()}, 0},
		"there is nothing to be lost":   {"", []tea.Msg{esc()}, 1},
		"nothing to reveal or to copy":  {"", []tea.Msg{letter('r'), letter('c'), enter()}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := made(c.key)
			gone := 0
			for i, msg := range c.msgs {
				done, answer := m.Update(msg)
				if copied, ok := answer.(page.Copy); ok {
					copied.Taken()
				}
				if done && gone == 0 {
					gone = i + 1
				}
			}
			if gone != c.gone {
				t.Errorf("gone after %d, want %d", gone, c.gone)
			}
		})
	}
}

func TestSecretIsShownOnlyWhenAskedFor(t *testing.T) {
	t.Parallel()
	m := made(key)
	if strings.Contains(secretView(m), key) || !strings.Contains(secretView(m), "id 7") {
		t.Error(secretView(m))
	}
	m.Update(letter('r'))
	if !strings.Contains(secretView(m), key) {
		t.Error(secretView(m))
	}
	m.Update(letter('r'))
	if strings.Contains(secretView(m), key) {
		t.Error(secretView(m))
	}
	_, answer := m.Update(letter('c'))
	got, ok := answer.(page.Copy)
	if !ok || got.Text != models.NewSecret(key) || !got.Secret || got.Label != "the API key ci" {
		t.Errorf("%+v", answer)
	}
	if lost := made(""); !strings.Contains(secretView(lost), "Revoke it.") || !strings.Contains(lost.Farewell(), "(id 7)") {
		t.Error(secretView(lost), lost.Farewell())
	}
}

// TestTypingMeetsNoSecret types on while the key is being made.
func TestTypingMeetsNoSecret(t *testing.T) {
	t.Parallel()
	m := dialog.NewSecret("ci")
	for _, msg := range []tea.Msg{letter('c'), letter('k'), letter('r'), enter(), esc()} {
		if done, answer := m.Update(msg); done || answer != nil {
			t.Errorf("%v: %v, %v", msg, done, answer)
		}
	}
	m.Created(models.CreatedAPIKey{ID: 7, Key: models.NewSecret(key)})
	if strings.Contains(secretView(m), key) || m.MayQuit() {
		t.Error(secretView(m))
	}
}

func TestSentToATerminalIsNotKnownToBeCopied(t *testing.T) {
	t.Parallel()
	m := made(key)
	m.Update(letter('c'))
	if done, _ := m.Update(esc()); done || !strings.Contains(secretView(m), "sent to the terminal") {
		t.Error(secretView(m))
	}
}

func TestKeeping(t *testing.T) {
	t.Parallel()
	m := made(key)
	m.Update(letter('k'))
	if !strings.Contains(secretView(m), "k again keeps it") {
		t.Error(secretView(m))
	}
	if _, answer := m.Update(letter('k')); answer != (keep{}) {
		t.Errorf("%v", answer)
	}
	m.Doing("Keeping it…")
	if done, _ := m.Update(esc()); done {
		t.Error("left while it is being kept")
	}
	m.NotKept("The keyring is locked.")
	m.Update(esc())
	if !strings.Contains(secretView(m), "neither copied, seen nor kept") {
		t.Error(secretView(m))
	}
	m.Update(letter('k'))
	m.Update(letter('k'))
	m.NotKept("The keyring is locked.")
	if !strings.Contains(secretView(m), "The keyring is locked.") {
		t.Errorf("why it failed cannot be seen:\n%s", secretView(m))
	}
	m.Kept("key of the keyring")
	if done, _ := m.Update(enter()); !done || !m.MayQuit() {
		t.Error("a key that is kept may be left")
	}
}

func TestQuittingIsWarnedOfOnce(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]*dialog.Secret{"unseen": made(key), "being made": dialog.NewSecret("ci")} {
		if m.MayQuit() || !m.MayQuit() {
			t.Errorf("%s: not warned of once", name)
		}
	}
	failed := dialog.NewSecret("ci")
	failed.NotCreated(dialog.Line{Text: "no"})
	if !failed.MayQuit() || !made("").MayQuit() {
		t.Error("there is nothing to be lost")
	}
}

func TestOutlive(t *testing.T) {
	t.Parallel()
	keeping := made(key)
	keeping.Doing("Keeping it…")
	keeping.Outlive()
	if !strings.Contains(secretView(keeping), "is not known") {
		t.Error(secretView(keeping))
	}
	if done, _ := keeping.Update(letter('r')); done {
		t.Error("it cannot be seen any more")
	}
}
