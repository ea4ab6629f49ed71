package ui

import (
	"slices"

	"pgtower/ui/page"
)

// dialogs are the open dialogs, the top one last.
type dialogs []page.Dialog

func (d *dialogs) top() page.Dialog { return (*d)[len(*d)-1] }

func (d *dialogs) open(opened page.Dialog) { *d = append(*d, opened) }

func (d *dialogs) close(closed page.Dialog) {
	*d = slices.DeleteFunc(*d, func(open page.Dialog) bool { return open == closed })
}

// closeDone closes the finished dialogs.
func (d *dialogs) closeDone() { *d = slices.DeleteFunc(*d, page.Dialog.Done) }

// endSession closes the dialogs that depend on the session.
func (d *dialogs) endSession() {
	*d = slices.DeleteFunc(*d, func(open page.Dialog) bool { return !open.OnSessionEnd() })
}
