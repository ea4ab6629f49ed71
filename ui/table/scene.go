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

func (s *scene[R]) link(line, from, end int, run func() tea.Cmd) {
	s.drawn.links = append(s.drawn.links, link{line, from, end, run})
}

func (s *scene[R]) at(row R) time.Time {
	if s.d.At != nil {
		return s.d.At(row)
	}
	return s.f.Now
}

// A list of summaryFrom lines has the summary above the rows, one of titlesFrom has column titles, and one of [page.RuleFrom]
// names what cannot be read. Other bodies and open details need their lines before they have less than that.
const summaryFrom, titlesFrom = 4, 5

// Draw draws the whole page: exactly Height lines of Width cells.
func (m *Model[R]) Draw(f page.Frame, d Description[R]) []string {
	m.list.seen()
	s := m.scene(f, &d)
	lines := make([]string, 0, f.Height+1)
	var foot []string
	if m.filter.line.Shown() && (m.filter.open() || f.Height < page.RuleFrom) {
		foot = m.filter.lines(f, s.countMatches())
	}
	summary := !m.details.open && (f.Height >= page.RuleFrom || f.Height >= summaryFrom && m.Body == nil)
	if summary {
		lines = append(lines, "")
		s.drawn.above = 1
	}
	if f.Height >= page.RuleFrom {
		foot = append(s.trouble(), foot...)
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
	s.drawn.rule = s.rule()
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

// trouble draws what cannot be read, a line each.
func (s *scene[R]) trouble() (out []string) {
	if s.list.Len() == 0 {
		return nil
	}
	for _, err := range s.d.Trouble {
		if err != nil {
			hint := s.f.Theme.Paint(style.Muted, s.f.Key("errors")+" errors ")
			out = append(out, style.Ends(s.f.Theme.Paint(style.Bad, " ✗ "+err.Error()), hint, s.f.Width))
		}
	}
	return out
}

// rule returns what stands in the rule below the rows: the marks, the note or what the selected row has no room for; and the
// filter and the position of the selection, "/ is:failed · 4 / 64 of 1,204".
func (s *scene[R]) rule() (r page.Rule) {
	filtered := s.filter.line.Shown() && !s.filter.open()
	if s.list.Len() > 0 {
		r.Left = s.ruleNote()
	} else if !filtered {
		return r
	}
	position, total := style.None, style.Count(s.list.Matches())
	if n := s.list.position(); n > 0 && s.list.Len() > 0 {
		position = style.Count(n)
	}
	if filtered {
		const parts = 3 // of the rule, of which the filter has one
		r.Right = s.f.Theme.Paint(style.Accent, "/ "+style.Cut(s.filter.line.Text(), s.f.Width/parts)) +
			s.f.Theme.Paint(style.Muted, " · ")
		total = s.countMatches()
	}
	r.Right += position + s.f.Theme.Paint(style.Muted, " / "+total)
	return r
}

// ruleNote returns the marks, and the note or what the selected row has no room for.
func (s *scene[R]) ruleNote() string {
	th, note := s.f.Theme, s.d.Note
	var parts []string
	if marks := s.countMarks(); marks != "" {
		parts = append(parts, th.Paint(style.Accent, "● "+marks))
	}
	switch whole := strings.Join(s.drawn.cut, " · "); {
	case note.Text != "" && (whole == "" || note.Tone != style.Muted):
		parts = append(parts, th.Paint(note.Tone, note.Text))
	case whole != "":
		parts = append(parts, whole)
	}
	return strings.Join(parts, th.Paint(style.Muted, " · "))
}

// Rule returns what stands in the rule below the table, as last drawn.
func (m *Model[R]) Rule() page.Rule { return m.drawn.rule }

func (s *scene[R]) countMarks() (text string) {
	if n := s.list.CountMarked(); n > 0 {
		text = style.Count(n) + " marked"
	}
	if s.list.hidden > 0 {
		text += ", " + style.Count(s.list.hidden) + " of them hidden by the filter"
	}
	return text
}

func (s *scene[R]) countMatches() string {
	return style.Count(s.list.Matches()) + " of " + style.Count(s.list.total())
}
