package projects

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"pgtower/models"
)

// sharedID is what to know of a project whose id is that of another one, too.
const sharedID = "More than one project has this id: the operations may be those of another one."

// rows are the projects in the order of the service.
type rows struct {
	all  []models.Project
	byID map[string]int
	// odd are the rows whose id is that of a row above.
	odd map[*models.Project]string
	// shared are the ids that more than one project has.
	shared map[string]bool
	// regions and locked are how many regions and locked projects there are.
	regions, locked int
}

func (r *rows) set(all []models.Project) {
	r.all = slices.Clone(all)
	r.byID = make(map[string]int, len(all))
	r.odd, r.shared, r.locked = map[*models.Project]string{}, map[string]bool{}, 0
	regions := map[string]bool{}
	for i := range r.all {
		p := &r.all[i]
		if _, twice := r.byID[p.ID]; twice {
			r.odd[p], r.shared[p.ID] = fmt.Sprintf("%s\x00%d", p.ID, i), true
		}
		r.byID[r.Key(p)] = i
		regions[p.RegionID] = true
		if p.Locked.Value {
			r.locked++
		}
	}
	r.regions = len(regions)
}

// Len is the number of projects.
func (r *rows) Len() int { return len(r.all) }

// Row returns a project.
func (r *rows) Row(i int) *models.Project { return &r.all[i] }

// Key names a project by its id, and by its place where another one has that.
func (r *rows) Key(p *models.Project) string { return cmp.Or(r.odd[p], p.ID) }

// Find returns where the project of an id is.
func (r *rows) Find(id string) (int, bool) {
	i, ok := r.byID[id]
	return i, ok
}

// reading is the list as far as it was read. Pages may overlap while projects come and go
// between them. Two projects that differ are two, even if the service gave them one id.
type reading struct {
	all  []models.Project
	seen map[identity]bool
}

type identity struct {
	id, name string
	created  time.Time
}

// add adds the projects that are not there yet, and reports whether there were any.
func (r *reading) add(more []models.Project) (added bool) {
	for i := range more {
		p := &more[i]
		if id := (identity{p.ID, p.Name, p.CreatedAt}); !r.seen[id] {
			r.seen[id], added = true, true
			r.all = append(r.all, *p)
		}
	}
	return added
}
