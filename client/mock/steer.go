package mock

import (
	"fmt"
	"time"
)

// Task is an operation to start by hand.
type Task struct {
	// ProjectID names the project.
	ProjectID string
	// Action is the operation's kind, such as create_branch; any text is taken.
	Action string
	// Wait is how long it is scheduling, Run how long it is running then. Where both
	// are 0 they are drawn, as the simulation draws them for the action.
	Wait, Run time.Duration
	// Fail makes it end as failed.
	Fail bool
}

// Start begins an operation at the clock's present time and returns its id. It becomes
// a part of the project's history beside the simulation's own, and is held in memory.
// The error says that there is no such project, or that no action was given.
func (s *Server) Start(t Task) (id string, err error) {
	p, ok := s.byID[t.ProjectID]
	if !ok {
		return "", fmt.Errorf("mock: no project %q", t.ProjectID)
	}
	if t.Action == "" {
		return "", fmt.Errorf("mock: no action to start in %q", t.ProjectID)
	}
	now := s.clock().UTC().Truncate(time.Microsecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	number := startedBias + int64(len(s.started[p.id]))
	op := operation{number: number, created: s.freeTime(p, now), action: t.Action}
	op.branch, op.endpoint = p.computes[0].branch, p.computes[0].endpoint
	switch t.Action {
	case createBranch, createTimeline, applyStorageConfig, tenantDetach, tenantReattach:
		op.endpoint = ""
	}
	op.course = t.course(p.key, number)
	s.started[p.id] = append(s.started[p.id], op)
	return operationID(p.key, number), nil
}

// freeTime returns the latest microsecond up to now at which the project has no
// operation yet: a time is a place in history, and a cursor.
func (s *Server) freeTime(p *project, now time.Time) time.Time {
	taken := map[time.Time]bool{}
	for _, op := range s.started[p.id] {
		taken[op.created] = true
	}
	for at := now; ; at = at.Add(-time.Microsecond) {
		if taken[at] {
			continue
		}
		if latest := p.page(at.Add(1), 1); len(latest) == 0 || !latest[0].created.Equal(at) {
			return at
		}
	}
}

func (t *Task) course(key uint64, number int64) course {
	c := newCourse(newRand(key, number), t.Action)
	c.failed = t.Fail
	if t.Wait > 0 || t.Run > 0 {
		c.wait, c.tries = t.Wait, 1
		c.attempts[0] = t.Run
	}
	return c
}

// Revoke revokes a key as the console does (section 3.1), effective at once, and says
// whether there was one with the id.
func (s *Server) Revoke(id int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys.remove(id) != nil
}

// RevokeSecret revokes the key that has the secret, and says whether there was one.
func (s *Server) RevokeSecret(secret string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	key, ok := s.keys.bySecret[digestOf(secret)]
	return ok && s.keys.remove(key.id) != nil
}

// BusiestProject returns the id of the project in which most happens, or nothing where
// there are no projects.
func (s *Server) BusiestProject() string {
	if len(s.projects) == 0 {
		return ""
	}
	return s.projects[0].id
}
