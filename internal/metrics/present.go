package metrics

import (
	"time"

	"pgtower/models"
	"pgtower/models/keys"
)

// Present is what was known at one moment. After [Set.Show], it does not change.
type Present struct {
	Projects []Project
	Keys     []KeyList

	states     [len(stateNames)]int // numbers of projects
	told, open int                  // gaps
}

// Project is what is known of a project.
type Project struct {
	ID, Name, Org, OrgName, Region string

	State   State
	Read    time.Time       // when its newest page was last read, by this computer's clock; zero: never
	Running int             // operations that had not ended then
	Failed  models.Opt[int] // operations that had failed in the window; unknown: not all of it was read
}

// State is how current a project is.
type State int

// The states of a project.
const (
	Unread     State = iota // it was not read yet
	Current                 // it was read within two intervals
	Late                    // it was read before
	Unreadable              // the last try to read it failed
)

// stateNames are the labels of the states.
var stateNames = [...]string{Unread: "unread", Current: "current", Late: "late", Unreadable: "unreadable"}

// KeyList is what is known of a list of API keys.
type KeyList struct {
	Org       string    // empty: the list of the account
	Read      time.Time // by this computer's clock
	Rotations []keys.Phase
}

// Show publishes what is known now, and keeps the lists of p. It is called once the projects are listed, and from then on. A
// project that moves between two pages of a list is listed twice. It is shown once: a scrape fails with two samples of the same
// name and labels.
func (s *Set) Show(p Present) {
	projects, lists := p.Projects, p.Keys
	p.Projects, p.Keys, p.told, p.open = projects[:0], lists[:0], s.told, s.open
	named, rest := make(map[string]bool, len(projects)), Project{ID: otherLabel}
	for i := range projects {
		project := projects[i]
		if named[project.ID] {
			continue
		}
		named[project.ID] = true
		p.states[project.State]++
		project.ID = s.projects.of(project.ID)
		if project.ID == otherLabel {
			rest.add(&project)
		} else {
			p.Projects = append(p.Projects, project)
		}
	}
	p.Projects = append(p.Projects, rest)
	clear(named)
	for _, list := range lists {
		if list.Org != "" {
			list.Org = s.orgs.of(list.Org)
		}
		if list.Org != otherLabel && !named[list.Org] {
			named[list.Org] = true
			p.Keys = append(p.Keys, list)
		}
	}
	s.present.Store(&p)
}

// add adds the operations of a project to those of several projects. They are as of the oldest read.
func (p *Project) add(o *Project) {
	if o.Read.IsZero() {
		return
	}
	if p.Read.IsZero() || o.Read.Before(p.Read) {
		p.Read = o.Read
	}
	p.Running += o.Running
	p.Failed.Value += o.Failed.Value
	p.Failed.Known = p.Failed.Known || o.Failed.Known
}
