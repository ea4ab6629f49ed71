package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/query"
	"pgtower/ui/style"
)

// Parts are what a page adds to its table in one frame.
type Parts[R any] struct {
	// Strip is the line above the table.
	Strip string
	// Empty is said where rows would be.
	Empty Words
	// Nothing is said of a filter that nothing matches; without it, only that.
	Nothing Words
	// Divider is what the line between the rows says, and Partial reports whether others may
	// be missing around a row, see [ListFrame].
	Divider func(R) string
	Partial func(R) bool
	// Notes are lines below the table, such as an error or that rows arrived.
	Notes []string
	// Changed says which rows are new or changed; it may be nil.
	Changed func(R) Change
	// At is the moment that a row is shown at; without it, all are shown at that of the frame.
	At func(R) time.Time
}

// detail is the record of a row, at the moment that the row is shown at. It says so if the
// row no longer matches the filter.
func (m *Model[R, K]) detail(f page.Frame, p Parts[R], row R) Record {
	at := f.Now
	if p.At != nil {
		at = p.At(row)
	}
	r := m.Detail(row, at)
	if key, _ := m.list.SelectedKey(); m.list.Lapsed() && key == m.Source.Key(row) {
		said := Field{Label: "filter", Value: Lapsed, Tone: style.Waiting}
		r.Fields = slices.Insert(r.Fields, 0, said)
	}
	return r
}

// View draws the whole page: exactly Height lines of Width cells.
func (m *Model[R, K]) View(f page.Frame, p Parts[R]) []string {
	m.list.Shown(m.Session.ServiceNow())
	foot := append(slices.Clip(p.Notes), m.filterLines(f)...)
	room := max(0, f.Height-1-len(foot))
	lines := make([]string, 0, f.Height+len(foot))
	lines = append(lines, style.Fit(p.Strip, f.Width))
	lines = append(lines, m.body(f, p, room)...)
	for _, line := range foot {
		lines = append(lines, style.Fit(line, f.Width))
	}
	return lines[:f.Height]
}

// filterLines are the filter, and below it what is wrong with it and where.
func (m *Model[R, K]) filterLines(f page.Frame) []string {
	if !m.filter.Shown() {
		return nil
	}
	shown := fmt.Sprintf("%s of %s", Count(m.list.Matches()), Count(m.list.Total()))
	lines := []string{m.filter.View(f.Theme, f.Width, shown)}
	switch {
	case m.wrong != nil:
		lines = append(lines, m.pointAt(f, style.Bad, m.wrong)...)
	case m.hint != nil && m.filter.Editing():
		lines = append(lines, m.pointAt(f, style.Muted, m.hint)...)
	}
	return lines
}

// pointAt says what is to be said of a part of the filter, below that part: beside the
// mark if there is room, else in lines of its own.
func (m *Model[R, K]) pointAt(f page.Frame, tone style.Tone, e *query.Error) []string {
	q := m.filter.Query()
	before, part := q[:e.At], q[e.At:e.At+e.Len]
	mark := style.Spaces(filterIndent+style.Width(before)) + strings.Repeat("^", max(1, style.Width(part)))
	lines := []string{mark + " " + e.Message}
	if style.Width(lines[0]) > f.Width {
		lines = []string{style.Cut(mark, f.Width)}
		for _, line := range style.Wrap(e.Message, f.Width-2*filterIndent) {
			lines = append(lines, style.Spaces(filterIndent)+line)
		}
	}
	for i := range lines {
		lines[i] = f.Theme.Paint(tone, lines[i])
	}
	return lines
}

// filterIndent is how far in the filter's text begins.
const filterIndent = 3

// body draws the rows, or what there is in their place: height lines as wide as the frame.
func (m *Model[R, K]) body(f page.Frame, p Parts[R], height int) []string {
	row, ok := m.list.Selected()
	switch {
	case !ok && m.wrong != nil:
		w := Words{Tone: style.Bad, Title: "This is not a filter yet.", Body: m.wrong.Message}
		return w.Lines(f.Theme, f.Width, height)
	case !ok && m.Filtered() && m.Source.Len() > 0:
		back := input.CancelKey
		if !m.Editing() {
			back = f.Keys.Label(backKey())
		}
		w := nothing(p.Nothing)
		w.Body = strings.TrimSpace(back + " shows all rows again. " + w.Body)
		return w.Lines(f.Theme, f.Width, height)
	case !ok:
		return p.Empty.Lines(f.Theme, f.Width, height)
	case m.open:
		return m.opened(f, p, row, height)
	}
	return m.tableAndDetail(f, p, row, height)
}

// nothing are the words where nothing matches the filter.
func nothing(w Words) Words {
	w.Title = cmp.Or(w.Title, "Nothing matches the filter.")
	return w
}

// opened draws the detail in the place of the table.
func (m *Model[R, K]) opened(f page.Frame, p Parts[R], row R, height int) []string {
	width := min(f.Width-6, 100)
	lines := m.detail(f, p, row).Lines(f.Theme, width)
	m.lines, m.height = len(lines), height
	m.scroll = max(0, min(m.scroll, len(lines)-height))
	lines = lines[m.scroll:]
	out := make([]string, 0, height)
	for i, line := range lines {
		if i == height-1 && len(lines) > height {
			line = f.Theme.Paint(style.Muted, "↓ more below: "+f.Keys.Label(scrollDownKey()))
		}
		out = append(out, "   "+line)
	}
	return style.Block(out, f.Width, height)
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
