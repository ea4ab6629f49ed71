package ui

import (
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// header is the line above a page: the program, the account, the pages and how current the data is.
type header struct {
	theme    *style.Theme
	width    int
	labels   action.Labels
	active   page.ID
	coloured bool // whether the profile has a colour

	account accountLabel
	names   tabNames
	status  page.Status
	state   int // which of the forms of the status is shown

	line string
	tabs int // where the tabs of the pages begin
}

// accountLabel is what the header shows of the account. Parts that are empty are left out.
type accountLabel struct {
	program       string
	profile, host string
	kind          string // of the key
	marks         []mark // warnings and news
}

// mark is a warning or news beside the account.
type mark struct {
	tone  style.Tone
	text  string
	short string // in place of text where there is little room; "" leaves the mark out
}

// tabNames is how much of the names of the pages is shown beside their keys.
type tabNames int

const (
	wholeNames tabNames = iota
	shortNames
	noNames
)

const (
	// The middle of a host is cut to hostLeast cells while other parts give way, and at last to hostShort.
	hostLeast, hostShort = 19, 10
	profileLeast         = 8 // the least cells of a profile whose middle is cut
)

// header lays out the header: its parts give way one after the other until the line fits. The keys of the pages and the
// shortest form of the status always stay.
func (m *Model) header() header {
	h := header{
		theme: m.theme, width: m.terminal.width, coloured: m.session.profile.Color != "",
		labels: m.labels[m.session.pages.active], active: m.session.pages.active,
		account: m.session.accountLabel(m.clock.painted),
	}
	if m.session.current == nil {
		h.line, h.tabs = style.Fit(h.left(), h.width), h.width
		return h
	}
	h.status = m.session.status(m.clock.now, m.clock.ticked)
	for _, give := range gives {
		if h.missing() <= 0 {
			break
		}
		give(&h)
	}
	right := h.right()
	h.line, h.tabs = style.Ends(h.left(), right, h.width), max(0, h.width-style.Width(right))
	return h
}

// gives are the steps by which the parts of a header give way.
var gives = []func(*header){
	(*header).shortenStatus,
	func(h *header) { h.cutHost(hostLeast) },
	(*header).shortenStatus,
	(*header).dropProgram,
	(*header).shortenKind,
	(*header).shortenNames,
	(*header).dropKind,
	func(h *header) { h.cutHost(hostShort) },
	(*header).dropNews,
	(*header).shortenNames,
	(*header).dropHost,
	(*header).shortenStatus,
	(*header).cutProfile,
	(*header).shortenMarks,
}

// accountLabel returns what the header shows of the account. It leaves out the host of the live service.
func (s *session) accountLabel(now time.Time) accountLabel {
	p := s.profile
	a := accountLabel{program: "pgtower", host: p.Host}
	if p.BaseURL == models.DefaultBaseURL {
		a.host = ""
	}
	if p.named() {
		a.profile = p.Name
	}
	if s.current == nil {
		return a
	}
	a.kind, a.marks = s.connection.Account.Short(), s.marks(now)
	return a
}

// marks are the warnings and news beside the account.
func (s *session) marks(now time.Time) (marks []mark) {
	if s.connection.ReadOnly != "" {
		marks = append(marks, mark{style.Waiting, "read-only", "ro"})
	}
	if s.seen.alerts.muted(now) > 0 {
		marks = append(marks, mark{style.Waiting, "muted " + style.Until(s.seen.alerts.until, now), "muted"})
	}
	n := s.pages.keysCanGo()
	if n > 0 {
		marks = append(marks, mark{tone: style.Good, text: style.Count(n) + " can go"})
	}
	return marks
}

// names returns what identifies the account. It is never empty.
func (a *accountLabel) names() string { return joined(a.profile, a.host, a.kind) }

// joined returns the parts that are not empty, with dots between them.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " · ")
}

func (h *header) shortenStatus() { h.state++ }
func (h *header) shortenNames()  { h.names++ }
func (h *header) shortenKind()   { h.account.kind = strings.TrimSuffix(h.account.kind, " key") }
func (h *header) dropProgram()   { h.account.program = "" }

// dropKind leaves out the kind of the key, unless nothing else names the account.
func (h *header) dropKind() {
	if h.account.profile != "" || h.account.host != "" {
		h.account.kind = ""
	}
}

// dropHost leaves out the host beside a profile.
func (h *header) dropHost() {
	if h.account.profile != "" {
		h.account.host = ""
	}
}

// dropNews leaves out the marks that are not warnings.
func (h *header) dropNews() {
	h.account.marks = slices.DeleteFunc(h.account.marks, func(m mark) bool { return m.short == "" })
}

func (h *header) shortenMarks() {
	for i, m := range h.account.marks {
		h.account.marks[i].text = m.short
	}
}

// cutHost cuts the middle of the host by the cells that are missing, at most to least of them.
func (h *header) cutHost(least int) {
	host := h.account.host
	h.account.host = style.CutHost(host, max(least, style.Width(host)-h.missing()))
}

func (h *header) cutProfile() {
	profile := h.account.profile
	h.account.profile = style.CutMiddle(profile, max(profileLeast, style.Width(profile)-h.missing()))
}

// missing returns how many cells the line lacks.
func (h *header) missing() int {
	const apart = 1 // besides the edge of the first tab
	return style.Width(h.left()) + apart + style.Width(h.right()) - h.width
}

// left draws the account, in the colour of its profile.
func (h *header) left() string {
	a := &h.account
	names := a.names()
	line := ""
	switch {
	case h.coloured:
		line = h.theme.Paint(style.Account, " "+strings.TrimLeft(a.program+"  "+names, " ")+" ")
	case a.program != "":
		line = h.theme.Paint(style.Strong, " "+a.program+" ") + h.theme.Paint(style.Muted, " "+names)
	default:
		line = h.theme.Paint(style.Muted, " "+names)
	}
	for _, m := range a.marks {
		line += "  " + h.theme.Paint(m.tone, m.text)
	}
	return line
}

// right draws the tabs and the status. Its width does not change with a countdown or an age.
func (h *header) right() string {
	state := h.status.Form(h.state)
	return h.drawTabs() + " " + h.theme.Paint(h.status.Tone, " "+state+style.Spaces(style.Growth(state))+" ")
}

func (h *header) drawTabs() string {
	var out strings.Builder
	for id := range page.Count {
		out.WriteString(h.tab(id))
	}
	return out.String()
}

// tab draws the key of a page and its name.
func (h *header) tab(id page.ID) string {
	label, tone := h.labels[showID(id)], style.Muted
	switch h.names {
	case wholeNames:
		label += " " + id.Title()
	case shortNames:
		label += " " + id.ShortTitle()
	case noNames:
	}
	if id == h.active {
		tone = style.Selected
	}
	return h.theme.Paint(tone, " "+strings.TrimSpace(label)+" ")
}

// tabAt returns the page of the tab at a column.
func (h *header) tabAt(x int) (page.ID, bool) {
	from := h.tabs
	for id := range page.Count {
		end := from + style.Width(h.tab(id))
		if x >= from && x < end {
			return id, true
		}
		from = end
	}
	return 0, false
}
