package ui

import (
	"slices"

	"pgtower/ui/page"
)

// dialogs are the open dialogs, the top one last.
type dialogs []page.Dialog

func (d *dialogs) top() page.Dialog { return (*d)[len(*d)-1] }

func (d *dialogs) open(one page.Dialog) { *d = append(*d, one) }

func (d *dialogs) close(one page.Dialog) {
	*d = slices.DeleteFunc(*d, func(other page.Dialog) bool { return other == one })
}

// closeDone closes those that are finished.
func (d *dialogs) closeDone() { *d = slices.DeleteFunc(*d, page.Dialog.Done) }

// endSession closes those that depend on the session.
func (d *dialogs) endSession() {
	*d = slices.DeleteFunc(*d, func(one page.Dialog) bool { return !one.OnSessionEnd() })
}
