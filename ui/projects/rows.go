package projects

import (
	"slices"

	"pgtower/models"
)

// rows are the projects in the order of the service.
type rows struct {
	all  []models.Project
	byID map[string]int
}

func (r *rows) set(all []models.Project) {
	r.all = slices.Clone(all)
	r.byID = make(map[string]int, len(all))
	for i := range r.all {
		r.byID[r.all[i].ID] = i
	}
}

// Len is the number of projects.
func (r *rows) Len() int { return len(r.all) }

// Row returns a project.
func (r *rows) Row(i int) *models.Project { return &r.all[i] }

// Key names a project by its id.
func (*rows) Key(p *models.Project) string { return p.ID }

// Find returns where the project of an id is.
func (r *rows) Find(id string) (int, bool) {
	i, ok := r.byID[id]
	return i, ok
}

// appendNew adds the projects that are not there yet: pages may overlap while projects
// come and go between them.
func appendNew(all, more []models.Project) []models.Project {
	known := make(map[string]bool, len(all))
	for i := range all {
		known[all[i].ID] = true
	}
	for _, p := range more {
		if !known[p.ID] {
			known[p.ID] = true
			all = append(all, p)
		}
	}
	return all
}
