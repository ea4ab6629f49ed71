// Package sim simulates a busy platform as a function of a seed and a clock. It does not know HTTP.
//
// The same seed, clock readings and calls give the same records. Nothing runs in the background, and history is
// computed on request, so a project with a million operations takes no more memory than one with ten. Where the
// specification is silent, the platform behaves like the live service.
package sim

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// The defaults and limits of [Options].
const (
	DefaultProjects   = 12
	DefaultOperations = 2_000
	MaxProjects       = 100_000 // unlike operations, they are held in memory
	MaxOperations     = 10_000_000
)

// The errors of methods are these unless they say otherwise.
var (
	ErrNoProject   = errors.New("no such project")
	ErrNoOperation = errors.New("no such operation")
	ErrNoKey       = errors.New("no such API key")
	ErrCursor      = errors.New("invalid cursor")
)

// Options configure the simulated platform.
type Options struct {
	// Seed decides every name, id, duration and failure.
	Seed uint64
	// Clock returns the real time. It is required and must be safe for concurrent use.
	Clock func() time.Time
	// Start is the simulated time at the start; zero for the clock's current time. If it is set, and the speed is 0,
	// the same seed and calls give the same records at any time.
	Start time.Time
	// Speed is the number of simulated seconds per second, from 0 to [MaxSpeed]; nil for 1.
	Speed *float64
	// APIKey is the secret of the initial key; drawn from the seed if empty.
	APIKey string
	// Projects is the number of projects: 0 for [DefaultProjects], negative for none. The first is the busiest.
	Projects int
	// Operations is the number of past operations of the busiest project at the start: 0 for [DefaultOperations],
	// negative for none. It is the length of the history, not the load. The others have a share of it, and at most six
	// months.
	Operations int
	// Live adds the fields, statuses and actions that the live service has beyond the specification, and omits the one
	// field that it does not send.
	Live bool
	// Fixture replaces the simulation by a fixed platform: see [Fixture].
	Fixture *Fixture
}

// complete sets defaults, and returns an error for invalid options.
func (o *Options) complete() error {
	if o.Start.IsZero() {
		o.Start = o.Clock()
	}
	o.Start = o.Start.Round(0).UTC().Truncate(time.Microsecond)
	if o.Speed == nil {
		o.Speed = new(1.0)
	}
	if o.APIKey == "" {
		o.APIKey = newSecret(o.Seed, 0)
	}
	for n, usual := range map[*int]int{&o.Projects: DefaultProjects, &o.Operations: DefaultOperations} {
		if *n == 0 {
			*n = usual
		}
		*n = max(*n, 0)
	}
	switch {
	case o.Projects > MaxProjects:
		return fmt.Errorf("the number of projects must be from 0 to %[2]d, not %[1]d", o.Projects, MaxProjects)
	case o.Operations > MaxOperations:
		return fmt.Errorf("the number of operations must be from 0 to %[2]d, not %[1]d", o.Operations, MaxOperations)
	}
	return nil
}

// Platform is a simulated platform. It is safe for concurrent use.
type Platform struct {
	*Clock

	seed     uint64
	live     bool
	org      string // the id of the organisation of all projects
	apiKey   string
	projects []*project
	byID     map[string]*project

	mu      sync.Mutex
	keys    []*apiKey // oldest first; revoked ones are removed
	lastKey int64     // the last issued id
}

// New returns a platform that starts at the clock's current time. The error names the invalid option.
func New(o Options) (*Platform, error) {
	if o.Clock == nil {
		return nil, errors.New("a clock is required")
	}
	if err := o.complete(); err != nil {
		return nil, err
	}
	clock := newClock(o.Clock, o.Start)
	if err := clock.Set(*o.Speed, 0); err != nil {
		return nil, err
	}
	p := &Platform{
		Clock: clock, seed: o.Seed, live: o.Live, apiKey: o.APIKey,
		org: newID(newRand(o.Seed, 1<<41), "org-", 0), byID: map[string]*project{},
	}
	if o.Fixture != nil {
		p.projects, p.keys = o.Fixture.projects(&o), o.Fixture.keys(&o)
	} else {
		p.projects, p.keys = newProjects(&o), demoKeys(&o)
	}
	for _, project := range p.projects {
		p.byID[project.record.ID] = project
		project.failedAt, project.lost = map[string]time.Time{}, map[string]bool{}
	}
	for _, k := range p.keys {
		p.lastKey = max(p.lastKey, k.ID)
	}
	return p, nil
}

// Live reports whether the platform behaves like the live service beyond the specification.
func (p *Platform) Live() bool { return p.live }

// BusiestProject returns the id of the project with the most operations, or "" without projects.
func (p *Platform) BusiestProject() string {
	if len(p.projects) == 0 {
		return ""
	}
	return p.projects[0].record.ID
}

// Projects returns up to limit projects whose name or id contains a text, after the one with an id, or from the first
// if that is empty. As at the live service, only the organisation of all projects has any; without [Options.Live], it
// is ignored. The error is [ErrCursor] for an id that never existed.
func (p *Platform) Projects(after, search, org string, limit int) ([]Project, error) {
	rest := p.projects
	if after != "" {
		last, ok := p.byID[after]
		if !ok {
			return nil, ErrCursor
		}
		rest = rest[last.index+1:]
	}
	if p.live && org != "" && org != p.org {
		rest = nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now, out := p.Now(), []Project{}
	for _, project := range rest {
		if len(out) == limit {
			break
		}
		r := &project.record
		if !project.gone && (strings.Contains(r.ID, search) || strings.Contains(r.Name, search)) {
			out = append(out, project.describe(now, p.org))
		}
	}
	return out, nil
}

// project returns the project with an id. The mutex is held.
func (p *Platform) project(id string) (*project, error) {
	if project, ok := p.byID[id]; ok && !project.gone {
		return project, nil
	}
	return nil, ErrNoProject
}

// Operations returns up to limit operations of a project, newest first, created before a cursor, or the newest if that
// is empty, and whether there are older ones.
func (p *Platform) Operations(projectID, cursor string, limit int) (page []Operation, more bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	project, err := p.project(projectID)
	if err != nil {
		return nil, false, err
	}
	now := p.Now()
	before := project.end(now)
	if cursor != "" {
		at, err := time.Parse(time.RFC3339Nano, cursor)
		if err != nil {
			return nil, false, ErrCursor
		}
		if at.Before(before) {
			before = at
		}
	}
	ops := project.page(before, limit+1)
	page = make([]Operation, 0, limit)
	for _, op := range ops[:min(limit, len(ops))] {
		page = append(page, project.operation(op, now))
	}
	return page, len(ops) > limit, nil
}

// Operation returns an operation.
func (p *Platform) Operation(projectID, id string) (out Operation, err error) {
	err = p.with(projectID, id, func(project *project, op *operation) error {
		out = project.operation(op, p.Now())
		return nil
	})
	return out, err
}

// with calls do with an operation of a project.
func (p *Platform) with(projectID, id string, do func(*project, *operation) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	project, err := p.project(projectID)
	if err != nil {
		return err
	}
	op, ok := project.find(id, p.Now())
	if !ok {
		return ErrNoOperation
	}
	return do(project, op)
}
