package sim

import (
	"strconv"
	"strings"
	"time"
)

const (
	day       = 24 * time.Hour
	retention = 180 * day // how long the operations of all but the busiest project are kept
	recent    = 8         // how many of the newest operations count for the time of a project's last change
)

// project is one project. The fields above gone do not change; the platform's mutex guards the rest.
type project struct {
	timeline

	index       int    // among the projects
	live        bool   // has the live service's statuses and actions
	exact       bool   // has times with microseconds
	key         uint64 // seeds everything about it
	record      Project
	org         *organization
	load        float64 // CPU seconds per second
	created     time.Time
	computes    []compute // the first is that of the default branch
	openingSlot int64     // the slot that ends at the platform's start
	opened      time.Time // the start of the platform
	incidents   []Incident
	quota       Quota
	over        bool // it has used more than its quota
	maintained  Span // when its computes are maintained, every week, after the start of the platform; 0 for never

	gone     bool
	started  []*operation         // by hand, or of a [Fixture]
	latest   time.Time            // when the last one was started by hand; no operation is created earlier from then on
	failures map[string][]failure // by hand, by the operation's id, in order
	lost     map[string]bool      // removed operations
	listed   []*branch            // those of the computes, of a [Fixture], and created by hand
	names    map[string][]naming  // given later, by the branch's id, in order
}

// profile is the load of a project.
type profile struct {
	loadCurve

	perSlot  int64 // operations in a slot; 0 if nothing happens by itself
	share    int   // the divisor of the busiest project's history
	branches int   // besides the default one
	dormant  bool  // not used for months
}

// profileOf returns the profile of the i-th project. Of any twelve, some are busy, quiet, dormant and empty.
func profileOf(i int) profile {
	busy := loadCurve{70, 10, 12 * time.Minute, time.Hour}
	quiet := profile{perSlot: 8, share: 25, branches: 2}
	quiet.loadCurve = loadCurve{days: 1, byDay: 2 * time.Hour}
	switch n := i % 12; {
	case i == 0:
		return profile{loadCurve: busy, perSlot: 150, share: 1, branches: 9}
	case i == 1:
		return profile{loadCurve: busy, perSlot: 30, share: 5, branches: 5}
	case n < 4:
		return profile{loadCurve: busy, perSlot: 10, share: 5, branches: 5}
	case n == 9:
		rare := loadCurve{days: 1, byDay: 33 * day}
		return profile{loadCurve: rare, perSlot: 6, share: 50, dormant: true}
	case n == 11:
		quiet.perSlot = 0
	}
	return quiet
}

const projectNames = `storefront billing identity search telemetry inventory payments recommendations warehouse
	newsletter playground scratchpad checkout catalog ledger notifications geodata helpdesk scheduler media-library analytics
	feature-flags audit-trail gateway`

// newProjects draws the projects of a platform.
func newProjects(o *Options) (out []*project) {
	names := strings.Fields(projectNames)
	for i := range o.Projects {
		p := newProject(i, o)
		p.record.Name = names[i%len(names)]
		if round := i / len(names); round > 0 {
			p.record.Name += "-" + strconv.Itoa(round+1)
		}
		out = append(out, p)
	}
	return out
}

func newProject(i int, o *Options) *project {
	p := &project{index: i, live: o.Live, exact: o.Microseconds, key: draw(o.Seed, int64(i))}
	p.profile = profileOf(i)
	rng := newRand(p.key, -1<<62)
	region := pick(rng, strings.Fields("aws-us-east-2 aws-us-west-2 aws-eu-central-1 aws-eu-west-2 azure-gwc"))
	platform, place, _ := strings.Cut(region, "-")
	p.record = Project{
		ID:         newID(rng, "", 364_271+i*7919), // unique, since 7919 has no factor of 900,000
		PlatformID: platform, RegionID: region, PgVersion: 14 + rng.IntN(5), Locked: new(bool),
		Provisioner:            pick(rng, []string{"k8s-neonvm", "k8s-neonvm", "k8s-pod", "serverless-platform"}),
		ProxyHost:              place + "." + platform + ".db.example",
		BranchLogicalSizeLimit: pick(rng, []int{512, 3072, 204_800}),
	}
	p.load = rng.Float64() * float64(p.perSlot) / 200
	for range p.branches + 1 {
		p.computes = append(p.computes, newCompute(rng))
	}
	// The platform starts in the middle of the busiest projects' morning, so that they are at work.
	p.origin = o.Start.Truncate(time.Second).Add(-4 * time.Hour)
	if i > 1 {
		// Elsewhere it is another time of the day.
		p.origin = p.origin.Add(time.Duration(rng.IntN(24)) * time.Hour)
	}
	began, n := p.slotAt(o.Start), p.perSlot
	p.openingSlot = began - 1
	p.first = began*n - int64(o.Operations/p.share)
	if i > 0 {
		p.first = max(p.first, p.slotAt(o.Start.Add(-retention))*n)
	}
	if n > 0 {
		began = p.slotOf(p.first)
	}
	p.created = p.slotStart(began).Add(-between(rng, time.Hour, 500*day)).Truncate(time.Second)
	p.listed = p.fixedBranches()
	p.trouble()
	return p
}

// describe returns the record of the project at a time.
func (p *project) describe(now time.Time) Project {
	r, age := p.record, max(now.Sub(p.created), 0).Seconds()
	updated := p.created
	latest := p.page(p.end(now), p.end(now).Add(time.Second), recent)
	for _, op := range latest {
		states := p.states(op)
		st := states[current(states, max(now.Sub(op.created), 0))]
		if instant := op.created.Add(st.since); instant.After(updated) {
			updated = instant
		}
	}
	r.CPUUsedSec, r.CreatedAt, r.UpdatedAt = int64(age*p.load), stamp(p.created), stamp(updated)
	if !p.live {
		return r
	}
	r.Locked, r.Shared = nil, p.org.foreign
	r.LiveProject = &LiveProject{
		OwnerID: p.org.ID, OrgID: p.org.ID, OrgName: p.org.Name,
		CreationSource: "console", StorePasswords: true,
		ActiveTime:                  int64(age * p.load * 4),
		BranchLogicalSizeLimitBytes: int64(r.BranchLogicalSizeLimit) << 20,
		SyntheticStorageSize:        int64(p.key>>40) << 10, HistoryRetentionSeconds: 86_400,
	}
	if len(latest) > 0 {
		r.ComputeLastActiveAt = new(stamp(updated))
	}
	if instant := p.maintenanceAt(now); !instant.IsZero() {
		r.MaintenanceStartsAt = new(stamp(instant))
	}
	if p.quota != (Quota{}) {
		r.Settings = &Settings{p.quota}
	}
	return r
}
