package table

import (
	"cmp"
	"strings"
	"time"

	"pgtower/ui/style"
)

// Column is one column of a table.
type Column[R any] struct {
	Title       string
	Moment      string // the title when times are shown as times and not as ages; "" for other columns
	Width, Grow int    // the wanted number of cells, and the share of the cells that are left
	// Wants returns Width and Least as they are now, in place of these; may be nil.
	Wants     func() (cells, least int)
	Least     int         // the number of cells in narrow rows: Width if 0
	Led       int         // the wanted number of cells where the column leads, in wide rows: it takes what others leave
	BesideLed func() int  // the number of cells beside a column that leads in wide rows; nil as elsewhere
	Replaced  func() bool // reports whether the leading column shows the same; nil for never
	Priority  int         // if there is no room, the columns with the highest priority leave first; those of 0 stay
	// LedPriority is in place of Priority where a column leads; 0 for the same.
	LedPriority int
	From        int         // the least cells of a row in which it is shown
	Hidden      func() bool // reports whether the column is left out at any width; nil for never
	Right       bool        // aligns the cells, which are numbers: they are sorted with the largest first
	Drawn       bool        // the cells are pictures, which are not announced
	// Heading returns what is drawn in place of Title. Tones returns the tone of a character of a picture, from its index and
	// the number of its cells. Each may be nil.
	Heading func(now time.Time) string
	Tones   func(row R, character rune, index, cells int) style.Tone
	Clock   bool // always shows times, not ages; hidden if another column, whose Moment is its Title, shows times, too
	Extra   bool // shown if there is room after all others have Full cells
	// Full is the greatest number of cells that it can use. A column that does not grow gets them if all columns can.
	Full    int
	Cell    func(row R, now time.Time) (string, style.Tone)
	Many    string                              // the word for its different cells in a fold: "5 actions"; "" shows none
	Behind  func(row R) string                  // a red text behind a cell, never cut; may be nil
	Shorten func(text string, width int) string // fits a text of Cell; nil cuts its end
	Beside  func(row R) string                  // a muted text after a cell, if there is room for all of it; may be nil
	Compare func(a, b R, now time.Time) int     // orders rows by the column; nil if they cannot be sorted by it
}

// wants returns the number of cells that the column wants, and the least one.
func (c *Column[R]) wants() (cells, least int) {
	if c.Wants != nil {
		return c.Wants()
	}
	return c.Width, cmp.Or(c.Least, c.Width)
}

func (c *Column[R]) replaced() bool { return c.Replaced != nil && c.Replaced() }

// heading returns what is drawn in place of the title, or "".
func (c *Column[R]) heading(now time.Time) string {
	if c.Heading == nil {
		return ""
	}
	return c.Heading(now)
}

func (c *Column[R]) hidden() bool { return c.Hidden != nil && c.Hidden() }

// name is the name of a column in lists and in the configuration.
func (c *Column[R]) name() string { return strings.ToLower(c.Title) }

// beside returns the text of Beside after a space, or "" if there is no room for all of it.
func (c *Column[R]) beside(row R, room int) string {
	if c.Beside == nil {
		return ""
	}
	text := c.Beside(row)
	if text == "" || style.Width(text)+1 > room {
		return ""
	}
	return " " + text
}
