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

// scene is a frame to draw or to describe. It reads the table and changes nothing.
type scene[R any] struct {
	config  *Config[R]
	list    *List[R]
	filter  *filter[R]
	details *details
	pane    *pane[R]
	body    Body
	sort    func(column int) tea.Cmd // sorts for the user
	turnTab func() tea.Cmd           // goes to the other tab of the details

	f      page.Frame
	d      *Description[R]
	layout columnLayout[R]
	drawn  drawn
}

func (m *Model[R]) scene(f page.Frame, d *Description[R]) *scene[R] {
	return &scene[R]{
		config: m.config, list: m.List(), filter: &m.filter, details: &m.details, pane: &m.pane,
		body: m.Body, sort: m.sort, turnTab: m.turnTab, f: f, d: d,
		drawn: drawn{wide: m.drawn.wide, links: m.drawn.links[:0]},
	}
}

func (s *scene[R]) link(line, from, to int, run func() tea.Cmd) {
	s.drawn.links = append(s.drawn.links, link{line, from, to, run})
}

func (s *scene[R]) at(row R) time.Time {
	if s.d.At != nil {
		return s.d.At(row)
	}
	return s.f.Now
}

// A list of summaryFrom lines has the summary above the rows, one of titlesFrom has column titles, and one of footFrom has
// a line below the rows. Other bodies and open details need their lines before they have less than footFrom.
const summaryFrom, titlesFrom, footFrom = 4, 5, 8

// Draw draws the whole page: exactly Height lines of Width cells.
func (m *Model[R]) Draw(f page.Frame, d Description[R]) []string {
	m.list.seen()
	s := m.scene(f, &d)
	lines := make([]string, 0, f.Height+1)
	var foot []string
	if m.filter.line.Shown() {
		foot = m.filter.lines(f, s.countMatches())
	}
	summary := f.Height >= footFrom || f.Height >= summaryFrom && m.Body == nil && !m.details.open
	if summary {
		lines = append(lines, "")
		s.drawn.above = 1
	}
	if f.Height >= footFrom {
		foot = append(s.foot(), foot...)
	}
	height := max(0, f.Height-len(lines)-len(foot))
	row, ok := s.list.Selected()
	switch {
	case !ok:
		lines = append(lines, s.empty().lines(f.Theme, f.Width, height)...)
	case m.details.open:
		lines = append(lines, s.opened(row, height)...)
	default:
		below := m.pane.locate(f.Width, s.drawn.above, height)
		m.list.setHeight(s.rowsIn(height - below))
		lines = append(lines, s.rowsAndDetail(row, height, below)...)
	}
	for _, line := range foot {
		lines = append(lines, style.Fit(line, f.Width))
	}
	if summary {
		if m.Body != nil && !m.details.open && ok {
			d.Summary = m.Body.Summary(f)
		}
		lines[0] = s.summary()
	}
	m.drawn = s.drawn
	m.details.lines, m.details.height = s.drawn.detailLines, s.drawn.detailHeight
	m.details.scrollBy(0)
	return lines[:f.Height]
}

func (s *scene[R]) summary() string {
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
			s.link(0, from, from+style.Width(p.Text), p.Run)
		}
		*side += s.f.Theme.Paint(p.Tone, p.Text)
	}
	right += edge
	if style.Width(left)+len(apart)-1+style.Width(right) > s.f.Width {
		right = ""
	}
	return style.Ends(left, right, s.f.Width)
}

func (s *scene[R]) empty() EmptyState {
	if wrong := s.filter.wrong; wrong != nil {
		return EmptyState{Tone: style.Bad, Title: "Invalid filter.", Body: wrong.Message}
	}
	if !s.list.Filtered() || s.list.source.Len() == 0 {
		return s.d.Empty
	}
	back := input.CancelKey
	if !s.filter.line.Focused() {
		back = s.f.Key("back")
	}
	if s.f.Accessible {
		back = style.Sentence(announce.Key(back))
	}
	e := s.d.Nothing
	e.Title = cmp.Or(e.Title, "Nothing matches the filter.")
	if s.list.missing != "" {
		e.Title = "No row has a value for " + s.list.missing + "."
	}
	e.Body = strings.TrimSpace(back + ": show all rows. " + e.Body)
	return e
}

// foot draws the trouble, a line each, then the note and the position of the selection, "4 / 1,204".
func (s *scene[R]) foot() (out []string) {
	if s.list.Len() == 0 {
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
	if n := s.list.position(); n > 0 {
		at = style.Count(n)
	}
	at += " " + s.f.Theme.Paint(style.Muted, "/ "+style.Count(s.list.Matches())+" ")
	return append(out, style.Ends(said, at, s.f.Width))
}

func (s *scene[R]) countMarks() (said string) {
	if n := s.list.CountMarked(); n > 0 {
		said = style.Count(n) + " marked"
	}
	if s.list.hidden > 0 {
		said += ", " + style.Count(s.list.hidden) + " of them hidden by the filter"
	}
	return said
}

func (s *scene[R]) countMatches() string {
	return style.Count(s.list.Matches()) + " of " + style.Count(s.list.total())
}
