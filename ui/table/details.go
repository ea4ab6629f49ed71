package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pgtower/models"
	"pgtower/ui/style"
)

const (
	openIndent   = 1     // cells before open details
	paneIndent   = 3     // cells before details below the table
	detailWidth  = 100   // longer lines of open details are hard to read
	lowDetail    = 5     // lines of details with none to spare for the mark that there are more
	maxRaw       = 5_000 // the maximum number of lines of JSON to show: no operation has more
	announcedRaw = 100   // lines of JSON that are announced at once
)

// details are what is known of the selected row: in the place of the table if they are open, or in the [pane].
type details struct {
	open          bool
	scroll        int  // the first line drawn
	lines, height int  // as they were last drawn
	raw           *raw // their other tab, or nil
}

// raw is a tab of open details: a row as the service sends it, read when the user goes there.
type raw struct {
	key   Key
	lines []string
}

// show opens the details, or closes them.
func (d *details) show(open bool) { d.open, d.scroll, d.raw = open, 0, nil }

func (d *details) scrollBy(lines int) { d.scroll = max(0, min(d.scroll+lines, d.lines-d.height)) }

// scrollable reports whether open details have lines that are not on the screen.
func (d *details) scrollable() bool { return d.open && d.lines > d.height }

// rawOf returns the other tab if the details show that of a row, or nil.
func (d *details) rawOf(key Key) *raw {
	if d.raw != nil && d.raw.key == key {
		return d.raw
	}
	return nil
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

// opened draws open details in so many lines: the first has the title, and stays.
func (s *scene[R]) opened(row R, height int) []string {
	width := min(s.f.Width-2*openIndent, detailWidth)
	hint, r := "more below: "+s.f.Key("scroll-down"), s.record(row)
	if height <= lowDetail {
		return s.inset(s.openedLines(r.lines(s.f.Theme, width), width), openIndent, s.f.Width, height, hint)
	}
	tabs, cells := s.tabs(row)
	head, whole := r.head(s.f.Theme, s.f.Width-2*openIndent-cells)
	if !whole {
		head = s.f.Theme.Paint(style.Strong, head)
	}
	first := style.Ends(style.Spaces(openIndent)+head, tabs, s.f.Width)
	lines := s.openedLines(r.below(s.f.Theme, width, !whole), width)
	return append([]string{first}, s.inset(lines, openIndent, s.f.Width, height-1, hint)...)
}

// openedLines returns the lines of the tab that is shown; fields are those of the first one.
func (s *scene[R]) openedLines(fields []string, width int) (lines []string) {
	tab := s.details.rawOf(s.list.key)
	if tab == nil {
		return fields
	}
	for _, line := range tab.lines {
		lines = append(lines, style.Wrap(line, width)...)
	}
	return lines
}

// tabs draws the titles of the tabs, which a click switches, and returns their width; a row with one has none.
func (s *scene[R]) tabs(row R) (tabs string, cells int) {
	if !s.config.hasRaw(row) {
		return "", 0
	}
	titles := []string{" Fields ", " JSON "}
	for _, title := range titles {
		cells += len(title)
	}
	cell, rawShown := s.f.Width-cells, s.details.rawOf(s.list.key) != nil
	for i, title := range titles {
		tone := style.Selected
		if rawShown != (i == 1) {
			tone = style.Muted
			s.link(s.drawn.above, cell, cell+len(title), s.turnTab)
		}
		cell += len(title)
		tabs += s.f.Theme.Paint(tone, title)
	}
	return tabs, cells
}

// inset draws the lines of details from where they are scrolled to. hint is the key that shows the others.
func (s *scene[R]) inset(lines []string, indent, width, height int, hint string) []string {
	s.drawn.detailLines, s.drawn.detailHeight = len(lines), height
	lines = lines[max(0, min(s.details.scroll, len(lines)-height)):]
	out := make([]string, len(lines))
	for i, line := range lines {
		last := i == height-1 && len(lines) > height
		switch {
		case last && height < lowDetail:
			line = style.Ends(
				line, s.f.Theme.Paint(style.Muted, "↓ "+s.f.Key("scroll-down")+" "), width-indent,
			)
		case last:
			line = s.f.Theme.Paint(style.Muted, "↓ "+hint)
		}
		out[i] = style.Spaces(indent) + line
	}
	return style.Block(out, width, height)
}

// record is the record of a row, with a field for whether it no longer matches the filter.
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

// sayOpened puts open details into words.
func (s *scene[R]) sayOpened(row R) []string {
	tab := s.details.rawOf(s.list.key)
	if tab == nil {
		return s.record(row).said()
	}
	return append([]string{"JSON"}, tab.lines[:min(len(tab.lines), announcedRaw)]...)
}
