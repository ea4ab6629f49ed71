// Package naming reads the names of the branches and computes of projects. Only the live service has them. Without an
// answer, there are no names, and nothing else is missing.
package naming

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/poll"
)

// The kinds of the subjects, see [poll.Subject].
const (
	Branches = "branches" // the next page of the branches of a project
	Computes = "computes" // the computes of a project
)

// Reads reports whether a subject is that of names.
func Reads(s poll.Subject) bool { return s.Kind == Branches || s.Kind == Computes }

// Service is the part of the control API that tells names.
type Service interface {
	Branches(ctx context.Context, project string, r models.PageRequest) (models.Page[models.Branch], error)
	Endpoints(ctx context.Context, project string) (models.Page[models.Endpoint], error)
}

// Names are the names of the branches and computes of those projects that were asked for. It is a [poll.Reader]: a list
// is read at once when it is first wanted, and hourly while it is. It is read again, at most once a minute, while it
// lacks a branch or a compute of an operation that is looked at. If two lists lack it that are younger than the operation
// and a minute apart, it is no longer listed, and no longer looked for.
type Names struct {
	poll     *poll.Poller
	service  Service
	projects map[string]*project
	book     Book
	looked   map[string]bool // see [Names.Look]
	asked    map[string]bool // see [Names.Ask]
	looks    int
	count    int // of all entries
	changes  int

	told    bool            // a project has told its names
	refused map[string]bool // the projects that refused while none has told
	untold  time.Time       // when so many had refused that the service is taken to tell no names; or zero
}

// project is what is known of the names of a project.
type project struct {
	branches, computes list

	wanted, wantsComputes bool
	asked                 bool // see [Names.Ask]
	looked                int  // when it was last wanted, as the number of the look
}

const (
	mostNames   = 100_000 // of all projects
	mostRefused = 3       // projects that are asked before the service is taken to tell no names
)

// New returns a reader of names without any.
func New(p *poll.Poller, s Service) *Names {
	return &Names{poll: p, service: s, projects: map[string]*project{}, book: Book{}, refused: map[string]bool{}}
}

// Connect continues with another key.
func (n *Names) Connect(s Service) {
	n.service, n.told, n.untold, n.refused = s, false, time.Time{}, map[string]bool{}
	for id, p := range n.projects {
		for _, l := range p.lists() {
			if l.reading = nil; l.refused {
				l.asked, l.refused = time.Time{}, false
			}
		}
		n.put(id)
	}
}

// Book returns the names that are known now.
func (n *Names) Book() Book { return n.book }

// Told reports whether a project has told its names.
func (n *Names) Told() bool { return n.told }

// Changes is the number of changes of the book.
func (n *Names) Changes() int { return n.changes }

// Look sets the projects whose operations are looked at: the names of their branches are wanted and, where true, those of their
// computes.
func (n *Names) Look(projects map[string]bool) {
	if !maps.Equal(n.looked, projects) {
		previous := n.looked
		n.looked = projects
		n.want(previous, projects)
	}
}

// Ask sets the projects whose names are wanted besides, as [Names.Look] does: a filter needs them all.
func (n *Names) Ask(projects map[string]bool) {
	if !maps.Equal(n.asked, projects) {
		previous := n.asked
		n.asked = projects
		n.want(previous, projects)
	}
}

// Asked reports whether the names of a project are wanted by [Names.Ask].
func (n *Names) Asked(project string) bool {
	_, asked := n.asked[project]
	return asked
}

// want updates which projects are wanted after the set previous became next.
func (n *Names) want(previous, next map[string]bool) {
	n.looks++
	for id := range previous {
		if _, still := next[id]; !still {
			n.update(id)
		}
	}
	for id := range next {
		n.update(id)
	}
}

func (n *Names) update(id string) {
	looked, isLooked := n.looked[id]
	asked, isAsked := n.asked[id]
	used := isLooked || isAsked
	if models.NoID(id) || n.projects[id] == nil && !used {
		return
	}
	p := n.get(id)
	if used {
		p.looked = n.looks
	}
	computes := looked || asked
	if isAsked && !p.asked {
		n.outdate(p)
	}
	p.asked = isAsked
	if p.wanted != used || p.wantsComputes != computes {
		p.wanted, p.wantsComputes = used, computes
		p.branches.reading = nil // its pages are not of one time any more
		n.put(id)
	}
}

// get returns a project, which is added if it is not there.
func (n *Names) get(id string) *project {
	if n.projects[id] == nil {
		n.projects[id] = &project{branches: newList(), computes: newList()}
	}
	return n.projects[id]
}

// See adds an operation that is looked at, unless its project is not wanted.
func (n *Names) See(id string, op *models.Operation) {
	p := n.projects[id]
	if p == nil || !p.wanted {
		return
	}
	previous := p.size()
	sought := len(p.branches.sought) + len(p.computes.sought)
	changed := p.branches.see(op.BranchID, op.CreatedAt)
	changed = p.computes.see(op.EndpointID, op.CreatedAt) || changed
	n.count += p.size() - previous
	if changed {
		n.tell(id)
	}
	if changed || sought != len(p.branches.sought)+len(p.computes.sought) {
		n.put(id)
	}
}

// Knows reports whether the lists have told of the branch and the compute of an operation: each was listed, or is gone.
func (n *Names) Knows(id string, op *models.Operation) bool {
	p := n.projects[id]
	if p == nil {
		return op.BranchID == "" && op.EndpointID == ""
	}
	return p.branches.knows(op.BranchID) && p.computes.knows(op.EndpointID)
}

// Err returns why the names of a project could not be read the last time, if that may pass; or nil.
func (n *Names) Err(id string) error {
	for _, kind := range []string{Branches, Computes} {
		if err := n.poll.Freshness(poll.Subject{Kind: kind, Of: id}).Err; models.Passing(err) {
			return err
		}
	}
	return nil
}

// Refresh reads the wanted lists again, except those that were asked for less than a minute ago.
func (n *Names) Refresh() {
	n.untold = time.Time{}
	for id, p := range n.projects {
		if p.wanted {
			n.outdate(p)
			n.put(id)
		}
	}
}

// outdate makes the lists of a project due, except those that were asked for less than a minute ago.
func (n *Names) outdate(p *project) {
	for _, l := range p.lists() {
		if n.poll.Now().Sub(l.asked) >= apart {
			l.asked = time.Time{}
		}
	}
}

// Waiting returns how many projects that are wanted have not told anything yet, and have not failed.
func (n *Names) Waiting() (count int) {
	for id, p := range n.projects {
		for kind, l := range p.wants() {
			if l.asked.IsZero() && !n.untoldAt(n.poll.Now()) && n.poll.Freshness(poll.Subject{Kind: kind, Of: id}).Fails == 0 {
				count++
				break
			}
		}
	}
	return count
}

func (p *project) lists() []*list { return []*list{&p.branches, &p.computes} }

func (p *project) size() int { return len(p.branches.entries) + len(p.computes.entries) }

// wants returns the lists that are wanted, by the kind of their subjects.
func (p *project) wants() map[string]*list {
	lists := map[string]*list{}
	if p.wanted {
		lists[Branches] = &p.branches
	}
	if p.wanted && p.wantsComputes {
		lists[Computes] = &p.computes
	}
	return lists
}

func (n *Names) put(id string) {
	var sources []poll.Source
	for kind, l := range n.projects[id].wants() {
		sources = append(sources, poll.Source{
			Subject: poll.Subject{Kind: kind, Of: id}, Lane: poll.Range, Rank: poll.Rest, From: n.from(l),
		})
	}
	slices.SortFunc(sources, func(a, b poll.Source) int { return cmp.Compare(a.Kind, b.Kind) })
	n.poll.Put(n, id, sources...)
}

// from returns when a list is to be read. A service that tells no names is asked again after an hour.
func (n *Names) from(l *list) time.Time {
	now := n.poll.Now()
	from := l.next(now)
	if n.untoldAt(now) {
		return latest(from, n.untold.Add(hourly))
	}
	return from
}

// untoldAt reports whether the service is taken to tell no names at a time.
func (n *Names) untoldAt(now time.Time) bool {
	since := now.Sub(n.untold)
	return !n.untold.IsZero() && since >= 0 && since < hourly
}

// Call implements [poll.Reader].
func (n *Names) Call(s poll.Subject, now time.Time) (poll.Call, time.Time) {
	p := n.projects[s.Of]
	if p == nil {
		return nil, time.Time{}
	}
	l := p.wants()[s.Kind]
	if l == nil {
		return nil, time.Time{}
	}
	if from := n.from(l); from.After(now) {
		return nil, from
	}
	service, id := n.service, s.Of
	if s.Kind == Computes {
		return func(ctx context.Context) (any, error) { return service.Endpoints(ctx, id) }, time.Time{}
	}
	request := models.PageRequest{Limit: pageSize}
	if l.reading != nil {
		request.Cursor = l.reading.cursor
	}
	return func(ctx context.Context) (any, error) { return service.Branches(ctx, id, request) }, time.Time{}
}

// Receive implements [poll.Reader]. A server that tells no names, or refuses them, affects nothing else.
func (n *Names) Receive(a poll.Answer, _ time.Time) {
	p := n.projects[a.Of]
	if p == nil {
		return
	}
	l := &p.branches
	if a.Kind == Computes {
		l = &p.computes
	}
	switch kind := models.KindOf(a.Err); {
	case a.Late, kind == models.KindCanceled:
	case a.Err == nil:
		previous := p.size()
		if n.read(l, &a) {
			n.told, n.untold, n.refused = true, time.Time{}, nil
			n.count += p.size() - previous
			n.makeRoom(l)
			n.tell(a.Of)
		}
	case models.Passing(a.Err), kind == models.KindUnauthorized:
		l.reading = nil // it begins again
		if n.poll.Freshness(a.Subject).Fails >= mostFails {
			l.rest = a.AsOf.Add(restFor)
		}
	default:
		l.reading, l.asked, l.refused = nil, a.AsOf, true
		n.refuse(&a)
	}
	n.put(a.Of)
}

func (n *Names) refuse(a *poll.Answer) {
	if n.told {
		return
	}
	n.refused[a.Of] = true
	if len(n.refused) < mostRefused {
		return
	}
	n.untold, n.refused = a.AsOf, map[string]bool{}
}

// read adds a page, and reports whether it ends its list.
func (n *Names) read(l *list, a *poll.Answer) bool {
	switch page := a.Value.(type) {
	case models.Page[models.Branch]:
		return add(l, a, &page, page.Next, branchName)
	case models.Page[models.Endpoint]:
		return add(l, a, &page, "", computeName)
	}
	return false
}

func branchName(b *models.Branch) (string, Name) {
	return b.ID, Name{Name: b.Name, Default: b.Default.Value, Protected: b.Protected.Value}
}

func computeName(e *models.Endpoint) (string, Name) { return e.ID, Name{Name: e.Name} }

// add adds a page to a list, and reports whether that ends the list.
func add[T any](l *list, a *poll.Answer, page *models.Page[T], next string, name func(*T) (string, Name)) bool {
	if l.reading == nil {
		asOf := page.ServiceTime
		if asOf.IsZero() { // the service's clock is taken to be the program's
			asOf = a.AsOf
		}
		l.reading = &reading{got: map[string]Name{}, began: a.AsOf, asOf: asOf}
	}
	if page.Cursor != l.reading.cursor {
		l.reading = nil // of another list: it begins again
		return false
	}
	items, damaged := make(map[string]Name, len(page.Items)), page.Damage != ""
	for i := range page.Items {
		id, called := name(&page.Items[i])
		damaged = damaged || models.NoID(id)
		items[id] = called
	}
	delete(items, "")
	if page.Last() {
		next = ""
	}
	if !l.reading.add(items, damaged, next) {
		return false
	}
	l.receive(l.reading)
	return true
}

// tell puts the names of a project into the book.
func (n *Names) tell(id string) {
	p := n.projects[id]
	for _, l := range p.lists() {
		l.tell()
	}
	book := maps.Clone(n.book)
	book[id] = Project{Branches: p.branches.names, Computes: p.computes.names}
	n.book = book
	n.changes++
}

// makeRoom forgets projects that are not wanted as long as there are too many names, the one first that was wanted
// longest ago. If all are wanted, the last list keeps only what was looked at.
func (n *Names) makeRoom(last *list) {
	for n.count > mostNames {
		oldest := ""
		for id, p := range n.projects {
			if !p.wanted && (oldest == "" || cmp.Or(p.looked-n.projects[oldest].looked, cmp.Compare(id, oldest)) < 0) {
				oldest = id
			}
		}
		if oldest == "" {
			previous := len(last.entries)
			last.strip()
			n.count += len(last.entries) - previous
			return
		}
		n.forget(oldest)
	}
}

func (n *Names) forget(id string) {
	n.count -= n.projects[id].size()
	delete(n.projects, id)
	n.poll.Forget(n, id)
	book := maps.Clone(n.book)
	delete(book, id)
	n.book = book
	n.changes++
}

func latest(x, y time.Time) time.Time {
	if y.After(x) {
		return y
	}
	return x
}
