package projects

import (
	"context"
	"fmt"
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
	// pageSize is the largest page of projects that the live service gives.
	pageSize = 400
	// A cursor is followed for so many pages and projects: a service that always has one more page must neither keep
	// pgtower asking for ever nor take all memory.
	maxPages    = 1000
	maxProjects = 100_000
	// A list that could not be read is tried again, first soon, then less often.
	firstRetry  = 5 * time.Second
	lastRetry   = time.Minute
	maxDoubling = 6
	// goodFor is how long a list is good; goodAtLeast, where it says which projects to poll first.
	goodFor     = time.Minute
	goodAtLeast = 15 * time.Second
	// listShare is the part of the budget that reading it may take.
	listShare = 0.1
)

// rereadAfter is how long a list is good: projects come and go, and the operations of a new one belong in the feed.
// Of more projects than can be polled in every interval, it says which have changed, and is read as often as a part
// of the budget allows.
func rereadAfter(o feed.Options, projects int) time.Duration {
	if projects <= o.MaxPinned() {
		return goodFor
	}
	pages := (projects + pageSize - 1) / pageSize
	perSecond := listShare * float64(max(1, o.Budget))
	return max(goodAtLeast, o.Interval, time.Duration(float64(pages)/perSecond*float64(time.Second)))
}

// due is the time to read the list again, if no load ended after that many.
type due struct{ after int }

// loaded is the answer to one page of the list; depth counts the pages before it.
type loaded struct {
	depth int
	page  models.ProjectPage
	err   error
}

func (p *Page) load() tea.Cmd {
	if p.Busy {
		return nil
	}
	p.Busy, p.pages = true, pages{seen: map[identity]bool{}}
	return p.loadPage("", 0)
}

func (p *Page) loadPage(cursor string, depth int) tea.Cmd {
	service, request := p.service, models.PageRequest{Limit: pageSize, Cursor: cursor}
	return p.session.Do(page.Projects, func(ctx context.Context) tea.Msg {
		got, err := service.Projects(ctx, request)
		return loaded{depth, got, err}
	})
}

// took adds a page of the list, and asks for the next one. The list on the screen is replaced when all of the new one
// is there, so that a refresh does not empty it; only the first load shows the pages as they come.
func (p *Page) took(msg loaded) tea.Cmd {
	if msg.err != nil {
		return p.failed(msg.err)
	}
	p.partial = msg.page.Damage
	more := p.pages.add(msg.page.Projects) && !msg.page.Last()
	if n := len(p.pages.all); more && (msg.depth == maxPages || n >= maxProjects) {
		more, p.partial = false, "pgtower stopped after "+table.Plural(n, "project")
	}
	shown := !more || p.Last.IsZero()
	if shown {
		*p.rows = *newRows(slices.Clone(p.pages.all))
	}
	var cmd tea.Cmd
	if more {
		cmd = p.loadPage(msg.page.Next, msg.depth+1)
	} else {
		cmd = p.end(nil, rereadAfter(p.options.Feed, p.rows.Len()))
	}
	if !shown {
		return cmd
	}
	p.publish()
	return tea.Batch(cmd, p.table.Refresh())
}

// failed notes that the list could not be read. What depends on it waits, so it is tried again without anybody
// asking, at longer and longer intervals.
func (p *Page) failed(err error) tea.Cmd {
	wait := max(min(firstRetry<<min(p.failures, maxDoubling), lastRetry), models.RetryAfterOf(err))
	p.failures++
	p.next = p.session.Now().Add(wait)
	cmd := p.end(err, wait)
	p.session.Emit(page.Failed{Err: err})
	p.publish()
	return cmd
}

// end notes that no load is under way, and has the list read once more after a while.
func (p *Page) end(err error, again time.Duration) tea.Cmd {
	p.Busy, p.Asked, p.Err, p.pages = false, false, err, pages{}
	p.loads++
	if err == nil {
		p.failures, p.Last = 0, p.session.Now()
	}
	if err == nil && p.partial != "" {
		p.session.Tell(style.Waiting, "there may be more projects than could be read: "+p.partial)
	}
	return p.alarm.Set(p.session, page.Projects, again, due{p.loads})
}

// publish lets the other pages know the projects.
func (p *Page) publish() {
	p.session.Emit(page.ProjectList{
		Projects: p.rows.All, Pinned: *p.pinned.Load(),
		Complete: !p.Last.IsZero() && p.partial == "", Err: p.Err, Next: p.next,
	})
}

// sharedID is what to know of a project whose id is that of another one, too.
const sharedID = "More than one project has this id: the operations may be those of another one."

// rows are the projects in the order of the service.
type rows struct {
	table.Index[models.Project, string]

	regions, locked int // how many regions and locked projects there are
}

func newRows(all []models.Project) *rows {
	id := func(p *models.Project) string { return p.ID }
	odd := func(i int) string { return fmt.Sprintf("%s\x00%d", all[i].ID, i) }
	r := &rows{Index: table.NewIndex(all, id, odd)}
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

// pages are the list as far as it was read. They may overlap while projects come and go between them. Two projects
// that differ are two, even if the service gave them one id.
type pages struct {
	all  []models.Project
	seen map[identity]bool
}

type identity struct {
	id, name string
	created  time.Time
}

// add adds the projects that are not there yet, and reports whether there were any.
func (r *pages) add(more []models.Project) (added bool) {
	for i := range more {
		p := &more[i]
		if id := (identity{p.ID, p.Name, p.CreatedAt}); !r.seen[id] {
			r.seen[id], added = true, true
			r.all = append(r.all, *p)
		}
	}
	return added
}
