// Package crash turns a panic into an orderly exit: it quits the program normally, which restores the terminal, and
// writes a report without secrets.
//
// No panic may reach Bubble Tea's own recovery, which prints the panic value, perhaps before the terminal is restored.
package crash

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/page"
)

// Guard keeps the first panic, and has the program quit.
type Guard struct {
	// End is called at every panic, on any goroutine. It must not wait for that goroutine.
	End   func()
	first atomic.Pointer[page.Panic]
}

// Caught returns the first panic, or nil.
func (g *Guard) Caught() *page.Panic { return g.first.Load() }

// Do calls f and recovers its panic.
func (g *Guard) Do(f func()) {
	defer g.Catch()
	f()
}

// Catch recovers a panic. Defer it on each goroutine.
func (g *Guard) Catch() {
	if value := recover(); value != nil {
		caught, carried := value.(*page.Panic)
		if !carried {
			caught = &page.Panic{Value: value, Stack: debug.Stack()}
		}
		g.first.CompareAndSwap(nil, caught)
		g.End()
	}
}

// Model wraps the root model. After a panic, the root is not called again.
func (g *Guard) Model(root tea.Model) tea.Model { return &guarded{guard: g, root: root} }

type guarded struct {
	guard *Guard
	root  tea.Model
	last  tea.View
}

func (m *guarded) Init() (cmd tea.Cmd) {
	defer m.guard.Catch()
	return m.guard.command(m.root.Init())
}

func (m *guarded) Update(msg tea.Msg) (self tea.Model, cmd tea.Cmd) {
	self = m
	defer m.guard.Catch()
	if m.guard.Caught() != nil {
		return m, nil
	}
	m.root, cmd = m.root.Update(msg)
	return m, m.guard.command(cmd)
}

// View returns the last good view after a panic, so that Bubble Tea resets the modes which that one has set.
func (m *guarded) View() (v tea.View) {
	v = m.last
	defer m.guard.Catch()
	if m.guard.Caught() == nil {
		m.last = m.root.View()
	}
	return m.last
}

// command returns a command that recovers its panic. Commands run on their own goroutines.
func (g *Guard) command(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg { return g.run(cmd) }
}

// run runs a command, and guards those of the batch that it may return.
func (g *Guard) run(cmd tea.Cmd) (msg tea.Msg) {
	defer g.Catch()
	msg = cmd()
	batch, isBatch := msg.(tea.BatchMsg)
	if !isBatch {
		return msg
	}
	guarded := make(tea.BatchMsg, len(batch))
	for i, c := range batch {
		guarded[i] = g.command(c)
	}
	return guarded
}

// The maximum lengths of a panic, and of each other line, in a report, in bytes.
const (
	maxValue = 2_000
	maxStack = 64 << 10
	maxFact  = 200
)

// Report is a crash report.
type Report struct {
	Panic  *page.Panic
	At     time.Time
	Facts  [][2]string         // names and values: facts about the program and its terminal
	Redact func(string) string // removes the known secrets from a text
}

// What returns the panic in one line of at most limit bytes.
func (r *Report) What(limit int) string {
	return models.Shorten(models.Clean(r.without(fmt.Sprint(r.Panic.Value))), limit)
}

// without removes the known secrets from a text, and what looks like another one.
func (r *Report) without(text string) string { return models.MaskDoubtful(r.Redact(text)) }

// String returns the report.
func (r *Report) String() string {
	var b strings.Builder
	b.WriteString("pgtower crashed. This report contains no keys, and only TERM of the environment.\n\n")
	line := func(name, value string) { fmt.Fprintf(&b, "%-9s %s\n", name, value) }
	line("time", r.At.UTC().Format(time.RFC3339))
	for _, f := range r.Facts {
		line(f[0], models.Shorten(models.Clean(r.without(f[1])), maxFact))
	}
	line("panic", fmt.Sprintf("%T", r.Panic.Value))
	line("", r.What(maxValue))
	b.WriteString("\n")
	for frame := range strings.Lines(models.Shorten(r.Redact(string(r.Panic.Stack)), maxStack)) {
		// The tabs are the stack's own.
		rest := strings.TrimLeft(frame, "\t")
		b.WriteString(frame[:len(frame)-len(rest)] + models.Clean(strings.TrimRight(rest, "\n")) + "\n")
	}
	return b.String()
}

// Write writes the report to a new file that only its owner can read. If the folder cannot be used, the file is in the folder
// for temporary files.
func (r *Report) Write(folder string) (path string, err error) {
	_ = os.MkdirAll(folder, 0o700)
	path, err = r.writeTo(folder)
	if err != nil && folder != "" {
		return r.writeTo("")
	}
	return path, err
}

func (r *Report) writeTo(folder string) (path string, err error) {
	f, err := os.CreateTemp(folder, "pgtower-crash-"+r.At.UTC().Format("20060102T150405Z")+"-*.txt")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(r.String())
	err = errors.Join(err, f.Close())
	if err != nil {
		_ = os.Remove(f.Name()) // the disk may be full
		return "", fmt.Errorf("write %s: %w", filepath.Base(f.Name()), err)
	}
	return f.Name(), nil
}
