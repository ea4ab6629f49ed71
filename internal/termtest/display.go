// Package termtest runs a program in a real pseudo-terminal, with a terminal emulator: it presses keys, reads the screen, and
// waits for the end of the program. A wait that takes too long fails the test.
//
//	term := termtest.Start(t, termtest.Options{Path: termtest.Binary(t), Args: []string{"--demo"}})
//	term.Wait("Operations")
//	term.Press("3")
//	term.Wait("API keys")
//
// The emulator behaves as current terminals do. It answers the queries of programs at their start (colours, device attributes,
// modes). It shows a synchronised update as a whole, so that tests never see half a frame.
// Pseudo-terminals exist on Unix only; elsewhere there is [Render].
package termtest

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// splitPause is how long characters at the end of a read wait for the rest of their cluster. Within a synchronised update,
// they wait for its end.
const splitPause = 50 * time.Millisecond

// updateMost is how long a synchronised update may take before its part is shown: the program may have been stopped in the
// middle of it. Terminals wait for a second at most; a busy machine needs longer.
const updateMost = 5 * time.Second

// display is the emulator with its state. The mutex guards everything but input and the emulator's read side, which are
// pipes.
type display struct {
	mu      sync.Mutex
	em      *vt.Emulator
	input   io.WriteCloser
	palette palette

	changed  chan struct{} // closed and replaced when the screen may have changed
	frozen   *Screen       // shown during a synchronised update
	modes    map[ansi.Mode]bool
	title    string
	bells    int
	noCursor bool
	held     []byte // the end of the output that the emulator has not received yet
	unhold   *time.Timer
	thaw     *time.Timer // ends a synchronised update that does not end by itself
}

func newDisplay(cols, rows int) *display {
	em := vt.NewEmulator(cols, rows)
	d := &display{
		em: em,
		// Closing the emulator itself races with its reader; closing its pipe does not.
		input:   em.InputPipe().(io.WriteCloser),
		palette: newPalette(), changed: make(chan struct{}), modes: map[ansi.Mode]bool{},
	}
	d.unhold = time.AfterFunc(time.Hour, d.release)
	d.unhold.Stop()
	d.thaw = time.AfterFunc(time.Hour, d.showUpdate)
	d.thaw.Stop()
	em.SetDefaultForegroundColor(d.palette.fg)
	em.SetDefaultBackgroundColor(d.palette.bg)
	em.SetDefaultCursorColor(d.palette.fg)
	em.SetCallbacks(vt.Callbacks{
		Bell:             func() { d.bells++ },
		CursorVisibility: func(visible bool) { d.noCursor = !visible },
		EnableMode:       func(mode ansi.Mode) { d.setMode(mode, true) },
		DisableMode:      func(mode ansi.Mode) { d.setMode(mode, false) },
	})
	// The emulator does not know these two modes, but always behaves as if they were set: whole frames, and widths by
	// grapheme cluster. It reports a mode as supported once that was reset.
	_, _ = em.WriteString(ansi.ResetModeSynchronizedOutput + ansi.ResetModeUnicodeCore)
	for _, cmd := range []int{0, 2} { // its own handler drops titles that contain a semicolon
		em.RegisterOscHandler(cmd, d.setTitle)
	}
	em.RegisterCsiHandler(ansi.Command('?', 0, 'n'), d.reportDark)
	return d
}

// setTitle handles the command that sets the title.
func (d *display) setTitle(data []byte) (handled bool) {
	_, title, _ := bytes.Cut(data, []byte{';'})
	d.title = string(title)
	return true
}

// reportDark answers the query for light or dark colours, and reports whether it was one.
func (d *display) reportDark(params ansi.Params) (handled bool) {
	n, _, ok := params.Param(0, 0)
	if !ok || n != 996 {
		return false
	}
	_, _ = io.WriteString(d.input, ansi.LightDarkReport(true))
	return true
}

// setMode is called during a write. The mutex is held.
func (d *display) setMode(mode ansi.Mode, enabled bool) {
	d.modes[mode] = enabled
	if mode != ansi.ModeSynchronizedOutput {
		return
	}
	d.frozen = nil
	d.thaw.Stop()
	if enabled {
		screen := d.draw()
		d.frozen = &screen
		d.thaw.Reset(updateMost)
	}
}

// showUpdate shows an unfinished synchronised update.
func (d *display) showUpdate() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.frozen = nil
	d.showHeld()
}

// write shows the program's output. The emulator ends a character at the end of a write. So a split character is held until
// its rest arrives, or until nothing more comes.
func (d *display) write(p []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.unhold.Stop()
	p = slices.Concat(d.held, p)
	end := len(p)
	for end > 0 && p[end-1] >= utf8.RuneSelf {
		end--
	}
	d.held = p[end:]
	if len(d.held) > 0 {
		d.unhold.Reset(splitPause)
	}
	d.show(p[:end])
}

// release shows the held output, unless the rest of an update is yet to come.
func (d *display) release() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.frozen == nil {
		d.showHeld()
	}
}

// showHeld shows the held output. The mutex is held.
func (d *display) showHeld() {
	d.show(d.held)
	d.held = nil
}

// finish shows everything after the end of the output, including an unfinished update.
func (d *display) finish() {
	d.unhold.Stop()
	d.thaw.Stop()
	d.showUpdate()
}

// show writes to the emulator. The mutex is held.
func (d *display) show(p []byte) {
	// The emulator fails only after it was closed, which never happens here.
	_, _ = d.em.Write(p)
	d.notify()
}

func (d *display) notify() {
	close(d.changed)
	d.changed = make(chan struct{})
}

// look returns the screen and a channel that is closed when it may have changed.
func (d *display) look() (Screen, <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.frozen != nil {
		return *d.frozen, d.changed
	}
	return d.draw(), d.changed
}

// resize changes the size of the screen.
func (d *display) resize(cols, rows int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.em.Resize(cols, rows)
	d.notify()
}

// locked runs f while nothing is written.
func (d *display) locked(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f()
}

// Render returns the screen of a terminal after the lines of a text, with their colours and no cursor.
func Render(text string, cols, rows int) Screen {
	d := newDisplay(cols, rows)
	defer func() { _ = d.input.Close() }()
	d.write([]byte(strings.ReplaceAll(text, "\n", "\r\n")))
	d.finish()
	screen, _ := d.look()
	screen.CursorVisible = false
	return screen
}
