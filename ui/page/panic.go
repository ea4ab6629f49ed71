package page

import (
	"runtime/debug"
	"sync/atomic"
)

// Panic is a panic that was caught.
type Panic struct {
	// Value is what was panicked with.
	Value any
	// Stack is that of the goroutine that panicked.
	Stack []byte
}

// PanicCatcher brings a panic from the goroutines that share some work to the one that waits
// for them, which is a command's, where the program catches it. On any other goroutine it
// would end the process as it is, with the terminal in disorder. The zero value is ready for use.
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
