package sim

import (
	"errors"
	"fmt"
	"time"
)

// ErrEnded is an error of [Platform.Fail].
var ErrEnded = errors.New("the operation has already ended")

// Task is an operation to start by hand.
type Task struct {
	// ProjectID is the id of the project.
	ProjectID string
	// Action is the operation's kind, such as create_branch; any text is accepted.
	Action string
	// Wait is how long it is scheduling, Run how long it is running then. If both are 0, they are drawn as in the
	// simulation.
	Wait, Run time.Duration
	// Fail makes it end as failed.
	Fail bool
}

// startedNumber is the first number of started operations, above all of the simulation's.
const startedNumber = 1 << 50

// Start starts an operation at the current simulated time and returns it. It becomes the newest one of the project's
// history, and is held in memory. While time is stopped, it is created some microseconds later. The error is
// [ErrNoProject], or says what is wrong with the task.
func (p *Platform) Start(t Task) (Operation, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	project, err := p.project(t.ProjectID)
	if err == nil && (t.Action == "" || min(t.Wait, t.Run) < 0 || max(t.Wait, t.Run) > maxAhead) {
		err = errors.New("an operation needs an action, and durations from 0 to a hundred years")
	}
	if err != nil {
		return Operation{}, err
	}
	now := p.Now().Truncate(time.Microsecond)
	on := project.computes[0]
	number := startedNumber + int64(len(project.started))
	op := &operation{
		id: UUID(project.key, number), number: number, created: now,
		action: t.Action, branch: on.branch, endpoint: on.of(t.Action),
	}
	// Later than any operation of the project: a creation time is a position in history, and a cursor.
	for end := project.end(now); ; end = op.created.Add(1) {
		latest := project.page(end, 1)
		if len(latest) == 0 || latest[0].created.Before(op.created) {
			break
		}
		op.created = latest[0].created.Add(time.Microsecond)
	}
	op.lifecycle = newLifecycle(newRand(project.key, op.number), t.Action, false)
	if t.Wait > 0 || t.Run > 0 {
		op.lifecycle = lifecycle{wait: t.Wait, attempts: []time.Duration{t.Run}}
	}
	op.end = finished
	if t.Fail {
		op.end = failed
	}
	project.started, project.latest = append(project.started, op), op.created
	return project.operation(op, now), nil
}

// Fail makes an operation fail that has not ended: its status is failed, with one more failure. It returns the
// operation. The error may also be [ErrEnded].
func (p *Platform) Fail(projectID, id string) (out Operation, err error) {
	err = p.with(projectID, id, func(project *project, op *operation) error {
		now := project.end(p.Now()).Truncate(time.Microsecond)
		if _, ok := project.failedAt[op.id]; ok || op.at(now.Sub(op.created)).done {
			return fmt.Errorf("%w: it is %s", ErrEnded, project.operation(op, now).Status)
		}
		project.failedAt[op.id] = now
		out = project.operation(op, now)
		return nil
	})
	return out, err
}

// Lose removes an operation, as if the service had deleted it.
func (p *Platform) Lose(projectID, id string) error {
	return p.with(projectID, id, func(project *project, op *operation) error {
		project.lost[op.id] = true
		return nil
	})
}

// LoseProject removes a project with its operations.
func (p *Platform) LoseProject(id string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	project, err := p.project(id)
	if err == nil {
		project.gone = true
	}
	return err
}
