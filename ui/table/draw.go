package table

import (
	"cmp"
	"strings"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

// rowsAndDetail draws the rows, and the pane if it is shown: beside them, or in a number of lines below.
func (s *scene[R]) rowsAndDetail(row R, height, below int) []string {
	p, full := s.pane, s.f.Width
	if p.held {
		row = p.row
	}
	width := p.wide - 1
	if below > 0 {
		width = full - 2*paneIndent
	}
	var lines []string
	if p.shown && (!p.held || s.list.offset == p.offset) {
		lines = s.besides(row, width)
	}
	hint := s.f.Key("details") + ": more"
	switch {
	case p.wide > 0:
		border := s.f.Theme.Paint(style.Rule, "│ ")
		return s.rows(p.left, height, border, s.inset(lines, 0, p.wide, height, hint))
	case below > 0:
		out := s.rows(full, height-below, "", nil)
		out = append(out, s.f.Theme.Paint(style.Rule, strings.Repeat("─", full)))
		return append(out, s.inset(lines, paneIndent, full, below-1, hint)...)
	}
	return s.rows(full, height, "", nil)
}

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

// rule returns the texts in the rule below the rows. On the left are the marks, and the note or the cells of the selected row
// that were cut. On the right are the filter and the position of the selection: "/ is:failed · 4 / 64 of 1,204".
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

// ruleNote returns the marks, and the note or the cells of the selected row that were cut.
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
