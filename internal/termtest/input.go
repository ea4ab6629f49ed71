//go:build unix

package termtest

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
)

// keyCodes has the named keys, with Bubble Tea's names.
var keyCodes = map[string]rune{
	"enter": uv.KeyEnter, "tab": uv.KeyTab, "backspace": uv.KeyBackspace, "esc": uv.KeyEscape,
	"space": uv.KeySpace, "up": uv.KeyUp, "down": uv.KeyDown, "left": uv.KeyLeft,
	"right": uv.KeyRight, "home": uv.KeyHome, "end": uv.KeyEnd, "pgup": uv.KeyPgUp,
	"pgdown": uv.KeyPgDown, "insert": uv.KeyInsert, "delete": uv.KeyDelete, "f5": uv.KeyF5,
	"f6": uv.KeyF6, "f12": uv.KeyF12,
}

// parseKey parses a key such as "a", "enter", "ctrl+c", "shift+tab" or "alt+x".
func parseKey(name string) (key uv.KeyPressEvent, ok bool) {
	for prefix, mod := range map[string]uv.KeyMod{"ctrl+": uv.ModCtrl, "alt+": uv.ModAlt, "shift+": uv.ModShift} {
		if rest, cut := strings.CutPrefix(name, prefix); cut && rest != "" {
			key, ok = parseKey(rest)
			key.Mod |= mod
			return key, ok
		}
	}
	if code, named := keyCodes[name]; named {
		return uv.KeyPressEvent{Code: code}, true
	}
	r, size := utf8.DecodeRuneInString(name)
	return uv.KeyPressEvent{Code: r}, size > 0 && size == len(name)
}

// Send types the text at once.
func (t *Terminal) Send(text string) {
	// The pipe fails only after the terminal is closed.
	_, _ = io.WriteString(t.display.input, text)
}

// Press presses keys one after the other, with Bubble Tea's names. After Esc, wait for its effect: if the program reads the
// next key together with Esc, it is one with Alt.
func (t *Terminal) Press(keys ...string) {
	t.tb.Helper()
	for _, name := range keys {
		key, ok := parseKey(name)
		if !ok {
			t.tb.Fatalf("no key is called %q", name)
		}
		t.display.locked(func() { t.display.em.SendKey(key) })
	}
}

// Paste pastes the text, bracketed if the program has enabled that.
func (t *Terminal) Paste(text string) {
	var bracketed bool
	t.display.locked(func() { bracketed = t.display.modes[ansi.ModeBracketedPaste] })
	if bracketed {
		text = ansi.BracketedPasteStart + text + ansi.BracketedPasteEnd
	}
	t.Send(text)
}

// Resize changes the size of the terminal and notifies the program.
func (t *Terminal) Resize(cols, rows int) {
	t.tb.Helper()
	t.display.resize(cols, rows)
	if err := pty.Setsize(t.master, winsize(cols, rows)); err != nil {
		t.tb.Fatalf("resize the terminal: %v", err)
	}
}

// Signal sends a signal to the program.
func (t *Terminal) Signal(sig os.Signal) {
	t.tb.Helper()
	if err := t.cmd.Process.Signal(sig); err != nil {
		t.tb.Fatalf("send %v: %v", sig, err)
	}
}

// HangUp closes the terminal, as when its window is closed or its connection is lost. Later output is discarded.
func (t *Terminal) HangUp() {
	t.tb.Helper()
	if err := t.master.Close(); err != nil {
		t.tb.Fatalf("close the terminal: %v", err)
	}
}
