// Package desktop integrates the program with the desktop: clipboard and notifications.
package desktop

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/atotto/clipboard"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	secretFor = time.Minute     // a secret stays on the clipboard
	clearWait = 2 * time.Second // for the last read of the clipboard: another program may not respond
)

// Board is the computer's clipboard.
type Board struct {
	Read  func() (string, error)
	Write func(s string) error
}

// SystemBoard returns the desktop's clipboard, if there is a tool for it.
func SystemBoard() Board { return Board{clipboard.ReadAll, clipboard.WriteAll} }

// Clipboard copies texts, and remembers a secret that may be on the clipboard.
type Clipboard struct {
	Board  Board
	Remote bool // this computer's clipboard is not the user's

	secret models.Secret
	cancel context.CancelFunc // of the timer that clears the secret
}

// Copied records the result of copying or clearing, and returns the notice for the user.
type Copied func(c *Clipboard) page.Notice

// Copy puts a text on the clipboard in both available ways, because neither is reliable: the computer's clipboard is
// missing over ssh, and terminals never confirm OSC 52. The messages that follow are [Copied].
func (c *Clipboard) Copy(ctx context.Context, t page.Copy) tea.Cmd {
	plain, board := t.Text.Reveal(), c.Board
	write := func() tea.Msg {
		err := board.Write(plain)
		return Copied(func(c *Clipboard) page.Notice { return c.took(t, err) })
	}
	cmds := []tea.Cmd{tea.SetClipboard(plain), write}
	if t.Secret {
		if c.cancel != nil {
			c.cancel() // the same secret may be copied again, and then stays longer
		}
		ctx, c.cancel = context.WithCancel(ctx)
		due := page.After(ctx, secretFor, true)
		cmds = append(cmds, func() tea.Msg {
			if due() == nil {
				return nil
			}
			did, err := clearIfStill(board, t.Text)
			return Copied(func(c *Clipboard) page.Notice { return c.cleared(t.Text, did, err) })
		})
		c.secret = t.Text
	}
	return tea.Batch(cmds...)
}

func (c *Clipboard) took(t page.Copy, err error) page.Notice {
	if err != nil {
		said := "copied " + t.Label + " (OSC 52, unconfirmed)"
		if t.Secret {
			c.secret = models.Secret{} // there is no clipboard to read later
			said += "; clear it yourself after use"
		}
		return page.Notice{Tone: style.Waiting, Text: said}
	}
	if t.Taken != nil {
		t.Taken()
	}
	said := "✓ copied " + t.Label
	if t.Secret {
		said += ", for a minute"
	}
	if c.Remote {
		said += "; your terminal may keep a copy of its own"
	}
	return page.Notice{Tone: style.Good, Text: said}
}

func (c *Clipboard) cleared(secret models.Secret, did bool, err error) page.Notice {
	if secret == c.secret {
		c.secret = models.Secret{}
	}
	switch {
	case err != nil:
		return page.Notice{Tone: style.Waiting, Text: "could not clear the API key from the clipboard: clear it yourself"}
	case did:
		return page.Notice{Text: "cleared the API key from the clipboard"}
	}
	return page.Notice{}
}

// Leave clears the secret from the clipboard at the end of the program.
func (c *Clipboard) Leave() {
	if c.secret.IsZero() {
		return
	}
	done := make(chan struct{})
	var panics page.PanicCatcher
	go func() {
		defer close(done)
		defer panics.Catch()
		_, _ = clearIfStill(c.Board, c.secret)
	}()
	select {
	case <-done:
		panics.Deliver()
	case <-time.After(clearWait):
	}
}

// clearIfStill empties the clipboard unless the user has copied something since, and reports whether it did.
func clearIfStill(board Board, text models.Secret) (did bool, err error) {
	now, err := board.Read()
	if err != nil || models.NewSecret(now) != text {
		return false, err
	}
	return true, board.Write("")
}
