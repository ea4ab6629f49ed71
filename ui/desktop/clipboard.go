// Package desktop integrates the program with the desktop: clipboard and notifications.
package desktop

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/atotto/clipboard"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	secretFor = time.Minute     // how long a secret stays on the clipboard
	clearWait = 2 * time.Second // how long the end of the program waits: the owner of the clipboard may not respond
)

// Board is the computer's clipboard.
type Board struct {
	Read  func() (string, error)
	Write func(s string) error
}

// SystemBoard returns the desktop's clipboard, if there is a tool for it.
func SystemBoard() Board { return Board{clipboard.ReadAll, clipboard.WriteAll} }

// Clipboard copies texts, and remembers the secrets that may be on the clipboard.
type Clipboard struct {
	Board  Board
	Tmux   Tmux
	Remote bool // this computer's clipboard is not the user's

	// secrets may be on the clipboard, and the earlier ones in tmux. Each has the function that cancels its timer, or nil
	// without a timer.
	secrets map[models.Secret]context.CancelFunc
}

// Copied records the result of copying or clearing, and returns the notice for the user and the next command.
type Copied func(c *Clipboard) (page.Notice, tea.Cmd)

// errRemote is why a secret is not copied to a clipboard that is not the user's.
var errRemote = errors.New("this computer's clipboard is not the user's")

// Copy puts a text on the clipboard in both available ways, because neither is reliable: the computer's clipboard is
// missing over ssh, and terminals never confirm OSC 52. A terminal's clipboard cannot be cleared, so a secret goes there
// only once the user knows. The messages that follow are [Copied].
func (c *Clipboard) Copy(ctx context.Context, t page.Copy) tea.Cmd {
	board := c.Board
	local := t.Secret && !t.Terminal // the only way that can be undone
	if local && c.Remote {
		board.Write = func(string) error { return errRemote }
	}
	if t.Secret {
		c.remember(t.Text, c.secrets[t.Text])
	}
	write := func() tea.Msg { return board.copy(ctx, t) }
	if local {
		return write
	}
	return tea.Batch(tea.SetClipboard(t.Text.Reveal()), write)
}

// copy puts a text on the clipboard. The message is [Copied].
func (b Board) copy(ctx context.Context, t page.Copy) tea.Msg {
	err := b.Write(t.Text.Reveal())
	return Copied(func(c *Clipboard) (page.Notice, tea.Cmd) { return c.took(ctx, t, err) })
}

func (c *Clipboard) took(ctx context.Context, t page.Copy, err error) (page.Notice, tea.Cmd) {
	if err != nil && t.Secret && !t.Terminal {
		if t.OnlyTerminal != nil {
			t.OnlyTerminal()
		}
		return page.Notice{Tone: style.Waiting, Text: "not copied yet: only your terminal can copy " + t.Label}, nil
	}
	var clear tea.Cmd
	if t.Secret {
		clear = c.clearLater(ctx, t.Text)
	}
	if err != nil {
		notice := "copied " + t.Label + " (OSC 52, unconfirmed)"
		if t.Secret {
			notice += "; clear it yourself after use"
		}
		return page.Notice{Tone: style.Waiting, Text: notice}, clear
	}
	if t.Taken != nil {
		t.Taken()
	}
	notice := "✓ copied " + t.Label
	switch {
	case t.Terminal:
		notice += "; clear your terminal's clipboard yourself after use"
	case t.Secret:
		notice += ", for a minute"
	case c.Remote:
		notice += "; your terminal may keep a copy of its own"
	}
	return page.Notice{Tone: style.Good, Text: notice}, clear
}

func (c *Clipboard) remember(secret models.Secret, cancel context.CancelFunc) {
	if c.secrets == nil {
		c.secrets = map[models.Secret]context.CancelFunc{}
	}
	c.secrets[secret] = cancel
}

// clearLater clears a secret in a minute, unless it is copied again before: then it stays longer.
func (c *Clipboard) clearLater(ctx context.Context, secret models.Secret) tea.Cmd {
	if cancel := c.secrets[secret]; cancel != nil {
		cancel()
	}
	due, cancel := context.WithCancel(ctx)
	c.remember(secret, cancel)
	wait, board, tmux := page.After(due, secretFor, true), c.Board, c.Tmux
	return func() tea.Msg { return clearAfter(ctx, wait, board, tmux, secret) }
}

// clearAfter clears a secret after a wait. The message is [Copied], or nil if the wait was cancelled.
func clearAfter(ctx context.Context, wait tea.Cmd, board Board, tmux Tmux, secret models.Secret) tea.Msg {
	if wait() == nil {
		return nil
	}
	cleared, err := clearIfStill(ctx, board, tmux, secret)
	return Copied(func(c *Clipboard) (page.Notice, tea.Cmd) { return c.cleared(secret, cleared, err), nil })
}

func (c *Clipboard) cleared(secret models.Secret, done bool, err error) page.Notice {
	delete(c.secrets, secret)
	switch {
	case err != nil:
		return page.Notice{Tone: style.Waiting, Text: "could not clear the API key from the clipboard: clear it yourself"}
	case done:
		return page.Notice{Text: "cleared the API key from the clipboard"}
	}
	return page.Notice{}
}

// Leave clears the secrets from the clipboard at the end of the program.
func (c *Clipboard) Leave(ctx context.Context) {
	if len(c.secrets) == 0 {
		return
	}
	done := make(chan struct{})
	var panics page.PanicCatcher
	go c.clearAll(ctx, done, &panics)
	select {
	case <-done:
		panics.Deliver()
	case <-time.After(clearWait):
	}
}

func (c *Clipboard) clearAll(ctx context.Context, done chan<- struct{}, panics *page.PanicCatcher) {
	defer close(done)
	defer panics.Catch()
	for secret := range c.secrets {
		_, _ = clearIfStill(ctx, c.Board, c.Tmux, secret)
	}
}

// clearIfStill empties the clipboard unless the user has copied something since, and deletes the secret from tmux's
// buffers. It reports whether it did.
func clearIfStill(ctx context.Context, board Board, tmux Tmux, text models.Secret) (cleared bool, err error) {
	buffered, tmuxErr := tmux.clear(ctx, text)
	now, err := board.Read()
	if err == nil && models.NewSecret(now) == text {
		cleared, err = true, board.Write("")
	}
	return cleared || buffered, errors.Join(err, tmuxErr)
}
