package feed

import (
	"time"

	"pgtower/models"
)

// Options limit what a [Poller] asks for.
type Options struct {
	Interval time.Duration // from one cycle of polls to the next
	Budget   int           // how many requests may start in any second
	PageSize int           // how many operations a page has at most
}

// Bound is how old the last answer of a project may be for it to be current.
func (o Options) Bound() time.Duration { return 2 * o.Interval }

// MaxPinned is how many pinned projects are asked in every cycle before all others: as many as half of the budget
// covers, so that the other half goes round among the rest. If more are pinned, none has priority.
func (o Options) MaxPinned() int { return max(1, int(o.Interval.Seconds())*o.Budget/2) }

// pageSize is how many operations a page has. The first pages of all projects have firstLook operations together at
// most, so that the history of thousands of projects does not fill the memory.
func (o Options) pageSize(projects int) int {
	const firstLook, least = 100_000, 10
	return max(min(least, o.PageSize), min(o.PageSize, firstLook/max(1, projects)))
}

// backoff is how long to wait after so many failures in a row.
func (o Options) backoff(fails int) time.Duration {
	return min(o.Interval<<min(fails-1, 6), max(maxBackoff, o.Interval))
}

// Project is what the poller needs of the project list.
type Project struct {
	ID string
	// ChangedAt is when the project last changed, by the list. A later time than before hints at new operations; the
	// same time proves nothing.
	ChangedAt time.Time
	Pinned    bool // has the project asked in every cycle, see [Options.MaxPinned]
}

// Key names an operation.
type Key struct{ Project, ID string }

// Poller decides what to ask a service for next, so that the operations of many projects stay current within a budget
// of requests, and knows how current they are.
//
// The caller passes in the time, the projects and the answers. [Poller.Next] returns the requests to start now, and
// when to call it again; [Poller.Take] takes an answer in. Each project is asked once in a cycle, as soon as its last
// request was answered, so a project that does not answer delays no other.
//
// Every project that was ever listed keeps its [Feed]; those in scope are merged into the [Timeline]. A Poller is not
// safe for concurrent use.
type Poller struct {
	options  Options
	projects map[string]*project
	order    []*project // as they were listed
	pinned   int        // how many are pinned
	scope    string
	timeline *Timeline

	paused  bool
	watched []Key           // the operations that the user waits for
	looked  map[string]bool // the projects with operations that the user looks at
	keep    time.Time       // what began later is loaded in any case

	cycle   int
	began   time.Time // when the cycle began
	turn    int       // the lane that was served last
	traffic traffic
	health  health
	history history
	known   *summary // nil if something has changed since
}

// project is what the poller knows of a project besides its feed.
type project struct {
	Project

	feed   *Feed
	cycle  int       // the last one in which its head page was asked for
	flying bool      // its head page is under way
	seen   time.Time // ChangedAt when the head page that was read last was asked for
	wanted bool      // the user wants to see it now
	gone   bool      // the service does not find it
	absent bool      // the complete project list does not have it
	fails  int       // failed requests for its head page in a row
	err    error     // of the last one
	hold   hold
	older  hold // of pages that fill the window to keep
}

// hinted reports whether a project changed, by the project list, since it was read.
func (pr *project) hinted() bool { return pr.feed.Loaded() && !pr.ChangedAt.Equal(pr.seen) }

// due reports whether the head page is to be asked for in a cycle. While paused, only what the user wants to see is; of
// projects that no longer exist, only the one in scope, or the end of unfinished operations.
func (pr *project) due(cycle int, paused, scoped bool, now time.Time) bool {
	switch {
	case pr.cycle >= cycle, pr.flying, paused && !pr.wanted, pr.gone && !scoped && !pr.wanted:
		return false
	}
	return pr.hold.left(now) == 0 && (!pr.absent || pr.feed.Unfinished() > 0)
}

// headPage is the request for the newest page: down to the operations that are not done, with room for those that began
// since. The cursor leads to what a page of this size does not contain.
func (pr *project) headPage(size int) Request {
	const room = 25
	if pr.feed.Loaded() {
		size = min(size, pr.feed.reach(size)+room)
	}
	return Request{Project: pr.ID, PageRequest: models.PageRequest{Limit: size}, changed: pr.ChangedAt}
}

// NewPoller returns a poller without projects.
func NewPoller(o Options) *Poller {
	return &Poller{
		options: o, projects: map[string]*project{}, timeline: NewTimeline(), traffic: traffic{flights: map[target]Request{}},
	}
}

// SetProjects takes in the project list. Projects that are no longer listed keep their feeds. If the list is complete,
// only the unfinished operations of those are still asked for.
func (p *Poller) SetProjects(list []Project, complete bool) {
	listed := make(map[string]bool, len(list))
	p.pinned, p.known = 0, nil
	for _, one := range list {
		listed[one.ID] = true
		pr := p.project(one.ID)
		pr.Project, pr.absent = one, false
		if pr.Pinned {
			p.pinned++
		}
		pr.feed.SetRetired(pr.gone)
		if p.inScope(pr) {
			p.timeline.Add(pr.feed)
		}
		if pr.gone { // it may be there again: ask at once
			pr.wanted, pr.hold = true, hold{}
		}
	}
	for _, pr := range p.order {
		if complete && !listed[pr.ID] && pr.ID != p.scope {
			pr.absent = true
			pr.feed.SetRetired(true)
			p.forget(pr)
		}
	}
}

// project returns what is known of a project, and adds one that is new.
func (p *Poller) project(id string) *project {
	pr := p.projects[id]
	if pr == nil {
		pr = &project{Project: Project{ID: id}, feed: New(id), cycle: -1}
		p.projects[id] = pr
		p.order = append(p.order, pr)
	}
	return pr
}

// SetScope chooses whose operations are shown: those of one project or, with an empty id, of all. It replaces the
// timeline. What is in scope is asked for before the rest.
func (p *Poller) SetScope(id string) {
	p.scope, p.known = id, nil
	if id != "" {
		p.project(id).absent = false // ask the service itself what became of it
	}
	var feeds []*Feed
	for _, pr := range p.order {
		pr.wanted, pr.feed.timeline = p.inScope(pr), nil
		if pr.wanted && !pr.absent {
			pr.feed.SetRetired(pr.gone)
			feeds = append(feeds, pr.feed)
		}
	}
	p.timeline = NewTimeline(feeds...)
	p.LoadUntil(Goal{})
	p.health.retry = hold{}
}

func (p *Poller) inScope(pr *project) bool { return p.scope == "" || p.scope == pr.ID }

// forget drops the requests that wait for a project that no longer exists.
func (p *Poller) forget(pr *project) {
	p.traffic.drop(func(r Request) bool { return r.Project == pr.ID })
	delete(p.history.failed, pr.ID)
}

// Timeline has the operations in scope. Changing the scope replaces it.
func (p *Poller) Timeline() *Timeline { return p.timeline }

// Feed returns the operations of a project that was listed, or nil.
func (p *Poller) Feed(id string) *Feed {
	if pr := p.projects[id]; pr != nil {
		return pr.feed
	}
	return nil
}

// Err is why a project cannot be read, or nil, and how often in a row it could not be.
func (p *Poller) Err(id string) (fails int, err error) {
	if pr := p.projects[id]; pr != nil {
		return pr.fails, pr.err
	}
	return 0, nil
}

// Began is when the present cycle began.
func (p *Poller) Began() time.Time { return p.began }

// Options returns the options in force.
func (p *Poller) Options() Options { return p.options }

// SetInterval changes the time from one cycle to the next.
func (p *Poller) SetInterval(d time.Duration) { p.options.Interval = d }

// SetPaused stops asking for what is new, or resumes. While paused, a new scope is still read once, and history and the
// watched operations are read as before.
func (p *Poller) SetPaused(paused bool) {
	p.paused = paused
	if !paused {
		p.cycle++
	}
}

// Watch sets the operations that are read while they are unfinished, even while polling is paused, and the projects
// with operations that are read before others.
func (p *Poller) Watch(operations []Key, projects map[string]bool) {
	p.watched, p.looked = operations, projects
}

// Seek asks for an operation of a listed project that pages need not show. Once it was read, it is known like all
// others, and read until it ends.
func (p *Poller) Seek(k Key) {
	p.traffic.wait(Request{Project: k.Project, ID: k.ID, Purpose: Reread, sought: true})
}

// maxLimit is how long a rate limit holds against a user who wants to see what is new: then one request that tries
// again cannot hurt the service.
const maxLimit = time.Minute

// Refresh asks for everything as soon as the budget allows. It ends every wait but a rate limit of less than a minute.
func (p *Poller) Refresh(now time.Time) {
	p.cycle++
	p.known = nil
	if now.Sub(p.health.limited.from) >= maxLimit {
		p.health.limited = hold{}
	}
	p.health.retry = hold{}
	p.history.failed = nil
	for _, pr := range p.order {
		pr.hold = hold{}
		pr.wanted = pr.ID == p.scope
	}
}
