package crash

import (
	"runtime/debug"
	"sync/atomic"
)

// Carrier brings a panic from the goroutines that share some work to the one that waits
// for them, where a [Guard] catches it. On a goroutine that has no guard it would end the
// process as it is, with the terminal in disorder. The zero Carrier is ready for use.
type Carrier struct{ first atomic.Pointer[Panic] }

// Catch is to be deferred on each goroutine.
func (c *Carrier) Catch() {
	if value := recover(); value != nil {
		c.first.CompareAndSwap(nil, &Panic{value, debug.Stack()})
	}
}

// Deliver panics if one of the goroutines did. It is for the one that waited for them.
func (c *Carrier) Deliver() {
	if caught := c.first.Load(); caught != nil {
		panic(caught)
	}
}
