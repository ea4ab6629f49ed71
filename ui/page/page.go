// Package page defines the messages between the root and its pages.
//
// A page is bookkeeping: it receives messages and returns commands. All of its I/O goes through [Session.Do], which
// stamps the result with its session: a result for an ended session is dropped before it reaches a page.
package page

import (
	"cmp"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
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
	short  = [Count]string{Operations: "Ops", Projects: "Projects", APIKeys: "Keys"}
	names  = [Count]string{Operations: "operations", Projects: "projects", APIKeys: "apikeys"}
)

// Title returns the page's name on the screen.
func (id ID) Title() string { return titles[id] }

// ShortTitle returns the page's name where there is little room.
func (id ID) ShortTitle() string { return short[id] }

// Name returns the page's name in the configuration.
func (id ID) Name() string { return names[id] }

// Named returns the page with a name in the configuration, and whether there is one.
func Named(name string) (id ID, ok bool) {
	for id := range Count {
		if id.Name() == name {
			return id, true
		}
	}
	return 0, false
}

// Page is one of the screens between header and footer.
type Page interface {
	// Start starts the page's work, once per session; Shown is called when the page appears on the screen.
	Start() tea.Cmd
	Shown() tea.Cmd
	// Update handles results, the mouse, and keys and pastes for an input.
	Update(msg tea.Msg) tea.Cmd
	// Actions declares all actions of the page, including hidden and disabled ones.
	Actions() []action.Group
	// Editing reports whether an input has the focus: then its actions are the only ones.
	Editing() bool
	// View draws the page, exactly Height lines of Width cells; Describe describes what View draws.
	View(f Frame) []string
	Describe(f Frame) announce.Description
	// Rule returns what stands in the rule below the page, as last drawn.
	Rule() Rule
	// Ticks reports whether the page changes every second.
	Ticks() bool
	// Status returns the freshness of the page's data, for the header; AsOf when it was last read, or zero.
	Status(now time.Time) Status
	AsOf() time.Time
	// Title returns the page's news for the terminal's title, or "".
	Title() string
	// ChosenValues returns the fields of the row that the user saw selected, or nil.
	ChosenValues() models.Fields
	// ViewState returns the user's position on the page.
	ViewState() ViewState
}

// Frame is the area and context that a page is drawn in.
type Frame struct {
	Width, Height int
	Theme         *style.Theme
	// Now is the service's time as of its last response. Tick follows the seconds while the page Ticks.
	Now, Tick  time.Time
	Keys       action.Labels // in force on the page
	Accessible bool          // for a screen reader, which needs no wrapping
}

// Key returns the key of the action with an ID, as named in a sentence.
func (f *Frame) Key(id string) string { return f.Keys.Of(id) }

// RuleFrom is the least height of a page with a rule below it.
const RuleFrom = 8

// Rule is what stands in the rule below a page, as painted. Left is cut if there is not enough room, and gives way to a notice.
type Rule struct{ Left, Right string }

// Status is the freshness of a page in four forms, of which the longest that fits is shown: Long has more than Text, Brief has
// a sign, a word and the most important time, and Word leaves out that time. An empty form is as the longer one before it.
type Status struct {
	Tone                    style.Tone
	Long, Text, Brief, Word string
}

// Form returns a form, of which 0 is the longest and 3 the shortest.
func (s *Status) Form(i int) string {
	forms := [...]string{cmp.Or(s.Long, s.Text), s.Text, cmp.Or(s.Brief, s.Text), cmp.Or(s.Word, s.Brief, s.Text)}
	return forms[i]
}

// ViewState is the user's position on a page, to be restored later.
type ViewState struct {
	Project    string    // the id of the project whose operations are shown, or empty
	Step       int       // how often the user followed a row: each step is an entry of the history
	Row        feed.Key  // the selected row, or zero
	Began      time.Time // when the operation of the row began; zero if it has none
	Query      string    // the filter
	Open       bool      // the row's details are open
	Statistics bool      // the statistics are shown instead of the rows, and the row is one of theirs
}

// Dialog is drawn over the page and gets all keys until it is done.
type Dialog interface {
	Actions() []action.Group
	// Update handles the mouse, and keys and pastes without an action.
	Update(msg tea.Msg) tea.Cmd
	// Done reports whether to close the dialog.
	Done() bool
	// View draws the dialog's box, at most Width by Height cells; Describe describes what View draws, without the keys.
	View(f Frame) string
	Describe(f Frame) announce.Description
	// OnSessionEnd is called at the end of the session, and reports whether the dialog stays open.
	OnSessionEnd() bool
	// ExitWarning returns what is lost if the program ends now, printed at its exit, or "". Warn shows it in the dialog,
	// and reports whether it was shown before.
	ExitWarning() string
	Warn() (shown bool)
	// MinHeight returns the minimum height of the screen for the dialog, in lines.
	MinHeight() int
}

type (
	// Click is a click at a cell of the page's frame.
	Click struct {
		X, Y   int
		Double bool // the second click of a double click
	}
	// Drag is a move of the mouse while its button is pressed, by cells to the right since the click or the last move.
	Drag struct{ By int }
	// Pressed is a click at a cell in or beside a dialog, relative to the corner of its box in the frame.
	Pressed struct {
		X, Y  int
		Frame Frame
	}
	// Wheel is a turn of the mouse wheel at a cell of the page's frame, by a number of lines, up if negative. Zooms is with
	// the control key.
	Wheel struct {
		X, Y, By int
		Zooms    bool
	}
	// UserActive tells the Operations page that the user did something, once it was handled, or focused the terminal.
	UserActive struct{}
	// Resumed tells the pages that the program was suspended, or the computer was asleep.
	Resumed struct{}
	// Budget tells the pages how many requests a second polling may make from now on.
	Budget int
)

// ProjectList tells the pages which projects the account has.
type ProjectList struct {
	Projects []models.Project
	Pinned   map[string]bool // the ids of the projects polled in every cycle
	Complete bool            // all projects that the key reaches are known
	Settled  bool            // a project that is not listed is gone or not reached: all lists were answered
	Err      error           // why no list could be read, or nil
	Trouble  error           // of some lists while others can be read, or nil
	Next     time.Time       // when the lists that cannot be read are read again
}
