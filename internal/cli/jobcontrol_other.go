//go:build !unix

package cli

import (
	"os"

	tea "charm.land/bubbletea/v2"
)

// jobSignals are none: there are no jobs.
func jobSignals() []os.Signal { return nil }

func (j *jobControl) took(os.Signal, *tea.Program) bool { return false }

// suspension is nil: a program cannot be stopped.
func (j *jobControl) suspension() tea.Cmd { return nil }
