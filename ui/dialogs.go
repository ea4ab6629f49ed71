package ui

import (
	"slices"

	"pgtower/ui/page"
)

// dialogs are those that are open, the one on top last.
type dialogs []page.Dialog

func (d *dialogs) top() page.Dialog { return (*d)[len(*d)-1] }

// remove takes a dialog away.
func (d *dialogs) remove(which page.Dialog) {
	*d = slices.DeleteFunc(*d, func(is page.Dialog) bool { return is == which })
}

// closeDone takes away the dialogs that are done.
func (d *dialogs) closeDone() { *d = slices.DeleteFunc(*d, page.Dialog.Done) }

// endSession closes the dialogs that mean nothing without the session that they were opened in.
func (d *dialogs) endSession() {
	*d = slices.DeleteFunc(*d, func(is page.Dialog) bool {
		persistent, ok := is.(page.Persistent)
		if ok {
			persistent.OnSessionEnd()
		}
		return !ok
	})
}

// mayQuit asks the dialogs whether something would be lost.
func (d *dialogs) mayQuit() bool {
	return !slices.ContainsFunc(*d, func(is page.Dialog) bool {
		persistent, ok := is.(page.Persistent)
		return ok && !persistent.MayQuit()
	})
}

// exitMessages returns what the dialogs have printed when the program is over.
func (d *dialogs) exitMessages() (lines []string) {
	for _, is := range *d {
		if persistent, ok := is.(page.Persistent); ok && persistent.ExitMessage() != "" {
			lines = append(lines, persistent.ExitMessage())
		}
	}
	return lines
}
