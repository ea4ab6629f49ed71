package cli

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/internal/crash"
)

// endWait is how long a signal has to end the program in good order. One that comes later
// ends it as it ends any other: a program cannot be left in order, nor its terminal be
// given back, while a terminal that takes nothing more holds it up in the middle of a
// frame. Sooner would be too soon: several signals come at once when a session ends.
const endWait = 3 * time.Second

// jobControl is how signals end, stop and continue the program.
type jobControl struct {
	// stopping is set while the program has asked to be stopped, so that the signal to
	// go on is the answer to that.
	stopping atomic.Bool
}

// run runs the program, and ends it as q would when a signal says so: Bubble Tea itself
// leaves SIGHUP alone, and on SIGINT closes the input while it is still being read.
func (j *jobControl) run(program *tea.Program, guard *crash.Guard) error {
	signals := make(chan os.Signal, 8) // a signal for which there is no room is lost
	signal.Notify(signals, append(jobSignals(), syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM)...)
	// They are caught until the process ends: what is left to do then, such as taking a secret off the clipboard, is
	// bounded in time, and must not be cut off by ctrl+c that is still held.
	var interrupted atomic.Bool
	over := make(chan struct{})
	defer close(over)
	go func() {
		defer guard.Catch()
		for {
			select {
			case sig := <-signals:
				if j.took(sig, program) {
					continue
				}
				interrupted.Store(sig == os.Interrupt)
				defer time.AfterFunc(endWait, func() { signal.Stop(signals) }).Stop()
				program.Quit()
				<-over
				return
			case <-over:
				return
			}
		}
	}()
	var err error
	guard.Do(func() { _, err = program.Run() })
	if guard.Caught() != nil {
		// Where Bubble Tea itself was left by the panic, the terminal is not back yet.
		program.Kill()
	}
	if interrupted.Load() {
		return errInterrupted
	}
	return err
}
