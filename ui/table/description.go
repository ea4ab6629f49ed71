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

// Description is what a page shows around the rows of its table. [Model.Draw] draws it, and [Model.Describe] puts it into
// words. Functions may be nil.
type Description[R any] struct {
	ID             any // of the page, as is Name
	Name           string
	Over           bool             // the page lies over another one
	Scope, State   announce.Part    // whose rows these are and how current, in the accessible mode
	Summary        []Part           // the line above the table
	Empty, Nothing EmptyState       // in place of rows; Nothing if none matches the filter
	Trouble        []error          // below the rows, a line for each that is not nil
	Note           Note             // the line below the rows
	News           []announce.Event // events to announce once
	Picture        announce.Part    // what the Body shows, in words

	Changed func(R) Change    // what is new or changed in a row
	Partial func(R) bool      // reports whether rows may be missing around a row
	At      func(R) time.Time // the time for which a row is shown: by default, that of the frame
	Divider func(R) string    // the text of the divider, see [Source]
}

// Part is a piece of the line above the table.
type Part struct {
	Tone       style.Tone
	Text       string         // a part without it is only announced
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

// link is what a click runs on a line, from one cell to before another.
type link struct {
	line, from, to int
	run            func() tea.Cmd
}

// A list of summaryFrom lines has the summary above the rows, one of titlesFrom has column titles, and one of footFrom has
// a line below the rows. Other bodies and open details need their lines before they have less than footFrom.
const summaryFrom, titlesFrom, footFrom = 4, 5, 8

// Draw draws the whole page: exactly Height lines of Width cells.
func (m *Model[R]) Draw(f page.Frame, d Description[R]) []string {
	m.seen()
	s := scene[R]{table: m, f: f, d: &d}
	s.table.links, s.table.above = s.table.links[:0], 0
	lines := make([]string, 0, f.Height+1)
	foot := s.filterLines()
	summary := f.Height >= footFrom || f.Height >= summaryFrom && m.Body == nil && !m.open
	if summary {
		lines = append(lines, "")
		s.table.above = 1
	}
	if f.Height >= footFrom {
		foot = append(s.foot(), foot...)
	}
	s.titled = f.Height >= titlesFrom
	height := max(0, f.Height-len(lines)-len(foot))
	switch row, ok := s.table.Selected(); {
	case !ok:
		lines = append(lines, s.empty().lines(f.Theme, f.Width, height)...)
	case s.table.open:
		lines = append(lines, s.opened(row, height)...)
	default:
		lines = append(lines, s.rowsAndDetail(row, height)...)
	}
	for _, line := range foot {
		lines = append(lines, style.Fit(line, f.Width))
	}
	if summary {
		if s.table.Body != nil && !s.table.open && s.table.Len() > 0 {
			d.Summary = s.table.Body.Summary(f)
		}
		lines[0] = s.summary(f.Width)
	}
	return lines[:f.Height]
}

// scene is a frame to draw or to describe.
type scene[R any] struct {
	table  *Model[R]
	f      page.Frame
	d      *Description[R]
	order  []int // the columns that are drawn
	gap    int   // between them
	titled bool  // a line has the column titles
}

func (s *scene[R]) at(row R) time.Time {
	if s.d.At != nil {
		return s.d.At(row)
	}
	return s.f.Now
}

func (s *scene[R]) summary(width int) string {
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
			s.table.links = append(s.table.links, link{0, from, from + style.Width(p.Text), p.Run})
		}
		*side += s.f.Theme.Paint(p.Tone, p.Text)
	}
	right += edge
	if style.Width(left)+len(apart)-1+style.Width(right) > width {
		right = ""
	}
	return style.Ends(left, right, width)
}

func (s *scene[R]) empty() EmptyState {
	switch {
	case s.table.wrong != nil:
		return EmptyState{Tone: style.Bad, Title: "Invalid filter.", Body: s.table.wrong.Message}
	case s.table.Filtered() && s.table.Source.Len() > 0:
		back := input.CancelKey
		if !s.table.Editing() {
			back = s.f.Key("back")
		}
		if s.f.Accessible {
			back = style.Sentence(announce.Key(back))
		}
		e := s.d.Nothing
		e.Title = cmp.Or(e.Title, "Nothing matches the filter.")
		if s.table.missing != "" {
			e.Title = "No row has a value for " + s.table.missing + "."
		}
		e.Body = strings.TrimSpace(back + ": show all rows. " + e.Body)
		return e
	}
	return s.d.Empty
}

// foot draws the trouble, a line each, then the note and the position of the selection, "4 / 1,204".
func (s *scene[R]) foot() (out []string) {
	if s.table.Len() == 0 {
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
	if n := s.table.place(); n > 0 {
		at = style.Count(n)
	}
	place := at + " " + s.f.Theme.Paint(style.Muted, "/ "+style.Count(s.table.Matches())+" ")
	return append(out, style.Ends(said, place, s.f.Width))
}

func (s *scene[R]) countMarks() (said string) {
	if n := s.table.CountMarked(); n > 0 {
		said = style.Count(n) + " marked"
	}
	if s.table.hidden > 0 {
		said += ", " + style.Count(s.table.hidden) + " of them hidden by the filter"
	}
	return said
}

func (s *scene[R]) countMatches() string {
	return style.Count(s.table.Matches()) + " of " + style.Count(s.table.total())
}

// guide is a line of completions for the filter, or of examples while none is typed. It may be empty.
func (s *scene[R]) guide() (out string) {
	words, taken := s.table.line.Proposals()
	if s.table.Query() == "" {
		words, taken = s.table.Examples, -1
	}
	room := s.f.Width - input.FilterIndent
	for i, word := range words {
		tone := style.Muted
		if i == taken {
			tone = style.Accent
		}
		room -= style.Width(word) + gap
		if room < 0 {
			break
		}
		out += s.f.Theme.Paint(tone, word) + style.Spaces(gap)
	}
	if out != "" {
		out = style.Spaces(input.FilterIndent) + out
	}
	return out
}

// filterLines draws the filter, and an error or a hint for a part of it: beside a mark below that part if there is room.
func (s *scene[R]) filterLines() []string {
	if !s.table.line.Shown() {
		return nil
	}
	e, tone, matches := s.table.wrong, style.Bad, ""
	if e == nil { // otherwise they are of the filter before
		matches = s.countMatches()
	}
	lines := []string{s.table.line.View(s.f.Theme, s.f.Width, matches)}
	if e == nil && s.table.Editing() {
		e, tone = s.table.query.Hint(), style.Muted
		if e == nil || len(s.guide()) > 0 {
			return append(lines, s.guide())
		}
	}
	if e == nil {
		return lines
	}
	const indent = input.FilterIndent
	before, part := s.table.Query()[:e.At], s.table.Query()[e.At:e.At+e.Len]
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
