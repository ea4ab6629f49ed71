package page

import (
	"strings"
	"sync"
	"testing"
)

// A panic of one of several goroutines is delivered with the stack of that goroutine.
func TestPanicCatcherKeepsTheStack(t *testing.T) {
	t.Parallel()
	var c PanicCatcher
	var workers sync.WaitGroup
	workers.Go(func() { defer c.Catch() })
	workers.Go(func() {
		defer c.Catch()
		work()
	})
	workers.Wait()
	defer func() {
		caught, ok := recover().(*Panic)
		if !ok || caught.Value != "worker" || !strings.Contains(string(caught.Stack), "page.work") {
			t.Errorf("%+v", caught)
		}
	}()
	c.Deliver()
}

func work() { panic("worker") }
