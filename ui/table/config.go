package table

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/page"
)

// Config is the page's part of a table. Functions may be nil unless stated otherwise.
type Config[R any] struct {
	Source   Source[R]
	Columns  []Column[R]
	Order    string                            // the name of the source's order, such as "time"
	Fields   []query.Field[R]                  // the fields of the filter
	Examples []string                          // filters to show while none is typed
	Detail   func(row R, now time.Time) Record // a row with all its fields; required
	Values   func(row R) models.Fields         // the API's fields of a row
	Say      func(row R, now time.Time) string // a row in words: [Model.SayCells] by default

	Lead  func() string // the name of the first column in the present view, or ""
	Fixed bool          // the user cannot choose the columns
	// OwnColumns returns the names of the columns that are used instead of those of the page's layout, if there are any.
	// KeepColumns changes them. Both may be nil.
	OwnColumns  func() []string
	KeepColumns func(names []string) tea.Cmd
	ofView      []string // the columns of the saved view that is shown; empty: those of the layout

	// Raw returns a function that reads a row as the service sends it, as valid JSON; or nil if that is impossible.
	Raw func(row R) func(context.Context) ([]byte, error)

	Enter     *action.Action   // the action of Enter and of a double click: opens the details if hidden or nil
	Markable  func(row R) bool // reports whether a row can be marked; nil if none can
	Fold      *Fold[R]         // folds neighbours that are alike; nil for none
	Follow    bool             // the selection stays at the top while rows arrive above it
	Topped    func()           // called when the user goes to the first row; may be nil
	CanGoBack func() bool      // reports whether back finally leaves the page
	Leave     func() tea.Cmd   // leaves the page: the root does by default

	Body Body // shown in place of the rows; may be nil

	Now func() time.Time // the present for filters; [page.Session.ServiceNow] by default

	Session *page.Session
	Page    page.ID
}

// Body is another picture of the rows, with the same selection.
type Body interface {
	Draw(f page.Frame) []string  // draws exactly Height lines of Width cells
	Summary(f page.Frame) []Part // returns the line above, instead of the description's
	Step(step int)               // moves the selection down, or up if step is negative
	Zoom(closer bool)
	Click(click page.Click) tea.Cmd // selects what is drawn at a cell
	Drag(drag page.Drag)
}

// hasRaw reports whether a row can be read as the service sends it.
func (c *Config[R]) hasRaw(row R) bool { return c.Raw != nil && c.Raw(row) != nil }
