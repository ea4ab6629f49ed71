package operations

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// Status is how current the feed is, and of several projects how old the oldest answer.
func (p *Page) Status(now time.Time) page.Status {
	if p.all() && p.projects.Err != nil && p.timeline.Read() == 0 {
		if p.options.Still {
			return page.Status{Tone: style.Alarm, Text: "○ offline"}
		}
		return page.Status{Tone: style.Alarm, Text: "○ offline · " + nextTry(p.projects.Next, now)}
	}
	return p.status(now)
}

// AsOf is when the last good answer came, or the time at which a paused feed stands still.
func (p *Page) AsOf() time.Time {
	if p.paused() {
		return p.frozenAt()
	}
	return p.answeredAt
}

// Title counts what runs, and what failed since the user looked, for the terminal's title.
func (p *Page) Title() string {
	running := count(p.poller.Running()) + " running"
	if n := p.failures.unseen; n > 0 {
		return count(n) + " failed since you looked · " + running
	}
	return running
}

// View draws the feed, or its statistics.
func (p *Page) View(f page.Frame) []string {
	f = p.frozen(f)
	if p.stats != nil {
		return p.viewStats(f)
	}
	return p.table.View(f, table.Parts[row]{
		Strip:   p.strip(f),
		Empty:   p.words(f),
		Nothing: p.nothing(f),
		Divider: func(r row) string { return p.divider(*r.line, f.Now) },
		Partial: p.partial,
		Notes:   p.table.Foot(f, p.said(f), p.trouble(f)...),
		At: func(r row) time.Time {
			if r.running() {
				return f.Tick
			}
			return f.Now
		},
		Changed: func(r row) table.Change {
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
		at := p.session.Service(p.frozenAt())
		f.Now, f.Tick = at, at
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

// strip says whose operations these are, what became of those of the window, how many
// began when, and how many are loaded. Where there is no room for all of it, the trend gets
// shorter, and the number loaded and the peak are left out.
func (p *Page) strip(f page.Frame) string {
	const apart = 3
	left := f.Theme.Paint(style.Strong, " "+style.Cut(p.scopeName(), f.Width/2))
	left += style.Spaces(apart) + p.counts(f, style.Width(left)+apart)
	right := ""
	fits := func(more string) bool {
		return more != "" && style.Width(left)+apart+style.Width(right)+style.Width(more)+1 <= f.Width
	}
	peak := ""
	for _, bars := range []int{maxBars, fewBars} {
		if right, peak = p.trend(f, bars); right == "" || fits(" ") {
			break
		}
		right, peak = "", ""
	}
	for _, loaded := range p.loaded(f) {
		if fits(style.Spaces(apart) + loaded) {
			left += style.Spaces(apart) + loaded
			break
		}
	}
	if fits(" · "+peak) && peak != "" {
		right += f.Theme.Paint(style.Muted, " · ") + peak
	}
	return style.Ends(left, right+" ", f.Width)
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

// loaded is how many operations are loaded, and for how long they are complete: with all
// that is to be said, and with less. Those that wait for the older pages of other projects
// are not shown, but for a filter or another order they are.
func (p *Page) loaded(f page.Frame) []string {
	n, shown, e := p.timeline.Loaded(), p.timeline.Len(), p.extent()
	said, older, complete := count(n)+" loaded", "", ""
	if shown < n && !p.table.List().Arranged() {
		said, older = count(shown)+" shown", " · "+count(n-shown)+" older ("+f.Keys.Label(olderKey())+")"
	}
	if !e.whole() {
		complete = ", " + e.completeFor(f.Now)
	}
	if n == 0 {
		return nil
	}
	all := []string{said + complete + older, said + older, said}
	for i := range all {
		all[i] = f.Theme.Paint(style.Muted, all[i])
	}
	return all
}

// words are said in the place of the rows.
func (p *Page) words(f page.Frame) table.Words {
	again := "It is tried again on its own; " + f.Keys.Label(refreshKey()) + " tries now."
	state := p.poller.Freshness(p.session.Now())
	unreadable := state.State == feed.Failing || state.State == feed.Offline || state.State == feed.Silent
	switch {
	case p.all() && p.projects.Err != nil:
		return table.Failure(p.projects.Err, again)
	case p.all() && !p.projects.Complete && len(p.projects.Projects) == 0:
		return table.Words{Tone: style.Waiting, Title: "Loading the projects…"}
	case p.all() && len(p.projects.Projects) == 0:
		return table.Words{Title: "This account has no projects.", Body: "Operations belong to a project: create one in the console of the service, then look at the Projects page and press " + f.Keys.Label(refreshKey()) + "."}
	case !p.all() && models.KindOf(state.Err) == models.KindNotFound:
		return table.Words{Tone: style.Bad, Title: "There is no project " + p.project.ID + ".", Body: "It may have been deleted. " +
			f.Keys.Label(projectKey()) + " chooses another one, " + f.Keys.Label(allKey()) + " shows all."}
	case unreadable && state.Err != nil:
		return table.Failure(p.unreadable(state), again)
	case p.timeline.Read() == 0:
		return table.Words{Tone: style.Waiting, Title: "Loading the operations of " + p.scopeName() + "…"}
	}
	return table.Words{Title: "No operations yet.", Body: "What the platform does will appear here as it begins: " +
		"connect to a database, create a branch or change a setting."}
}

// trouble is what went wrong: with the service or some of the projects, and with paging
// back.
func (p *Page) trouble(f page.Frame) []error {
	errs := []error{p.unreadable(p.poller.Freshness(p.session.Now()))}
	if id, n, err := p.poller.HistoryErr(); err != nil {
		what := fmt.Sprintf("older operations (%s tries again) of %s", f.Keys.Label(olderKey()), p.name(id))
		errs = append(errs, p.named(what, n-1, err))
	}
	return errs
}

// said is what there is to say about rows that are not on the screen.
func (p *Page) said(f page.Frame) string {
	list := p.table.List()
	column, reverse := list.Sorted()
	switch n := list.Arrivals(); {
	case p.poller.Goal() != feed.Goal{}:
		return f.Theme.Paint(style.Muted, p.loadProgress(f))
	case n > 0 && column == table.DefaultOrder && !reverse, p.failures.away > 0:
		return p.pill(f, n)
	case p.poller.LoadingHistory():
		return f.Theme.Paint(style.Muted, " ◌ loading older operations…")
	case p.broken() != "" && (list.EndShown() || list.Filtered()) && !p.timeline.HasOlder():
		return f.Theme.Paint(style.Waiting, " "+style.Sentence(p.broken())+". "+f.Keys.Label(olderKey())+" tries again.")
	case p.timeline.Ended() && list.EndShown() && !list.Filtered():
		return f.Theme.Paint(style.Muted, " The end: the service has nothing older.")
	case list.Arranged():
		return f.Theme.Paint(style.Muted, strings.TrimRight(" "+p.beyond(f), " "))
	}
	return ""
}

func count(n int) string { return table.Count(n) }
