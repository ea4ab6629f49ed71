package operations

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/sync/errgroup"

	"pgtower/internal/crash"
	"pgtower/models"
	"pgtower/ui/page"
)

// patience is how long a poll waits for one answer: the rest of the round waits with it.
const patience = 15 * time.Second

// atOnce is how many requests of a batch are under way together.
const atOnce = 6

// tick says that the next round is due.
type tick struct{ visit, round int }

// answer is what became of an ask.
type answer struct {
	ask

	page      models.OperationPage
	operation models.Operation
	asOf      time.Time
	err       error
}

// answered are the answers to a batch of a round.
type answered struct {
	visit   int
	answers []answer
}

// olderLoaded are the answers to pages of history.
type olderLoaded struct {
	visit   int
	answers []answer
}

func (p *Page) askAll(asks []ask) tea.Cmd {
	do, visit := p.asking(asks), p.visit
	return p.session.Do(page.Operations, func(ctx context.Context) tea.Msg {
		return answered{visit, do(ctx)}
	})
}

func (p *Page) loadPages(asks []ask) tea.Cmd {
	if len(asks) == 0 || p.older.loading {
		return nil
	}
	p.older = older{loading: true}
	do, visit := p.asking(asks), p.visit
	return p.session.Do(page.Operations, func(ctx context.Context) tea.Msg {
		return olderLoaded{visit, do(ctx)}
	})
}

// firstLook is how many operations the first pages of all projects bring together at
// most, so that thousands of projects do not fill the memory with their history.
const firstLook = 100_000

// pageSize is how many operations are asked for at once.
func (p *Page) pageSize() int {
	const least = 10
	return max(min(least, p.options.PageSize), min(p.options.PageSize, firstLook/max(1, len(p.inScope()))))
}

// headSize is how many operations are asked for at once to see what is new: as a rule a
// few are, and what a head page does not reach, the cursor does. The whole of a page
// every few seconds would be work for the service and for this computer, for nothing.
const headSize = 25

// limit is how many operations an ask is for. A head page reaches down to what is not
// done, with room for what began since: reading those one by one would take longer.
func (p *Page) limit(a ask) int {
	size := p.pageSize()
	feed := p.feeds[a.project]
	if a.cursor != "" || feed == nil || !feed.Loaded() {
		return size
	}
	return min(size, max(headSize, feed.Reach(size)+headSize))
}

// asking returns the work of asking: a few at a time, and no further once an answer
// says that the others would fail as well.
func (p *Page) asking(asks []ask) func(context.Context) []answer {
	service, now := p.service, p.session.Now
	limits := make([]int, len(asks))
	for i, a := range asks {
		limits[i] = p.limit(a)
	}
	return func(ctx context.Context) []answer {
		answers := make([]answer, len(asks))
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(atOnce)
		var panics crash.Carrier
		for i, a := range asks {
			answers[i] = answer{ask: a}
			got := &answers[i]
			group.Go(func() error {
				defer panics.Catch()
				ctx, cancel := context.WithTimeout(ctx, patience)
				defer cancel()
				got.asOf = now()
				if a.id != "" {
					got.operation, got.err = service.Operation(ctx, a.project, a.id)
				} else {
					got.page, got.err = service.Operations(ctx, a.project, models.PageRequest{Limit: limits[i], Cursor: a.cursor})
				}
				if got.err != nil && endsRound(got.err) {
					return got.err
				}
				return nil
			})
		}
		_ = group.Wait() // each answer has its own error
		panics.Deliver()
		return answers
	}
}
