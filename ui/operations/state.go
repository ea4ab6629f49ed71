package operations

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// state is the operations in scope, how current they are, and their table.
type state struct {
	*scope

	poller       *feed.Poller
	rows         *rows
	table        *table.Model[*row]
	watched      map[key]bool // the operations that the user watches
	reduceMotion bool         // nothing counts down on the screen
	pausedAt     time.Time    // zero if the feed is not paused
	answeredAt   time.Time    // when the last good response came
	errors       bool         // any operation that was read has an error
}

func (s *state) timeline() *feed.Timeline  { return s.poller.Timeline() }
func (s *state) freshness() feed.Freshness { return s.poller.Freshness(s.session.Now()) }
func stalled(f feed.Freshness) bool        { return f.State <= feed.Failing }

// sorted reports whether the rows are in an order other than by time.
func (s *state) sorted() bool {
	column, reverse := s.table.Sorted()
	return column != table.DefaultOrder || reverse
}

func (s *state) toggle(query string) tea.Cmd {
	if s.table.Query() == query {
		query = ""
	}
	return s.table.SetQuery(query)
}

func (s *state) paused() bool { return !s.pausedAt.IsZero() }

func (s *state) togglePause() {
	if s.paused() {
		s.pausedAt = time.Time{}
	} else {
		s.pausedAt = s.session.Now()
	}
	s.poller.SetPaused(s.paused())
}

// frozenAt returns the time that a paused feed shows: later than the pause if the user chose another project since.
func (s *state) frozenAt() time.Time {
	if s.answeredAt.After(s.pausedAt) {
		return s.answeredAt
	}
	return s.pausedAt
}

func (s *state) frozen(f page.Frame) page.Frame {
	if s.paused() {
		at := s.session.Service(s.frozenAt())
		f.Now, f.Tick = at, at
	}
	return f
}

const footLines = 3 // that errors below the rows may take, and that show rows once these are gone

// hold keeps the rows on the screen in place: a project that is read for the first time would hide them until older
// pages are read. At the top of the feed, nothing is held.
func (s *state) hold() tea.Cmd {
	last, t := -1, s.timeline()
	if s.table.Held() || s.table.Arranged() {
		for r := range s.table.Visible() {
			if i, ok := t.Find(r.Project, strings.TrimPrefix(r.key().ID, gapMark)); ok {
				last = max(last, i+footLines)
			}
		}
	}
	before := t.Len()
	if t.Hold(last); t.Len() == before {
		return nil
	}
	s.rows.place()
	return s.table.Refresh()
}

func hasID(project models.Project) bool { return !models.NoID(project.ID) }

// unnamed reports whether there are projects, and none with an id: no operation can be read.
func (s *state) unnamed() bool {
	return s.all() && s.list.Complete && len(s.list.Projects) > 0 && !slices.ContainsFunc(s.list.Projects, hasID)
}

func (s *state) noProjects() bool { return s.all() && s.list.Err != nil && s.timeline().Read() == 0 }

// condition is how current the feed is: for the header, and in words.
type condition struct {
	page.Status

	said  string
	again bool // requests are retried, and the user can retry immediately
}

func (s *state) condition(now time.Time) condition {
	f, ago := s.poller.Freshness(now), "."
	if !f.Oldest.IsZero() {
		ago = ": last response " + style.Ago(f.Oldest, now) + "."
	}
	switch {
	case s.noProjects():
		return s.unlisted(now)
	case s.unnamed():
		return condition{page.Status{Tone: style.Alarm, Text: "✗ no project has an id"}, "No project has an id.", false}
	case s.paused():
		text := "‖ paused at " + s.session.Times.Clock(s.session.Service(s.frozenAt()))
		// Without requests, nothing is found that a view could alert of.
		return condition{Status: page.Status{Tone: style.Waiting, Text: text, Long: text + " · only watches alert"}}
	case f.State == feed.Limited:
		return condition{s.dated("◌ rate limited", f, now), "Rate limited by the service" + ago, false}
	case f.State == feed.Offline:
		return condition{s.dated("○ offline", f, now), "Offline" + ago, true}
	case f.State == feed.Silent:
		return condition{s.dated("◌ no answer for "+style.Age(f.LastResponse, now), f, now), "No answer" + ago, true}
	case f.State == feed.Failing:
		kind := models.KindOf(f.Err).String()
		return condition{s.dated("✗ "+kind, f, now), style.Sentence(kind), true}
	}
	return reduced(s.progressing(f, now, ago), f)
}

// reduced adds to a condition that the service limited the requests, and that the budget grows back.
func reduced(c condition, f feed.Freshness) condition {
	if f.Budget >= f.Full {
		return c
	}
	c.Long = fmt.Sprintf("%s · after a 429 %d of %d requests a second, +1 a minute", cmp.Or(c.Long, c.Text), f.Budget, f.Full)
	c.Text += fmt.Sprintf(" · %d of %d/s", f.Budget, f.Full)
	c.said = strings.TrimSpace(fmt.Sprintf("%s After a rate limit, %d of %d requests a second, one more every minute.",
		c.said, f.Budget, f.Full))
	return c
}

// unlisted returns the condition without any list of projects. An answer with a status is a refusal, and never offline.
func (s *state) unlisted(now time.Time) condition {
	kind, next := models.KindOf(s.list.Err), s.nextTry(s.list.Next, now)
	switch {
	case kind == models.KindRateLimited:
		return condition{page.Status{Tone: style.Waiting, Text: "◌ rate limited" + next}, "Rate limited by the service.", false}
	case kind == models.KindUnknown:
		return condition{page.Status{Tone: style.Alarm, Text: "✗ no projects"}, style.Sentence(s.list.Err.Error()), false}
	case models.Answered(s.list.Err):
		said := style.Sentence(kind.String())
		return condition{page.Status{Tone: style.Alarm, Text: "✗ " + kind.String() + next}, said, true}
	}
	return condition{page.Status{Tone: style.Alarm, Text: "○ offline" + next}, "Offline.", true}
}

// progressing returns the condition of a feed while the service answers.
func (s *state) progressing(f feed.Freshness, now time.Time, ago string) condition {
	out, many := condition{Status: page.Status{Tone: style.Waiting}}, f.Projects > 1
	projects, age := style.Plural(f.Projects, "project"), style.Age(f.Oldest, now)
	every, unread := ", every "+style.Every(s.poller.Options().Interval), len(f.Unreadable)
	switch {
	case f.State == feed.Loading:
		if out.Text = "◌ loading"; many {
			out.Long = fmt.Sprintf("◌ loading · %s of %s read", count(f.Read), projects)
		}
	case f.State == feed.Live && many && unread > 0:
		out.Text, out.said = "◌ partly live", "Partly live: "+style.Plural(unread, "project")+" cannot be read."
		out.Long = out.Text + every + " · others within " + age
	case f.State == feed.Live && s.all() && s.list.Trouble != nil:
		out.Text, out.said = "◌ partly live", "Partly live: "+s.list.Trouble.Error()+"."
		out.Long = out.Text + every + " · others within " + age
	case f.State == feed.Live:
		out.Text, out.said = "● live"+every, "Live, updated every "+style.DurationWords(s.poller.Options().Interval)+"."
		if many {
			out.Long = out.Text + " · all within " + age
		}
		if unread == 0 {
			out.Tone = style.Good
		}
	case many: // more projects than the budget can poll within the bound
		bound := s.poller.Options().Bound()
		out.Text = "◌ late " + age
		out.Long = fmt.Sprintf("◌ %s: %s within %s, oldest %s", projects, count(f.Fresh), style.Every(bound), age)
		out.said = fmt.Sprintf("%s: %s were read within %s, the oldest %s.",
			projects, count(f.Fresh), style.DurationWords(bound), style.Ago(f.Oldest, now))
	default:
		out.Text, out.said, out.again = "◌ late "+age+s.nextTry(f.Next, now), "Late"+ago, true
	}
	if many && unread > 0 {
		out.Long = cmp.Or(out.Long, out.Text) + " · " + count(unread) + " not read"
		out.Text += " · " + count(unread) + " not read"
	}
	return out
}

func (s *state) nextTry(at, now time.Time) string {
	if s.reduceMotion {
		return ""
	}
	return " · next " + style.Until(at, now)
}

func (s *state) dated(text string, f feed.Freshness, now time.Time) page.Status {
	out := page.Status{Tone: style.Alarm, Text: text + s.nextTry(f.Next, now)}
	if f.State == feed.Limited || f.State == feed.Silent {
		out.Tone = style.Waiting
	}
	if f.Oldest.IsZero() {
		return out
	}
	age := style.Age(f.Oldest, now) + " old"
	out.Long = out.Text + " · rows as of " + s.session.Times.Clock(s.session.Service(f.Oldest)) + " (" + age + ")"
	if f.State != feed.Silent { // whose text has an age
		out.Text += " · rows " + age
	}
	return out
}

func (s *state) said(f page.Frame) announce.Part {
	c, off := s.condition(s.session.Now()), s.noProjects()
	key := fmt.Sprint(s.freshness().State, s.poller.Options().Interval)
	if s.paused() || off {
		key = ""
	}
	switch {
	case s.paused() && !off:
		c.said = "Paused, only watches alert. " + announce.Key(f.Key("pause")) + ": resume."
	case c.again:
		c.said += " Retrying automatically; " + announce.Key(f.Key("refresh")) + ": retry now."
	}
	return announce.Part{Name: "state", Text: c.said, Key: key}
}

// unreadable returns which projects cannot be read, and why, or nil.
func (s *state) unreadable(f feed.Freshness) error {
	switch {
	case f.State == feed.Offline, f.State == feed.Silent, f.State == feed.Failing && s.all():
		return models.Doing(f.Err, "list operations")
	case len(f.Unreadable) == 0:
		return nil
	}
	id := f.Unreadable[0]
	_, err := s.poller.Err(id)
	what := "cannot read " + s.name(id)
	if models.KindOf(err) == models.KindNotFound {
		what = "project " + s.name(id) + " no longer exists"
	}
	return models.About(what, len(f.Unreadable)-1, err)
}

// trouble returns the errors of the service or of some projects, and of loading the range. They may be nil.
func (s *state) trouble(f page.Frame) []error {
	errs := []error{s.unreadable(s.freshness()), s.list.Trouble}
	if id, n, err := s.poller.RangeErr(); err != nil {
		what := fmt.Sprintf("cannot read older operations (%s: try again) of %s", f.Key("refresh"), s.name(id))
		errs = append(errs, models.About(what, n-1, err))
	}
	return errs
}

func (s *state) broken() string {
	n, project := s.timeline().Broken()
	switch {
	case n == 0:
		return ""
	case !s.all():
		return "history stops here: the service's paging broke"
	case n > 1:
		return fmt.Sprintf("history of %s (and %s more) stops: the service's paging broke", s.name(project), count(n-1))
	}
	return "history of " + s.name(project) + " stops: the service's paging broke"
}

func (s *state) empty(f page.Frame) table.EmptyState {
	again := "Retrying automatically; " + f.Key("refresh") + ": retry now."
	is := s.freshness()
	switch {
	case s.all() && s.list.Err != nil:
		return table.Failure(s.list.Err, again)
	case s.all() && !s.list.Complete && len(s.list.Projects) == 0:
		return table.EmptyState{Tone: style.Waiting, Title: "Loading the projects…"}
	case s.all() && len(s.list.Projects) == 0:
		return table.EmptyState{
			Title: "This account has no projects.",
			Body: "Operations belong to a project: create one in the service's console, then open the Projects page " +
				"and press " + f.Key("refresh") + ".",
		}
	case !s.all() && models.KindOf(is.Err) == models.KindNotFound:
		return table.EmptyState{
			Tone: style.Bad, Title: "Unknown project " + s.project.ID + ".",
			Body: "It may have been deleted. " + f.Key("choose-project") + " chooses another one, " +
				f.Key("all-projects") + " shows all.",
		}
	case stalled(is) && is.State != feed.Limited && is.Err != nil:
		return table.Failure(s.unreadable(is), again)
	case s.unnamed():
		return table.EmptyState{
			Tone: style.Bad, Title: "No project has an id.",
			Body: "The service sent " + style.Plural(len(s.list.Projects), "project") + " without one: their operations " +
				"cannot be read.",
		}
	case s.timeline().Read() == 0:
		return table.EmptyState{Tone: style.Waiting, Title: "Loading the operations of " + s.title() + "…"}
	}
	return table.EmptyState{
		Title: "No operations yet.",
		Body: "What the platform does will appear here as it begins: " +
			"connect to a database, create a branch or change a setting.",
	}
}
