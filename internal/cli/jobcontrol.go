package cli

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/internal/cli/exit"
	"pgtower/internal/crash"
)

// endWait is how long the program may take to end after a signal: the terminal may be blocked. After that time, another signal
// kills it. Not sooner: when a session ends, several signals come together.
const endWait = 3 * time.Second

// jobControl ends, stops and continues the program at signals.
type jobControl struct {
	stopping    atomic.Bool               // the program stopped itself: it expects SIGCONT
	borrower    atomic.Pointer[borrowing] // the user's program that has the terminal, or nil
	ending      atomic.Bool
	interrupted atomic.Bool // an interrupt ended the program
}

// end ends the user's program that has the terminal, or is about to have it.
func (j *jobControl) end() {
	j.ending.Store(true)
	if borrower := j.borrower.Load(); borrower != nil {
		borrower.end()
	}
}

// run runs the program. A signal ends it as q does. Without that, Bubble Tea would ignore SIGHUP and close the input at SIGINT
// while it is being read, and Go would end at SIGQUIT without restoring the terminal and the clipboard.
func (j *jobControl) run(program *tea.Program, guard *crash.Guard) error {
	signals := make(chan os.Signal, 8) // a signal without room is lost
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT)
	signal.Notify(signals, jobSignals()...)
	// They are caught until the process ends: a repeated ctrl+c must not interrupt the cleanup, for example of the clipboard.
	over := make(chan struct{})
	defer close(over)
	go j.obey(signals, program, guard, over)
	var err error
	guard.Do(func() { _, err = program.Run() })
	if guard.Caught() != nil {
		// If the panic came through Bubble Tea itself, the terminal is not restored yet.
		program.Kill()
	}
	if j.interrupted.Load() {
		return exit.ErrInterrupted
	}
	return err
}

// obey acts on signals until one ends the program, or it is over.
func (j *jobControl) obey(signals chan os.Signal, program *tea.Program, guard *crash.Guard, over <-chan struct{}) {
	defer guard.Catch()
	for {
		select {
		case sig := <-signals:
			ends := sig == syscall.SIGHUP || sig == syscall.SIGTERM
			goesOn := false
			if j.borrower.Load() == nil {
				goesOn = j.control(sig, program)
			} else {
				goesOn = !ends // a program that has the terminal gets the signals of the terminal itself
			}
			if goesOn {
				continue
			}
			j.end()
			j.interrupted.Store(sig == os.Interrupt)
			defer time.AfterFunc(endWait, func() { signal.Stop(signals) }).Stop()
			program.Quit()
			<-over
			return
		case <-over:
			return
		}
	}
}
