// Package sim is a platform at work, as a function of a seed and a clock. It knows no HTTP.
//
// The same seed, clock readings and calls give the same records. Nothing runs in the background, and history is
// computed as it is asked for, so that a project with a million operations costs no more memory than one with ten.
// Where the specification is silent the platform does what is known of the live service.
package sim

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// The defaults and bounds of [Options].
const (
	DefaultProjects   = 12
	DefaultOperations = 2_000
	MaxProjects       = 100_000 // they, unlike operations, are held in memory
	MaxOperations     = 10_000_000
)

// The errors of what is not there. The errors of methods are these unless they say otherwise.
var (
	ErrNoProject   = errors.New("there is no such project")
	ErrNoOperation = errors.New("there is no such operation")
	ErrNoKey       = errors.New("there is no such API key")
	ErrCursor      = errors.New("cursor is not one that this API gave out")
)

// Options says which platform to simulate.
type Options struct {
	// Seed decides every name, id, duration and failure.
	Seed uint64
	// Clock tells the real time. It is required and must be safe for use by several goroutines.
	Clock func() time.Time
	// Start is the simulated time at which the simulation starts; zero for the clock's present. With it, and a speed
	// of 0, the same seed and calls give the same records whenever they are asked for.
	Start time.Time
	// Speed is how many simulated seconds pass in a second from the start on, from 0 to [MaxSpeed]; nil for 1.
	Speed *float64
	// APIKey is the secret of the key that is there from the start; generated from the seed where empty.
	APIKey string
	// Projects is the number of projects: 0 for [DefaultProjects], negative for none. The first is the busiest.
	Projects int
	// Operations is how many operations the busiest project has behind it at the start: 0 for [DefaultOperations],
	// negative for none. It says how far back history reaches, not how busy the project is. The others have a share of
	// it, and no more than six months' worth.
	Operations int
	// Live adds the fields, statuses and actions that the live service has beyond the specification, and leaves out the
	// one field that it does not send.
	Live bool
	// Fixture is a platform to show in place of a simulated one: see [Fixture].
	Fixture *Fixture
}

// complete fills in what is left out, and returns an error for what cannot be.
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
		return fmt.Errorf("%d projects are not from 0 to %d", o.Projects, MaxProjects)
	case o.Operations > MaxOperations:
		return fmt.Errorf("%d operations are not from 0 to %d", o.Operations, MaxOperations)
	}
	return nil
}

// Platform is a simulated platform. It is safe for use by several goroutines.
type Platform struct {
	*Clock

	seed     uint64
	live     bool
	org      string // the id of the organisation that all projects belong to
	apiKey   string
	projects []*project
	byID     map[string]*project

	mu      sync.Mutex
	keys    []*apiKey // oldest first; a revoked one is gone
	lastKey int64     // the id that was given out last
}

// New returns a platform that starts at the clock's present time. The error says which option cannot be.
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
		project.struck, project.lost = map[string]time.Time{}, map[string]bool{}
	}
	for _, k := range p.keys {
		p.lastKey = max(p.lastKey, k.ID)
	}
	return p, nil
}

// Live reports whether the platform is as the live service is.
func (p *Platform) Live() bool { return p.live }

// BusiestProject returns the id of the project in which most happens, or nothing where there are no projects.
func (p *Platform) BusiestProject() string {
	if len(p.projects) == 0 {
		return ""
	}
	return p.projects[0].record.ID
}

// Projects returns up to limit projects whose name or id contains a text, after the one of an id, or from the first
// where that is empty. As at the live service, another organisation than the one that all projects belong to has none;
// without [Options.Live], it makes no difference. The error is [ErrCursor] for an id that never was one.
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

// project returns the project of an id. The mutex is held.
func (p *Platform) project(id string) (*project, error) {
	if project, ok := p.byID[id]; ok && !project.gone {
		return project, nil
	}
	return nil, ErrNoProject
}

// Operations returns up to limit operations of a project, newest first, created before a cursor, or the newest where
// that is empty; and whether there are older ones.
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
	for i := range ops[:min(limit, len(ops))] {
		page = append(page, project.operation(&ops[i], now))
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

// with does something with an operation of a project.
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
	return do(project, &op)
}
