package naming

import (
	"cmp"
	"strings"
)

// Name is the name of a branch or a compute, and further facts from its list. The zero value stands for one that no list
// had.
type Name struct {
	Name      string // empty where it has none, or none is known
	Default   bool   // the project's default branch
	Protected bool
	// Gone is set if it is no longer listed. It has its last name then.
	Gone bool
}

// Or returns the name, or an id where there is none.
func (n Name) Or(id string) string { return cmp.Or(n.Name, id) }

// About returns the further facts, such as "default, protected", or "".
func (n Name) About() string {
	var parts []string
	for _, p := range []struct {
		is   bool
		text string
	}{{n.Default, "default"}, {n.Protected, "protected"}, {n.Gone, "no longer listed"}} {
		if p.is {
			parts = append(parts, p.text)
		}
	}
	return strings.Join(parts, ", ")
}

// Book has the names of some projects at some time, by the projects' ids. It never changes: any goroutine may read it.
type Book map[string]Project

// Project has the names of a project, by the ids of its branches and computes.
type Project struct{ Branches, Computes map[string]Name }

// Branch returns the name of a branch of a project.
func (b Book) Branch(project, id string) Name { return b[project].Branches[id] }

// Compute returns the name of a compute of a project.
func (b Book) Compute(project, id string) Name { return b[project].Computes[id] }
