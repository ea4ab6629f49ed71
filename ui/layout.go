package ui

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

// layoutKeeper keeps the user's layout, one change after another: each time the last one.
type layoutKeeper struct{ busy, again bool }

// layoutKept tells that the layout was kept, or why not.
type layoutKept struct{ err error }

// keep keeps the layout off the UI's goroutine, or once the one before is kept.
func (k *layoutKeeper) keep(o *Options) tea.Cmd {
	if k.again = k.busy; k.busy || o.SaveLayout == nil {
		return nil
	}
	k.busy = true
	layout, save := o.Layout, o.SaveLayout
	return func() tea.Msg { return layoutKept{save(layout)} }
}

// kept goes on with what changed meanwhile.
func (k *layoutKeeper) kept(msg layoutKept, o *Options, to *page.Outbox) tea.Cmd {
	if k.busy = false; msg.err != nil {
		to.Tell(style.Waiting, "The layout was not saved: "+msg.err.Error())
	}
	if k.again {
		return k.keep(o)
	}
	return nil
}
