// Package sim simulates a busy platform as a function of a seed and a clock. It does not know HTTP.
//
// The same seed, clock readings and calls give the same records. Nothing runs in the background, and history is
// computed on request, so a project with a million operations takes no more memory than one with ten. Where the
// specification is silent, the platform behaves like the live service.
package sim

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// The defaults and limits of [Options].
const (
	DefaultProjects   = 12
	DefaultOperations = 2_000
	maxProjects       = 100_000 // unlike operations, they are held in memory
	maxOperations     = 10_000_000
)

// The methods return these errors unless they say otherwise.
var (
	ErrNoProject   = errors.New("no such project")
	ErrNoOperation = errors.New("no such operation")
	ErrNoKey       = errors.New("no such API key")
	ErrCursor      = errors.New("invalid cursor")
	ErrName        = errors.New("an API key with this name already exists: choose another unique name")
)

// Options configure the simulated platform.
type Options struct {
	// Seed decides every name, id, duration and failure.
	Seed uint64
	// Clock returns the real time. It is required and must be safe for concurrent use.
	Clock func() time.Time
	// Start is the simulated time at the start; zero for the clock's current time. If Start is set and the speed is 0, the
	// same seed and calls always give the same records.
	Start time.Time
	// Speed is the number of simulated seconds per second, from 0 to [maxSpeed]; nil for 1.
	Speed *float64
	// APIKey is the secret of the initial key; drawn from the seed if empty.
	APIKey string
	// Projects is the number of projects: 0 for [DefaultProjects], negative for none. The first is the busiest.
	Projects int
	// Operations is the number of past operations of the busiest project at the start: 0 for [DefaultOperations],
	// negative for none. It is the length of the history, not the load. Other projects have a share of it, and at most six
	// months.
	Operations int
	// Live adds the fields, statuses and actions that the live service has beyond the specification, and omits the one
	// field that it does not send.
	Live bool
	// Organizations is the number of organizations that the user belongs to, up to [maxOrganizations]. The live service's
	// accounts have organizations; above 0 includes Live. The projects are spread over them and one more, which shares its
	// projects with the user.
	Organizations int
	// Microseconds adds a fraction to the times of operations, and lists them in the order of their creation. Without it,
	// times have whole seconds, as those of the live service, and the operations of a second are in an order of their own.
	Microseconds bool
	// Incidents make operations of the simulation fail, and DemoIncidents adds three for demos: see [Incident].
	Incidents     []Incident
	DemoIncidents bool
	// Fixture replaces the simulation by a fixed platform: see [Fixture].
	Fixture *Fixture
}

// setDefaults sets defaults, and returns an error for invalid options.
func (o *Options) setDefaults() error {
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
	if o.Fixture != nil {
		o.Organizations = max(o.Organizations, len(o.Fixture.Organizations))
	}
	o.Live = o.Live || o.Organizations > 0
	for _, n := range []struct {
		what       string
		given, max int
	}{
		{"organizations", o.Organizations, maxOrganizations},
		{"projects", o.Projects, maxProjects},
		{"operations", o.Operations, maxOperations},
	} {
		if n.given < 0 || n.given > n.max {
			return fmt.Errorf("the number of %s must be from 0 to %d, not %d", n.what, n.max, n.given)
		}
	}
	return nil
}

// Platform is a simulated platform. It is safe for concurrent use.
type Platform struct {
	*Clock

	seed uint64
	live bool
	orgs []*organization // see newOrganizations
	// organized reports whether the account has organizations. If not, orgs has one for the records of the live service.
	organized bool
	apiKey    string
	orgKeys   []OrgKeys
	projects  []*project
	byID      map[string]*project
	incidents []Incident

	mu                  sync.Mutex
	held                int       // changes of operations by hand
	keys                []*apiKey // of all lists, oldest first; revoked ones are removed
	revoked             []*apiKey // in the order of their revocations, see bury
	lastKey, lastOrgKey int64     // the last issued ids
}

// New returns a platform that starts at the clock's current time. The error names the invalid option.
func New(o Options) (*Platform, error) {
	if o.Clock == nil {
		return nil, errors.New("a clock is required")
	}
	if err := o.setDefaults(); err != nil {
		return nil, err
	}
	clock := newClock(o.Clock, o.Start)
	if err := clock.Set(*o.Speed, 0); err != nil {
		return nil, err
	}
	p := &Platform{
		Clock: clock, seed: o.Seed, live: o.Live, apiKey: o.APIKey,
		orgs: newOrganizations(&o), organized: o.Organizations > 0, byID: map[string]*project{},
	}
	if o.Fixture != nil {
		if len(o.Fixture.Organizations) > 0 {
			p.orgs = o.Fixture.organizations(&o)
		}
		p.projects, p.keys = o.Fixture.projects(&o, p.organization), o.Fixture.keys(&o)
	} else {
		p.projects, p.keys = newProjects(&o), demoKeys(&o)
	}
	incidents := o.Incidents
	if o.DemoIncidents {
		incidents = slices.Concat(incidents, demoIncidents(p.projects))
	}
	p.incidents = incidents
	for i, project := range p.projects {
		project.incidents, project.opened = incidents, o.Start
		p.byID[project.record.ID] = project
		if project.org == nil {
			project.org = ownerOf(i, p.orgs)
		}
		for i := range incidents {
			if o.DemoIncidents && incidents[i].Region != "" {
				project.checks(&incidents[i])
			}
		}
		project.failures, project.lost = map[string][]failure{}, map[string]bool{}
		project.names = map[string][]naming{}
	}
	for _, k := range p.keys {
		p.lastKey = max(p.lastKey, k.ID)
	}
	if p.organized {
		p.addOrganizations(&o)
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

// Projects returns up to limit projects of an organization, or of all if orgID is empty, whose name or id contains a text.
// It begins after the project with the id tail, or with the first if tail is empty. The error is [ErrCursor] for an id that
// never existed.
func (p *Platform) Projects(tail, search, orgID string, limit int) ([]Project, error) {
	isWanted := func(org *organization) bool { return orgID == "" || org.ID == orgID }
	return p.list(tail, search, limit, isWanted)
}

// SharedProjects returns projects as [Platform.Projects] does, of an organization that the user does not belong to.
func (p *Platform) SharedProjects(tail, search string, limit int) ([]Project, error) {
	return p.list(tail, search, limit, func(org *organization) bool { return org.foreign })
}

func (p *Platform) list(
	tail, search string, limit int, isWanted func(*organization) bool,
) ([]Project, error) {
	rest := p.projects
	if tail != "" {
		last, ok := p.byID[tail]
		if !ok {
			return nil, ErrCursor
		}
		rest = rest[last.index+1:]
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now, out := p.Now(), []Project{}
	for _, project := range rest {
		if len(out) == limit {
			break
		}
		r := &project.record
		found := strings.Contains(r.ID, search) || strings.Contains(r.Name, search)
		if isWanted(project.org) && !project.gone && found {
			out = append(out, project.describe(now))
		}
	}
	return out, nil
}

// Project returns a project with the details that the live service's lists lack.
func (p *Platform) Project(id string) (ProjectDetail, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	project, err := p.project(id)
	if err != nil {
		return ProjectDetail{}, err
	}
	now := p.Now()
	r := project.describe(now)
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	detail := project.used(now, month)
	detail.ConsumptionPeriodStart, detail.ConsumptionPeriodEnd = stamp(month), stamp(month.AddDate(0, 1, 0))
	detail.MaintenanceScheduledFor, r.MaintenanceStartsAt = r.MaintenanceStartsAt, nil
	detail.Project = r
	return detail, nil
}

// project returns the project with an id. The mutex is held.
func (p *Platform) project(id string) (*project, error) {
	if project, ok := p.byID[id]; ok && !project.gone {
		return project, nil
	}
	return nil, ErrNoProject
}

// Operations returns up to limit operations of a project, newest first, and the cursor of the next page, which is empty if
// there is none. It begins at a cursor, or with the newest if that is empty.
func (p *Platform) Operations(projectID, cursor string, limit int) (page []Operation, next string, err error) {
	return p.LateOperations(projectID, cursor, limit, 0)
}

// LateOperations is Operations, but returns them as they were a lag ago.
func (p *Platform) LateOperations(
	projectID, cursor string, limit int, lag time.Duration,
) (page []Operation, next string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	project, err := p.project(projectID)
	if err != nil {
		return nil, "", err
	}
	now := p.Now()
	end := project.endBehind(now, lag)
	now = now.Add(-lag)
	previous := end.Add(time.Second)
	if cursor != "" {
		previous, err = time.Parse(time.RFC3339Nano, cursor)
		if err != nil {
			return nil, "", ErrCursor
		}
	}
	ops := project.page(end, previous, limit+1)
	page = make([]Operation, 0, limit)
	for _, op := range ops[:min(limit, len(ops))] {
		page = append(page, project.operation(op, now))
	}
	if len(ops) > limit && limit > 0 {
		next = exactStamp(project.position(ops[limit-1]))
	}
	return page, next, nil
}

// Operation returns an operation.
func (p *Platform) Operation(projectID, id string) (Operation, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	project, op, err := p.find(projectID, id)
	if err != nil {
		return Operation{}, err
	}
	return project.operation(op, p.Now()), nil
}

// find returns an operation and its project. The mutex is held.
func (p *Platform) find(projectID, id string) (*project, *operation, error) {
	project, err := p.project(projectID)
	if err != nil {
		return nil, nil, err
	}
	op, ok := project.find(id, p.Now())
	if !ok {
		return nil, nil, ErrNoOperation
	}
	return project, op, nil
}
