package operations

import (
	"iter"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/feed"
	"pgtower/models/incident"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// together is where the failures of the window lie, if they lie together, in one line above the rows.
type together struct {
	tally[concentration]

	window time.Duration // that is searched
	line   int           // where the line was last drawn, or -1
}

// concentration is where failures of a window lie together, if they do.
type concentration struct {
	incident.Concentration

	is     bool
	label  string
	window time.Duration
}

// search searches the window. It finds nothing while some operations of it are not loaded.
func (t *together) search(window time.Duration) tea.Cmd {
	t.window = window
	return t.searchAgain()
}

func (t *together) searchAgain() tea.Cmd {
	now, window, e := t.list.live.shownAt(), t.window, t.list.extent()
	until := e.until
	if !until.IsZero() {
		now = until // the line says as of when it is
	}
	if e.back(now) < window+feed.MaxRun {
		t.result.is, t.again = false, t.busy
		return nil
	}
	all, label := t.list.incidents(), t.list.scope.labels()
	return t.count(func() concentration {
		found, is := incident.Concentrated(endedWithin(all, now.Add(-window), until))
		return concentration{found, is, label(found.By, found.Value), window}
	}, t.searchAgain)
}

// endedWithin returns the operations that ended after a time, as [feed.Timeline.Window] counts, and not after another one if
// that is not zero.
func endedWithin(
	all iter.Seq[incident.Operation], after, until time.Time,
) iter.Seq[incident.Operation] {
	return func(yield func(incident.Operation) bool) {
		for o := range all {
			ended := o.EndedAt()
			late := !until.IsZero() && ended.After(until)
			if ended.After(after) && !late && !yield(o) {
				return
			}
		}
	}
}

// known reports whether the failures of what is shown lie together.
func (t *together) known() bool { return t.result.is && t.of == t.list.live.timeline() }

// ended counts the window's operations that failed and finished, as the line did.
func (c *concentration) ended() feed.Ended {
	failed := c.Failures()
	return feed.Ended{Failed: failed, Finished: c.Ended + c.EndedElsewhere - failed}
}

// text says it: "7 of 8 failures in 15 min: aws-us-east-1 (7 of 52); elsewhere 1 of 140".
func (c *concentration) text() string { return c.Text(" in "+style.InUnits(c.window), c.label) }

// query returns the filter for the failures that it is about.
func (c *concentration) query() string { return failedIn(c.window) + " " + filterFor(c.By, c.Value) }

const togetherFrom = 8 // the least lines of a page with the line

// draw returns the line, with the key that leads to the rows if there is room.
func (c *concentration) draw(f page.Frame, e extent) string {
	line := " " + f.Theme.Paint(style.Bad, "✗") + " " + e.claim(c.text())
	hint := f.Theme.Paint(style.Muted, f.Key("concentration")+": show") + " "
	if style.Width(line)+apart+style.Width(hint) <= f.Width {
		return style.Ends(line, hint, f.Width)
	}
	return style.Fit(style.Cut(line, f.Width), f.Width)
}
