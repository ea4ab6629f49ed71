package page

import (
	"pgtower/models"
	"pgtower/ui/style"
)

// Effect is what a page asks of the root. It is done before the next message.
type Effect interface{ effect() }

// Outbox is the effects that wait to be done. It is for use on the UI's goroutine.
type Outbox struct{ effects []Effect }

// Emit asks for an effect.
func (o *Outbox) Emit(e Effect) { o.effects = append(o.effects, e) }

// Open asks for a dialog to be shown.
func (o *Outbox) Open(d Dialog) { o.Emit(Open{d}) }

// Tell emits a notice about what came of work.
func (o *Outbox) Tell(tone style.Tone, text string) { o.Emit(Notice{Tone: tone, Text: text}) }

// Notify emits a notice about what was just pressed.
func (o *Outbox) Notify(tone style.Tone, text string) {
	o.Emit(Notice{Tone: tone, Text: text, Here: true})
}

// Effects returns what was emitted since it was last called.
func (o *Outbox) Effects() []Effect {
	effects := o.effects
	o.effects = nil
	return effects
}

// Target is an operation that is spoken of. Without an ID it is all those of the project, and without that none.
type Target struct{ Project, ID string }

type (
	// Open shows a dialog.
	Open struct{ Dialog Dialog }
	// Close takes a dialog away.
	Close struct{ Dialog Dialog }
	// Notice is a short message for the user. It leaves by itself.
	Notice struct {
		Tone  style.Tone
		Text  string
		Here  bool   // it is about what was just pressed, and leaves with the page or the dialog
		Waits bool   // it stays until the user presses something
		About Target // the operation that it names, if it names one
	}
	// Alert is something that the user waits for: it rings the bell and notifies the desktop.
	Alert struct {
		Tone        style.Tone
		Title, Text string
		About       Target // the operation that ended
	}
	// Copy puts a text on the clipboard. The text may be a secret.
	Copy struct {
		Label  string // what it is
		Text   models.Secret
		Secret bool   // the text leaves the clipboard again after a while
		Taken  func() // is called once the text is on the clipboard for sure; may be nil
	}
	// Failed tells of a request that failed: the root acts on what concerns the session, such as a refused key.
	Failed struct{ Err error }
	// SignOut ends the session for a reason that the user is told.
	SignOut struct{ Reason string }
	// KeyChanged tells that the session goes on with another key. Source says where that is kept.
	KeyChanged struct{ Source string }
	// RefreshProjects has the list of projects read again.
	RefreshProjects struct{}
	// ShowOperations shows the operations of a project, or of all without an id.
	ShowOperations struct {
		Project models.Project
		Back    *Place // where the user was there, if they come back to it; or nil
	}
	// ShowProject shows the project of an id among all.
	ShowProject struct{ ID string }
	// Back goes back to where the user was before.
	Back struct{}
)

func (Open) effect()            {}
func (Close) effect()           {}
func (Notice) effect()          {}
func (Alert) effect()           {}
func (Copy) effect()            {}
func (Failed) effect()          {}
func (SignOut) effect()         {}
func (KeyChanged) effect()      {}
func (RefreshProjects) effect() {}
func (ProjectList) effect()     {}
func (ShowOperations) effect()  {}
func (ShowProject) effect()     {}
func (Back) effect()            {}
