package operations

import (
	"context"
	"iter"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/feed"
	"pgtower/models/incident"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// concentration is where the failures of the window lie, if they lie together, in one line above the rows.
type concentration struct {
	found  incident.Concentration
	is     bool
	label  string
	of     *feed.Timeline // that was counted
	window time.Duration

	busy  bool // a count is running
	again bool // something has changed since it began
	line  int  // where the line was last drawn, or -1
}

// concentrated is the result of a count.
type concentrated struct {
	found  incident.Concentration
	is     bool
	label  string
	of     *feed.Timeline
	window time.Duration
}

// count searches off the UI's goroutine, once the search before is finished. It finds nothing while some operations of
// the window are not loaded.
func (c *concentration) count(of *list, window time.Duration) tea.Cmd {
	c.again = c.busy
	if c.busy {
		return nil
	}
	now, timeline := of.session.ServiceNow(), of.live.timeline()
	if extentOf(of.live, of.scope).back(now) < window+feed.MaxRun {
		c.is = false
		return nil
	}
	c.busy = true
	all, label := of.places(), of.scope.labels()
	return of.session.DoQuietly(page.Operations, func(context.Context) tea.Msg {
		found, is := incident.Concentrated(endedWithin(all, now, window))
		return concentrated{found, is, label(found.By, found.Value), timeline, window}
	})
}

// endedWithin returns the operations that are counted in a window, as [feed.Timeline.Window] counts.
func endedWithin(all iter.Seq[incident.Operation], now time.Time, window time.Duration) iter.Seq[incident.Operation] {
	return func(yield func(incident.Operation) bool) {
		for o := range all {
			if o.EndedAt().After(now.Add(-window)) && !yield(o) {
				return
			}
		}
	}
}

// counted takes in a result, unless it is of another scope, and reports whether to count again.
func (c *concentration) counted(msg concentrated, now *feed.Timeline) bool {
	c.busy = false
	if msg.of != now {
		return true
	}
	c.found, c.is, c.label, c.of, c.window = msg.found, msg.is, msg.label, msg.of, msg.window
	return c.again
}

// shown reports whether there is something to say about a timeline.
func (c *concentration) shown(of *feed.Timeline) bool { return c.is && c.of == of }

// ended counts the window's operations that failed and finished, as the line did.
func (c *concentration) ended() feed.Ended {
	failed := c.found.Failures()
	return feed.Ended{Failed: failed, Finished: c.found.Ended + c.found.EndedElsewhere - failed}
}

// text says it: "7 of 8 failures in 15 min: aws-us-east-1 (7 of 52); elsewhere 1 of 140".
func (c *concentration) text() string { return c.found.Text(" in "+style.InUnits(c.window), c.label) }

// query returns the filter for the failures that it is about.
func (c *concentration) query() string {
	return failedIn(c.window) + " " + filterFor(c.found.By, c.found.Value)
}

const togetherFrom = 8 // the least lines of a page with the line

// showTogether shows the failures that the line is about, or all operations again.
func (p *Page) showTogether() tea.Cmd {
	wanted := p.together.query()
	if p.list.table.Query() == wanted {
		wanted = ""
	}
	p.groups = nil
	return p.onward.filterBy(wanted)
}

// draw returns the line, with the key that leads to the rows if there is room.
func (c *concentration) draw(f page.Frame) string {
	line := " " + f.Theme.Paint(style.Bad, "✗") + " " + c.text()
	hint := f.Theme.Paint(style.Muted, f.Key("concentration")+": show") + " "
	if style.Width(line)+apart+style.Width(hint) <= f.Width {
		return style.Ends(line, hint, f.Width)
	}
	return style.Fit(style.Cut(line, f.Width), f.Width)
}
