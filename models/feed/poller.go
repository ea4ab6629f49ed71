package feed

import (
	"context"
	"maps"
	"slices"
	"time"

	"pgtower/models/poll"
)

// Poller knows what to request from a service, so that the operations of many projects stay current within a
// request budget, and knows how current they are.
//
// It is a [poll.Reader]: it hands over what is to be read to a [poll.Poller], as sources, and gets the answers from there.
// Each project is polled once in a cycle, after its previous request has completed, so a project that does not respond delays
// no other.
//
// Every project that was ever listed keeps its [Feed]; those in scope are merged into the [Timeline]. A Poller is not
// safe for concurrent use.
//
// Each project decides what there is to read of it, by the conditions that hold for all. The range is of all projects, so the
// poller chooses its pages.
type Poller struct {
	conditions

	service   Service
	told      func(Answer, time.Time) // or nil
	projects  map[string]*project
	order     []*project // in the order of the project list
	timeline  *Timeline
	fleet     counter // or nil
	kept      holding
	held      []Key
	ranged    []*project         // those whose next page of the range is handed over, but for those that failed
	olderErrs map[*project]error // why older pages could not be loaded
	cached    *summary           // nil if something has changed since
}

// NewPoller returns a poller without projects. Its requests take their turns in another poller.
func NewPoller(turns *poll.Poller, s Service, o Options) *Poller {
	return &Poller{
		conditions: conditions{poll: turns, options: o, failing: map[*project]error{}}, service: s,
		projects: map[string]*project{}, timeline: NewTimeline(), olderErrs: map[*project]error{},
	}
}

// Listen replaces what is called with each answer, as soon as the feeds have it. The function must change no operations, and
// ask for nothing.
func (p *Poller) Listen(take func(a Answer, now time.Time)) { p.told = take }

// Connect replaces the connection, and keeps what was read.
func (p *Poller) Connect(s Service) { p.service = s }

// SetProjects replaces the project list. Projects that are no longer listed keep their feeds. If the list is complete,
// only their unfinished operations are still polled.
func (p *Poller) SetProjects(list []Project, complete bool) {
	listed := make(map[string]bool, len(list))
	pinned, changed := p.pinned, map[*project]bool{}
	p.pinned, p.cached = 0, nil
	for _, project := range list {
		listed[project.ID] = true
		pr := p.project(project.ID)
		if pr.Project != project || pr.absent || !pr.feed.Loaded() {
			changed[pr] = true
		}
		pr.Project, pr.absent = project, false
		if pr.Pinned {
			p.pinned++
		}
		pr.feed.SetRetired(pr.gone)
		if pr.inScope() {
			p.timeline.Add(pr.feed)
		}
		if pr.gone { // it may exist again: it is asked for at once
			pr.wanted, changed[pr] = true, true
			p.poll.Retry(Newest(pr.ID))
		}
	}
	for _, pr := range p.order {
		if complete && !listed[pr.ID] && pr.ID != p.scope && !pr.absent {
			pr.absent, changed[pr] = true, true
			pr.feed.SetRetired(true)
			p.forget(pr)
		}
	}
	if pinned != p.pinned {
		p.putAll()
		return
	}
	p.putUnread(slices.Collect(maps.Keys(changed)))
	p.putRange()
}

// project returns the state of a project, which is added if it is new.
func (p *Poller) project(id string) *project {
	pr := p.projects[id]
	if pr == nil {
		pr = &project{
			Project: Project{ID: id}, conditions: &p.conditions, requests: requests{flights: map[poll.Subject]request{}}, feed: New(id),
		}
		pr.feed.fleet, pr.feed.kept = p.fleet, &p.kept
		p.projects[id] = pr
		p.order = append(p.order, pr)
		p.many = len(p.order)
	}
	return pr
}

// SetScope chooses the project whose operations are shown, or all with an empty id. It replaces the timeline. Projects
// in scope are polled first.
func (p *Poller) SetScope(id string) {
	p.scope, p.cached = id, nil
	if id != "" {
		p.project(id).absent = false // let the service decide whether it exists
	}
	var feeds []*Feed
	for _, pr := range p.order {
		pr.wanted, pr.feed.timeline = pr.inScope(), nil
		if pr.wanted && !pr.absent {
			pr.feed.SetRetired(pr.gone)
			feeds = append(feeds, pr.feed)
		}
	}
	p.timeline = NewTimeline(feeds...)
	p.poll.TryNow()
	p.loadAgain()
	p.putAll()
}

// forget drops the waiting requests of a deleted project.
func (p *Poller) forget(pr *project) {
	pr.waiting = nil
	p.unrange(pr)
	delete(p.olderErrs, pr)
}

// Timeline returns the operations in scope. Changing the scope replaces it.
func (p *Poller) Timeline() *Timeline { return p.timeline }

// Feed returns the operations of a listed project, or nil.
func (p *Poller) Feed(id string) *Feed {
	if pr := p.projects[id]; pr != nil {
		return pr.feed
	}
	return nil
}

// Err returns why a project cannot be read, or nil, and the number of failures in a row.
func (p *Poller) Err(id string) (fails int, err error) {
	pr := p.projects[id]
	if pr == nil || pr.err() == nil {
		return 0, nil
	}
	return p.poll.Freshness(Newest(id)).Fails, pr.err()
}

// Began returns when the current cycle began: when something was asked for, or answered, after the last one was over.
func (p *Poller) Began() time.Time { return p.began }

// Options returns the options in force.
func (p *Poller) Options() Options { return p.options }

// SetOptions changes the options in force. It leaves the budget of the turns alone: set that before.
func (p *Poller) SetOptions(o Options) {
	p.options = o
	p.putAll()
}

// Pause pauses polling. What was asked for before and is answered later may be left out, see [project.leavesOut]. While
// paused, a new scope is still read once, and a range that was asked for and the watched operations are read as before.
func (p *Poller) Pause() {
	if !p.paused {
		p.paused = true
		p.pauses++
	}
	p.putAll()
}

// Resume resumes polling: all newest pages are due.
func (p *Poller) Resume() {
	p.paused = false
	for _, pr := range p.order {
		pr.anew = true
	}
	p.putAll()
}

// Watch sets the operations that are read until they finish, even while polling is paused. It also sets the projects with
// operations that the user looks at: what is below their newest page is read first.
func (p *Poller) Watch(operations []Key, projects map[string]bool) {
	changed := map[string]bool{}
	for _, k := range slices.Concat(p.watched, operations) {
		changed[k.Project] = true
	}
	for _, set := range []map[string]bool{p.viewed, projects} {
		for id := range set {
			if p.viewed[id] != projects[id] {
				changed[id] = true
			}
		}
	}
	same := slices.Equal(p.watched, operations)
	p.watched, p.viewed = operations, projects
	for id := range changed {
		if pr := p.projects[id]; pr != nil && (!same || p.viewed[id]) {
			p.put(pr)
		}
	}
}

// Choose sets the projects of all in scope that the user chose to see, none for no choice. They come before others.
func (p *Poller) Choose(projects map[string]bool) {
	for _, pr := range p.order {
		if pr.chosen != projects[pr.ID] {
			pr.chosen = projects[pr.ID]
			p.put(pr)
		}
	}
}

// Hold sets the operations that are not given back, besides those that are watched or unfinished.
func (p *Poller) Hold(operations []Key) { p.held = operations }

// Refresh requests everything as soon as its turn comes. End the waits of the turns before, see [poll.Poller.Refresh].
func (p *Poller) Refresh(now time.Time) {
	p.cached, p.began = nil, now
	for _, pr := range p.order {
		pr.anew = true
		pr.wanted = pr.wanted || pr.ID == p.scope
	}
	p.RetryOlder()
	p.putAll()
}

// put hands over what there is to read of a project.
func (p *Poller) put(pr *project) {
	p.poll.Put(p, pr.ID, pr.sources(p.poll.Now())...)
}

// putAll hands over what there is to read, after something has changed for all projects. Of those that were never read, the
// last changed ones come first.
func (p *Poller) putAll() {
	var unread []*project
	for _, pr := range p.order {
		if pr.feed.Loaded() {
			p.put(pr)
		} else {
			unread = append(unread, pr)
		}
	}
	p.putUnread(unread)
	p.putRange()
}

// putUnread hands over what there is to read of some projects, the last changed ones first.
func (p *Poller) putUnread(list []*project) {
	slices.SortStableFunc(list, lastChanged)
	for _, pr := range list {
		p.put(pr)
	}
}

// Call is of [poll.Reader].
func (p *Poller) Call(s poll.Subject, now time.Time) (poll.Call, time.Time) {
	p.beginCycle(now)
	pr := p.projects[s.Of]
	next, due := p.request(pr, s, now)
	if next == nil {
		return nil, due
	}
	next.AsOf, next.pauses = now, p.pauses
	next.lists = s.Kind == newestPage && !pr.gone && pr.feed.lists(now)
	pr.send(s, *next)
	service, size := p.service, p.options.PageSize
	return func(ctx context.Context) (any, error) { return next.ask(ctx, service, size) }, time.Time{}
}

// request returns the request of a subject of a project, or nil if it is not needed, or not before a time.
func (p *Poller) request(pr *project, s poll.Subject, now time.Time) (*request, time.Time) {
	if s.Kind != olderPage {
		return pr.request(s, now)
	}
	next := p.olderRequest(pr)
	if next != nil {
		p.count(pr)
	}
	return next, time.Time{}
}
