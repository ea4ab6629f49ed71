//go:build !unix

package cli

import (
	"os"

	tea "charm.land/bubbletea/v2"
)

// jobSignals returns nil: there is no job control.
func jobSignals() []os.Signal { return nil }

func (j *jobControl) control(os.Signal, *tea.Program) bool { return false }

// stopJob does nothing: there is no job control.
func stopJob() error { return nil }

// suspension returns nil: a program cannot be stopped.
func (j *jobControl) suspension() tea.Cmd { return nil }
