package ui

import (
	"time"

	"pgtower/models/feed"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// What the tests of the whole program, which are in another package, read of the root.

const (
	Hesitation = hesitation
	HintFor    = hintFor
	NoticeFor  = noticeFor
	RestFor    = restFor
	Unnamed    = unnamed
)

// Page returns a page of the session.
func (m *Model) Page(id page.ID) page.Page { return m.session.pages.all[id] }

// Here returns the page on the screen and the user's position there, and how many there were before.
func (m *Model) Here() (id page.ID, at page.ViewState, before int) {
	last := len(m.session.seen.back) - 1
	return m.session.seen.back[last].page, m.session.seen.back[last].at, last
}

// Generation returns the number of the session.
func (m *Model) Generation() int { return m.session.generation }

// Profile returns the profile in use.
func (m *Model) Profile() *Profile { return m.session.profile }

// SignedOut reports whether the rows of a session that ended are shown.
func (m *Model) SignedOut() bool { return m.session.over() }

// End ends the session, as a refused key does, with what the sign-in form says.
func (m *Model) End(reason string) { m.session.signOut(reason) }

// Dialogs returns the open dialogs.
func (m *Model) Dialogs() []page.Dialog { return m.session.dialogs }

// Offered returns the actions possible now.
func (m *Model) Offered() []action.Group { return m.actions() }

// AtPage reports whether keys are for the page.
func (m *Model) AtPage() bool { return m.session.atPage() }

// Lag is how far the screen is behind the clock.
func (m *Model) Lag() time.Duration { return m.clock.now.Sub(m.clock.painted) }

// Behind reports whether the screen was not drawn after the last messages, and Anew returns the screen as it would be now.
func (m *Model) Behind() bool { return m.behind }

func (m *Model) Anew() string {
	drawn := *m
	drawn.redraw()
	return drawn.View().Content
}

// Outdate is what a message that only asked for more does when it has changed what is shown.
func (m *Model) Outdate() { m.drawn, m.behind = "outdated", true }

// Painted returns the time on the screen.
func (m *Model) Painted() time.Time { return m.clock.painted }

// Theme returns the theme in force.
func (m *Model) Theme() *style.Theme { return m.theme }

// Lines returns the lines of the screen in its full width.
func (m *Model) Lines() []string { return m.lines() }

// Secret returns the secret on the prompt of the accessible mode.
func (m *Model) Secret() string { return m.description().Secret }

// Described returns the name of what has the focus in the accessible mode.
func (m *Model) Described() string { return m.description().Name }

// Slept reports whether the computer seems to have been asleep.
func (m *Model) Slept() bool { return m.clock.slept() }

// Projects returns how many projects are known.
func (m *Model) Projects() int { return len(m.session.seen.projects) }

// Follow goes to an operation.
func (m *Model) Follow(to feed.Key) { m.session.follow(to) }

// Terminal returns the size of the terminal, and whether it measures grapheme clusters.
func (m *Model) Terminal() (width, height int, clusters bool) {
	return m.terminal.width, m.terminal.height, m.terminal.clusters
}

// FirstTab returns the page of the tab where the tabs begin.
func (m *Model) FirstTab() (page.ID, bool) {
	h := m.header()
	return h.tabAt(h.tabs)
}
