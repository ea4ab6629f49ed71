package sim

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// ErrEnded is an error of [Platform.Fail].
var ErrEnded = errors.New("the operation has already ended")

// Task is an operation to start by hand.
type Task struct {
	// ProjectID is the id of the project.
	ProjectID string
	// Action is the operation's kind, such as create_branch; any text of up to 100 bytes is accepted.
	Action string
	// Branch is the name or the id of the branch that it is on: empty for the default one. With create_branch, it is the
	// name of a new one, and delete_timeline deletes a branch that was created by hand.
	Branch string
	// Wait is how long it is scheduling, Run how long it is running then. If both are 0, they are drawn as in the
	// simulation.
	Wait, Run time.Duration
	// Fail makes it fail; with Retry, it is tried again after that time, and finishes.
	Fail  bool
	Retry time.Duration
}

// The limits of the memory that requests can take, as anyone who reaches the mock can send them.
const (
	maxAction     = 100    // bytes
	maxBranchName = 256    // bytes
	maxHeld       = 20_000 // changes of operations by hand
	maxKeys       = 20_000 // API keys of all lists
)

// hold counts a change by hand, which stays in memory. The mutex is held.
func (p *Platform) hold() error {
	if p.held == maxHeld {
		return fmt.Errorf("%d operations were started, removed or made to fail, and no more are held in memory", maxHeld)
	}
	p.held++
	return nil
}

// startedNumber is the first number of started operations, above all of the simulation's.
const startedNumber = 1 << 50

// Start starts an operation at the current simulated time and returns it. It is held in memory. The error is
// [ErrNoProject], or names what is wrong with the task.
func (p *Platform) Start(t Task) (Operation, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	project, err := p.project(t.ProjectID)
	if err == nil {
		err = t.check()
	}
	if err != nil {
		return Operation{}, err
	}
	now, number := p.Now(), startedNumber+int64(len(project.started))
	branch, err := project.target(&t, number, project.end(now))
	if err == nil {
		err = p.hold()
	}
	if err != nil {
		return Operation{}, err
	}
	now = now.Truncate(time.Microsecond)
	op := &operation{
		id: UUID(project.key, number), number: number, created: project.free(now), action: t.Action,
		branch: branch.branch, endpoint: branch.of(t.Action), lifecycle: t.lifecycle(project.key, number),
	}
	project.started, project.latest = append(project.started, op), op.created
	project.note(&t, op, branch)
	return project.operation(op, now), nil
}

// free returns the creation time of an operation that starts at now. No two operations have the same microsecond, so that
// each has a position of its own. The next one is always created later, also if the clock stands still.
func (p *project) free(now time.Time) time.Time {
	if !now.After(p.latest) {
		now = p.latest.Add(time.Microsecond)
	}
	for p.taken(now) {
		now = now.Add(time.Microsecond)
	}
	return now
}

// lifecycle returns the lifecycle of the operation of the task.
func (t *Task) lifecycle(key uint64, number int64) lifecycle {
	c := drawLifecycle(newRand(key, number), t.Action, false)
	if t.Wait > 0 || t.Run > 0 {
		c = lifecycle{wait: t.Wait, attempts: []time.Duration{t.Run}}
	}
	c.retry, c.end = 0, finished
	switch {
	case t.Retry > 0:
		last := c.attempts[len(c.attempts)-1]
		c.retry, c.attempts = t.Retry, []time.Duration{last, last}
	case t.Fail:
		c.end = failed
	}
	return c
}

// target returns the branch of a task: a new one if the task creates it. The error is [ErrNoBranch] or [ErrBranchName], or
// names what is wrong.
func (p *project) target(t *Task, number int64, end time.Time) (*branch, error) {
	if t.Branch == "" {
		return &branch{compute: p.computes[0]}, nil
	}
	b, err := p.findBranch(t.Branch, end)
	switch {
	case t.Action == createBranch && err == nil:
		return nil, ErrBranchName
	case t.Action == createBranch:
		return &branch{compute: newCompute(newRand(p.key, number)), name: t.Branch, byHand: true}, nil
	case t.Action == deleteTimeline && err == nil && (b.isDefault || !b.byHand):
		return nil, errors.New("only branches that were created by hand can be deleted, and no default one")
	}
	return b, err
}

// note adds the branch that an operation creates to the project, or marks the branch that it deletes.
func (p *project) note(t *Task, op *operation, target *branch) {
	switch {
	case t.Branch == "":
	case op.action == createBranch:
		target.created = op.created
		p.listed = append(p.listed, target)
	case op.action == deleteTimeline:
		target.deleted = op.created
	}
}

// RenameBranch gives a branch another name from now on.
func (p *Platform) RenameBranch(projectID, id, name string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	project, err := p.project(projectID)
	if err != nil {
		return err
	}
	now := p.Now()
	end := project.end(now)
	b, err := project.findBranch(id, end)
	if err != nil {
		return err
	}
	if _, err := project.findBranch(name, end); err == nil {
		return ErrBranchName
	}
	if err := checkBranchName(name); err != nil {
		return err
	}
	if err := p.hold(); err != nil {
		return err
	}
	project.names[b.id()] = append(project.names[b.id()], naming{now, name})
	return nil
}

// checkBranchName returns an error for a name that the service does not accept.
func checkBranchName(name string) error {
	if strings.TrimSpace(name) == "" || len(name) > maxBranchName {
		return fmt.Errorf("the name of a branch must have 1 to %d bytes", maxBranchName)
	}
	return nil
}

// check returns what is wrong with the task.
func (t *Task) check() error {
	switch {
	case len(t.Action) > maxAction:
		return fmt.Errorf("the action must have at most %d bytes", maxAction)
	case t.Branch != "" && checkBranchName(t.Branch) != nil:
		return checkBranchName(t.Branch)
	case t.Action == "" || min(t.Wait, t.Run) < 0 || max(t.Wait, t.Run) > maxAhead:
		return errors.New("an operation needs an action, and durations from 0 to a hundred years")
	case !t.Fail && t.Retry != 0:
		return errors.New("only what fails is tried again: retry needs fail")
	}
	return checkRetry(t.Retry)
}

// checkRetry returns an error if an operation cannot be tried again after that time.
func checkRetry(retry time.Duration) error {
	if retry < 0 || retry > maxAhead {
		return errors.New("retry must be a duration from 0 to a hundred years")
	}
	return nil
}

// taken reports whether an operation of the simulation is created at a time.
func (p *project) taken(instant time.Time) bool {
	if p.perSlot == 0 {
		return false
	}
	slot := p.slotAt(instant)
	ops := p.slot(slot)
	if p.live {
		ops = slices.Concat(ops, p.deletions(slot, p.slot(slot-1), ops))
	}
	return hasCreation(ops, instant)
}

// hasCreation reports whether one of the operations was created at a time.
func hasCreation(ops []*operation, instant time.Time) bool {
	return slices.ContainsFunc(ops, func(op *operation) bool { return op.created.Equal(instant) })
}

// Fail makes an operation fail that has not ended: its status is failed, with one more failure. If retry is not 0, it is
// tried again after that time, and finishes. It returns the operation. The error may also be [ErrEnded].
func (p *Platform) Fail(projectID, id string, retry time.Duration) (Operation, error) {
	if err := checkRetry(retry); err != nil {
		return Operation{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	project, op, err := p.find(projectID, id)
	if err != nil {
		return Operation{}, err
	}
	now := project.end(p.Now()).Truncate(time.Microsecond)
	age, states := now.Sub(op.created), project.states(op)
	if n := current(states, age); n == len(states)-1 {
		return Operation{}, fmt.Errorf("%w: it is %s", ErrEnded, states[n].status)
	}
	if err := p.hold(); err != nil {
		return Operation{}, err
	}
	project.failures[op.id] = append(project.failures[op.id], failure{age, retry})
	return project.operation(op, now), nil
}

// Lose removes an operation, as if the service had deleted it.
func (p *Platform) Lose(projectID, id string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	project, op, err := p.find(projectID, id)
	if err == nil {
		err = p.hold()
	}
	if err == nil {
		project.lost[op.id] = true
	}
	return err
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
