// Package crash turns a panic into an orderly end: what happened is kept, the program is
// ended as on any other day, so that the terminal is given back, and a report without
// secrets is written.
//
// Bubble Tea has a net of its own, which prints whatever the panic holds to the terminal,
// and, where a command of a batch panicked, before the terminal is given back. Nothing
// may come as far as that.
package crash

import (
	"runtime/debug"
	"sync"

	"pgtower/ui/page"
)

// Guard keeps the first panic, and ends the program at it.
type Guard struct {
	end func()

	mu    sync.Mutex
	first *page.Panic
}

// NewGuard returns a guard that calls end at a panic. What end does must be safe on any
// goroutine, and more than once, and must not wait for the one that it is called on.
func NewGuard(end func()) *Guard { return &Guard{end: end} }

// Caught is the first panic, or nil.
func (g *Guard) Caught() *page.Panic {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.first
}

// Do calls f, and catches its panic.
func (g *Guard) Do(f func()) {
	defer g.Catch()
	f()
}

// Catch is to be deferred on a goroutine whose panics are to be caught.
func (g *Guard) Catch() {
	if value := recover(); value != nil {
		g.keep(value)
		g.end()
	}
}

func (g *Guard) keep(value any) {
	caught, carried := value.(*page.Panic)
	if !carried {
		caught = &page.Panic{Value: value, Stack: debug.Stack()}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.first == nil {
		g.first = caught
	}
}
