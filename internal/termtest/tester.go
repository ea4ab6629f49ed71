package termtest

import (
	"os"
	"testing"
	"time"
)

// Test is a terminal whose methods end the test where those of [Terminal] return an error.
type Test struct {
	*Terminal
	tb testing.TB
}

// Start starts the program for the length of the test.
func Start(tb testing.TB, opts Options) *Test {
	tb.Helper()
	term, err := Open(tb.Context(), opts)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := term.Close(); err != nil {
			tb.Errorf("close the terminal: %v", err)
		}
	})
	return &Test{Terminal: term, tb: tb}
}

func (t *Test) must(err error) {
	t.tb.Helper()
	if err != nil {
		t.tb.Fatal(err)
	}
}

// Press presses keys one after the other, each named as Bubble Tea names it.
func (t *Test) Press(keys ...string) {
	t.tb.Helper()
	t.must(t.Terminal.Press(keys...))
}

// Click presses and releases the left button on a cell, counted from zero.
func (t *Test) Click(x, y int) {
	t.tb.Helper()
	t.must(t.Terminal.Click(x, y))
}

// Wheel turns the wheel over a cell by so many notches, up if negative.
func (t *Test) Wheel(x, y, notches int) {
	t.tb.Helper()
	t.must(t.Terminal.Wheel(x, y, notches))
}

// Resize changes the size of the terminal, of which the program is told.
func (t *Test) Resize(cols, rows int) {
	t.tb.Helper()
	t.must(t.Terminal.Resize(cols, rows))
}

// Signal sends a signal to the program.
func (t *Test) Signal(sig os.Signal) {
	t.tb.Helper()
	t.must(t.Terminal.Signal(sig))
}

// Wait waits until one screen contains all the texts.
func (t *Test) Wait(texts ...string) {
	t.tb.Helper()
	t.must(t.Terminal.Wait(texts...))
}

// WaitGone waits until the screen no longer contains the text.
func (t *Test) WaitGone(text string) {
	t.tb.Helper()
	t.must(t.Terminal.WaitGone(text))
}

// WaitFor waits until the screen is as wanted; what names that in the failure.
func (t *Test) WaitFor(what string, wanted func(Screen) bool) {
	t.tb.Helper()
	t.must(t.Terminal.WaitFor(what, wanted))
}

// Settle waits until the program has written nothing for so long.
func (t *Test) Settle(quiet time.Duration) {
	t.tb.Helper()
	t.must(t.Terminal.Settle(quiet))
}

// Exit waits until the program ends by itself and returns its exit code.
func (t *Test) Exit() int {
	t.tb.Helper()
	code, err := t.Terminal.Exit()
	t.must(err)
	return code
}
