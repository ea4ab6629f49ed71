package projects

import (
	"fmt"
	"time"

	"pgtower/models"
	"pgtower/ui/table"
)

// sharedID is what to know of a project whose id is that of another one, too.
const sharedID = "More than one project has this id: the operations may be those of another one."

// rows are the projects in the order of the service.
type rows struct {
	table.Index[models.Project, string]

	regions, locked int // how many regions and locked projects there are
}

func newRows(all []models.Project) *rows {
	id := func(p *models.Project) string { return p.ID }
	odd := func(i int) string { return fmt.Sprintf("%s\x00%d", all[i].ID, i) }
	r := &rows{Index: table.NewIndex(all, id, odd)}
	regions := map[string]bool{}
	for i := range all {
		regions[all[i].RegionID] = true
		if all[i].Locked.Value {
			r.locked++
		}
	}
	r.regions = len(regions)
	return r
}

// pages are the list as far as it was read. They may overlap while projects come and go between them. Two projects
// that differ are two, even if the service gave them one id.
type pages struct {
	all  []models.Project
	seen map[identity]bool
}

type identity struct {
	id, name string
	created  time.Time
}

// add adds the projects that are not there yet, and reports whether there were any.
func (r *pages) add(more []models.Project) (added bool) {
	for i := range more {
		p := &more[i]
		if id := (identity{p.ID, p.Name, p.CreatedAt}); !r.seen[id] {
			r.seen[id], added = true, true
			r.all = append(r.all, *p)
		}
	}
	return added
}
