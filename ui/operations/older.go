package operations

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
	"pgtower/ui/rowlist"
)

// wantOlder asks for the next pages of history when the selection comes near the end of
// what is shown. With a filter or another order it does not: few rows may pass, and the
// whole history would be paged through without anyone asking.
func (p *Page) wantOlder() tea.Cmd {
	list := p.table.List()
	if column, reverse := list.Sorted(); list.Filtered() || column != rowlist.Natural || reverse {
		return nil
	}
	if p.stats != nil || p.older.err != nil || !list.NearEnd() {
		return nil
	}
	return p.loadOlder()
}

// olderAtOnce is how many pages of history are asked for together.
const olderAtOnce = 4

// loadOlder asks for the next pages of history, unless that is under way.
func (p *Page) loadOlder() tea.Cmd {
	var asks []ask
	for _, o := range p.timeline.Older(olderAtOnce) {
		asks = append(asks, ask{project: o.Project, cursor: o.Cursor})
	}
	return p.loadPages(asks)
}

func (p *Page) tookOlder(answers []answer) tea.Cmd {
	p.older = older{}
	for _, a := range answers {
		if a.err != nil {
			p.older.err = a.err
			continue
		}
		p.sayOdd(p.timeline.Merge(a.project, a.page).Anomalies)
	}
	cmd := tea.Batch(p.refresh(), p.goOnLoading())
	if p.older.err != nil {
		return tea.Batch(cmd, page.Say(page.Failed{Err: fmt.Errorf("load older operations: %w", p.older.err)}))
	}
	return tea.Batch(cmd, p.wantOlder())
}
