package ui

import (
	"cmp"
	"strings"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

// header draws the program, the account, the pages and how current the data is. It also returns where the tabs begin, and
// whether they have names. If there is no room, the account is cut last: it must not be confused with another one.
func (m *Model) header() (line string, tabs int, named bool) {
	label := m.session.profile.label()
	program := m.session.profile.banner(m.theme, " pgtower ", label)
	if m.session.current == nil {
		return style.Fit(program, m.terminal.width), m.terminal.width, false
	}
	marks := ""
	if m.session.connection.ReadOnly != "" {
		marks = m.theme.Paint(style.Waiting, "read-only") + " "
	}
	if m.session.seen.alerts.muted(m.clock.painted) > 0 {
		marks += m.theme.Paint(style.Waiting, "muted "+style.Until(m.session.seen.alerts.until, m.clock.painted)) + " "
	}
	n := m.session.pages.keysCanGo()
	if n > 0 {
		marks += m.theme.Paint(style.Good, style.Plural(n, "key")+" can go") + " "
	}
	status := m.session.status(m.clock.now, m.clock.ticked)
	account := m.session.profile.banner(m.theme, "", label)
	described := program
	kind := account // with the kind of the key in a word
	if key := m.session.connection.Account.Short(); key != "" {
		described = m.session.profile.banner(m.theme, " pgtower ", label+" · "+key)
		word, _, _ := strings.Cut(m.session.connection.Account.Kind().String(), " ")
		kind = m.session.profile.banner(m.theme, "", label+" · "+word)
	}
	for _, l := range []struct {
		left  string
		named bool
		state string
	}{
		{described + " " + marks, true, cmp.Or(status.Long, status.Text)},
		{described + " " + marks, true, status.Text},
		{kind + " " + marks, true, status.Text},
		{account + " " + marks, true, status.Text},
		{marks + kind, false, status.Text},
		{marks + account, false, status.Text},
	} {
		left, right := l.left, m.tabs(l.named)+"  "+m.theme.Paint(status.Tone, " "+l.state+" ")
		named, tabs = l.named, m.terminal.width-style.Width(right)
		line = style.Ends(left, right, m.terminal.width)
		if style.Width(left) < tabs {
			break
		}
	}
	return line, max(0, tabs), named
}

// banner paints the program and the account, in the colour of the profile.
func (p *Profile) banner(th *style.Theme, program, name string) string {
	if p.Color == "" {
		return th.Paint(style.Strong, program) + th.Paint(style.Muted, " "+name)
	}
	return th.Paint(style.Account, program+" "+name+" ")
}

func (m *Model) tabs(named bool) string {
	var out strings.Builder
	for id := range page.Count {
		out.WriteString(m.tab(id, named))
	}
	return out.String()
}

// tab draws the key of a page and its name. Without names, only the key of the page that is shown remains.
func (m *Model) tab(id page.ID, named bool) string {
	label, tone := m.labels[m.session.pages.active][showID(id)], style.Muted
	switch {
	case named:
		label = strings.TrimSpace(label + " " + id.Title())
	case id != m.session.pages.active:
		return ""
	}
	if id == m.session.pages.active {
		tone = style.Selected
	}
	return m.theme.Paint(tone, " "+label+" ")
}

func (m *Model) tabAt(x int) (page.ID, bool) {
	_, from, named := m.header()
	for id := range page.Count {
		to := from + style.Width(m.tab(id, named))
		if x >= from && x < to {
			return id, true
		}
		from = to
	}
	return 0, false
}
