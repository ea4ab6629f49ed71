package termtest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
)

// escPause follows a lone Esc: programs take what comes at once after it for one key with Alt.
const escPause = 100 * time.Millisecond

// errNoMouse is the answer to a click on a program that a terminal would not tell about it.
var errNoMouse = errors.New("the program has not asked for the mouse")

// Send types the text as it is, in one go.
func (t *Terminal) Send(text string) {
	// The pipe fails only once the terminal is closed, when nobody is left to read.
	_, _ = io.WriteString(t.display.input, text)
}

// Press presses keys one after the other, each named as Bubble Tea names it: "a", "enter", "esc",
// "ctrl+c", "up", "shift+tab", "pgdown", "f5".
func (t *Terminal) Press(keys ...string) error {
	for _, key := range keys {
		seq, err := encodeKey(key)
		if err != nil {
			return err
		}
		t.Send(seq)
		if seq == "\x1b" {
			time.Sleep(escPause)
		}
	}
	return nil
}

// Paste pastes the text, bracketed if the program has asked for that.
func (t *Terminal) Paste(text string) {
	t.display.mu.Lock()
	bracketed := t.display.modes[ansi.ModeBracketedPaste]
	t.display.mu.Unlock()
	if bracketed {
		text = ansi.BracketedPasteStart + text + ansi.BracketedPasteEnd
	}
	t.Send(text)
}

// Click presses and releases the left button on a cell, counted from zero as in [Screen.Find].
func (t *Terminal) Click(x, y int) error {
	if err := t.mouse(uv.MouseClickEvent{X: x, Y: y, Button: uv.MouseLeft}); err != nil {
		return err
	}
	return t.mouse(uv.MouseReleaseEvent{X: x, Y: y, Button: uv.MouseLeft})
}

// Wheel turns the wheel over a cell by so many notches, up if negative.
func (t *Terminal) Wheel(x, y, notches int) error {
	button := uv.MouseWheelDown
	if notches < 0 {
		button, notches = uv.MouseWheelUp, -notches
	}
	for range notches {
		if err := t.mouse(uv.MouseWheelEvent{X: x, Y: y, Button: button}); err != nil {
			return err
		}
	}
	return nil
}

func (t *Terminal) mouse(event uv.MouseEvent) error {
	t.display.mu.Lock()
	defer t.display.mu.Unlock()
	m := t.display.modes
	if !m[ansi.ModeMouseNormal] && !m[ansi.ModeMouseButtonEvent] && !m[ansi.ModeMouseAnyEvent] {
		return errNoMouse
	}
	t.display.em.SendMouse(event)
	return nil
}

// Resize changes the size of the terminal, of which the program is told.
func (t *Terminal) Resize(cols, rows int) error {
	t.display.resize(cols, rows)
	if err := pty.Setsize(t.master, winsize(cols, rows)); err != nil {
		return fmt.Errorf("resize the terminal: %w", err)
	}
	return nil
}

// Signal sends a signal to the program.
func (t *Terminal) Signal(sig os.Signal) error {
	if err := t.cmd.Process.Signal(sig); err != nil {
		return fmt.Errorf("send %v: %w", sig, err)
	}
	return nil
}

// HangUp closes the terminal under the program, as when its window is closed or its
// connection is lost. What the program does then is not seen any more.
func (t *Terminal) HangUp() error {
	if err := t.master.Close(); err != nil {
		return fmt.Errorf("close the terminal: %w", err)
	}
	return nil
}
