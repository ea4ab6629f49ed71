// Package projects lists the projects of the account.
package projects

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// Service is the part of the control API that the page uses.
type Service interface {
	// Projects returns a page of the project list (section 4.4).
	Projects(ctx context.Context, r models.PageRequest) (models.Page[models.Project], error)
}

// Options are the options of the page.
type Options struct {
	Feed    feed.Options // the polling of the operations
	Pinned  []string     // the ids of the profile's pinned projects
	Profile string       // the profile's name in the configuration, or empty
}

type list = table.Model[*models.Project]

// Page is the state of the list.
type Page struct {
	session *page.Session
	service Service
	options Options

	rows   *rows
	pinned atomic.Pointer[map[string]bool]
	fleet  sync.Map      // project ids to [feed.ProjectHealth]
	counts [filtered]int // projects by condition

	*list
	table.Reading // of the list; Last is when it was complete

	pages    pages      // of the load in progress
	partial  string     // why there may be more projects than could be read, or empty
	failures int        // loads that failed in a row
	next     time.Time  // when a failed load is retried
	timer    page.Timer // when the list is read again
}

// New makes the page for a session.
func New(session *page.Session, service Service, o Options) *Page {
	p := &Page{session: session, service: service, options: o, rows: newRows(nil)}
	p.pinned.Store(&map[string]bool{})
	p.list = p.newTable()
	return p
}

// Reconnect continues with another key. A [page.Resumed] follows, which loads again.
func (p *Page) Reconnect(service Service) { p.service = service }

// Start loads the list: other pages need the projects too.
func (p *Page) Start() tea.Cmd {
	p.setPinned(p.options.Pinned)
	return p.load()
}

// Shown does nothing: the list is loaded when the session starts.
func (p *Page) Shown() tea.Cmd { return nil }

// Actions declares the actions of the page.
func (p *Page) Actions() []action.Group {
	if p.Editing() {
		return p.list.Actions()
	}
	pin := "pin"
	if project, ok := p.Selected(); ok && p.isPinned(project) {
		pin = "unpin"
	}
	loading, refresh := p.RefreshDisabled(), func() tea.Cmd { p.Asked = true; return p.load() }
	group := action.Group{Title: "Projects", Actions: []action.Action{
		{
			ID: "open-operations", Title: "show operations", Short: "operations", Keys: []string{"o"}, Footer: action.Leading,
			Disabled: p.unnamed(), Run: action.Do(p.openOperations),
		},
		{ID: "pin", Title: pin, Keys: []string{"*"}, Footer: action.LowPriority, Disabled: p.unnamed(), Run: p.togglePin},
		{ID: "refresh", Title: "refresh", Keys: []string{"r"}, Footer: action.Shown, Disabled: loading, Run: refresh},
	}}
	return append([]action.Group{group}, p.list.Actions()...)
}

func (p *Page) unnamed() string {
	switch project, ok := p.Selected(); {
	case !ok:
		return "no project is selected"
	case models.NoID(project.ID):
		return "the project has no id"
	}
	return ""
}

func (p *Page) openOperations() {
	project, ok := p.Choose()
	if !ok {
		return
	}
	p.session.Emit(page.ShowOperations{Project: *project})
	if p.rows.Shared(project) {
		p.session.Report(style.Waiting, sharedID)
	}
}

// Update handles a message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case page.Result:
		return msg()
	case page.RefreshProjects, page.Resumed:
		return p.load()
	case page.ShowProject:
		return p.reveal(msg.ID)
	case page.ProjectHealth:
		return p.setHealth(msg)
	case page.Budget:
		p.options.Feed.Budget = int(msg)
		return nil
	}
	return p.list.Update(msg)
}

// reveal selects a project, and removes a filter that hides it.
func (p *Page) reveal(id string) (cmd tea.Cmd) {
	key := table.Key{ID: id}
	if i, ok := p.rows.Find(key); ok && !p.MatchesFilter(p.rows.Row(i)) {
		cmd = p.SetQuery("")
	}
	p.Restore(key, false)
	return cmd
}

const pinMark = "★ "

// isPinned reports whether a project is pinned. It is safe on any goroutine, for filters.
func (p *Page) isPinned(project *models.Project) bool { return (*p.pinned.Load())[project.ID] }

func (p *Page) setPinned(ids []string) {
	pinned, most := map[string]bool{}, p.options.Feed.MaxPinned()
	for _, id := range ids[:min(most, len(ids))] {
		pinned[id] = true
	}
	p.pinned.Store(&pinned)
	if len(ids) > most {
		text := fmt.Sprintf("Pinned only the first %d of %d projects: %s.", most, len(ids), p.pinLimit())
		p.session.Report(style.Waiting, text)
	}
}

func (p *Page) pinLimit() string {
	o := p.options.Feed
	return fmt.Sprintf("the budget of %d requests a second allows no more every %s", o.Budget, style.Every(o.Interval))
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
	p.session.Notify(style.Good, done+project.Name+"."+p.howToKeep(pinned))
	p.pinned.Store(&pinned)
	p.setProjects(p.rows.All)
	p.publish()
	return p.Refresh()
}

func (p *Page) howToKeep(pinned map[string]bool) string {
	if p.options.Profile == "" {
		return ""
	}
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(pinned)) {
		ids = append(ids, strconv.Quote(id))
	}
	text := strings.Join(ids, ", ")
	return fmt.Sprintf(" To keep: pinned = [%s] in [profiles.%s] of config.toml.", text, p.options.Profile)
}
