package projects

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/page"
)

// pageSize is the largest page of projects that the live service gives.
const pageSize = 400

// A cursor is followed for so many pages and projects: a service that always has one more
// page must neither keep pgtower asking for ever nor take all memory.
const (
	maxPages    = 1000
	maxProjects = 100_000
)

// A list that could not be read is tried again, first soon, then less often.
const (
	firstRetry = 5 * time.Second
	lastRetry  = time.Minute
	maxFails   = 6
)

const (
	// listed is how long a list is good where all projects are polled in time anyway.
	listed = time.Minute
	// hints is how long it is good at least where it says which of them to poll first.
	hints = 15 * time.Second
	// listShare is the part of the budget that reading it may take.
	listShare = 0.1
)

// rereadAfter is how long a list is good: projects come and go, and the operations of a
// new one belong in the feed. Of more projects than can be polled in every interval, it
// says which have changed, and is read as often as a part of the budget allows.
func rereadAfter(o feed.Options, projects int) time.Duration {
	if projects <= o.MaxPinned() {
		return listed
	}
	pages := (projects + pageSize - 1) / pageSize
	return max(hints, o.Interval, time.Duration(float64(pages)/(listShare*float64(max(1, o.Budget)))*float64(time.Second)))
}

// reread says that it is time to read the list again after that many times.
type reread struct{ after int }

// retry says that it is time to try again after that many failures.
type retry struct{ after int }

// loaded is the answer to one page of the list; depth counts the pages before it.
type loaded struct {
	depth int
	page  models.ProjectPage
	err   error
}

func (p *Page) loadPage(cursor string, depth int) tea.Cmd {
	service, request := p.service, models.PageRequest{Limit: pageSize, Cursor: cursor}
	return p.session.Do(page.Projects, func(ctx context.Context) tea.Msg {
		got, err := service.Projects(ctx, request)
		return loaded{depth, got, err}
	})
}
