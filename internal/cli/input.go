package cli

import (
	"os"
	"sync/atomic"
)

// input is the terminal that keys come from. Bubble Tea takes its end for silence: the
// program would go on for nobody, and poll for ever, where the terminal was closed
// without a signal for the program.
type input struct {
	*os.File

	leave func()
	gone  atomic.Bool
}

// newInput returns the input which calls leave when nothing can come any more.
func newInput(f *os.File, leave func()) *input { return &input{File: f, leave: leave} }

// Read reads keys.
func (i *input) Read(b []byte) (n int, err error) {
	n, err = i.File.Read(b)
	if err != nil {
		i.gone.Store(true)
		i.leave()
	}
	return n, err
}

// isGone says that the terminal was closed.
func (i *input) isGone() bool { return i.gone.Load() }
