package termtest

import (
	"bytes"
	"io"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// splitPause is how long characters at the end of a read wait for the rest of their cluster.
const splitPause = 50 * time.Millisecond

// display is the emulator and what it noticed. The mutex guards everything but input and the
// emulator's read side, which are pipes.
type display struct {
	mu      sync.Mutex
	em      *vt.Emulator
	input   io.WriteCloser
	palette palette

	changed  chan struct{} // closed and replaced whenever the screen may have changed
	frozen   *Screen       // what is shown while a synchronised update is being written
	modes    map[ansi.Mode]bool
	title    string
	bells    int
	noCursor bool

	wrote  []byte
	held   []byte // the end of the output that the emulator has not seen yet
	unhold *time.Timer
}

func newDisplay(cols, rows int, light bool) *display {
	em := vt.NewEmulator(cols, rows)
	d := &display{
		em: em,
		// Closing the emulator itself races with its reader; closing its pipe does not.
		input:   em.InputPipe().(io.WriteCloser),
		palette: newPalette(light),
		changed: make(chan struct{}),
		modes:   map[ansi.Mode]bool{},
	}
	d.unhold = time.AfterFunc(time.Hour, d.release)
	d.unhold.Stop()

	em.SetDefaultForegroundColor(d.palette.fg)
	em.SetDefaultBackgroundColor(d.palette.bg)
	em.SetDefaultCursorColor(d.palette.fg)
	em.SetCallbacks(vt.Callbacks{
		Bell:             func() { d.bells++ },
		CursorVisibility: func(visible bool) { d.noCursor = !visible },
		EnableMode:       func(mode ansi.Mode) { d.setMode(mode, true) },
		DisableMode:      func(mode ansi.Mode) { d.setMode(mode, false) },
	})
	d.registerAnswers(light)
	return d
}

// registerAnswers adds what the emulator lacks. A mode that was once reset is reported as
// supported, and these two are what the emulator does anyway: whole frames, and widths by
// grapheme cluster.
func (d *display) registerAnswers(light bool) {
	_, _ = d.em.WriteString(ansi.ResetModeSynchronizedOutput + ansi.ResetModeUnicodeCore)

	// The emulator's own handler drops titles that contain a semicolon.
	for _, cmd := range []int{0, 2} {
		d.em.RegisterOscHandler(cmd, func(data []byte) bool {
			_, title, _ := bytes.Cut(data, []byte{';'})
			d.title = string(title)
			return true
		})
	}

	d.em.RegisterCsiHandler(ansi.Command('?', 0, 'n'), func(params ansi.Params) bool {
		if n, _, ok := params.Param(0, 0); !ok || n != 996 {
			return false
		}
		_, _ = io.WriteString(d.input, ansi.LightDarkReport(!light))
		return true
	})
}

// setMode runs inside a write, with the mutex held.
func (d *display) setMode(mode ansi.Mode, on bool) {
	d.modes[mode] = on
	if mode != ansi.ModeSynchronizedOutput {
		return
	}
	d.frozen = nil
	if on {
		screen := d.draw()
		d.frozen = &screen
	}
}

// write shows what the program wrote. The emulator takes the end of a write as the end of a
// character, so one that a read has split is held until its rest arrives or nothing more comes.
func (d *display) write(p []byte) {
	if len(p) == 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.unhold.Stop()
	d.wrote = append(d.wrote, p...)

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

// release shows what was held.
func (d *display) release() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.show(d.held)
	d.held = nil
}

// finish shows everything once no more output can come: also an update that was never ended.
func (d *display) finish() {
	d.unhold.Stop()
	d.release()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.frozen = nil
	d.notify()
}

// show feeds the emulator; the mutex is held.
func (d *display) show(p []byte) {
	// The emulator fails on nothing but having been closed, which never happens here.
	_, _ = d.em.Write(p)
	d.notify()
}

func (d *display) notify() {
	close(d.changed)
	d.changed = make(chan struct{})
}

// readInput passes on keys and the emulator's answers, in their order, until input is closed.
func (d *display) readInput(queue chan<- []byte) {
	buf := make([]byte, 4096)
	for {
		n, err := d.em.Read(buf)
		if n > 0 {
			queue <- bytes.Clone(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

func (d *display) closeInput() { _ = d.input.Close() }

// look returns the screen and a channel that is closed when it may have changed.
func (d *display) look() (Screen, <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.frozen != nil {
		return *d.frozen, d.changed
	}
	return d.draw(), d.changed
}

func (d *display) resize(cols, rows int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.em.Resize(cols, rows)
	d.notify()
}
