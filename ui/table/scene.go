package table

import (
	"cmp"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/announce"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// scene is a frame to draw or to describe. It reads the table and does not change it.
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

// A frame of summaryFrom lines has the summary above the rows, one of titlesFrom lines has column titles, and one of
// [page.RuleFrom] lines names what cannot be read. A Body has the summary only from [page.RuleFrom] lines on.
const summaryFrom, titlesFrom = 4, 5

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

// record is the record of a row. A row that no longer matches the filter has a field that says so.
func (s *scene[R]) record(row R) Record {
	r := s.config.Detail(row, s.at(row))
	if s.list.lapsed && s.list.key == s.list.source.Key(row) {
		r.Fields = append([]Field{{Label: "filter", Value: lapsedNote, Tone: style.Waiting}}, r.Fields...)
	}
	console := s.config.Session.Console
	if console.IsZero() || s.config.Values == nil {
		return r
	}
	r.Link, _ = console.URL(s.config.Values(row))
	for i := range r.Fields {
		f := &r.Fields[i]
		f.Linked = f.Label == "id" || slices.Contains(console.Names(), f.Label)
	}
	return r
}

// lapsedNote marks a row that no longer matches the filter.
const lapsedNote = "no longer matches"
