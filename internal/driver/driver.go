// Package driver uses pgtower in a test. A [User] has the whole dashboard in nouns, in fake time or in a real terminal. A
// [Bench] has one page without the rest. [Files] are the standard files of a command.
//
// A [Driver] runs a Bubble Tea model in the fake time of a test (testing/synctest): messages are delivered one at a time and
// always in the same order, so the screen is the same on every machine.
package driver

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Driver replaces Bubble Tea's event loop: it runs commands and delivers their messages. All methods must be called in
// the synctest bubble in which the driver was made.
type Driver struct {
	model tea.Model
	own   func(tea.Msg) bool

	mu      sync.Mutex
	started int
	answers []answer
}

// answer is the message of a numbered command, and when it came.
type answer struct {
	number int
	came   time.Time
	msg    tea.Msg
}

// compare orders answers as they came, and those of one moment by their commands.
func (a answer) compare(b answer) int { return cmp.Or(a.came.Compare(b.came), a.number-b.number) }

// New returns a driver of a model. The messages that Bubble Tea handles itself, such as [tea.QuitMsg], go to handle, which
// reports whether it handled one; handle may be nil.
func New(model tea.Model, handle func(tea.Msg) bool) *Driver {
	return &Driver{model: model, own: handle}
}

// Start runs the model on a screen of that many cells.
func (d *Driver) Start(width, height int) {
	d.Run(d.model.Init())
	d.Send(tea.WindowSizeMsg{Width: width, Height: height})
}

// Run starts a command and waits until it blocks, so that commands started together always run in the same order.
func (d *Driver) Run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	d.started++
	go d.await(d.started, cmd)
	synctest.Wait()
}

// await runs a command, and keeps its message.
func (d *Driver) await(number int, cmd tea.Cmd) {
	msg := cmd()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.answers = append(d.answers, answer{number, time.Now(), msg}) //nolint:forbidigo // fake time
}

// Settle delivers messages until everything waits for time or a user. Of several messages at one moment, that of the
// oldest command comes first.
func (d *Driver) Settle() {
	for {
		synctest.Wait()
		msg, ok := d.next()
		if !ok {
			return
		}
		d.deliver(msg)
	}
}

func (d *Driver) next() (tea.Msg, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.answers) == 0 {
		return nil, false
	}
	slices.SortFunc(d.answers, answer.compare)
	msg := d.answers[0].msg
	d.answers = d.answers[1:]
	return msg, true
}

func (d *Driver) deliver(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.Run(cmd)
		}
	default:
		if d.own != nil && d.own(msg) {
			return
		}
		_, cmd := d.model.Update(msg)
		d.Run(cmd)
		d.model.View()
	}
}

// Send settles, delivers a message, and settles again.
func (d *Driver) Send(msg tea.Msg) {
	d.Settle()
	d.deliver(msg)
	d.Settle()
}

// Press presses keys, with Bubble Tea's names.
func (d *Driver) Press(names ...string) {
	for _, name := range names {
		d.Send(Key(name))
	}
}

// Type types a text character by character.
func (d *Driver) Type(text string) {
	for _, r := range text {
		d.Send(tea.KeyPressMsg{Text: string(r), Code: r})
	}
}

// Wait lets time pass, and settles at least once a second.
func (d *Driver) Wait(t time.Duration) {
	for ; t > 0; t -= time.Second {
		time.Sleep(min(t, time.Second))
		d.Settle()
	}
}

// Key returns a key press: a character, "enter", "ctrl+c", "shift+tab" and the like.
func Key(name string) tea.KeyPressMsg {
	named := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp,
		"down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp,
		"pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
		"backspace": tea.KeyBackspace,
	}
	if rest, ok := strings.CutPrefix(name, "shift+"); ok {
		return tea.KeyPressMsg{Code: named[rest], Mod: tea.ModShift}
	}
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(rest[0]), Mod: tea.ModCtrl}
	}
	if code, ok := named[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if name == "space" {
		name = " "
	}
	return tea.KeyPressMsg{Text: name, Code: []rune(name)[0]}
}
