package page

import (
	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/query"
	"pgtower/ui/style"
)

// Effect is a request of a page to the root, which runs it before the next message.
type Effect interface{ effect() }

// Outbox collects effects. Use it only on the UI's goroutine.
type Outbox struct{ effects []Effect }

// Emit adds an effect.
func (o *Outbox) Emit(e Effect) { o.effects = append(o.effects, e) }

// Open adds the effect of opening a dialog.
func (o *Outbox) Open(d Dialog) { o.Emit(Open{d}) }

// Notify adds a notice.
func (o *Outbox) Notify(tone style.Tone, text string) { o.Emit(Notice{Tone: tone, Text: text}) }

// Effects returns the effects since the last call.
func (o *Outbox) Effects() []Effect {
	effects := o.effects
	o.effects = nil
	return effects
}

type (
	// Open shows a dialog.
	Open struct{ Dialog Dialog }
	// Close closes a dialog.
	Close struct{ Dialog Dialog }
	// Notice is a short message for the user. It disappears by itself.
	Notice struct {
		Tone  style.Tone
		Text  string
		Waits bool     // stays until the user presses something
		About feed.Key // the operation that it names, if any
	}
	// Alert shows a notice about operations or API keys, and adds them to the list of alerts.
	Alert struct {
		Reason string // the name of a view, or why else
		Tone   style.Tone
		Text   string // of the notice, which is about the first one found
		Found  []Found
		Rings  bool     // also the bell, and a desktop notification
		Quiet  bool     // it is only listed
		Run    []string // a program to run for each, and its arguments with placeholders; nil for none
	}
	// Found is an operation or an API key of an [Alert].
	Found struct {
		Text    string
		Sign    style.Status  // its status; zero for the sign of a problem
		Subject string        // the name of its project, or of the API key
		Brief   string        // Text without the subject, the same for all similar ones; Text if it is empty
		About   feed.Key      // the operation; zero if it has no id
		APIKey  models.KeyRef // the key; zero for an operation
		Values  models.Fields // of either; nil if the text is not about it itself
	}
	// Copy puts a text on the clipboard. The text may be a secret.
	Copy struct {
		Label    string // describes it
		Text     models.Secret
		Secret   bool   // clears the clipboard after a while
		Terminal bool   // of a secret: also the terminal's clipboard, which cannot be cleared, as the user knows
		Taken    func() // called when the text is certainly on the clipboard; may be nil
		// OnlyTerminal is called if a secret was not copied, because that needs Terminal; may be nil.
		OnlyTerminal func()
	}
	// Failed reports a failed request: the root handles errors of the session, such as a refused key. After a refused
	// Change, a read has to tell whether the key is.
	Failed struct {
		Err    error
		Change bool
	}
	// SignOut ends the session and shows the user the reason.
	SignOut struct{ Reason string }
	// ProjectNeeded ends the session of a key of one project, because the user must give the id of that project.
	ProjectNeeded struct{ Reason string }
	// KeyChanged reports that the session continues with another key. Source is where it is saved.
	KeyChanged struct{ Source string }
	// KeepLayout saves the layout of the session. Asked reports whether the user chose to keep it.
	KeepLayout struct{ Asked bool }
	// RefreshProjects asks for the lists of projects again, and which organizations there are.
	RefreshProjects struct{}
	// ProjectHealth has the health of some projects by their ids, for the Projects page. It does not change any more.
	ProjectHealth map[string]feed.ProjectHealth
	// ShowOperations shows the operations of a project, or of all without an id.
	ShowOperations struct {
		Project models.Project
		Back    *ViewState // where the user was, if they return; or nil
	}
	// ShowProject shows the project with an id among all.
	ShowProject struct{ ID string }
	// ShowKey shows an API key.
	ShowKey struct{ Ref models.KeyRef }
	// ShowView shows a saved view of another page than the operations.
	ShowView struct{ View query.SavedView }
	// Back returns to where the user was before.
	Back struct{}
)

func (Open) effect()            {}
func (Close) effect()           {}
func (Notice) effect()          {}
func (Alert) effect()           {}
func (Copy) effect()            {}
func (Failed) effect()          {}
func (SignOut) effect()         {}
func (ProjectNeeded) effect()   {}
func (KeyChanged) effect()      {}
func (KeepLayout) effect()      {}
func (RefreshProjects) effect() {}
func (ProjectList) effect()     {}
func (ProjectHealth) effect()   {}
func (ShowOperations) effect()  {}
func (ShowProject) effect()     {}
func (ShowKey) effect()         {}
func (ShowView) effect()        {}
func (Back) effect()            {}
