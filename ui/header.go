package ui

import (
	"cmp"
	"strings"
	"time"

	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// header is the line above a page: the program, the account, the pages and how current the data is.
type header struct {
	theme  *style.Theme
	width  int
	labels action.Labels
	active page.ID

	line  string
	tabs  int  // where the tabs of the pages begin
	named bool // the tabs have names
}

// header lays out the header. If there is no room, the account is cut last: it must not be confused with another one.
func (m *Model) header() header {
	h := header{
		theme: m.theme, width: m.terminal.width,
		labels: m.labels[m.session.pages.active], active: m.session.pages.active,
	}
	p := m.session.profile
	label := p.label()
	program := p.banner(m.theme, " pgtower ", label)
	if m.session.current == nil {
		h.line, h.tabs = style.Fit(program, h.width), h.width
		return h
	}
	status := m.session.status(m.clock.now, m.clock.ticked)
	marks := m.session.marks(m.theme, m.clock.painted)
	account := p.banner(m.theme, "", label)
	if key := m.session.connection.Account.Short(); key != "" {
		program = p.banner(m.theme, " pgtower ", label+" · "+key)
		kind, _, _ := strings.Cut(m.session.connection.Account.Kind().String(), " ")
		account = p.banner(m.theme, "", label+" · "+kind)
	}
	for _, l := range []struct {
		left, state string
		named       bool
	}{
		{program + " " + marks, cmp.Or(status.Long, status.Text), true},
		{account + " " + marks, status.Text, true},
		{marks + account, status.Text, false},
	} {
		right := h.drawTabs(l.named) + "  " + m.theme.Paint(status.Tone, " "+l.state+" ")
		h.line, h.named = style.Ends(l.left, right, h.width), l.named
		h.tabs = h.width - style.Width(right)
		if style.Width(l.left) < h.tabs {
			break
		}
	}
	h.tabs = max(0, h.tabs)
	return h
}

// marks are the warnings and news beside the account, each followed by a space.
func (s *session) marks(th *style.Theme, now time.Time) (marks string) {
	if s.connection.ReadOnly != "" {
		marks = th.Paint(style.Waiting, "read-only") + " "
	}
	if s.seen.alerts.muted(now) > 0 {
		until := style.Until(s.seen.alerts.until, now)
		marks += th.Paint(style.Waiting, "muted "+until) + " "
	}
	n := s.pages.keysCanGo()
	if n > 0 {
		marks += th.Paint(style.Good, style.Plural(n, "key")+" can go") + " "
	}
	return marks
}

func (h *header) drawTabs(named bool) string {
	var out strings.Builder
	for id := range page.Count {
		out.WriteString(h.tab(id, named))
	}
	return out.String()
}

// tab draws the key of a page and its name. Without names, only the key of the page that is shown remains.
func (h *header) tab(id page.ID, named bool) string {
	label, tone := h.labels[showID(id)], style.Muted
	switch {
	case named:
		label = strings.TrimSpace(label + " " + id.Title())
	case id != h.active:
		return ""
	}
	if id == h.active {
		tone = style.Selected
	}
	return h.theme.Paint(tone, " "+label+" ")
}

// tabAt returns the page of the tab at a column.
func (h *header) tabAt(x int) (page.ID, bool) {
	from := h.tabs
	for id := range page.Count {
		to := from + style.Width(h.tab(id, h.named))
		if x >= from && x < to {
			return id, true
		}
		from = to
	}
	return 0, false
}

// banner paints the program and the account, in the colour of the profile.
func (p *Profile) banner(th *style.Theme, program, name string) string {
	if p.Color == "" {
		return th.Paint(style.Strong, program) + th.Paint(style.Muted, " "+name)
	}
	return th.Paint(style.Account, program+" "+name+" ")
}
