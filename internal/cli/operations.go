package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/operations"
	"pgtower/ui/style"
)

// quick is how long a list takes without progress being shown.
const quick = time.Second

// newest is how many operations are listed by default.
const newest = 100

// history is which operations are listed.
type history struct {
	since   time.Duration // that began in this period; 0: at any time
	limit   int           // how many that match the filter; 0: all
	limited bool          // the user set the limit
	follow  bool          // and those that begin from now on
}

func (p Process) operationsCommand() *cobra.Command {
	s, h := newScript(), &history{}
	return p.scriptCommand(&cobra.Command{
		Use:   "operations",
		Short: "List or follow the operations of all projects, for people and programs",
		Long: "operations lists the newest operations of all projects, newest first: 100, or as many as\n" +
			"--limit says, or all since --since. With a filter it lists all that pass since a time that\n" +
			"the filter names (age:<1h), or of the last 24 hours (--search-back).\n\n" +
			"With --follow it prints new operations, oldest first, until it is interrupted; with --since or\n" +
			"--limit, after that history. Each operation is printed once, and so is each of its changes,\n" +
			"also after outages, rate limits and sleep. What could not be read is reported as a gap.\n" +
			"Errors go to standard error.\n\n" +
			"The exit code is 1 if anything requested is missing." + formsHelp,
		Example: "  pgtower operations --since 24h --filter 'is:failed'\n" +
			"  pgtower operations --follow --json | jq -r 'select(.status == \"failed\") | .id'",
	}, s, func(f *pflag.FlagSet) {
		s.addOperationsFlags(f, "search-back")
		s.addFormFlags(f)
		f.Var((*duration)(&h.since), "since", "list the operations of this period, such as 24h or 7d")
		f.IntVar(&h.limit, "limit", newest, "maximum number of operations to list")
		f.BoolVar(&h.follow, "follow", false, "continue with new operations until interrupted")
	}, func(f *pflag.FlagSet, p Process) error {
		if err := s.load(f, p); err != nil {
			return err
		}
		if h.follow && s.times == style.Relative { // the age of an operation that just began says nothing
			s.times = style.Local
		}
		_, err := operations.ParseFilter(s.filter, nil, feed.NewTimeline())
		h.limited = f.Changed("limit")
		switch {
		case err != nil:
			return usagef("--filter: %w", err)
		case f.Changed("since") && h.since <= 0:
			return usagef("--since must be longer than 0, such as 24h")
		case h.limit < 1:
			return usagef("--limit must be at least 1, not %d", h.limit)
		}
		return nil
	}, h.run)
}

// complete sets what the flags leave open. back is how far back to list if there is only a filter.
func (h *history) complete(filtered bool, back time.Duration) {
	if h.limited {
		return
	}
	if h.since > 0 || filtered || h.follow {
		h.limit = 0
	}
	if filtered && !h.follow {
		h.since = cmp.Or(h.since, back)
	}
}

// lister lists and follows operations.
type lister struct {
	*engine
	*history

	out    *output[line]
	filter operations.Filter
	floor  time.Time // since when operations are listed, by the service's clock; zero: at any time
	had    int       // how many operations were loaded at the last request for more
	tries  int       // requests for more since the last one that loaded any
}

func (h *history) run(ctx context.Context, from *source) error {
	l := &lister{engine: newEngine(from), history: h}
	s, tries, event := from.script, maxTries, ""
	if h.follow {
		tries, event = 0, "event"
	}
	started := from.process.Clock()
	if err := l.begin(ctx, tries); err != nil {
		return err
	}
	l.out = newOutput(s, from.process.Stdout, operationLayout(event, l.times))
	l.filter, _ = operations.ParseFilter(s.filter, l.names, l.poller.Timeline()) // it was checked
	h.complete(s.filter != "", cmp.Or(l.filter.Back(from.filterTime()), s.searchBack))
	// The service's clock is known within half a second.
	began := from.now().Add(started.Sub(from.process.Clock()) - time.Second/2)
	if h.since > 0 {
		l.floor = began.Add(-h.since)
		began = l.floor
	}
	written := 0
	var missing error
	if !h.follow || h.since > 0 || h.limit > 0 {
		take := func(a feed.Answer, now time.Time) { l.poller.Take(a, now) }
		loaded := func(now time.Time) bool {
			done := l.loaded(now)
			if now.Sub(started) > quick {
				l.showProgress()
			}
			return done
		}
		err := l.engine.run(ctx, take, loaded)
		if l.hide(); err != nil {
			return err
		}
		written, missing = l.write(), l.missing(l.process.Clock())
	}
	if err := l.out.Flush(); err != nil || !h.follow {
		return cmp.Or(err, missing)
	}
	if missing != nil {
		from.say("%v", missing)
	}
	return l.followFrom(ctx, began, written)
}

// showProgress shows how much of the history is loaded.
func (l *lister) showProgress() {
	c, text := l.poller.Coverage(), "loading: "+style.Count(l.poller.Timeline().Loaded())+" operations"
	switch {
	case c.Unread > 0:
		text += ", " + style.Plural(c.Unread, "project") + " not read yet"
	case !c.Since.IsZero():
		text += ", back to " + l.times.At(c.Since)
	}
	l.progress(text)
}

// write writes the history, and returns how many operations it read from the timeline.
func (l *lister) write() (read int) {
	all, now := l.poller.Timeline().Rows(), l.filterTime()
	var lines []line
	for read < all.Len() && !all.PlacedAt(read).Before(l.floor) && (l.limit == 0 || len(lines) < l.limit) {
		if op, project := all.At(read), all.ProjectAt(read); l.filter.Match(project, op, now) {
			lines = append(lines, l.line("added", project, op))
		}
		read++
	}
	if l.follow {
		slices.Reverse(lines)
	}
	for _, one := range lines {
		l.out.write(one)
	}
	return read
}

// enough reports whether the whole history is loaded, of the projects that can be read.
func (l *lister) enough() bool {
	c := l.poller.Coverage()
	if c.Since.IsZero() || !l.floor.IsZero() && !c.Since.After(l.floor) {
		return true
	}
	if l.limit == 0 {
		return false
	}
	all, passed := l.poller.Timeline().Rows(), 0
	for i := range l.poller.Timeline().Complete() {
		if l.filter.Match(all.ProjectAt(i), all.At(i), l.filterTime()) {
			passed++
		}
	}
	return passed >= l.limit
}

// loaded reports whether all is loaded that can be, and otherwise has the poller load more.
func (l *lister) loaded(now time.Time) bool {
	p := l.poller
	switch {
	case l.stopped(now), hungUp(l.process.Stdout):
		return true
	case !l.read(), p.LoadingHistory():
		return false
	case l.enough():
		return true
	}
	if n := p.Timeline().Loaded(); n != l.had {
		l.had, l.tries = n, 0
	} else if l.tries++; l.tries == maxTries {
		return true
	}
	goal := feed.Goal{Since: l.floor}
	if l.limit > 0 {
		goal.Since = p.Coverage().Since.Add(-1)
	}
	if n, _ := p.Timeline().Broken(); n > 0 && l.tries > 0 {
		p.RetryBroken()
	} else {
		p.LoadUntil(goal)
	}
	return false
}

// stopped reports whether to give up, because the service does not respond or limits the requests for long. --follow
// never gives up.
func (l *lister) stopped(now time.Time) bool {
	f := l.poller.Freshness(now)
	return !l.follow && (f.Unanswered >= maxTries || f.State == feed.Limited && f.Next.Sub(now) > maxWait)
}

// missing returns what is missing as an error, or nil.
func (l *lister) missing(now time.Time) error {
	f, c := l.poller.Freshness(now), l.poller.Coverage()
	switch {
	case l.stopped(now) && f.Err != nil:
		return fmt.Errorf("incomplete: %w", f.Err)
	case l.stopped(now):
		return errors.New("incomplete: the service limits the requests until " + l.times.Clock(f.Next))
	case len(f.Unreadable) > 0:
		_, err := l.poller.Err(f.Unreadable[0])
		return fmt.Errorf("incomplete: cannot read %s: %w", l.nameAll(f.Unreadable), err)
	case l.enough():
		return nil
	}
	if project, _, err := l.poller.HistoryErr(); err != nil {
		return fmt.Errorf("incomplete before %s: cannot read %s: %w", l.times.At(c.Since), l.name(project), err)
	}
	since := l.times.At(c.Since)
	return fmt.Errorf("incomplete before %s: the service's paging of %s broke", since, l.name(c.Lacking))
}

// followFrom writes the operations that began after a time, except for those already written.
func (l *lister) followFrom(ctx context.Context, began time.Time, written int) error {
	f := feed.Follow(l.poller, began, written)
	names := []string{feed.Added: "added", feed.Changed: "changed", feed.Missing: "gap", feed.Filled: "filled"}
	var failed error
	err := l.engine.run(ctx, func(a feed.Answer, now time.Time) {
		for _, e := range f.Take(a, now) {
			if e.Operation == nil {
				e.Operation = &models.Operation{}
			} else if !l.filter.Match(e.Project, e.Operation, l.filterTime()) {
				continue
			}
			one := l.line(names[e.Kind], e.Project, e.Operation)
			one.since, one.until = e.Since, e.Until
			l.out.write(one)
		}
		failed = l.out.Flush()
	}, func(now time.Time) bool {
		l.relist(ctx, now)
		return failed != nil || hungUp(l.process.Stdout)
	})
	return cmp.Or(failed, err)
}

// line is an operation, or a gap, whose operation is empty.
type line struct {
	*models.Operation

	event         string
	project, name string
	since, until  time.Time // of a gap
	now           time.Time
}

func (e *engine) line(event, project string, op *models.Operation) line {
	now := e.now()
	if op.CreatedAt.After(now) { // the clocks are known within half a second
		now = op.CreatedAt
	}
	return line{Operation: op, event: event, project: project, name: e.names[project], now: now}
}

// operationLayout returns the layout of operations. event is the name of the field with the line's event, or "".
func operationLayout(event string, times moments) layout[line] {
	result := event == "result"
	l := layout[line]{
		fields: strings.Fields("id project_id project_name branch_id endpoint_id action status failures_count created_at " +
			"updated_at duration_ms error retry_at total_duration_ms gone damage"),
		numbers: strings.Fields("failures_count duration_ms total_duration_ms gone"),
		values:  line.values,
		columns: []column[line]{
			{title: "ID", field: "id", width: 36},
			{title: "PROJECT", field: "project_name", width: 18, spare: true, shown: line.projectName},
			{title: "ACTION", width: 18, shown: line.action},
			{title: "STATUS", width: 13, spare: result, shown: line.status},
			createdColumn(times, line.began),
			{title: "TOOK", width: 7, spare: !result, shown: line.took},
		},
	}
	l.columns[4].spare = true
	width := len("changed")
	switch event {
	case "":
		return l
	case "event":
		l.fields = append(l.fields, "since", "until")
	case "result":
		width = len("cancelled")
	}
	l.fields = slices.Insert(l.fields, 0, event)
	l.columns = slices.Insert(l.columns, 0, column[line]{title: strings.ToUpper(event), field: event, width: width})
	return l
}

func (l line) values() models.Fields {
	values := l.Fields()
	values["event"], values["result"] = l.event, l.event
	values["project_id"], values["project_name"] = l.project, l.name
	values["since"], values["until"] = models.Stamp(l.since), models.Stamp(l.until)
	if took := l.Took(l.now); took.Known {
		values["duration_ms"] = strconv.FormatInt(took.Value.Milliseconds(), 10)
	}
	if l.Status == "" { // a gap, or not read
		delete(values, "failures_count")
	}
	return values
}

func (l line) projectName() string { return cmp.Or(l.name, l.project) }

func (l line) gap() bool { return !l.until.IsZero() }

func (l line) began() time.Time {
	if l.gap() {
		return l.until
	}
	return l.CreatedAt
}

func (l line) action() string {
	if l.gap() {
		return "operations"
	}
	return l.Action.Title()
}

func (l line) status() string {
	switch {
	case l.event == "filled":
		return "✓ complete"
	case l.gap():
		return "┄ missing"
	}
	return operations.StatusText(l.Operation)
}

func (l line) took() string {
	took := l.Took(l.now)
	switch {
	case l.gap():
		return style.Took(l.until.Sub(l.since))
	case !took.Known, l.Status == models.StatusScheduling:
		return style.None
	case !l.Done():
		return style.Elapsed(took.Value) + "…"
	}
	return style.Took(took.Value)
}
