package projects

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

const (
	pageSize = 400 // the live service's maximum
	// These limits bound the time and memory for a service that always has one more page.
	maxPages    = 1000
	maxProjects = 100_000

	firstRetry = 5 * time.Second // after a failure, doubled for each one that follows
	lastRetry  = time.Minute

	goodFor     = time.Minute
	goodAtLeast = 15 * time.Second // if the list decides which projects to poll first
	listShare   = 0.1              // of the budget, for reading the list
)

// RereadAfter returns how long a list stays valid. If there are more projects than can be polled in every interval, the
// list shows which ones have changed, and is read as often as a share of the budget allows.
func RereadAfter(o feed.Options, projects int) time.Duration {
	if projects <= o.MaxPinned() {
		return goodFor
	}
	pages := (projects + pageSize - 1) / pageSize
	perSecond := listShare * float64(max(1, o.Budget))
	return max(goodAtLeast, o.Interval, time.Duration(float64(pages)/perSecond*float64(time.Second)))
}

// Read reads the whole list for a program without a page. partial is why there may be more projects, or empty.
func Read(ctx context.Context, service Service) (all []models.Project, partial string, err error) {
	read := pages{seen: map[identity]bool{}}
	for cursor, more := "", true; more; {
		got, err := service.Projects(ctx, models.PageRequest{Limit: pageSize, Cursor: cursor})
		if err != nil {
			return nil, "", err
		}
		cursor, partial = got.Next, got.Damage
		more = read.add(got.Items) && !got.Last()
		if n := len(read.all); more && (read.read == maxPages || n >= maxProjects) {
			return read.all, "pgtower stopped after " + style.Plural(n, "project"), nil
		}
	}
	return read.all, partial, nil
}

func (p *Page) load() tea.Cmd {
	if p.Busy {
		return nil
	}
	p.Busy, p.pages = true, pages{seen: map[identity]bool{}}
	return p.loadPage("")
}

func (p *Page) loadPage(cursor string) tea.Cmd {
	service, request := p.service, models.PageRequest{Limit: pageSize, Cursor: cursor}
	read := func(ctx context.Context) (models.Page[models.Project], error) { return service.Projects(ctx, request) }
	return page.Call(p.session, page.Projects, read, p.took)
}

// took adds a page of the list, and requests the next one. The first load shows the pages as they come; a refresh
// replaces the list when it is complete.
func (p *Page) took(got models.Page[models.Project], err error) tea.Cmd {
	if err != nil {
		return p.failed(err)
	}
	p.partial = got.Damage
	more := p.pages.add(got.Items) && !got.Last()
	if n := len(p.pages.all); more && (p.pages.read == maxPages || n >= maxProjects) {
		more, p.partial = false, "pgtower stopped after "+style.Plural(n, "project")
	}
	if more && !p.Last.IsZero() {
		return p.loadPage(got.Next)
	}
	p.setProjects(p.pages.all)
	var cmd tea.Cmd
	if more {
		cmd = p.loadPage(got.Next)
	} else {
		cmd = p.end(nil, RereadAfter(p.options.Feed, p.rows.Len()))
	}
	p.publish()
	return tea.Batch(cmd, p.Refresh())
}

func (p *Page) failed(err error) tea.Cmd {
	wait := max(min(firstRetry<<min(p.failures, 6), lastRetry), models.RetryAfterOf(err))
	p.failures++
	p.next = p.session.Now().Add(wait)
	cmd := p.end(err, wait)
	p.session.Emit(page.Failed{Err: err})
	p.publish()
	return cmd
}

// end ends a load, and schedules the next one.
func (p *Page) end(err error, again time.Duration) tea.Cmd {
	p.Busy, p.Asked, p.Err, p.pages = false, false, err, pages{}
	if err == nil {
		p.failures, p.Last = 0, p.session.Now()
	}
	if err == nil && p.partial != "" {
		p.session.Report(style.Waiting, "there may be more projects: "+p.partial)
	}
	return p.timer.Set(p.session, page.Projects, again, page.RefreshProjects{})
}

func (p *Page) publish() {
	p.session.Emit(page.ProjectList{
		Projects: p.rows.All, Pinned: *p.pinned.Load(),
		Complete: !p.Last.IsZero() && p.partial == "", Err: p.Err, Next: p.next,
	})
}

// sharedID is the warning about a project that shares its id with another one.
const sharedID = "Several projects have this id: the operations may belong to another one."

type rows struct {
	table.Index[models.Project]

	regions, locked int // the numbers of regions and of locked projects
}

// setProjects shows a copy of a list, with the pinned projects first. Filters may still read the previous one.
func (p *Page) setProjects(all []models.Project) {
	pinned := slices.DeleteFunc(slices.Clone(all), func(project models.Project) bool { return !p.isPinned(&project) })
	others := slices.DeleteFunc(slices.Clone(all), func(project models.Project) bool { return p.isPinned(&project) })
	*p.rows = *newRows(append(pinned, others...))
	p.recount()
}

func newRows(all []models.Project) *rows {
	r := &rows{Index: table.NewIndex(all, func(p *models.Project) string { return p.ID })}
	regions := map[string]bool{}
	for i := range all {
		regions[all[i].RegionID] = true
		if all[i].Locked.Value {
			r.locked++
		}
	}
	r.regions = len(regions)
	return r
}

// pages collects the list while it is read. Pages may overlap. Different projects with one id are kept.
type pages struct {
	read int // how many
	all  []models.Project
	seen map[identity]bool
}

type identity struct {
	id, name string
	created  time.Time
}

func (r *pages) add(more []models.Project) (added bool) {
	r.read++
	for i := range more {
		p := &more[i]
		if id := (identity{p.ID, p.Name, p.CreatedAt}); !r.seen[id] {
			r.seen[id], added = true, true
			r.all = append(r.all, *p)
		}
	}
	return added
}
