package termtest

import (
	"bytes"
	"errors"
	"fmt"
	"time"
)

// Errors of waiting. The message of the returned error shows the whole screen.
var (
	ErrTimeout = errors.New("deadline passed")
	ErrExited  = errors.New("the program has exited")
)

// Screen returns what the terminal shows now.
func (t *Terminal) Screen() Screen {
	screen, _ := t.display.look()
	return screen
}

// Title returns the window title that the program has set.
func (t *Terminal) Title() string {
	t.display.mu.Lock()
	defer t.display.mu.Unlock()
	return t.display.title
}

// Bells returns how often the program has rung the bell.
func (t *Terminal) Bells() int {
	t.display.mu.Lock()
	defer t.display.mu.Unlock()
	return t.display.bells
}

// Wrote returns every byte that the program has written, for a search of what must never appear.
func (t *Terminal) Wrote() []byte {
	t.display.mu.Lock()
	defer t.display.mu.Unlock()
	return bytes.Clone(t.display.wrote)
}

// Wait waits until one screen contains all the texts.
func (t *Terminal) Wait(texts ...string) error {
	return t.WaitFor(fmt.Sprintf("%q", texts), func(s Screen) bool {
		for _, text := range texts {
			if !s.Contains(text) {
				return false
			}
		}
		return true
	})
}

// WaitGone waits until the screen no longer contains the text.
func (t *Terminal) WaitGone(text string) error {
	return t.WaitFor(fmt.Sprintf("%q to go", text), func(s Screen) bool { return !s.Contains(text) })
}

// WaitFor waits until the screen is as wanted; what names that in the error.
func (t *Terminal) WaitFor(what string, wanted func(Screen) bool) error {
	timer := time.NewTimer(t.deadline)
	defer timer.Stop()
	for exited := false; ; {
		screen, changed := t.display.look()
		if wanted(screen) {
			return nil
		}
		if exited {
			return fmt.Errorf("wait for %s: %w with code %d\n%s", what, ErrExited, t.exitCode(), screen.framed())
		}
		select {
		case <-changed:
		case <-t.exited:
			// The last words may have come after the last look.
			exited = true
		case <-timer.C:
			return fmt.Errorf("wait for %s: %w after %v\n%s", what, ErrTimeout, t.deadline, screen.framed())
		}
	}
}

// Settle waits until the program has written nothing for so long, or has exited.
func (t *Terminal) Settle(quiet time.Duration) error {
	timer := time.NewTimer(t.deadline)
	defer timer.Stop()
	for {
		screen, changed := t.display.look()
		select {
		case <-changed:
		case <-t.exited:
			return nil
		case <-time.After(quiet):
			return nil
		case <-timer.C:
			return fmt.Errorf("wait for %v without output: %w after %v\n%s", quiet, ErrTimeout, t.deadline, screen.framed())
		}
	}
}

// Exit waits until the program ends by itself and returns its exit code: 128 and the signal's
// number if a signal ended it.
func (t *Terminal) Exit() (int, error) {
	select {
	case <-t.exited:
		return t.exitCode(), nil
	case <-time.After(t.deadline):
		return 0, fmt.Errorf("wait for the exit: %w after %v\n%s", ErrTimeout, t.deadline, t.Screen().framed())
	}
}
