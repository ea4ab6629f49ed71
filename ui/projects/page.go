// Package projects lists the projects of the account.
package projects

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/control"
	"pgtower/models/feed"
	"pgtower/ui/action"
	"pgtower/ui/listpage"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// Service is the part of the control API that the page uses.
type Service = account.Service

// Options are the options of the page.
type Options struct {
	Feed   feed.Options // the polling of the operations
	Pinned []string     // the ids of the profile's pinned projects
	// SavePin remembers whether a project is pinned, as pinned returns when it is written; it may block. Nil if impossible.
	SavePin func(id string, pinned func() bool) error
}

type list = listpage.Page[models.Project]

// Page is the state of the list.
type Page struct {
	session *page.Session
	service Service
	options Options

	rows   *rows
	pinned atomic.Pointer[map[string]bool]
	fleet  sync.Map      // project ids to [feed.ProjectHealth]
	counts [filtered]int // projects by condition
	window time.Duration // of the counts of a project's operations
	newest time.Time     // when a project's operations were read last

	*list

	account *account.Account
	asked   bool   // the user asked for the lists
	partial string // why there may be more projects; the user was told
	settled bool   // whether the account was settled at the last answer
}

// New makes the page for a session with a key.
func New(session *page.Session, service Service, key *account.Account, o Options) *Page {
	key.SetFeed(o.Feed)
	key.ReadQuotas()
	p := &Page{session: session, service: service, account: key, options: o, rows: newRows(nil)}
	p.pinned.Store(&map[string]bool{})
	p.list = p.newList()
	return p
}

// Reconnect continues with another key of the account. A [page.Resumed] follows, which loads again.
func (p *Page) Reconnect(c *control.Connection) {
	c.Account.SetFeed(p.options.Feed)
	c.Account.ReadQuotas()
	c.Account.Inherit(p.account)
	p.service, p.account = c.API, c.Account
	p.account.Attach(p.session.Polls.Poller, p.service)
}

// Start shows the known lists of the account, and loads them again: other pages need the projects too.
func (p *Page) Start() tea.Cmd {
	p.setPinned(p.options.Pinned)
	p.account.Attach(p.session.Polls.Poller, p.service)
	p.partial, p.settled = p.account.Partial(), p.account.Settled()
	if list := p.account.Projects(); len(list) > 0 {
		p.setProjects(list)
		p.publish()
		return p.Refresh()
	}
	return nil
}

func (p *Page) newActions() []*action.Action {
	return []*action.Action{
		{
			ID: "open-operations", Title: "show operations", Short: "operations",
			Keys: []string{"o"}, Footer: action.Leading, Disabled: p.unnamed,
			Run: action.Do(p.openOperations),
		},
		{
			ID: "pin", Title: "pin", Keys: []string{"*"}, Footer: action.LowPriority,
			Vary: p.lookOfPin, Disabled: p.unnamed, Run: p.togglePin,
		},
	}
}

func (p *Page) lookOfPin(l action.Look) action.Look {
	if project, ok := p.List().Selected(); ok && p.isPinned(project) {
		l.Title = "unpin"
	}
	return l
}

func (p *Page) unnamed() string {
	switch project, ok := p.List().Selected(); {
	case !ok:
		return "no project is selected"
	case models.NoID(project.ID):
		return "the project has no id"
	}
	return ""
}

func (p *Page) openOperations() {
	if project, ok := p.Choose(); ok {
		p.session.Emit(page.ShowOperations{Project: *project})
	}
}

// Update handles a message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case pinSaved:
		if msg.err != nil {
			p.session.Notify(style.Waiting, msg.done+" until you quit: "+msg.err.Error())
		}
		return nil
	case page.Answered:
		return p.answered(msg)
	case page.RefreshProjects, page.Resumed:
		return p.refresh()
	case page.ShowProject:
		return p.reveal(msg.ID)
	case page.ProjectHealth:
		return p.setHealth(msg)
	case page.Budget:
		p.options.Feed.Budget = int(msg)
		p.account.SetFeed(p.options.Feed)
		return nil
	}
	return p.list.Update(msg)
}

// reveal selects a project, and removes a filter that hides it.
func (p *Page) reveal(id string) (cmd tea.Cmd) {
	key := table.Key{ID: id}
	if i, ok := p.rows.Find(key); ok && !p.List().MatchesFilter(p.rows.Row(i)) {
		cmd = p.SetQuery("")
	}
	p.Restore(key, false)
	return cmd
}

const pinMark = "★ "

// isPinned reports whether a project is pinned. It is safe on any goroutine, for filters.
func (p *Page) isPinned(project *models.Project) bool { return (*p.pinned.Load())[project.ID] }

func (p *Page) setPinned(ids []string) {
	pinned, limit := map[string]bool{}, p.options.Feed.MaxPinned()
	for _, id := range ids[:min(limit, len(ids))] {
		pinned[id] = true
	}
	p.pinned.Store(&pinned)
	if len(ids) > limit {
		text := fmt.Sprintf("Pinned only the first %d of %d projects: %s.", limit, len(ids), p.pinLimit())
		p.session.Notify(style.Waiting, text)
	}
}

func (p *Page) pinLimit() string {
	o := p.options.Feed
	return fmt.Sprintf(
		"the budget of %d requests a second allows no more every %s", o.Budget,
		style.Every(o.Interval),
	)
}

func (p *Page) togglePin() tea.Cmd {
	project, ok := p.Choose()
	if !ok {
		return nil
	}
	pinned := maps.Clone(*p.pinned.Load())
	done := "Pinned "
	switch {
	case pinned[project.ID]:
		delete(pinned, project.ID)
		done = "Unpinned "
	case len(pinned) >= p.options.Feed.MaxPinned():
		p.session.Notify(style.Waiting, fmt.Sprintf(
			"Cannot pin %s: %d projects are pinned, and %s.", project.Name, len(pinned), p.pinLimit()))
		return nil
	default:
		pinned[project.ID] = true
	}
	p.session.Notify(style.Good, done+project.Name)
	p.pinned.Store(&pinned)
	p.setProjects(p.rows.All)
	p.publish()
	return tea.Batch(p.Refresh(), p.savePin(project, done+project.Name))
}

// savePin remembers whether a project is pinned.
func (p *Page) savePin(project *models.Project, done string) tea.Cmd {
	save, id, now := p.options.SavePin, project.ID, &p.pinned
	if save == nil {
		return nil
	}
	pinned := func() bool { return (*now.Load())[id] }
	return p.session.Do(page.Projects, func(context.Context) tea.Msg {
		return pinSaved{done, save(id, pinned)}
	})
}

// pinSaved is the result of saving a pin: err is why it lasts only until the end of the program, or nil.
type pinSaved struct {
	done string
	err  error
}
