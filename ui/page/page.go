// Package page is what the root and its pages say to each other.
//
// A page is bookkeeping: it gets messages and returns commands. All of its I/O goes through [Session.Do], which
// stamps the result with the session that asked: an answer for an account that was left is dropped before any page
// sees it.
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

var (
	titles = [Count]string{Operations: "Operations", Projects: "Projects", APIKeys: "API keys"}
	names  = [Count]string{Operations: "operations", Projects: "projects", APIKeys: "apikeys"}
)

// Title returns the page's name on the screen.
func (id ID) Title() string { return titles[id] }

// Name returns the page's name in the configuration.
func (id ID) Name() string { return names[id] }

// Page is one of the screens between header and footer.
type Page interface {
	Start() tea.Cmd                        // begins what the page does as long as the session lasts
	Shown() tea.Cmd                        // tells the page that it is on the screen now
	Update(msg tea.Msg) tea.Cmd            // takes in what the page asked for, the mouse, and keys and pastes for an input
	Actions() []action.Group               // declares everything that the page can do, also what is hidden or disabled now
	Editing() bool                         // reports whether keys are text for an input, whose actions are the only ones
	View(f Frame) []string                 // draws the page: exactly Height lines of Width cells
	Describe(f Frame) announce.Description // says in words what View draws
	Ticks() bool                           // reports whether something on the page changes with every second
	Status(now time.Time) Status           // returns how current the page's data is, for the header
	AsOf() time.Time                       // returns when the page was last read, or zero
	Title() string                         // returns the page's news for the terminal's title, or nothing
	Place() Place                          // returns where the user is on the page
}

// Frame is what a page is drawn into.
type Frame struct {
	Width, Height int
	Theme         *style.Theme
	// Now is the service's time as of its last answer. Tick goes on with the seconds while the page Ticks.
	Now, Tick time.Time
	Actions   []action.Group // of the page and of the root, with the keys in force
	Spoken    bool           // the lines are said, not drawn, and need no wrapping
}

// Key returns how a sentence calls the key of the action of an ID.
func (f *Frame) Key(id string) string { return action.Label(f.Actions, id) }

// Status is how current a page is. Long takes the place of Text where there is room for it.
type Status struct {
	Tone       style.Tone
	Text, Long string
}

// Place is where the user is on a page, so that they can be brought back to it.
type Place struct {
	Project    string // the id of the project whose operations are shown, or empty
	Step       int    // how often the user went on from a row: another step is another place
	Row        string // the id of the selected row, or empty
	Query      string // the filter
	Open       bool   // the row's detail is open
	Statistics bool   // the statistics are shown in place of the rows, and the row is one of theirs
}

// Dialog is drawn over the page and gets all keys until it is done.
type Dialog interface {
	Actions() []action.Group
	Update(msg tea.Msg) tea.Cmd            // takes in the mouse, and the keys and pastes that no action is for
	Done() bool                            // reports whether the dialog is to be closed
	View(f Frame) string                   // draws the dialog's box, at most Width by Height cells
	Describe(f Frame) announce.Description // says in words what View draws. The root adds what can be done
	Outlives() bool                        // is told that the session is over, and reports whether the dialog stays
	Loses() string                         // what is lost if the program ends now, which is printed then; or nothing
	MinHeight() int                        // returns the lines of the least screen that it can be judged on
	Warn() (again bool)                    // has the dialog say so, and reports whether it did before
}

type (
	// Click is a click at a cell of the page's frame.
	Click struct {
		X, Y, Width int
		Double      bool // it is the second one of a double click
	}
	// Pressed is a click at a cell in or beside a dialog, counted from the corner of its box in the frame.
	Pressed struct {
		X, Y  int
		Frame Frame
	}
	// Wheel is a turn of the mouse's wheel at a cell of the page's frame, by so many lines, up if negative.
	Wheel struct{ X, Y, By int }
	// Looked tells the Operations page that the user pressed something or came to the terminal.
	Looked struct{}
	// Resumed tells the pages that the program was suspended, or the computer slept.
	Resumed struct{}
)

// ProjectList tells the Operations page which projects the account has.
type ProjectList struct {
	Projects []models.Project
	Pinned   map[string]bool // the ids of those that are asked for their operations at every poll
	Complete bool            // all pages of the list have come
	Err      error           // why the list could not be read, or nil
	Next     time.Time       // when that is tried again
}
