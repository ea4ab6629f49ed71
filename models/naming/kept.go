package naming

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Kept is what the program remembers of a branch or a compute from one run to the next. It does not prove that it is
// listed.
type Kept struct {
	Project, ID string
	Compute     bool
	Name        Name
	// Lacked is when the first of the lists was read that proved that it is no longer listed, by the service's clock: for
	// operations before that, it is not looked for again. It is zero if it may be listed.
	Lacked time.Time
}

// Store remembers names of one account. Another one finds nothing.
type Store interface {
	RecallNames() []Kept
	KeepNames(names []Kept)
}

// mostKept is how many names are remembered.
const mostKept = 500

// Kept returns the names to remember: those of the branches and computes with the newest operations that were looked at.
func (n *Names) Kept() []Kept {
	type dated struct {
		Kept

		began time.Time
	}
	var list []dated
	for _, project := range slices.Sorted(maps.Keys(n.projects)) {
		p := n.projects[project]
		for i, l := range p.lists() {
			for id, e := range l.entries {
				k := Kept{Project: project, ID: id, Compute: i == 1, Name: e.Name}
				if e.Gone {
					k.Lacked = e.lacked
				}
				if e.told && (e.seen || e.restored) {
					list = append(list, dated{k, e.began})
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b dated) int {
		return cmp.Or(b.began.Compare(a.began), cmp.Compare(a.Project, b.Project), cmp.Compare(a.ID, b.ID))
	})
	kept := make([]Kept, 0, min(len(list), mostKept))
	for _, d := range list[:min(len(list), mostKept)] {
		kept = append(kept, d.Kept)
	}
	return kept
}

// Restore adds remembered names where nothing was read. They are not claimed to be listed, and are read like all others.
func (n *Names) Restore(names []Kept) {
	changed := map[string]bool{}
	for _, k := range names[:min(len(names), mostKept)] {
		p := n.get(k.Project)
		l := &p.branches
		if k.Compute {
			l = &p.computes
		}
		e := l.entries[k.ID]
		if e == nil {
			e = &entry{}
			l.entries[k.ID] = e
			n.count++
		}
		if !e.told && k.Name.Gone == !k.Lacked.IsZero() {
			e.Name, e.lacked, e.told, e.restored = k.Name, k.Lacked, true, true
			changed[k.Project] = true
		}
		if e.Gone {
			delete(l.sought, k.ID)
		}
	}
	for id := range changed {
		n.tell(id)
	}
}
