package mock

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// retentionDays is how long the operations of all but the busiest project are kept.
const retentionDays = 180

// compute is where an operation takes place: a branch and, mostly, the compute
// endpoint on it.
type compute struct{ branch, endpoint string }

// project is one simulated project. It never changes.
type project struct {
	timeline
	index       int    // among the projects
	live        bool   // has the live service's statuses and actions
	key         uint64 // what everything about it is drawn from
	id, name    string
	platform    string
	region      string
	provisioner string
	pgVersion   int
	sizeLimit   int // MiB
	locked      bool
	load        float64 // CPU seconds per second
	created     time.Time
	fixed       []operation // of a fixture, oldest first
	computes    []compute   // the first is the default branch's, which never sleeps
	words       *vocabulary
	memo        *memo
	trouble     uint64 // what the troubles of its region are drawn from
}

// profile is how much happens in a project, and what.
type profile struct {
	perSlot  int            // operations in a slot; 0 for a project without any
	pace     time.Duration  // a slot's length while nobody rests
	lead     time.Duration  // how long after the start slot 0 begins
	share    int            // one in how many of the busiest project's history
	born     bool           // history begins with the project's creation
	branches int            // besides the default one
	steady   bool           // as busy at night as by day
	fill     func(*builder) // the script of a slot
}

// profileOf returns the profile of the i-th project.
func profileOf(i int) profile {
	busy := profile{
		perSlot: 75, pace: 5 * time.Minute,
		share: 1, branches: 9, fill: everyday,
	}
	active := profile{
		perSlot: 12, pace: 10 * time.Minute,
		share: 5, branches: 5, fill: everyday,
	}
	quiet := profile{
		perSlot: 8, pace: 2 * time.Hour,
		share: 25, branches: 2, fill: everyday,
	}
	switch {
	case i == 0:
		return busy
	case i%12 < 4:
		return active
	case i%12 == 9:
		return profile{
			perSlot: 12, pace: 33 * 24 * time.Hour, lead: 45 * time.Second,
			share: 50, steady: true, fill: dormant,
		}
	case i%12 == 10:
		quiet.born = true
		return quiet
	case i%12 == 11:
		return profile{pace: time.Hour, share: 1}
	}
	return quiet
}

// newProjects draws the projects of a world, of which the first has the history.
func newProjects(w world) []*project {
	words, names := newVocabulary(), strings.Fields(projectNames)
	d := draft{world: w, words: words, work: workdays(newRand(mix(w.seed, 1<<42), 0)), steady: steadyDay(), memo: &memo{}, regions: regions()}
	taken := make(map[string]bool, w.projects)
	out := make([]*project, w.projects)
	for i := range out {
		p := d.project(i)
		for taken[p.id] {
			p.id += "x"
		}
		taken[p.id] = true
		p.name = names[i%len(names)]
		if round := i / len(names); round > 0 {
			p.name += "-" + strconv.Itoa(round+1)
		}
		out[i] = p
	}
	return out
}

// draft is what all projects are drawn with.
type draft struct {
	world
	words        *vocabulary
	work, steady *calendar
	memo         *memo
	regions      []region
}

func (d *draft) project(i int) *project {
	key := mix(d.seed, bits(int64(i)))
	rng := newRand(key, -1<<62)
	pr := profileOf(i)
	p := &project{
		index:       i,
		live:        d.live,
		key:         key,
		id:          d.words.id(rng, ""),
		provisioner: pick(rng, []string{"k8s-neonvm", "k8s-neonvm", "k8s-pod", "serverless-platform"}),
		pgVersion:   14 + rng.IntN(5),
		sizeLimit:   []int{512, 3072, 204_800}[rng.IntN(3)],
		load:        rng.Float64() * float64(pr.perSlot) / 200,
		words:       d.words,
		memo:        d.memo,
	}
	at := pick(rng, d.regions)
	if i == 0 {
		at = awakeRegion(rng, d.start)
	}
	p.region, p.platform = at.name, at.platform()
	p.trouble = mix(append(letters(at.name), d.seed)...)
	hours, kept := d.work, int64(d.operations/pr.share)
	if pr.steady {
		hours = d.steady
	}
	if i > 0 {
		kept = min(kept, int64(pr.perSlot)*(retentionDays*hours.perDay()/work(pr.pace)))
	}
	p.timeline = newTimeline(pr, at.rhythm(hours), d.start, kept)
	for range pr.branches + 1 {
		p.computes = append(p.computes, compute{d.words.id(rng, "br-"), d.words.id(rng, "ep-")})
	}
	p.created = p.birthday(rng, d.start)
	return p
}

// birthday returns when the project was created: with its first operation where the
// history tells of it, before any operation that is kept otherwise.
func (p *project) birthday(rng *rand.Rand, start time.Time) time.Time {
	before := start
	if p.profile.perSlot > 0 {
		before = p.begin(min(p.firstSlot(), p.slotAt(start)))
		if p.profile.born {
			return before
		}
		return before.Add(-between(rng, 24*time.Hour, 500*24*time.Hour)).Truncate(time.Second)
	}
	return before.Add(-between(rng, time.Minute, time.Hour)).Truncate(time.Second)
}
