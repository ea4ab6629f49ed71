package table

import (
	"cmp"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/announce"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Description is what a page shows around the rows of its table at a moment. [Model.Draw]
// draws it, and [Model.Describe] says it.
type Description[R any] struct {
	ID             any // of the page, as is Name
	Name           string
	Over           bool             // the page lies over another one
	Scope, State   announce.Part    // whose rows these are and how current, for those who hear it
	Summary        []Part           // the line above the table
	Empty, Nothing EmptyState       // in the place of rows; Nothing where none matches the filter
	Trouble        []error          // what went wrong: a line for each that is not nil, below the rows
	Note           Note             // the line below the rows
	News           []announce.Event // things that happened, to be heard once
	Picture        announce.Part    // what the Body shows, in words

	// Each of these may be nil.
	Changed func(R) Change    // what is new or changed of a row
	Partial func(R) bool      // reports whether others may be missing around a row
	At      func(R) time.Time // the moment that a row is shown at: that of the frame if nil
	Divider func(R) string    // says the line among the rows, see [Source]
}

// Part is a piece of the line above the table.
type Part struct {
	Tone       style.Tone
	Text       string         // a part without it is only heard
	Announced  string         // in place of Text
	ScreenOnly bool           // the part is only seen
	Gap        string         // stands before the part: three cells, if it is left out
	Right      bool           // at the right end; all parts there leave where they have no room
	Run        func() tea.Cmd // does what a click on the part does; it may be nil
}

// Note is a line below the rows.
type Note struct {
	Tone       style.Tone
	Text       string
	Announced  announce.Part // what is heard: by default, its name is "note" and its text Text
	ScreenOnly bool          // the note is only seen
}

// link is what can be clicked on a line, from one cell to before another.
type link struct {
	line, from, to int
	run            func() tea.Cmd
}

// summaryFrom and titlesFrom are how many lines a page must have for those around the rows, and for the
// titles of the columns.
const summaryFrom, titlesFrom = 8, 5

// Draw draws the whole page: exactly Height lines of Width cells.
func (m *Model[R, K]) Draw(f page.Frame, d Description[R]) []string {
	m.seen()
	s := scene[R, K]{Model: m, f: f, d: &d}
	s.links, s.above = s.links[:0], 0
	lines := make([]string, 0, f.Height+1)
	foot := s.filterLines()
	if f.Height >= summaryFrom {
		lines, foot = append(lines, ""), append(s.foot(), foot...)
		s.above = 1
	}
	s.titled = f.Height >= titlesFrom
	height := max(0, f.Height-len(lines)-len(foot))
	switch row, ok := s.Selected(); {
	case !ok:
		lines = append(lines, s.empty().lines(f.Theme, f.Width, height)...)
	case s.open:
		lines = append(lines, s.opened(row, height)...)
	default:
		lines = append(lines, s.rowsAndDetail(row, height)...)
	}
	for _, line := range foot {
		lines = append(lines, style.Fit(line, f.Width))
	}
	if f.Height >= summaryFrom {
		if s.Body != nil && !s.open && s.Len() > 0 {
			d.Summary = s.Body.Summary(f)
		}
		s.f = f
		lines[0] = s.summary()
	}
	return lines[:f.Height]
}

// scene is what there is to draw or to say in one frame.
type scene[R any, K comparable] struct {
	*Model[R, K]
	f     page.Frame
	d     *Description[R]
	order []int // the columns that are on, see [Model.columnOrder]
	gap   int   // between them

	titled bool // there is a line with the titles of the columns
}

func (s *scene[R, K]) at(row R) time.Time {
	if s.d.At != nil {
		return s.d.At(row)
	}
	return s.f.Now
}

func (s *scene[R, K]) summary() string {
	const apart, edge = "   ", " "
	left, right := edge, ""
	for _, p := range s.d.Summary {
		if p.Text == "" {
			continue
		}
		side := &left
		if p.Right {
			side = &right
		}
		if *side != "" && *side != edge {
			*side += s.f.Theme.Paint(style.Muted, cmp.Or(p.Gap, apart))
		}
		if p.Run != nil && !p.Right {
			from := style.Width(left)
			s.links = append(s.links, link{0, from, from + style.Width(p.Text), p.Run})
		}
		*side += s.f.Theme.Paint(p.Tone, p.Text)
	}
	if right += edge; style.Width(left)+len(apart)-1+style.Width(right) > s.f.Width {
		right = ""
	}
	return style.Ends(left, right, s.f.Width)
}

func (s *scene[R, K]) empty() EmptyState {
	switch {
	case s.wrong != nil:
		return EmptyState{Tone: style.Bad, Title: "Invalid filter.", Body: s.wrong.Message}
	case s.Filtered() && s.Source.Len() > 0:
		back := input.CancelKey
		if !s.Editing() {
			back = s.f.Key("back")
		}
		if s.f.Accessible {
			back = style.Sentence(announce.Key(back))
		}
		e := s.d.Nothing
		e.Title = cmp.Or(e.Title, "Nothing matches the filter.")
		if s.missing != "" {
			e.Title = "No row has a value for " + s.missing + "."
		}
		e.Body = strings.TrimSpace(back + ": show all rows. " + e.Body)
		return e
	}
	return s.d.Empty
}

// foot draws what went wrong, a line each, then the note and where the selection is, "4 / 1,204".
func (s *scene[R, K]) foot() (out []string) {
	if s.Len() == 0 {
		return nil
	}
	for _, err := range s.d.Trouble {
		if err != nil {
			more := s.f.Theme.Paint(style.Muted, s.f.Key("errors")+" errors ")
			out = append(out, style.Ends(s.f.Theme.Paint(style.Bad, " ✗ "+err.Error()), more, s.f.Width))
		}
	}
	said := " "
	if marks := s.countMarks(); marks != "" {
		said += s.f.Theme.Paint(style.Accent, "● "+marks) + "   "
	}
	said += s.f.Theme.Paint(s.d.Note.Tone, s.d.Note.Text)
	at := style.None
	if n := s.place(); n > 0 {
		at = style.Count(n)
	}
	place := at + " " + s.f.Theme.Paint(style.Muted, "/ "+style.Count(s.Matches())+" ")
	return append(out, style.Ends(said, place, s.f.Width))
}

func (s *scene[R, K]) countMarks() (said string) {
	if n := s.CountMarked(); n > 0 {
		said = style.Count(n) + " marked"
	}
	if s.hidden > 0 {
		said += ", " + style.Count(s.hidden) + " of them hidden by the filter"
	}
	return said
}

func (s *scene[R, K]) countMatches() string {
	return style.Count(s.Matches()) + " of " + style.Count(s.total())
}

// guide is a line of examples while no filter is typed, and of how it can be completed then. It may be empty.
func (s *scene[R, K]) guide() (out string) {
	words, taken := s.line.Proposals()
	if s.Query() == "" {
		words, taken = s.Examples, -1
	}
	room := s.f.Width - input.FilterIndent
	for i, word := range words {
		tone := style.Muted
		if i == taken {
			tone = style.Accent
		}
		if room -= style.Width(word) + gap; room < 0 {
			break
		}
		out += s.f.Theme.Paint(tone, word) + style.Spaces(gap)
	}
	if out != "" {
		out = style.Spaces(input.FilterIndent) + out
	}
	return out
}

// filterLines are the filter, and what is to be said of a part of it: beside a mark below that part
// if there is room, else in lines of its own.
func (s *scene[R, K]) filterLines() []string {
	if !s.line.Shown() {
		return nil
	}
	lines := []string{s.line.View(s.f.Theme, s.f.Width, s.countMatches())}
	e, tone := s.wrong, style.Bad
	if e == nil && s.Editing() {
		if e, tone = s.query.Hint(), style.Muted; e == nil || len(s.guide()) > 0 {
			return append(lines, s.guide())
		}
	}
	if e == nil {
		return lines
	}
	const indent = input.FilterIndent
	before, part := s.Query()[:e.At], s.Query()[e.At:e.At+e.Len]
	mark := style.Spaces(indent+style.Width(before)) + strings.Repeat("^", max(1, style.Width(part)))
	if line := mark + " " + e.Message; style.Width(line) <= s.f.Width {
		return append(lines, s.f.Theme.Paint(tone, line))
	}
	lines = append(lines, s.f.Theme.Paint(tone, style.Cut(mark, s.f.Width)))
	for _, line := range s.f.Theme.Paragraph(tone, e.Message, s.f.Width-2*indent) {
		lines = append(lines, style.Spaces(indent)+line)
	}
	return lines
}
