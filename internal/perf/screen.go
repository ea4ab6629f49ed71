package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// visible says that output has put a character on the screen.
func visible(output []byte) bool { return strings.TrimSpace(ansi.Strip(string(output))) != "" }

// firstScreen is when the first character was there to see. A frame is written in one go,
// so the rest of it came with the same read or within microseconds.
func firstScreen(chunks []chunk) (at time.Time, ok bool) {
	var all []byte
	for _, c := range chunks {
		if all = append(all, c.bytes...); visible(all) {
			return c.at, true
		}
	}
	return at, false
}

// firstText is when a text was there to see. Spaces count only where something else stood
// before: others are moved over and not written.
func firstText(chunks []chunk, word string) (at time.Time, ok bool) {
	var tail []byte
	for _, c := range chunks {
		seen := append(tail, c.bytes...)
		if bytes.Contains(seen, []byte(word)) {
			return c.at, true
		}
		tail = bytes.Clone(seen[max(0, len(seen)-len(word)):])
	}
	return at, false
}

// waitFor waits for a text to be written after the first n chunks, and returns when it was.
func (t *terminal) waitFor(n int, text string) (time.Time, error) {
	for until := t.now().Add(patience); t.now().Before(until); {
		if at, ok := firstText(t.since(n), text); ok {
			return at, nil
		}
		if _, err := t.next(time.Second); err != nil {
			return time.Time{}, fmt.Errorf("wait for %q: %w", text, err)
		}
	}
	return time.Time{}, fmt.Errorf("%q did not appear:\n%s", text, t.draw())
}

// draw is the screen as text. It is for what is not measured: it costs far more than what
// is.
func (t *terminal) draw() string {
	emulator := vt.NewEmulator(t.size.cols, t.size.rows)
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		// Its own answers would block it, and nobody wants them.
		for buf := make([]byte, 1024); ; {
			if _, err := emulator.Read(buf); err != nil {
				return
			}
		}
	}()
	for _, c := range t.since(0) {
		_, _ = emulator.Write(c.bytes)
	}
	screen := emulator.String()
	if input, ok := emulator.InputPipe().(interface{ Close() error }); ok {
		_ = input.Close()
	}
	<-drained
	return screen
}

// waitForScreen waits until the screen contains a text. It looks at most twice a second.
func (t *terminal) waitForScreen(text string) error {
	for until := t.now().Add(patience); t.now().Before(until); {
		if strings.Contains(t.draw(), text) {
			return nil
		}
		select {
		case <-time.After(500 * time.Millisecond):
		case <-t.gone:
			return fmt.Errorf("wait for %q: %w", text, errGone)
		}
	}
	return fmt.Errorf("%q did not appear:\n%s", text, t.draw())
}
