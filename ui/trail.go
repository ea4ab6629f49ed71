package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/theme"
)

// maxTrail is how far back a person can go.
const maxTrail = 50

// visit is a page, and of the operations the project whose they are.
type visit struct {
	page    page.ID
	project string
}

// trail is where the person has been.
type trail struct {
	visits []visit
	at     int
}

// here is where the person is.
func (m *Model) here() visit {
	v := visit{page: m.active}
	if m.active == page.Operations {
		v.project = m.pages[page.Operations].Place().Project
	}
	return v
}

// leaveTrail notes where the person went. What lay ahead of the place that they went
// from is forgotten, as in a browser.
func (m *Model) leaveTrail() {
	t, here := &m.trail, m.here()
	if len(t.visits) > 0 && t.visits[t.at] == here {
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
		return m.notify(page.Notice{Tone: theme.Waiting, Text: "there is nothing further " + map[int]string{-1: "back", 1: "ahead"}[by], Here: true})
	}
	t.at += by
	to := t.visits[t.at]
	m.active = to.page
	if to.page != page.Operations {
		return m.shown()
	}
	project := models.Project{ID: to.project}
	if i := slices.IndexFunc(m.projects, func(p models.Project) bool { return p.ID == to.project }); i >= 0 {
		project = m.projects[i]
	}
	return m.pages[page.Operations].Update(page.ShowOperations{Project: project})
}
