package mock

import (
	"errors"
	"fmt"
	"time"
	"unicode/utf8"
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

// Start begins an operation at the present simulated time and returns its id. It becomes
// a part of the project's history beside the simulation's own, and is held in memory. It
// is the newest there: where time stands, it is created some microseconds ahead of it.
// The error says that there is no such project, or what is wrong with the task.
func (s *Server) Start(t Task) (id string, err error) {
	op, err := s.platform.startTask(t)
	return op.ID, err
}

// startTask returns the operation as the API shows it then.
func (s *platform) startTask(t Task) (wireOperation, error) {
	p, ok := s.byID[t.ProjectID]
	if !ok {
		return wireOperation{}, fmt.Errorf("mock: no project %q", t.ProjectID)
	}
	if err := t.check(); err != nil {
		return wireOperation{}, fmt.Errorf("mock: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// After the lock was taken: nobody can have been shown anything later.
	now := s.clock.now().Truncate(time.Microsecond)
	started := s.started[p.id]
	on := p.computes[0].of(t.Action)
	op := operation{
		number: startedBias + int64(len(started)), created: p.freeTime(started, now),
		action: t.Action, branch: on.branch, endpoint: on.endpoint,
	}
	op.course = t.course(p.key, op.number)
	s.started[p.id] = append(started, op)
	return s.wireOperation(p, op, now), nil
}

// maxActionName is the longest action that is taken, in bytes.
const maxActionName = 100

func (t *Task) check() error {
	switch {
	case t.Action == "":
		return errors.New("no action to start")
	case len(t.Action) > maxActionName || !utf8.ValidString(t.Action):
		return fmt.Errorf("the action is not a text of up to %d bytes", maxActionName)
	case t.Wait < 0 || t.Run < 0 || t.Wait > maxAhead || t.Run > maxAhead-t.Wait:
		return errors.New("the durations are not from 0 to a hundred years together")
	}
	return nil
}

// freeTime returns the first microsecond from now on that is later than that of any
// operation the project has: a time is a place in history, and a cursor.
func (p *project) freeTime(started startedOperations, now time.Time) time.Time {
	at := now
	if n := len(started); n > 0 && !at.After(started[n-1].created) {
		at = started[n-1].created.Add(time.Microsecond)
	}
	for p.born(at) {
		at = at.Add(time.Microsecond)
	}
	return at
}

// born says whether an operation of the simulation is created at the time.
func (p *project) born(at time.Time) bool {
	latest := p.page(at.Add(1), 1, nil)
	return len(latest) > 0 && latest[0].created.Equal(at)
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
	p := s.platform
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.keys.remove(id) != nil
}

// RevokeSecret revokes the key that has the secret, and says whether there was one.
func (s *Server) RevokeSecret(secret string) bool {
	p := s.platform
	p.mu.Lock()
	defer p.mu.Unlock()
	key, ok := p.keys.bySecret[digestOf(secret)]
	return ok && p.keys.remove(key.id) != nil
}

// ProjectIDs returns the ids of all projects, in their order.
func (s *Server) ProjectIDs() []string {
	projects := s.platform.projects
	ids := make([]string, len(projects))
	for i, p := range projects {
		ids[i] = p.id
	}
	return ids
}

// BusiestProject returns the id of the project in which most happens, or nothing where
// there are no projects.
func (s *Server) BusiestProject() string {
	if all := s.platform.projects; len(all) > 0 {
		return all[0].id
	}
	return ""
}
