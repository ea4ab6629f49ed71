package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/atotto/clipboard"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/theme"
)

// clipboardFor is how long a secret stays on the clipboard.
const clipboardFor = time.Minute

// Clipboard is the computer's own.
type Clipboard interface {
	Read() (string, error)
	Write(s string) error
}

// systemClipboard is the clipboard of the desktop, as far as it has a tool for that.
type systemClipboard struct{}

func (systemClipboard) Read() (string, error) { return clipboard.ReadAll() }
func (systemClipboard) Write(s string) error  { return clipboard.WriteAll(s) }

// copied is a secret that may be on the clipboard. Each has a number, so that the timer
// of an older one never takes a newer one away.
type copied struct {
	text   models.Secret
	number int
}

// clipboardDue says that a secret has been on the clipboard long enough.
type clipboardDue struct{ number int }

// copyText puts a text on the clipboard in both ways that there are, because neither is
// sure: the computer's own clipboard is not there over ssh, and a terminal never says
// whether it took what it was sent (OSC 52).
func (m *Model) copyText(c page.Copy) tea.Cmd {
	plain, board := c.Text.Reveal(), m.options.Clipboard
	native := func() tea.Msg {
		until := ""
		if c.Secret {
			until = ", for a minute"
		}
		if err := board.Write(plain); err != nil {
			until = ""
			if c.Secret {
				until = "; clear it yourself after use"
			}
			return page.Notice{Tone: theme.Waiting, Text: "sent to the terminal's clipboard (OSC 52), which does not say whether it took it: " + c.Label + until}
		}
		return page.Notice{Tone: theme.Good, Text: "✓ copied to the clipboard: " + c.Label + until}
	}
	cmds := []tea.Cmd{tea.SetClipboard(plain), native}
	if c.Secret {
		m.copied = copied{c.Text, m.copied.number + 1}
		cmds = append(cmds, page.After(m.ctx, clipboardFor, clipboardDue{m.copied.number}))
	}
	return tea.Batch(cmds...)
}

// clearClipboard takes the secret away that is due.
func (m *Model) clearClipboard(due clipboardDue) tea.Cmd {
	if due.number != m.copied.number {
		return nil
	}
	text, board := m.copied.text, m.options.Clipboard
	m.copied.text = models.Secret{}
	return func() tea.Msg {
		if !clearIfStill(board, text) {
			return nil
		}
		return page.Notice{Text: "the API key was taken off the clipboard again"}
	}
}

// Leave takes a secret off the clipboard that was copied a moment ago: nobody will be
// there to do it when it is due. It belongs after the program has ended.
func (m *Model) Leave() {
	if !m.copied.text.IsZero() {
		clearIfStill(m.options.Clipboard, m.copied.text)
	}
}

// clearIfStill empties the clipboard if the text is what is on it, and says whether it
// was. What the person copied since is theirs.
func clearIfStill(board Clipboard, text models.Secret) bool {
	if now, err := board.Read(); err != nil || models.NewSecret(now) != text {
		return false
	}
	return board.Write("") == nil
}
