package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// maxTrail is how far back a person can go.
const maxTrail = 50

// visit is a page, and where the person was on it when they left.
type visit struct {
	page  page.ID
	place page.Place
}

// same says that to go from one to the other is no step: a page is the same whatever is
// filtered and selected on it, but the operations of another project are another place.
func (v visit) same(as visit) bool { return v.page == as.page && v.place.Project == as.place.Project }

// trail is where the person has been.
type trail struct {
	visits []visit
	at     int
}

// here is where the person is.
func (m *Model) here() visit { return visit{m.active, m.pages[m.active].Place()} }

// leaveTrail notes where the person went. What lay ahead of the place that they went
// from is forgotten, as in a browser.
func (m *Model) leaveTrail() {
	t, here := &m.trail, m.here()
	defer func() { m.session.Behind = t.at > 0 }()
	if len(t.visits) > 0 && t.visits[t.at].same(here) {
		t.visits[t.at] = here
		return
	}
	if len(t.visits) > 0 {
		t.visits = t.visits[:t.at+1]
	}
	t.visits = append(t.visits, here)
	t.visits = t.visits[max(0, len(t.visits)-maxTrail):]
	t.at = len(t.visits) - 1
}

// travel goes back along the trail, or forward.
func (m *Model) travel(by int) tea.Cmd {
	t := &m.trail
	if at := t.at + by; at < 0 || at >= len(t.visits) {
		return m.notify(page.Notice{Tone: style.Waiting, Text: "there is nothing further " + map[int]string{-1: "back", 1: "ahead"}[by], Here: true})
	}
	t.at += by
	to := t.visits[t.at]
	m.active = to.page
	if to.page != page.Operations {
		return m.shown()
	}
	project := models.Project{ID: to.place.Project}
	if i := slices.IndexFunc(m.projects, func(p models.Project) bool { return p.ID == project.ID }); i >= 0 {
		project = m.projects[i]
	}
	return m.pages[page.Operations].Update(page.ShowOperations{Project: project, Back: &to.place})
}
