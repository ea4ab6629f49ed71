package sim

import (
	"errors"
	"fmt"
	"time"
)

// ErrEnded is returned by [Platform.Fail].
var ErrEnded = errors.New("the operation has ended")

// Task is an operation to start by hand.
type Task struct {
	// ProjectID names the project.
	ProjectID string
	// Action is the operation's kind, such as create_branch; any text is taken.
	Action string
	// Wait is how long it is scheduling, Run how long it is running then. Where both are 0 they are drawn, as the
	// simulation draws them for the action.
	Wait, Run time.Duration
	// Fail makes it end as failed.
	Fail bool
}

// startedNumber is where the numbers of started operations begin, beyond any of the simulation's.
const startedNumber = 1 << 50

// Start begins an operation at the present simulated time and returns it. It becomes a part of the project's history
// beside the simulation's own, and is held in memory. It is the newest there: where time stands, it is created some
// microseconds ahead of it. The error is [ErrNoProject], or says what is wrong with the task.
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
	op := operation{
		id: UUID(project.key, number), number: number, created: now,
		action: t.Action, branch: on.branch, endpoint: on.of(t.Action),
	}
	// Later than any operation that the project has: a time is a place in history, and a cursor.
	for end := project.end(now); ; end = op.created.Add(1) {
		latest := project.page(end, 1)
		if len(latest) == 0 || latest[0].created.Before(op.created) {
			break
		}
		op.created = latest[0].created.Add(time.Microsecond)
	}
	op.course = newCourse(newRand(project.key, op.number), t.Action, false)
	if t.Wait > 0 || t.Run > 0 {
		op.course = course{wait: t.Wait, attempts: []time.Duration{t.Run}}
	}
	op.end = finished
	if t.Fail {
		op.end = failed
	}
	project.started, project.latest = append(project.started, op), op.created
	return project.operation(&op, now), nil
}

// Fail makes an operation that has not ended fail at once: its status is failed, with one failure more than it had. It
// returns the operation. The error may also be [ErrEnded].
func (p *Platform) Fail(projectID, id string) (out Operation, err error) {
	err = p.with(projectID, id, func(project *project, op *operation) error {
		now := project.end(p.Now()).Truncate(time.Microsecond)
		if _, struck := project.struck[op.id]; struck || op.at(now.Sub(op.created)).done {
			return fmt.Errorf("%w: it is %s", ErrEnded, project.operation(op, now).Status)
		}
		project.struck[op.id] = now
		out = project.operation(op, now)
		return nil
	})
	return out, err
}

// Lose makes an operation vanish, as those do that the service deletes: it is not found any more.
func (p *Platform) Lose(projectID, id string) error {
	return p.with(projectID, id, func(project *project, op *operation) error {
		project.lost[op.id] = true
		return nil
	})
}

// LoseProject makes a project vanish with its operations.
func (p *Platform) LoseProject(id string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	project, err := p.project(id)
	if err == nil {
		project.gone = true
	}
	return err
}
