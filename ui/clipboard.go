package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/atotto/clipboard"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	// clipboardFor is how long a secret stays on the clipboard.
	clipboardFor = time.Minute
	// clipboardWait bounds the last look at the clipboard: its tools ask whatever program
	// the clipboard's text came from, which may not answer.
	clipboardWait = 2 * time.Second
)

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

// clipboardTook says whether the computer's clipboard has a text.
type clipboardTook struct {
	page.Copy

	err error
}

// clipboardDue says that a secret has been on the clipboard long enough.
type clipboardDue struct{ number int }

// clipboardCleared says what became of taking the secret away.
type clipboardCleared struct {
	number int
	did    bool
	err    error
}

// copyText puts a text on the clipboard in both ways that there are, because neither is
// sure: the computer's own clipboard is not there over ssh, and a terminal never says
// whether it took what it was sent (OSC 52).
func (m *Model) copyText(c page.Copy) tea.Cmd {
	plain, board := c.Text.Reveal(), m.options.Clipboard
	cmds := []tea.Cmd{tea.SetClipboard(plain), func() tea.Msg { return clipboardTook{c, board.Write(plain)} }}
	if c.Secret {
		m.copied = copied{c.Text, m.copied.number + 1}
		cmds = append(cmds, page.After(m.ctx, clipboardFor, clipboardDue{m.copied.number}))
	}
	return tea.Batch(cmds...)
}

func (m *Model) aboutClipboard(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case clipboardTook:
		return m.tookCopy(msg)
	case clipboardDue:
		if msg.number != m.copied.number {
			return nil
		}
		text, board := m.copied.text, m.options.Clipboard
		return func() tea.Msg {
			did, err := clearIfStill(board, text)
			return clipboardCleared{msg.number, did, err}
		}
	case clipboardCleared:
		if msg.number == m.copied.number {
			m.copied.text = models.Secret{}
		}
		switch {
		case msg.err != nil:
			return m.notify(page.Notice{Tone: style.Waiting, Text: "the API key could not be taken off the clipboard: clear it yourself"})
		case msg.did:
			return m.notify(page.Notice{Text: "the API key was taken off the clipboard again"})
		}
	}
	return nil
}

func (m *Model) tookCopy(msg clipboardTook) tea.Cmd {
	if msg.err != nil {
		// There is no such clipboard to look at later.
		m.copied.text = models.Secret{}
		said := "sent to the terminal's clipboard (OSC 52), which does not say whether it took it: " + msg.Label
		if msg.Secret {
			said += "; clear it yourself after use"
		}
		return m.notify(page.Notice{Tone: style.Waiting, Text: said})
	}
	if msg.Taken != nil {
		msg.Taken()
	}
	said := "✓ copied to the clipboard: " + msg.Label
	if msg.Secret {
		said += ", for a minute"
	}
	if m.remote {
		said += "; your terminal may keep a copy of its own"
	}
	return m.notify(page.Notice{Tone: style.Good, Text: said})
}

// Leave takes a secret off the clipboard that was copied a moment ago: nobody will be
// there to do it when it is due. It belongs after the program has ended, and returns
// what is to be said then, a line each.
func (m *Model) Leave() (farewell []string) {
	for _, d := range m.dialogs {
		if lasting, ok := d.(page.Lasting); ok && lasting.Farewell() != "" {
			farewell = append(farewell, lasting.Farewell())
		}
	}
	if m.copied.text.IsZero() {
		return farewell
	}
	done := make(chan struct{})
	var panics page.PanicCatcher
	go func() {
		defer close(done)
		defer panics.Catch()
		_, _ = clearIfStill(m.options.Clipboard, m.copied.text)
	}()
	select {
	case <-done:
		panics.Deliver()
	case <-time.After(clipboardWait):
	}
	return farewell
}

// clearIfStill empties the clipboard if the text is what is on it, and says whether it
// did. What the person copied since is theirs.
func clearIfStill(board Clipboard, text models.Secret) (did bool, err error) {
	now, err := board.Read()
	if err != nil || models.NewSecret(now) != text {
		return false, err
	}
	return true, board.Write("")
}
