package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	maxRaw       = 5_000 // the maximum number of lines of JSON to show: no operation has more
	announcedRaw = 100   // lines of JSON that are announced at once
)

// raw is a tab of open details: a row as the service sends it, read when the user goes there.
type raw struct {
	key   Key
	lines []string
}

// rawShown reports whether the open details show that tab.
func (m *Model[R]) rawShown() bool { return m.open && m.raw != nil && m.raw.key == m.key }

// hasRaw reports whether the selected row has that tab.
func (m *Model[R]) hasRaw() bool {
	row, ok := m.Selected()
	return ok && m.Raw != nil && m.Raw(row) != nil
}

// toggleRaw goes to the other tab of open details.
func (m *Model[R]) toggleRaw() tea.Cmd {
	row, ok := m.Choose()
	shown := m.rawShown()
	m.raw, m.scroll = nil, 0
	if !ok || shown {
		return nil
	}
	tab := &raw{m.key, []string{"◌ Reading…"}}
	m.raw = tab
	return page.Call(m.Session, m.Page, m.Raw(row), func(got []byte, err error) tea.Cmd {
		tab.lines = rawLines(got)
		if err != nil {
			tab.lines = []string{"✗ Could not read it: " + err.Error()}
			m.Session.Emit(page.Failed{Err: err})
		}
		return nil
	})
}

func rawLines(got []byte) []string {
	var out bytes.Buffer
	_ = json.Indent(&out, got, "", "  ") // it is valid
	lines := strings.Split(out.String(), "\n")
	over := len(lines) - maxRaw
	if over > 0 {
		lines = append(lines[:maxRaw], fmt.Sprintf("… and %s more lines", style.Count(over)))
	}
	for i := range lines {
		lines[i] = models.Clean(lines[i])
	}
	return lines
}

// tabs draws the titles of the tabs, which a click switches.
func (s *scene[R]) tabs() string {
	at := paneIndent - 1
	var line strings.Builder
	line.WriteString(style.Spaces(at))
	for i, title := range []string{" Fields ", " JSON "} {
		tone := style.Muted
		if s.table.rawShown() == (i == 1) {
			tone = style.Selected
		} else {
			s.table.links = append(s.table.links, link{s.table.above, at, at + len(title), s.table.toggleRaw})
		}
		at += len(title)
		line.WriteString(s.f.Theme.Paint(tone, title))
	}
	return style.Fit(line.String(), s.f.Width)
}

// openedLines returns the lines of the tab that the open details show.
func (s *scene[R]) openedLines(row R, width int) (lines []string) {
	if !s.table.rawShown() {
		return s.detail(row).lines(s.f.Theme, width)
	}
	for _, line := range s.table.raw.lines {
		lines = append(lines, style.Wrap(line, width)...)
	}
	return lines
}

// sayOpened puts the open details into words.
func (s *scene[R]) sayOpened(row R) []string {
	if !s.table.rawShown() {
		return s.detail(row).said()
	}
	lines := s.table.raw.lines
	return append([]string{"JSON"}, lines[:min(len(lines), announcedRaw)]...)
}
