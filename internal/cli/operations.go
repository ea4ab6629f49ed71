package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pgtower/models/feed"
	"pgtower/ui/operations"
	"pgtower/ui/style"
)

// newest is how many operations are written where nothing says how far back.
const newest = 100

// history is how far back operations are wanted.
type history struct {
	since  time.Duration // 0 for any time
	limit  int           // how many that pass the filter, 0 for any number
	follow bool          // what begins from now on
}

func (p Process) operationsCommand() *cobra.Command {
	s, h := newScript(), &history{}
	var flags *pflag.FlagSet
	return p.withSettings(&cobra.Command{
		Use:   "operations",
		Short: "List or follow the operations of all projects, for people and programs",
		Long: "operations lists the newest operations of all projects, newest first: 100, or as many as\n" +
			"--limit says, or all since --since. With a filter it lists all that pass since a time that\n" +
			"the filter names (age:<1h), or of the last 24 hours (--search-back).\n\n" +
			"With --follow it goes on with what begins from now on, oldest first, until it is interrupted;\n" +
			"with --since or --limit, after that history. Each operation is added once, and each change of\n" +
			"it is told once, also after outages, rate limits and sleep. What could not be read is told\n" +
			"as a gap. Trouble is said on standard error.\n\n" +
			"The exit code is 1 if something that was asked for is missing." + formsHelp,
		Example: "  pgtower operations --since 24h --filter 'is:failed'\n" +
			"  pgtower operations --follow --json | jq -r 'select(.status == \"failed\") | .id'",
	}, func(f *pflag.FlagSet) {
		flags = f
		s.addScriptFlags(f, "interval", "page-size", "budget", "time", "search-back")
		s.addFormFlags(f)
		f.StringArrayVar(&s.projects, "project", nil, "`ID` of a project whose operations are wanted; may be repeated")
		f.DurationVar(&h.since, "since", 0, "list the operations that began in this time, such as 24h")
		f.IntVar(&h.limit, "limit", newest, "list at most so many operations")
		f.BoolVar(&h.follow, "follow", false, "go on with what begins, until interrupted")
	}, func(f *pflag.FlagSet, p Process) error {
		if err := s.resolve(f, p); err != nil {
			return err
		}
		switch {
		case f.Changed("since") && h.since <= 0:
			return usagef("--since must be longer than 0, such as 24h")
		case h.limit < 1:
			return usagef("--limit must be at least 1, not %d", h.limit)
		}
		if _, err := operations.ParseFilter(s.filter, nil, feed.NewTimeline()); err != nil {
			return usagef("--filter: %w", err)
		}
		return checkProjects(s.projects)
	}, func(ctx context.Context, _ *cobra.Command) error {
		h.complete(s, flags.Changed("limit"))
		return p.withSource(ctx, s, h.run)
	})
}

// complete says how far back, where flags do not.
func (h *history) complete(s *script, limited bool) {
	if h.since > 0 || s.filter != "" || h.follow {
		if !limited {
			h.limit = 0
		}
	}
	if h.since == 0 && !limited && !h.follow && s.filter != "" {
		f, _ := operations.ParseFilter(s.filter, nil, feed.NewTimeline()) // it was checked
		if h.since = f.Back(); h.since == 0 {
			h.since = s.searchBack
		}
	}
}

// lister writes the operations that it loads, and those that begin.
type lister struct {
	*engine
	*history

	out    *output[line]
	filter operations.Filter
	floor  time.Time // what began before is not wanted, by the service's clock, or zero
	had    int       // how many operations were loaded when more were asked for
	tries  int       // how often that brought none
}

func (h *history) run(ctx context.Context, from *source) error {
	tries := maxTries
	if h.follow {
		tries = 0
	}
	started := from.process.Clock()
	e, err := newEngine(ctx, from, tries)
	if err != nil {
		return err
	}
	// The service's clock is known within half a second.
	began, s := from.now().Add(started.Sub(from.process.Clock())-time.Second/2), from.script
	times, columns := s.settings.times, operationColumns("")
	if h.follow {
		columns = operationColumns("event")
		if times == style.Relative { // what just began says nothing by its age
			times = style.Local
		}
	}
	l := &lister{engine: e, history: h, out: newOutput(from.process.Stdout, s.form, columns, s.times(times), from.now)}
	l.filter, _ = operations.ParseFilter(s.filter, e.names, e.poller.Timeline()) // it was checked
	l.out.head()
	if h.since > 0 {
		l.floor = began.Add(-h.since)
	}
	told := 0
	var missing error
	if !h.follow || h.since > 0 || h.limit > 0 {
		if told, missing, err = l.list(ctx); err != nil {
			return err
		}
	}
	if !h.follow {
		return errors.Join(l.out.Flush(), missing)
	}
	if missing != nil {
		from.say("%v", missing)
	}
	return l.followFrom(ctx, began, told)
}

// list loads and writes the history. It returns how many of the newest operations it looked at, and what of those that
// were asked for is missing.
func (l *lister) list(ctx context.Context) (told int, missing, err error) {
	take := func(a feed.Answer, now time.Time) error { l.poller.Take(a, now); return nil }
	if err := l.engine.run(ctx, take, l.loaded); err != nil {
		return 0, nil, err
	}
	l.hide()
	all, now := l.poller.Timeline().Rows(), l.now()
	var lines []line
	for told < all.Len() && !all.PlacedAt(told).Before(l.floor) && (l.limit == 0 || len(lines) < l.limit) {
		if op, project := all.At(told), all.ProjectAt(told); l.filter.Match(project, op, now) {
			lines = append(lines, l.line("added", project, op))
		}
		told++
	}
	if l.follow {
		slices.Reverse(lines)
	}
	for _, one := range lines {
		if err := l.out.write(one); err != nil {
			return 0, nil, err
		}
	}
	return told, l.missing(l.process.Clock()), nil
}

// enough reports whether all that is wanted is loaded of the projects that can be read.
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
		if l.filter.Match(all.ProjectAt(i), all.At(i), l.now()) {
			passed++
		}
	}
	return passed >= l.limit
}

// loaded reports whether all is loaded that can be, and asks for more where it is not.
func (l *lister) loaded(now time.Time) bool {
	p := l.poller
	f := p.Freshness(now)
	l.progress(fmt.Sprintf("%d of %d projects read, %d operations", f.Read, f.Projects, p.Timeline().Loaded()))
	switch {
	case l.stopped(now), hungUp(l.process.Stdout):
		return true
	case p.Coverage().Unread > 0, slices.ContainsFunc(f.Unreadable, l.trying), p.LoadingHistory():
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

// stopped reports whether a command that is to end waits for a service that does not answer, or that limits the
// requests for long.
func (l *lister) stopped(now time.Time) bool {
	f := l.poller.Freshness(now)
	return !l.follow && (f.State == feed.Offline || f.State == feed.Limited && f.Next.Sub(now) > maxWait)
}

// missing says what is missing, or is nil.
func (l *lister) missing(now time.Time) error {
	f, c := l.poller.Freshness(now), l.poller.Coverage()
	project, _, failed := l.poller.HistoryErr()
	switch {
	case l.stopped(now) && f.Err != nil:
		return fmt.Errorf("incomplete: %w", f.Err)
	case l.stopped(now):
		return errors.New("incomplete: the service limits the requests until " + l.out.times.Clock(f.Next))
	case len(f.Unreadable) > 0:
		return fmt.Errorf("incomplete: cannot read %s: %w", l.some(f.Unreadable), l.poller.Err(f.Unreadable[0]))
	case l.enough():
		return nil
	case failed != nil:
		return fmt.Errorf("incomplete before %s: cannot read %s: %w", l.out.times.At(c.Since), l.name(project), failed)
	}
	since := l.out.times.At(c.Since)
	return fmt.Errorf("incomplete before %s: the service's paging of %s broke", since, l.name(c.Lacking))
}

// followFrom writes what begins after a time, or after the newest operations, which were written.
func (l *lister) followFrom(ctx context.Context, began time.Time, told int) error {
	if !l.floor.IsZero() {
		began = l.floor
	}
	f := l.poller.Follow(began, told)
	if err := l.out.Flush(); err != nil {
		return err
	}
	names := map[feed.EventKind]string{feed.Added: "added", feed.Changed: "changed", feed.Missing: "gap"}
	return l.engine.run(ctx, func(a feed.Answer, now time.Time) error {
		for _, e := range f.Take(a, now) {
			one := l.line(names[e.Kind], e.Project, e.Operation)
			one.since, one.until = e.Since, e.Until
			if e.Operation != nil && !l.filter.Match(e.Project, e.Operation, l.now()) {
				continue
			}
			if err := l.out.write(one); err != nil {
				return err
			}
		}
		return l.out.Flush()
	}, func(now time.Time) bool {
		l.relist(ctx, now)
		return hungUp(l.process.Stdout)
	})
}
