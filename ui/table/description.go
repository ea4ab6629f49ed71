package table

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/dustin/go-humanize"

	"pgtower/ui/announce"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/query"
	"pgtower/ui/style"
)

// Description is what a page shows around the rows of its table at a moment. [Model.Draw]
// draws it, and [Model.Describe] says it.
type Description[R any] struct {
	// ID and Name are the page's. Over reports that it lies over another one.
	ID   any
	Name string
	Over bool
	// Scope is whose rows these are, and State how current they are, for those who hear it.
	Scope, State announce.Part
	// Summary is the line above the table.
	Summary []Part
	// Empty is said where rows would be, and Nothing of a filter that nothing matches.
	Empty, Nothing EmptyState
	// Trouble is what went wrong: a line for each error that is not nil, below the rows.
	Trouble []error
	// Note is the line below the rows.
	Note Note
	// News are things that happened, to be heard once.
	News []announce.Event

	// Changed returns what is new or changed of a row, Partial reports whether others may be
	// missing around it, and At is the moment that it is shown at: by default, that of the
	// frame. Divider is the line among the rows, see [Freezer]. Each may be nil.
	Changed func(R) Change
	Partial func(R) bool
	At      func(R) time.Time
	Divider func(R) string
}

// Part is a piece of the line above the table.
type Part struct {
	Tone   style.Tone
	Text   string         // a part without it is only heard
	Said   string         // in place of Text
	Unsaid bool           // the part is only seen
	Gap    string         // stands before the part: three cells, if it is left out
	Right  bool           // at the right end; all parts there leave where they have no room
	Run    func() tea.Cmd // does what a click on the part does; it may be nil
}

// Note is a line below the rows.
type Note struct {
	Tone   style.Tone
	Text   string
	Said   announce.Part // what is heard: by default, its name is "note" and its text Text
	Unsaid bool          // the note is only seen
}

// link is what can be clicked on a line, from one cell to before another: a part of the
// summary, or else the title of a column to sort by.
type link struct {
	line, from, to int
	run            func() tea.Cmd
	column         int
}

// Draw draws the whole page: exactly Height lines of Width cells.
func (m *Model[R, K]) Draw(f page.Frame, d Description[R]) []string {
	m.seen()
	s := scene[R, K]{Model: m, f: f, d: &d}
	foot := append(s.foot(), s.filterLines()...)
	lines := make([]string, 0, f.Height+1+len(foot))
	lines = append(lines, s.summary())
	lines = append(lines, s.body(max(0, f.Height-1-len(foot)))...)
	for _, line := range foot {
		lines = append(lines, style.Fit(line, f.Width))
	}
	return lines[:f.Height]
}

// scene is what there is to draw or to say in one frame.
type scene[R any, K comparable] struct {
	*Model[R, K]
	f    page.Frame
	d    *Description[R]
	wide []int // the columns, 0 for those that left
}

// at is the moment that a row is shown at.
func (s *scene[R, K]) at(row R) time.Time {
	if s.d.At != nil {
		return s.d.At(row)
	}
	return s.f.Now
}

// summary draws the line above the table.
func (s *scene[R, K]) summary() string {
	const apart = "   "
	const edge = " "
	left, right := edge, ""
	s.links = s.links[:0]
	for _, p := range s.d.Summary {
		side := &left
		if p.Right {
			side = &right
		}
		if p.Text == "" {
			continue
		}
		if *side != "" && *side != edge {
			*side += s.f.Theme.Paint(style.Muted, cmp.Or(p.Gap, apart))
		}
		if p.Run != nil && !p.Right {
			from := style.Width(left)
			s.links = append(s.links, link{from: from, to: from + style.Width(p.Text), run: p.Run})
		}
		*side += s.f.Theme.Paint(p.Tone, p.Text)
	}
	if right += edge; style.Width(left)+len(apart)-1+style.Width(right) > s.f.Width {
		right = ""
	}
	return style.Ends(left, right, s.f.Width)
}

// body draws the rows, or what there is in their place: height lines as wide as the frame.
func (s *scene[R, K]) body(height int) []string {
	row, ok := s.Selected()
	switch {
	case !ok:
		return s.empty().lines(s.f.Theme, s.f.Width, height)
	case s.open:
		return s.opened(row, height)
	}
	return s.rowsAndDetail(row, height)
}

// empty is what stands in the place of rows.
func (s *scene[R, K]) empty() EmptyState {
	switch {
	case s.wrong != nil:
		return EmptyState{Tone: style.Bad, Title: "This is not a filter yet.", Body: s.wrong.Message}
	case s.Filtered() && s.Source.Len() > 0:
		back := input.CancelKey
		if !s.Editing() {
			back = s.f.Key("back")
		}
		if s.f.Spoken {
			back = style.Sentence(announce.Key(back))
		}
		e := s.d.Nothing
		e.Title = cmp.Or(e.Title, "Nothing matches the filter.")
		e.Body = strings.TrimSpace(back + " shows all rows again. " + e.Body)
		return e
	}
	return s.d.Empty
}

// foot draws the lines below the rows: what went wrong, a line each, then what there is to
// say, and where the selection is among the rows, "4 / 1,204".
func (s *scene[R, K]) foot() []string {
	if s.Len() == 0 {
		return nil
	}
	var out []string
	for _, err := range s.d.Trouble {
		if err != nil {
			more := s.f.Theme.Paint(style.Muted, s.f.Key("errors")+" errors ")
			wrong := s.f.Theme.Paint(style.Bad, " ✗ "+err.Error())
			out = append(out, style.Ends(wrong, more, s.f.Width))
		}
	}
	var said []string
	if marks := s.countMarks(); marks != "" {
		said = append(said, s.f.Theme.Paint(style.Accent, "● "+marks))
	}
	if s.d.Note.Text != "" {
		said = append(said, s.f.Theme.Paint(s.d.Note.Tone, s.d.Note.Text))
	}
	at := style.None
	if n := s.place(); n > 0 {
		at = Count(n)
	}
	place := at + " " + s.f.Theme.Paint(style.Muted, "/ "+Count(s.Matches())+" ")
	return append(out, style.Ends(" "+strings.Join(said, "   "), place, s.f.Width))
}

// countMarks says how many rows are marked, and how many of them cannot be seen.
func (s *scene[R, K]) countMarks() string {
	n := s.CountMarked()
	if n == 0 {
		return ""
	}
	said := Count(n) + " marked"
	if s.hidden > 0 {
		said += ", " + Count(s.hidden) + " of them hidden by the filter"
	}
	return said
}

// filterLines are the filter, and below it what is wrong with it and where.
func (s *scene[R, K]) filterLines() []string {
	if !s.line.Shown() {
		return nil
	}
	lines := []string{s.line.View(s.f.Theme, s.f.Width, fmt.Sprintf("%s of %s", Count(s.Matches()), Count(total(s.Source))))}
	switch {
	case s.wrong != nil:
		lines = append(lines, s.pointAt(style.Bad, s.wrong)...)
	case s.hint != nil && s.Editing():
		lines = append(lines, s.pointAt(style.Muted, s.hint)...)
	}
	return lines
}

// pointAt says what is to be said of a part of the filter, below that part: beside the
// mark if there is room, else in lines of its own.
func (s *scene[R, K]) pointAt(tone style.Tone, e *query.Error) []string {
	q := s.Query()
	before, part := q[:e.At], q[e.At:e.At+e.Len]
	mark := style.Spaces(input.FilterIndent+style.Width(before)) + strings.Repeat("^", max(1, style.Width(part)))
	if line := mark + " " + e.Message; style.Width(line) <= s.f.Width {
		return []string{s.f.Theme.Paint(tone, line)}
	}
	lines := []string{s.f.Theme.Paint(tone, style.Cut(mark, s.f.Width))}
	for _, line := range style.Wrap(e.Message, s.f.Width-2*input.FilterIndent) {
		lines = append(lines, s.f.Theme.Paint(tone, style.Spaces(input.FilterIndent)+line))
	}
	return lines
}

// Plural is a number of things: 1 key, 1,204 keys.
func Plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + one + "s"
}

// Count is a number as the screen shows it: 1,204.
func Count(n int) string { return humanize.Comma(int64(n)) }
