package ui

import (
	"cmp"
	"strings"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

// tabNames is which names the tabs have.
type tabNames int

const (
	allNamed  tabNames = iota // all pages with their names
	oneNamed                  // all pages, and the name of the one that is shown
	activeKey                 // only the key of the one that is shown
)

// header draws the program, the account, the pages and how current the data is. With little room, that and read-only
// stay. It also returns where the tabs begin, and which names they have.
func (m *Model) header() (line string, tabs int, names tabNames) {
	if m.current == nil {
		return style.Fit(m.profile.banner(m.theme, " pgtower ", m.profile.label()), m.width), m.width, oneNamed
	}
	marks := ""
	if m.connection.ReadOnly != "" {
		marks = " " + m.theme.Paint(style.Waiting, "read-only")
	}
	if m.alerts.muted(m.painted) > 0 {
		marks += " " + m.theme.Paint(style.Waiting, "muted "+style.Until(m.alerts.until, m.painted))
	}
	status := m.status(m.now, m.ticked)
	state := func(s string) string { return "  " + m.theme.Paint(status.Tone, " "+s+" ") }
	full, brief := state(cmp.Or(status.Long, status.Text)), state(status.Text)
	label := m.profile.label()
	short, host := m.profile.banner(m.theme, "", m.profile.short()), m.profile.banner(m.theme, "", label)
	long := m.profile.banner(m.theme, " pgtower ", label)
	type layout struct {
		account string
		names   tabNames
		state   string
	}
	layouts := []layout{
		{m.profile.banner(m.theme, " pgtower ", label+" · "+m.connection.Source), allNamed, full},
		{long, allNamed, full},
		{long, allNamed, brief},
		// The host matters more than the long form of the status, and than the program's name.
		{host, allNamed, brief},
		{long, oneNamed, brief},
		{host, oneNamed, brief},
		{short, oneNamed, brief},
	}
	if m.profile.Color != "" || marks != "" {
		// The account must not be confused with another one.
		layouts = append(layouts, layout{short, activeKey, brief})
	}
	layouts = append(layouts, layout{"", oneNamed, brief}, layout{"", activeKey, brief})
	for _, l := range layouts {
		names = l.names
		left, right := l.account+marks, m.tabs(names)+l.state
		tabs = m.width - style.Width(right)
		line = style.Ends(left, right, m.width)
		if style.Width(left) < tabs || left == "" && tabs == 0 {
			break
		}
	}
	return line, max(0, tabs), names
}

// banner paints the program and the account, in the colour of the profile.
func (p *Profile) banner(th *style.Theme, program, name string) string {
	if p.Color == "" {
		return th.Paint(style.Strong, program) + th.Paint(style.Muted, " "+name)
	}
	return th.Paint(style.Account, program+" "+name+" ")
}

func (m *Model) tabs(names tabNames) string {
	var out strings.Builder
	for id := range page.Count {
		out.WriteString(m.tab(id, names))
	}
	return out.String()
}

func (m *Model) tab(id page.ID, names tabNames) string {
	label, tone := m.labels[m.active][showID(id)], style.Muted
	switch {
	case id == m.active:
		tone = style.Selected
	case names == activeKey:
		return ""
	}
	if names == allNamed || names == oneNamed && id == m.active {
		label = strings.TrimSpace(label + " " + id.Title())
	}
	return m.theme.Paint(tone, " "+label+" ")
}

func (m *Model) tabAt(x int) (page.ID, bool) {
	_, from, names := m.header()
	for id := range page.Count {
		to := from + style.Width(m.tab(id, names))
		if x >= from && x < to {
			return id, true
		}
		from = to
	}
	return 0, false
}
