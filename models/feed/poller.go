package feed

import (
	"time"

	"pgtower/models"
)

// Options bound what a [Poller] asks for.
type Options struct {
	// Interval is the time from one cycle of polls to the next.
	Interval time.Duration
	// Budget is how many requests may start in any second.
	Budget int
	// PageSize is how many operations are asked for at once.
	PageSize int
}

// Purpose is what a request is for.
type Purpose int

// The purposes.
const (
	// Head is a project's newest page: what is new.
	Head Purpose = iota
	// Join is a page that joins a head page with what was known before it.
	Join
	// Reread is a page, or one operation, that tells how unfinished operations went on
	// of which the head page says nothing.
	Reread
	// History is an older page that the user wants, or one of a gap that was opened.
	History
	// Backfill is a page of what [Poller.Keep] wants to be there.
	Backfill
)

// Request is one request that a [Poller] wants made: a page of a project's operations
// (section 4.5), or one operation where ID is set (section 4.6).
type Request struct {
	Project string
	ID      string
	models.PageRequest

	Purpose Purpose
	// AsOf is when the request was handed out: its answer was true then or later.
	AsOf time.Time

	pages   int       // how many pages may follow this one
	hold    hold      // after it failed
	changed time.Time // when the project had last changed, as far as was known
}

// Answer is what came of a [Request].
type Answer struct {
	Request

	Page      models.OperationPage
	Operation models.Operation
	Err       error
}

// Project is what the scheduling of a project needs of the project list.
type Project struct {
	ID string
	// ChangedAt is when the list says that the project last changed: a later time than
	// before is a hint that there are new operations, and its absence proves nothing.
	ChangedAt time.Time
	// Pinned has the project asked in every cycle, see [Options.MaxPinned].
	Pinned bool
}

// Key names an operation.
type Key struct{ Project, ID string }

// Poller decides what to ask a service for next so that the operations of many projects
// stay current within a budget of requests, and knows how current they are.
//
// It is told the time, the projects and the answers. [Poller.Next] returns the requests
// to start now, and when to call it again; [Poller.Take] takes an answer in. Each project
// has a time of its own: it is due once in a cycle, as soon as its last request was
// answered, and one that does not answer keeps no other waiting.
//
// Every project that was ever listed keeps its [Feed]; those in scope are merged into
// the [Timeline]. A Poller is not safe for use from several goroutines.
type Poller struct {
	options  Options
	projects map[string]*project
	order    []*project // as they were listed
	scope    string
	timeline *Timeline

	cycle   int
	began   time.Time // when the cycle began
	paused  bool
	flights map[flight]Request // what is under way
	starts  []time.Time        // when the requests of the last second started, oldest first
	joins   []Request          // to be asked for before anything else
	rereads []Request          // the longest waiting first
	lane    int                // which lane comes next
	watched []Key              // whose end the user waits for
	looked  map[string]bool    // projects with operations that the user looks at
	failing []*project         // whose head page could not be read the last time, by their ids
	pinned  int                // how many projects are pinned
	history history
	known   *summary  // of the projects in scope, or nil where something has changed since
	keep    time.Time // what began later is to be loaded in any case

	limited hold      // the service asked to be left alone
	silence silence   // nothing answers
	heard   time.Time // when the last answer came, good or bad
}

// project is what the poller knows of a project besides its feed.
type project struct {
	Project

	feed   *Feed
	cycle  int       // the last one in which its head page was asked for
	flying bool      // its head page is asked for
	seen   time.Time // its ChangedAt when the head page was asked for that was read last
	wanted bool      // the user wants to see it now
	gone   bool      // the service does not find it
	absent bool      // the complete project list does not have it
	fails  int       // requests for its head page that failed in a row
	err    error
	hold   hold
	older  hold // a page of its history could not be loaded that nobody waits for
}

// flight names a request under way.
type flight struct {
	Key

	cursor string
}

func (r Request) flight() flight { return flight{Key{r.Project, r.ID}, r.Cursor} }

// hold is a time during which something is not asked for. It is not in force before its
// beginning: a clock that was set back must not make it longer.
type hold struct {
	from   time.Time
	length time.Duration
}

func (h hold) left(now time.Time) time.Duration {
	if h.length == 0 || now.Before(h.from) {
		return 0
	}
	return max(0, h.from.Add(h.length).Sub(now))
}

// silence is how often in a row nothing has answered.
type silence struct {
	times int
	hold  hold
	err   error
}

// NewPoller returns a poller without projects.
func NewPoller(o Options) *Poller {
	return &Poller{
		options: o, projects: map[string]*project{}, timeline: NewTimeline(),
		flights: map[flight]Request{},
	}
}

// SetProjects takes in the project list. Feeds of those that are no longer listed stay;
// where the list is complete, nothing more is asked about them than how their unfinished
// operations end.
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
		if p.inScope(pr) {
			p.timeline.Add(pr.ID, pr.feed)
		}
		if pr.gone { // it may be there again, and is until then what it was
			p.timeline.Retire(pr.ID)
			pr.wanted, pr.hold = true, hold{}
		}
	}
	for _, pr := range p.order {
		if complete && !listed[pr.ID] && pr.ID != p.scope {
			pr.absent = true
			p.timeline.Retire(pr.ID)
			p.unname(pr)
			p.drop(pr)
		}
	}
}

// project returns what is known of a project, and begins to know one that is new.
func (p *Poller) project(id string) *project {
	pr := p.projects[id]
	if pr == nil {
		pr = &project{Project: Project{ID: id}, feed: New(), cycle: -1}
		p.projects[id] = pr
		p.order = append(p.order, pr)
	}
	return pr
}

// SetScope chooses whose operations are shown, those of one project or, with an empty id,
// of all, and makes the timeline of them. What is in scope is asked for before the rest.
func (p *Poller) SetScope(id string) {
	p.scope, p.known = id, nil
	if id != "" {
		p.project(id).absent = false // the service itself is to say what became of it
	}
	var feeds []ProjectFeed
	for _, pr := range p.order {
		if p.inScope(pr) && !pr.absent {
			feeds = append(feeds, ProjectFeed{pr.ID, pr.feed})
		}
	}
	p.timeline = NewTimeline(feeds...)
	for _, pr := range p.order {
		pr.wanted = p.inScope(pr)
		if pr.gone {
			p.timeline.Retire(pr.ID)
		}
	}
	p.history, p.silence.hold = history{}, hold{}
}

func (p *Poller) inScope(pr *project) bool { return p.scope == "" || p.scope == pr.ID }

// Timeline has the operations in scope. It is replaced with the scope.
func (p *Poller) Timeline() *Timeline { return p.timeline }

// Feed returns the operations of a project that was listed, or nil.
func (p *Poller) Feed(id string) *Feed {
	if pr := p.projects[id]; pr != nil {
		return pr.feed
	}
	return nil
}

// Err is why a project cannot be read, or nil.
func (p *Poller) Err(id string) error {
	if pr := p.projects[id]; pr != nil {
		return pr.err
	}
	return nil
}

// Began is when the present cycle began.
func (p *Poller) Began() time.Time { return p.began }

// Interval is the time from one cycle to the next.
func (p *Poller) Interval() time.Duration { return p.options.Interval }

// SetInterval changes the time from one cycle to the next.
func (p *Poller) SetInterval(d time.Duration) { p.options.Interval = d }

// SetPaused stops asking for what is new, or goes on with it. A scope that is chosen is
// still read once, and history and the operations that are watched as before.
func (p *Poller) SetPaused(paused bool) {
	p.paused = paused
	if !paused {
		p.cycle++
	}
}

// Watch has operations read as long as they are unfinished, also while polling is paused,
// and those of the projects that the user looks at before others.
func (p *Poller) Watch(operations []Key, projects map[string]bool) {
	p.watched, p.looked = operations, projects
}

// maxLimit is for how long a limit is not questioned by a user who wants to see what is new.
const maxLimit = time.Minute

// Refresh has everything asked for as soon as the budget allows, and ends every wait but a
// limit that has not lasted for a minute: one request that a user wants is not what a
// service has to be protected from.
func (p *Poller) Refresh(now time.Time) {
	p.cycle++
	p.known = nil
	if now.Sub(p.limited.from) >= maxLimit {
		p.limited = hold{}
	}
	p.silence.hold = hold{}
	p.history.failed = nil
	for _, pr := range p.order {
		pr.hold = hold{}
		pr.wanted = pr.ID == p.scope
	}
}
