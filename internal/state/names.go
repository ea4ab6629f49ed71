package state

import (
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/models/naming"
)

// Names are the names of the branches and computes that an API key reaches.
type Names struct {
	Host  string `json:"host"`  // of the service
	Print string `json:"print"` // the fingerprint of its secret, see [keys.Memory.Print]
	Parts []Part `json:"parts"`
}

// Part is a branch or a compute of a project.
type Part struct {
	Project   string    `json:"project_id"`
	ID        string    `json:"id"`
	Name      string    `json:"name,omitempty"`
	Compute   bool      `json:"compute,omitempty"` // else it is a branch
	Default   bool      `json:"default,omitempty"`
	Protected bool      `json:"protected,omitempty"`
	Gone      bool      `json:"gone,omitempty"`  // it was no longer listed
	Lacked    time.Time `json:"lacked,omitzero"` // see [naming.Kept]
}

// NamesOf returns the names of the branches and computes that a key of a service reaches.
func (s *State) NamesOf(host string, secret models.Secret) (names []naming.Kept) {
	i := slices.IndexFunc(s.Names, s.namesOf(host, secret))
	if i < 0 {
		return nil
	}
	for _, p := range s.Names[i].Parts {
		names = append(names, naming.Kept{
			Project: p.Project, ID: p.ID, Compute: p.Compute, Lacked: p.Lacked,
			Name: naming.Name{Name: p.Name, Default: p.Default, Protected: p.Protected, Gone: p.Gone},
		})
	}
	return names
}

// KeepNames replaces the names of the branches and computes that a key of a service reaches. The oldest keys make room.
func (s *State) KeepNames(host string, secret models.Secret, names []naming.Kept) {
	if s.Salt == "" {
		s.Salt = keys.NewSalt()
	}
	kept := Names{Host: host, Print: s.print(secret)}
	for _, k := range names {
		p := Part{
			Project: k.Project, ID: k.ID, Compute: k.Compute, Lacked: k.Lacked.UTC(),
			Name: k.Name.Name, Default: k.Name.Default, Protected: k.Name.Protected, Gone: k.Name.Gone,
		}
		if p.check() == nil && models.FindKey(p.Name) < 0 {
			kept.Parts = append(kept.Parts, p)
		}
	}
	s.Names = slices.DeleteFunc(s.Names, s.namesOf(host, secret))
	if len(kept.Parts) > 0 {
		s.Names = append(s.Names, kept)
	}
	s.Names = newest(s.Names, maxParts, (*Names).size)
}

func (n *Names) size() int { return len(n.Parts) }

// namesOf returns a function that reports whether names are those of a key of a service.
func (s *State) namesOf(host string, secret models.Secret) func(Names) bool {
	print := s.print(secret)
	return func(entry Names) bool { return print != "" && entry.Host == host && entry.Print == print }
}

func (p *Part) check() error {
	if !models.IsID(p.Project) || !models.IsID(p.ID) || !isPlain(p.Project) || !isPlain(p.ID) || !isPlain(p.Name) {
		return wrong("parts")
	}
	return nil
}

func (n *Names) check() error {
	switch {
	case n.Host == "" || !isPlain(n.Host):
		return wrong("host")
	case n.Print == "" || !isPlain(n.Print):
		return wrong("print")
	case n.size() > maxParts:
		return wrong("parts")
	}
	for i := range n.Parts {
		if err := n.Parts[i].check(); err != nil {
			return err
		}
	}
	return nil
}
