package table

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/announce"
	"pgtower/ui/style"
)

// Description is what a page shows around the rows of its table, for [Model.Draw] and [Model.Describe]. Functions may be nil.
type Description[R any] struct {
	ID             any // of the page; so is Name
	Name           string
	Over           bool             // the page lies over another one
	Scope, State   announce.Part    // what the rows are of and how current they are, in the accessible mode
	Summary        []Part           // the line above the table
	Empty, Nothing EmptyState       // in place of rows; Nothing if none matches the filter
	Trouble        []error          // below the rows, a line for each that is not nil
	Note           Note             // the line below the rows
	News           []announce.Event // events to announce once
	Picture        announce.Part    // what the Body shows, in words

	Changed func(R) Change    // what is new or changed in a row
	Partial func(R) bool      // reports whether rows may be missing around a row
	At      func(R) time.Time // the present for a row; by default, the time of the frame
	Divider func(R) string    // the text of the divider, see [Source]
}

// Change is what happened to a row since the last poll: a bit for each column whose cell changed, or [Added].
type Change uint64

// Added is the change of a new row.
const Added Change = 1 << 63

// Part is a piece of the line above the table.
type Part struct {
	Tone       style.Tone
	Text       string         // "" for a part that is only announced
	Announced  string         // in place of Text
	ScreenOnly bool           // the part is not announced
	Gap        string         // before the part: three spaces by default
	Right      bool           // aligned right; these parts are omitted if there is no room for all of them
	Run        func() tea.Cmd // runs at a click; may be nil
}

// Note is a line below the rows.
type Note struct {
	Tone       style.Tone
	Text       string
	Announced  announce.Part // by default, its name is "note" and its text Text
	ScreenOnly bool          // the note is not announced
}
