package sim

import (
	"strconv"
	"strings"
	"time"
)

// retention is how long the operations of all but the busiest project are kept.
const retention = 180 * 24 * time.Hour

// compute is where an operation takes place: a branch and, mostly, the compute endpoint on it.
type compute struct{ branch, endpoint string }

// project is one project. What stands above gone does not change; the platform's mutex guards the rest.
type project struct {
	timeline
	index    int    // among the projects
	live     bool   // has the live service's statuses and actions
	key      uint64 // what everything about it is drawn from
	record   Project
	load     float64 // CPU seconds per second
	created  time.Time
	computes []compute // the first is the default branch's
	words    *vocabulary
	memo     *memo
	fixed    []operation // of a [Fixture], oldest first

	gone    bool
	started []operation         // by hand; each is younger than the one before it
	struck  map[int64]time.Time // when operations were made to fail, by their number
	lost    map[int64]bool      // operations that are gone
}

// profile is how much happens in a project, and what.
type profile struct {
	perSlot  int           // operations in a slot; 0 for a project without any
	length   time.Duration // of a slot; 0 where slots follow the hours of the day
	share    int           // one in how many of the busiest project's history
	branches int           // besides the default one
	born     bool          // history begins with the project's creation
	dormant  bool          // not used for months
}

// profileOf returns the profile of the i-th project: among any twelve are busy, quiet, dormant, new and empty ones.
func profileOf(i int) profile {
	quiet := profile{perSlot: 8, length: 2 * time.Hour, share: 25, branches: 2}
	switch n := i % 12; {
	case i == 0:
		return profile{perSlot: 150, share: 1, branches: 9}
	case n < 4:
		return profile{perSlot: 10, share: 5, branches: 5}
	case n == 9:
		return profile{perSlot: 6, length: 33 * 24 * time.Hour, share: 50, dormant: true}
	case n == 10:
		quiet.born = true
	case n == 11:
		return profile{length: time.Hour, share: 1}
	}
	return quiet
}

const projectNames = `storefront billing identity search telemetry inventory payments recommendations warehouse
	newsletter playground scratchpad checkout catalog ledger notifications geodata helpdesk scheduler media-library analytics
	feature-flags audit-trail gateway`

// newProjects draws the projects of a platform.
func newProjects(o *Options) []*project {
	words, names, day, memo := newVocabulary(), strings.Fields(projectNames), newDay(), &memo{}
	taken := make(map[string]bool, o.Projects)
	out := make([]*project, o.Projects)
	for i := range out {
		p := newProject(i, o, day, words)
		p.memo = memo
		for taken[p.record.ID] {
			p.record.ID += "x"
		}
		taken[p.record.ID] = true
		p.record.Name = names[i%len(names)]
		if round := i / len(names); round > 0 {
			p.record.Name += "-" + strconv.Itoa(round+1)
		}
		out[i] = p
	}
	return out
}

func newProject(i int, o *Options, day *rhythm, words *vocabulary) *project {
	key := mix(o.Seed, bits(int64(i)))
	rng := newRand(key, -1<<62)
	pr := profileOf(i)
	p := &project{index: i, live: o.Live, key: key, load: rng.Float64() * float64(pr.perSlot) / 200, words: words}
	region := pick(rng, strings.Fields("aws-us-east-2 aws-us-west-2 aws-eu-central-1 aws-eu-west-2 azure-gwc"))
	platform, place, _ := strings.Cut(region, "-")
	p.record = Project{
		ID: words.id(rng, ""), PlatformID: platform, RegionID: region, PgVersion: 14 + rng.IntN(5), Locked: new(bool),
		Provisioner:            pick(rng, []string{"k8s-neonvm", "k8s-neonvm", "k8s-pod", "serverless-platform"}),
		ProxyHost:              place + "." + platform + ".db.example",
		BranchLogicalSizeLimit: pick(rng, []int{512, 3072, 204_800}),
	}
	for range pr.branches + 1 {
		p.computes = append(p.computes, compute{words.id(rng, "br-"), words.id(rng, "ep-")})
	}
	p.timeline = timeline{profile: pr, rhythm: day, origin: o.Start}
	if pr.length > 0 {
		p.rhythm = steady(pr.length)
	}
	if i > 1 {
		p.origin = o.Start.Add(time.Duration(rng.IntN(24)) * time.Hour) // elsewhere it is another time of the day
	}
	began, n := p.slotAt(o.Start), int64(pr.perSlot)
	p.first = began*n - int64(o.Operations/pr.share)
	if i > 0 {
		p.first = max(p.first, p.slotAt(o.Start.Add(-retention))*n)
	}
	if n > 0 {
		began = p.slotOf(p.first)
	}
	if pr.born {
		p.first = began * n // the slot is there as a whole
	}
	if p.created = p.begin(began); !pr.born {
		p.created = p.created.Add(-between(rng, time.Hour, 500*24*time.Hour)).Truncate(time.Second)
	}
	return p
}

// end is the time before which all that is born was created: now, or just after the latest that was started, because
// many are started while the clock stands and each has a microsecond of its own. What is started later is younger: what
// a list once showed as newest has nothing new below it.
func (p *project) end(now time.Time) time.Time {
	if n := len(p.started); n > 0 && p.started[n-1].created.After(now) {
		now = p.started[n-1].created
	}
	return now.Add(1)
}

// describe returns the record of the project at a time.
func (p *project) describe(now time.Time, org string) Project {
	r, age := p.record, max(now.Sub(p.created), 0).Seconds()
	updated := p.created
	latest := p.page(p.end(now), 1)
	if len(latest) > 0 {
		updated = latest[0].created
	}
	r.CPUUsedSec, r.CreatedAt, r.UpdatedAt = int64(age*p.load), stamp(p.created), stamp(updated)
	if !p.live {
		return r
	}
	r.Locked = nil
	r.LiveProject = &LiveProject{
		OwnerID: demoUser, OrgID: org, CreationSource: "console", StorePasswords: true, ActiveTime: int64(age * p.load * 4),
		BranchLogicalSizeLimitBytes: int64(r.BranchLogicalSizeLimit) << 20,
		SyntheticStorageSize:        int64(mix(p.key)>>40) << 10, HistoryRetentionSeconds: 86_400,
	}
	if len(latest) > 0 {
		r.ComputeLastActiveAt = optionalStamp(updated)
	}
	return r
}
