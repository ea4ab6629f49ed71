package ui

import (
	"context"
	"slices"

	"pgtower/models"
	"pgtower/ui/apikeys"
	"pgtower/ui/page"
)

// account is what a key was seen to open, by which another key of the same account is told
// from one of another.
type account struct {
	baseURL  string
	projects map[string]bool // by id
	keys     []int64
}

// shownAccount is the account of the session that ended, whose rows are on the screen, or nil.
func (m *Model) shownAccount() *account {
	if !m.signedOut() {
		return nil
	}
	a := &account{baseURL: m.profile.BaseURL, projects: make(map[string]bool, len(m.projects))}
	for i := range m.projects {
		a.projects[m.projects[i].ID] = true
	}
	if keys, ok := m.pages[page.APIKeys].(*apikeys.Page); ok {
		a.keys = keys.IDs()
	}
	return a
}

// compared is how many projects tell accounts apart.
const compared = 100

// isOf reports whether a connection is to the same account: it knows at least half of the
// projects that the service lists for it. A project that is shared is no proof, and one that
// was deleted meanwhile none against it. Where there are no projects, one of the keys has to
// be listed, if any were.
func (a *account) isOf(ctx context.Context, c Connection) (bool, error) {
	if c.BaseURL != a.baseURL {
		return false, nil
	}
	list, err := c.API.Projects(ctx, models.PageRequest{Limit: compared})
	if err != nil {
		return false, err
	}
	known := 0
	for i := range list.Projects {
		if a.projects[list.Projects[i].ID] {
			known++
		}
	}
	if len(list.Projects)+len(a.projects) > 0 {
		return known > 0 && 2*known >= len(list.Projects), nil
	}
	if len(a.keys) == 0 {
		return true, nil
	}
	keys, err := c.API.APIKeys(ctx)
	return slices.ContainsFunc(keys, func(k models.APIKey) bool { return slices.Contains(a.keys, k.ID) }), err
}
