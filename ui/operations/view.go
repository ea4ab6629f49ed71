package operations

import (
	"fmt"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/browse"
	"pgtower/ui/chart"
	"pgtower/ui/detail"
	"pgtower/ui/page"
	"pgtower/ui/rowlist"
	"pgtower/ui/text"
	"pgtower/ui/theme"
)

// sparkMinutes is how far back the strip counts operations.
const sparkMinutes = 15

// Status is how current the feed is, and of several projects how old the oldest answer.
func (p *Page) Status(now time.Time) page.Status {
	if p.all() && p.projects.Err != nil && p.timeline.Read() == 0 {
		if p.options.Still {
			return page.Status{Tone: theme.Alarm, Text: "○ offline"}
		}
		return page.Status{Tone: theme.Alarm, Text: "○ offline · " + nextTry(p.projects.Next, now)}
	}
	return p.status(now)
}

// Title counts what is in work and what failed, for the terminal's title.
func (p *Page) Title() string {
	running := p.timeline.Count(models.StatusRunning)
	failed := p.timeline.Count(models.StatusFailed) + p.timeline.Count(models.StatusError)
	return fmt.Sprintf("%s running · %s failed", count(running), count(failed))
}

// View draws the feed, or its statistics.
func (p *Page) View(f page.Frame) []string {
	f = p.frozen(f)
	if p.stats != nil {
		return p.viewStats(f)
	}
	return p.table.View(f, browse.Parts[row]{
		Strip:  p.strip(f),
		Empty:  p.words(f),
		Beyond: p.beyond(f),
		Notes:  p.table.Foot(f, p.said(f), p.trouble(f)...),
		At: func(r row) time.Time {
			if r.running() {
				return f.Tick
			}
			return f.Now
		},
		Changed: func(r row) rowlist.Change {
			if r.op == nil {
				return 0
			}
			return p.marks[key{project: r.project, id: r.op.ID}]
		},
	})
}

// frozen is the frame of a feed that is paused: what is shown is that of the moment that the
// header names, and nothing is written while it lasts.
func (p *Page) frozen(f page.Frame) page.Frame {
	if p.paused() {
		f.Now, f.Tick = p.frozenAt(), p.frozenAt()
	}
	return f
}

// Ticks reports whether an operation that is shown has not ended yet.
func (p *Page) Ticks() bool {
	list := p.table.List()
	switch {
	case p.paused() || p.stats != nil:
		return false
	case p.table.Opened():
		r, _ := list.Selected()
		return r.running()
	}
	return slices.ContainsFunc(list.Visible(), row.running)
}

// strip says whose operations these are, how many are in which state, how many began in
// each of the last minutes, how many fail, and how many are loaded. Where there is no
// room for all of it, the trend gets shorter and the number loaded leaves first.
func (p *Page) strip(f page.Frame) string {
	const apart = 3
	left := f.Theme.Paint(theme.Strong, " "+p.scopeName())
	for _, part := range p.counts(f) {
		if text.Width(left)+apart+text.Width(part) > f.Width {
			break
		}
		left += text.Spaces(apart) + part
	}
	right := ""
	for minutes := sparkMinutes; minutes > 0; minutes -= 5 {
		if right = p.trend(f, minutes); text.Width(left)+1+text.Width(right) <= f.Width {
			break
		}
		right = ""
	}
	if loaded := p.loaded(f); text.Width(left)+2*apart+text.Width(loaded)+text.Width(right) <= f.Width {
		left += text.Spaces(apart) + loaded
	}
	return text.Ends(left, right, f.Width)
}

func (p *Page) scopeName() string {
	if !p.all() {
		return p.name(p.project.ID)
	}
	if n := len(p.projects.Projects); n > 0 {
		return fmt.Sprintf("all projects (%s)", count(n))
	}
	return "all projects"
}

// countedStatuses are those that the strip counts: first those that stay.
func countedStatuses() []models.Status {
	return []models.Status{
		models.StatusFailed, models.StatusError, models.StatusRunning, models.StatusScheduling, models.StatusCancelling,
	}
}

func (p *Page) counts(f page.Frame) []string {
	var parts []string
	for _, s := range countedStatuses() {
		if n := p.timeline.Count(s); n > 0 {
			l := lookOf(&models.Operation{Status: s})
			if s == models.StatusRunning && !p.paused() && !p.options.Still {
				l.glyph = spinner(f.Tick)
			}
			parts = append(parts, f.Theme.Paint(l.tone, l.glyph+" "+count(n)+" "+l.word))
		}
	}
	return parts
}

// loaded is how many operations are loaded, and how many of them are shown: the others
// wait for the older pages of other projects, but not for a filter or another order.
func (p *Page) loaded(f page.Frame) string {
	n, shown := p.timeline.Loaded(), p.timeline.Len()
	switch {
	case n == 0:
		return ""
	case shown < n && !p.table.List().Arranged():
		return f.Theme.Paint(theme.Muted, count(n)+" loaded, "+count(shown)+" shown")
	}
	return f.Theme.Paint(theme.Muted, count(n)+" loaded")
}

// trend is operations per minute over the last n minutes as a line, and the part of those that ended that failed.
func (p *Page) trend(f page.Frame, n int) string {
	done := p.timeline.Count(models.StatusFinished)
	failed := p.timeline.Count(models.StatusFailed) + p.timeline.Count(models.StatusError)
	if done+failed == 0 {
		return ""
	}
	if from, more := p.timeline.Frontier(); more {
		// Of the minutes before, not all operations are loaded.
		n = max(1, min(n, int(f.Now.Sub(from)/time.Minute)+1))
	}
	minutes := p.timeline.PerMinute(f.Now, n)
	peak := 0
	for _, n := range minutes {
		peak = max(peak, n)
	}
	return f.Theme.Paint(theme.Accent, chart.Spark(minutes)) +
		f.Theme.Paint(theme.Muted, fmt.Sprintf(" peak %s/min · %.1f%% failed ", count(peak), 100*float64(failed)/float64(done+failed)))
}

// words are said in the place of the rows.
func (p *Page) words(f page.Frame) detail.Words {
	again := "It is tried again on its own; " + f.Keys.Label(refreshKey()) + " tries now."
	state := p.poller.Freshness(f.Now)
	unreadable := state.State == feed.Failing || state.State == feed.Offline || state.State == feed.Late
	switch {
	case p.all() && p.projects.Err != nil:
		return browse.Failure(p.projects.Err, again)
	case p.all() && !p.projects.Complete && len(p.projects.Projects) == 0:
		return detail.Words{Tone: theme.Waiting, Title: "Loading the projects…"}
	case p.all() && len(p.projects.Projects) == 0:
		return detail.Words{Title: "This account has no projects.", Body: "Operations belong to a project: create one in the console of the service, then look at the Projects page and press " + f.Keys.Label(refreshKey()) + "."}
	case !p.all() && models.KindOf(state.Err) == models.KindNotFound:
		return detail.Words{Tone: theme.Bad, Title: "There is no project " + p.project.ID + ".", Body: "It may have been deleted. " +
			f.Keys.Label(projectKey()) + " chooses another one, " + f.Keys.Label(allKey()) + " shows all."}
	case unreadable && state.Err != nil:
		return browse.Failure(p.unreadable(state), again)
	case p.timeline.Read() == 0:
		return detail.Words{Tone: theme.Waiting, Title: "Loading the operations of " + p.scopeName() + "…"}
	}
	return detail.Words{Title: "No operations yet.", Body: "What the platform does will appear here as it begins: " +
		"connect to a database, create a branch or change a setting."}
}

// trouble is what went wrong: with the service or some of the projects, and with paging
// back.
func (p *Page) trouble(f page.Frame) []error {
	errs := []error{p.unreadable(p.poller.Freshness(f.Now))}
	if err := p.poller.HistoryErr(); err != nil {
		errs = append(errs, fmt.Errorf("older operations (%s tries again): %w", f.Keys.Label(olderKey()), err))
	}
	return errs
}

// said is what there is to say about rows that are not on the screen.
func (p *Page) said(f page.Frame) string {
	list := p.table.List()
	column, reverse := list.Sorted()
	switch n := list.Arrivals(); {
	case p.poller.Goal() != feed.Goal{}:
		return f.Theme.Paint(theme.Muted, p.loadProgress(f))
	case n > 0 && column == rowlist.Natural && !reverse:
		return f.Theme.Paint(theme.Fresh, fmt.Sprintf(" ▲ %s new · %s to follow", count(n), f.Keys.Label(rowlist.TopKey())))
	case p.poller.LoadingHistory():
		return f.Theme.Paint(theme.Muted, " ◌ loading older operations…")
	case p.timeline.Ended() && list.EndShown() && !list.Filtered():
		return f.Theme.Paint(theme.Muted, " The end: the service has nothing older.")
	case list.Filtered() && !p.timeline.Ended():
		return f.Theme.Paint(theme.Muted, " "+p.beyond(f))
	}
	return ""
}

// beyond is what a filter does not see.
func (p *Page) beyond(f page.Frame) string {
	if p.timeline.Ended() {
		return ""
	}
	return "What is loaded is searched; " + f.Keys.Label(olderKey()) + " loads older operations."
}

func count(n int) string { return browse.Count(n) }
