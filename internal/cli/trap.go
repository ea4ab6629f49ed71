//go:build !pgtower_crash

package cli

import tea "charm.land/bubbletea/v2"

// withTrap is the root as it is: only the tests build a program that can be made to panic.
func (Process) withTrap(root tea.Model) tea.Model { return root }
