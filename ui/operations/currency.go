package operations

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// currency is how current the feed is at a time, and everything that its words depend on.
type currency struct {
	feed.Span

	scope    *scope
	options  feed.Options
	times    style.Times
	service  func(time.Time) time.Time // converts to the service's clock
	now      time.Time                 // by the program's clock
	frozenAt time.Time                 // zero if the feed is not paused
	err      error                     // of the first project that cannot be read
	still    bool                      // nothing counts down on the screen
}

// currency returns how current the feed is. still leaves out what counts down.
func (l *live) currency(s *scope, now time.Time, still bool) currency {
	c := currency{
		Span: l.poller.Span(now), scope: s, options: l.poller.Options(),
		times: l.session.Times, service: l.session.Service, now: now,
		still: still,
	}
	if l.paused() {
		c.frozenAt = l.frozenAt()
	}
	if len(c.Without) > 0 {
		_, c.err = l.poller.Err(c.Without[0])
	}
	return c
}

func stalled(s feed.Span) bool { return s.State <= feed.Failing }

func (c *currency) paused() bool { return !c.frozenAt.IsZero() }

// noProjects reports whether no list of projects could be read.
func (c *currency) noProjects() bool { return c.scope.all() && c.scope.list.Err != nil && c.Read == 0 }

// condition is how current the feed is: for the header, and in words.
type condition struct {
	page.Status

	words string
	again bool // requests are retried, and the user can retry immediately
}

func (c *currency) condition() condition {
	ago := "."
	if !c.AsOf.IsZero() {
		ago = ": last response " + style.Ago(c.AsOf, c.now) + "."
	}
	switch {
	case c.noProjects():
		return c.unlisted()
	case c.scope.unnamed():
		return condition{
			page.Status{Tone: style.Alarm, Text: "✗ no project has an id", Word: "✗ no ids"}, "No project has an id.", false,
		}
	case c.paused():
		const paused = "‖ paused"
		frozen := c.service(c.frozenAt)
		text := paused + " at " + c.times.Clock(frozen)
		// Without requests, nothing is found that a view could alert of.
		return condition{Status: page.Status{
			Tone: style.Waiting, Text: text, Long: text + " · only watches alert",
			Brief: paused + " " + c.times.In(frozen).Format(time.TimeOnly), Word: paused,
		}}
	}
	silent := c.State == feed.Offline || c.State == feed.Silent
	if silent && models.BlockOf(c.Err) != models.NoBlock {
		return c.blocked(c.Err)
	}
	switch c.State {
	case feed.Limited:
		return condition{c.dated("◌ rate limited"), "Rate limited by the service" + ago, false}
	case feed.Offline:
		return condition{c.dated("○ offline"), "Offline" + ago, true}
	case feed.Silent:
		out := condition{c.dated("◌ no answer for " + style.Age(c.LastResponse, c.now)), "No answer" + ago, true}
		out.Word = "◌ no answer"
		return out
	case feed.Failing:
		kind := models.KindOf(c.Err).String()
		return condition{c.dated("✗ " + kind), style.Sentence(kind), true}
	default:
		return c.reduced(c.progressing(ago))
	}
}

// reduced adds to a condition that the service limited the requests, and that the budget grows back.
func (c *currency) reduced(out condition) condition {
	if c.Budget >= c.Configured {
		return out
	}
	long := cmp.Or(out.Long, out.Text)
	out.Long = fmt.Sprintf(
		"%s · after a 429 %d of %d requests a second, all again 100 s after the last one", long, c.Budget, c.Configured,
	)
	out.Text += fmt.Sprintf(" · %d of %d/s", c.Budget, c.Configured)
	out.words = strings.TrimSpace(fmt.Sprintf("%s After a rate limit, %d of %d requests a second, one more every minute.",
		out.words, c.Budget, c.Configured))
	return out
}

// unlisted returns the condition without any list of projects. An answer with a status is a refusal, and never offline.
func (c *currency) unlisted() condition {
	err := c.scope.list.Err
	kind, next := models.KindOf(err), c.nextTry(c.scope.list.Next)
	if models.BlockOf(err) != models.NoBlock {
		return c.blocked(err)
	}
	switch {
	case kind == models.KindRateLimited:
		status := page.Status{Tone: style.Waiting, Text: "◌ rate limited" + next, Word: "◌ rate limited"}
		return condition{status, "Rate limited by the service.", false}
	case kind == models.KindUnknown:
		return condition{alarm("✗ no projects", next), style.Sentence(err.Error()), false}
	case models.Answered(err):
		return condition{alarm("✗ "+kind.String(), next), style.Sentence(kind.String()), true}
	}
	return condition{alarm("○ offline", next), "Offline.", true}
}

func alarm(text, next string) page.Status {
	return page.Status{Tone: style.Alarm, Text: text + next, Word: text}
}

// blocked returns the condition while no request can succeed until something is changed elsewhere. That is no outage: the
// service may be fine. Only the look-up of a name is repeated automatically.
func (c *currency) blocked(err error) condition {
	return condition{
		c.aged(alarm("✗ cannot connect", "")), style.Sentence("cannot connect: " + err.Error()),
		models.BlockOf(err) == models.NameBlock,
	}
}

// progressing returns the condition of a feed while the service answers.
func (c *currency) progressing(ago string) condition {
	out, many := condition{Status: page.Status{Tone: style.Waiting}}, c.Projects > 1
	projects, age := style.Plural(c.Projects, "project"), style.Age(c.AsOf, c.now)
	const late = "◌ late"
	every, unread := ", every "+style.Every(c.options.Interval), len(c.Without)
	bound := c.options.Bound() // an age would be old itself: the screen rests while nothing happens
	within := " within " + style.Every(bound)
	switch {
	case c.State == feed.Loading:
		out.Text = "◌ loading"
		if many {
			out.Long = fmt.Sprintf("◌ loading · %s of %s read", count(c.Read), projects)
		}
	case c.State == feed.Live && many && unread > 0:
		out.partly(style.Plural(unread, "project")+" cannot be read", every+" · others"+within)
	case c.State == feed.Live && c.scope.all() && c.scope.list.Trouble != nil:
		out.partly(c.scope.list.Trouble.Error(), every+" · others"+within)
	case c.State == feed.Live:
		out.Brief = "● live"
		out.Text = out.Brief + every
		out.words = "Live, updated every " + style.DurationWords(c.options.Interval) + "."
		if many {
			out.Long = out.Text + " · all" + within
		}
		if unread == 0 {
			out.Tone = style.Good
		}
	case many: // more projects than the budget can poll within the bound
		out.Text, out.Word = "◌ late "+age, late
		out.Long = fmt.Sprintf(
			"◌ %s: %s%s, oldest %s", projects, count(c.Fresh), within, age,
		)
		out.words = fmt.Sprintf("%s: %s were read within %s, the oldest %s.",
			projects, count(c.Fresh), style.DurationWords(bound), style.Ago(c.AsOf, c.now))
	default:
		out.Text, out.words, out.again = "◌ late "+age+c.nextTry(c.Next), "Late"+ago, true
		out.Brief, out.Word = "◌ late "+age, late
	}
	if many && unread > 0 {
		out.Long = cmp.Or(out.Long, out.Text) + " · " + count(unread) + " not read"
		out.Word = cmp.Or(out.Word, out.Brief)
		out.Text += " · " + count(unread) + " not read"
		out.Brief = cmp.Or(out.Brief, out.Word) + " · " + count(unread) + " not read"
	}
	return out
}

// partly makes c the condition of a partly live feed. rates says how often the other projects are read, and how late.
func (c *condition) partly(why, rates string) {
	c.Text, c.Brief, c.Long = "◌ partly live", "◌ partly live", "◌ partly live"+rates
	c.words = "Partly live: " + why + "."
}

// nextTry returns when the service is asked next, or that the request is due: its answer may take long.
func (c *currency) nextTry(next time.Time) string {
	switch {
	case next.IsZero(), c.still && next.Before(c.now.Add(time.Minute)):
		return ""
	case c.still: // as long as this, it is said without a countdown
		return " · next at " + c.times.Minute(c.service(next), c.service(c.now))
	case !next.After(c.now):
		return " · asking"
	}
	return " · next " + c.until(next)
}

// until returns the time until a request, of at least a second.
func (c *currency) until(next time.Time) string {
	return style.Until(c.now.Add(max(time.Second, next.Sub(c.now))), c.now)
}

func (c *currency) dated(text string) page.Status {
	dated := text + c.nextTry(c.Next)
	out := page.Status{Tone: style.Alarm, Text: dated, Brief: dated, Word: text}
	if c.State == feed.Limited && !c.still {
		out.Brief = text + " " + c.until(c.Next)
	}
	if c.State == feed.Limited || c.State == feed.Silent {
		out.Tone = style.Waiting
	}
	return c.aged(out)
}

// aged adds the age of the rows to a status.
func (c *currency) aged(out page.Status) page.Status {
	if c.AsOf.IsZero() {
		return out
	}
	age := style.Age(c.AsOf, c.now) + " old"
	out.Long = out.Text + " · rows as of " + c.times.Clock(c.service(c.AsOf)) + " (" + age + ")"
	if c.State != feed.Silent { // whose text has an age
		out.Text += " · rows " + age
	}
	return out
}

func (c *currency) announced(f page.Frame) announce.Part {
	now, off := c.condition(), c.noProjects()
	key := fmt.Sprint(c.State, c.options.Interval)
	if c.paused() || off {
		key = ""
	}
	switch {
	case c.paused() && !off:
		now.words = "Paused, only watches alert. " + announce.Key(f.Key("pause")) + ": resume."
	case now.again:
		now.words += " Retrying automatically; " + announce.Key(f.Key("refresh")) + ": retry now."
	case models.BlockOf(c.trouble()) == models.UserBlock:
		now.words += " " + announce.Key(f.Key("refresh")) + ": try again."
	}
	return announce.Part{Name: "state", Text: now.words, Key: key}
}

// trouble returns why the whole service does not answer, or nil.
func (c *currency) trouble() error {
	if c.noProjects() {
		return c.scope.list.Err
	}
	return c.Err
}

// unreadable returns which projects cannot be read, and why, or nil.
func (c *currency) unreadable() error {
	switch {
	case c.State == feed.Offline, c.State == feed.Silent, c.State == feed.Failing && c.scope.all():
		return models.Doing(c.Err, "list operations")
	case len(c.Without) == 0:
		return nil
	}
	name := c.scope.name(c.Without[0])
	what := "cannot read " + name
	if models.KindOf(c.err) == models.KindNotFound {
		what = "project " + name + " no longer exists"
	}
	return models.About(what, len(c.Without)-1, c.err)
}

// empty is shown in place of a feed without rows.
func (c *currency) empty(f page.Frame) table.EmptyState {
	advice := "Retrying automatically; " + f.Key("refresh") + ": retry now."
	s := c.scope
	if models.BlockOf(c.trouble()) == models.UserBlock {
		advice = f.Key("refresh") + ": try again."
	}
	if c.State == feed.Limited {
		advice = "Next try in " + style.Until(c.Next, c.now) + "."
	}
	switch {
	case s.all() && s.list.Err != nil:
		return table.Failure(s.list.Err, advice)
	case s.all() && !s.list.Complete && len(s.list.Projects) == 0:
		return table.EmptyState{Tone: style.Waiting, Title: "Loading the projects…"}
	case s.all() && len(s.list.Projects) == 0:
		return table.EmptyState{
			Title: "This account has no projects.",
			Body: "Operations belong to a project: create one in the service's console, then open the Projects page " +
				"and press " + f.Key("refresh") + ".",
		}
	case s.single() && models.KindOf(c.Err) == models.KindNotFound:
		return table.EmptyState{
			Tone: style.Bad, Title: "Unknown project " + s.project.ID + ".",
			Body: "It may have been deleted. " + f.Key("choose-project") + " chooses another one, " +
				f.Key("all-projects") + " shows all.",
		}
	case stalled(c.Span) && c.State != feed.Limited && c.Err != nil:
		return table.Failure(c.unreadable(), advice)
	case s.unnamed():
		return table.EmptyState{
			Tone: style.Bad, Title: "No project has an id.",
			Body: "The service sent " + style.Plural(len(s.list.Projects), "project") + " without one: their operations " +
				"cannot be read.",
		}
	case c.Read == 0:
		return table.EmptyState{
			Tone: style.Waiting, Title: "Loading the operations of " + s.title() + "…",
		}
	}
	return table.EmptyState{
		Title: "No operations yet.",
		Body: "What the platform does will appear here as it begins: " +
			"connect to a database, create a branch or change a setting.",
	}
}
