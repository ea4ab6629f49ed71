// Package page is what the root and its pages say to each other.
//
// A page is bookkeeping: it gets messages and returns commands. All of its I/O goes
// through [Session.Do], which gives the command the session's context and stamps the
// result with the session that asked, so that an answer for an account that was left
// is dropped before any page sees it.
package page

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/style"
)

// ID names a page.
type ID int

// The pages, in the order of their keys.
const (
	Operations ID = iota
	Projects
	APIKeys
	Count
)

// Title is the page's name on the screen.
func (id ID) Title() string {
	switch id {
	case Operations:
		return "Operations"
	case Projects:
		return "Projects"
	case APIKeys:
		return "API keys"
	case Count:
	}
	return ""
}

// Name is what the configuration calls the page.
func (id ID) Name() string {
	switch id {
	case Operations:
		return "operations"
	case Projects:
		return "projects"
	case APIKeys:
		return "apikeys"
	case Count:
	}
	return ""
}

// Page is one of the screens between header and footer.
type Page interface {
	// Start begins what the page does as long as the session lasts.
	Start() tea.Cmd
	// Shown tells the page that it is the one on the screen now.
	Shown() tea.Cmd
	// Update does the bookkeeping of a message.
	Update(msg tea.Msg) tea.Cmd
	// View draws the page: exactly Height lines of Width cells.
	View(f Frame) []string
	// Spoken says in words what View draws.
	Spoken(f Frame) announce.Description
	// Keys declares what can be done on the page now, with the keys that the page itself
	// listens to. What of them the person has changed is the root's to know.
	Keys() []action.Group
	// Commands are what the palette can do on the page besides.
	Commands() []Command
	// Editing says that keys are text for an input of the page.
	Editing() bool
	// Ticks reports whether something that is shown goes on with the seconds.
	Ticks() bool
	// Status says how current the page's data is, for the header.
	Status(now time.Time) Status
	// AsOf is when what the page shows was last read, or zero before that.
	AsOf() time.Time
	// Title is what the terminal's title says of the page, or nothing.
	Title() string
	// Place is where the person is on the page.
	Place() Place
}

// Frame is what a page is drawn into.
type Frame struct {
	Width, Height int
	Theme         *style.Theme
	// Now is the moment of what is shown by the service's clock, and goes on with what the
	// service answers. Tick is Now or later, and goes on with the seconds while the page Ticks.
	Now, Tick time.Time
	// Keys are those of the page, for what it says of them.
	Keys action.Scope
	// Spoken says that nothing is drawn: the lines are said, and need no wrapping.
	Spoken bool
}

// Status is a short text with its tone. Long, if there is one, is said in its place where
// there is room.
type Status struct {
	Tone style.Tone
	Text string
	Long string
}

// Place is where a person is on a page, so that they can be brought back to it.
type Place struct {
	// Project is the id of the project whose operations are shown, or empty.
	Project string
	// Row is the id of the selected row, or empty.
	Row string
	// Query is the filter, and Open says that the row's detail was open.
	Query string
	Open  bool
}

// ErrorsKey declares the key that shows what has failed, which every page names where it
// has trouble to tell of.
func ErrorsKey() action.Action { return action.New("!", "errors", "!").Named("errors") }

// Dialog is drawn over the page and gets all keys until it is done.
type Dialog interface {
	// Update does the bookkeeping of a message. done closes the dialog, and answer, if
	// there is one, is a message for the root. It is an answer and not a command so that
	// it is there before the next key.
	Update(msg tea.Msg) (done bool, answer tea.Msg)
	// View draws the dialog's box, at most width by height cells.
	View(f Frame) string
	// Keys declares what can be done in the dialog now.
	Keys() []action.Group
}

// Speaking is a dialog that says itself what it shows. Of others, what they draw is said
// without their frame.
type Speaking interface {
	Dialog
	// Spoken says in words what View draws. The root adds which keys there are.
	Spoken(f Frame) announce.Description
}

// Open asks the root to show a dialog. It is told, see [Session.Tell].
type Open struct{ Dialog Dialog }

// Close asks the root to take a dialog away that is done by itself. It is told.
type Close struct{ Dialog Dialog }

// Lasting is a dialog that stays when the session that it was opened in is over, because
// it holds what cannot be had again.
type Lasting interface {
	Dialog
	// Outlive tells the dialog that the session is over.
	Outlive()
	// MayQuit says whether the program may be left. A dialog that says no says why, and
	// says yes the second time.
	MayQuit() bool
	// Farewell is what is to be said when the program was left over it, or empty.
	Farewell() string
}

// Notice is a short message for the person. It leaves by itself.
type Notice struct {
	Tone style.Tone
	Text string
	// Here says that it is about what was just pressed, and not what came of work: it
	// leaves with the page or the dialog that it was said on.
	Here bool
	// Waits keeps it until the user presses something: they may be elsewhere.
	Waits bool
}

// Click tells the page that it was clicked at a cell of its own frame, which is Width wide.
type Click struct{ X, Y, Width int }

// Pressed tells a dialog that it was clicked at a cell within its borders and the space
// beside them, when it was drawn into the frame.
type Pressed struct {
	X, Y  int
	Frame Frame
}

// Wheel tells a page or a dialog that the mouse's wheel was turned by as many lines, down
// if that is more than none.
type Wheel struct{ By int }

// Looked tells the Operations page that the user pressed something or came to the terminal.
type Looked struct{}

// Woke tells the pages that time has passed in which nothing was asked, as when the
// computer slept or the session was interrupted.
type Woke struct{}

// Alert is something that the person waits for, perhaps in another window: it rings the
// bell and, where the terminal can, notifies the desktop.
type Alert struct {
	Tone        style.Tone
	Title, Text string
}

// Copy asks the root to put a text on the clipboard. Label says what it is. The text is
// held as a secret because it may be one.
type Copy struct {
	Label string
	Text  models.Secret
	// Secret has the text taken away from the clipboard again after a while.
	Secret bool
	// Taken is called once the text is on the clipboard for sure; it may be nil.
	Taken func()
}

// To is a message for a page, whichever is shown: the answer to a dialog that the page
// opened.
type To struct {
	Page ID
	Msg  tea.Msg
}

// Failed tells the root of a request that failed. The page that asked shows the error;
// the root acts on those that concern the whole session, such as a refused key. It goes
// by [Session.Tell]: as a command it could reach the session that comes after this one.
type Failed struct{ Err error }

// SignedOut ends the session for a reason that the person is told.
type SignedOut struct{ Reason string }

// KeyChanged tells the root that the session goes on with another key. Source says
// where that is kept.
type KeyChanged struct{ Source string }

// WantProjects asks for the list of projects to be read again.
type WantProjects struct{}

// ShowOperations asks the root for the operations of a project.
type ShowOperations struct {
	Project models.Project
	// Back is where the person was there, if they come back to it; or nil.
	Back *Place
}

// Back asks the root to go back to where the person was before. It is told.
type Back struct{}

// ProjectList tells the other pages which projects the account has.
type ProjectList struct {
	Projects []models.Project
	// Pinned are the ids of those that are asked for their operations at every poll.
	Pinned map[string]bool
	// Complete says that all pages of the list have come.
	Complete bool
	// Err is why the list could not be read, or nil, and Next when it is tried again.
	Err  error
	Next time.Time
}

// Say returns the command that sends msg to the root.
func Say(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }
