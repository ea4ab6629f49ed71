package page

import (
	"runtime/debug"
	"sync/atomic"
)

// Panic is a panic that was caught, with the stack of its goroutine.
type Panic struct {
	Value any
	Stack []byte
}

// PanicCatcher brings a panic from the goroutines that share some work to the command that waits for them, where the
// program catches it. Elsewhere it would end the process with the terminal in disorder. The zero value is ready for
// use.
type PanicCatcher struct{ first atomic.Pointer[Panic] }

// Catch is to be deferred on each goroutine.
func (c *PanicCatcher) Catch() {
	if value := recover(); value != nil {
		c.first.CompareAndSwap(nil, &Panic{value, debug.Stack()})
	}
}

// Deliver panics with a [*Panic] if one of the goroutines did. It is for the one that waited for them.
func (c *PanicCatcher) Deliver() {
	if caught := c.first.Load(); caught != nil {
		panic(caught)
	}
}
