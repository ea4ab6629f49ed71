package cli

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pgtower/models/feed"
	"pgtower/ui/operations"
	"pgtower/ui/style"
)

// newest is how many operations are listed by default.
const newest = 100

// history is which operations are listed.
type history struct {
	since  time.Duration // that began in this period; 0: at any time
	limit  int           // how many that match the filter; 0: all
	follow bool          // and those that begin from now on
}

func (p Process) operationsCommand() *cobra.Command {
	s, h := newScript(), &history{}
	return p.scriptCommand(&cobra.Command{
		Use:   "operations",
		Short: "List or follow the operations of all projects, for people and programs",
		Long: "operations lists the newest 100 operations of all projects, newest first. --limit sets how\n" +
			"many, and --since lists all of a period. With --filter alone, it lists all matches of the\n" +
			"period in the filter (age:<1h), or of the last 24 hours (--search-back).\n\n" +
			"With --follow it prints operations as they begin and each of their changes, until it is\n" +
			"interrupted; with --since or --limit it prints that history first, oldest first. Nothing is\n" +
			"left out after outages, rate limits and sleep, or it is reported as a gap.\n\n" +
			"The exit code is 1 if the list is incomplete." + formsHelp,
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
		switch {
		case err != nil:
			return usagef("--filter: %w", err)
		case f.Changed("since") && h.since <= 0:
			return usagef("--since must be longer than 0, such as 24h")
		case h.limit < 1:
			return usagef("--limit must be at least 1, not %d", h.limit)
		case !f.Changed("limit"):
			h.limit = 0
		}
		return nil
	}, func(ctx context.Context, from *source) error { return list(ctx, from, *h) })
}

// complete sets what the flags leave open. back is how far back to list if there is only a filter.
func (h *history) complete(filtered bool, back time.Duration) {
	switch {
	case h.limit > 0, h.since > 0, h.follow:
	case filtered:
		h.since = back
	default:
		h.limit = newest
	}
}

// list writes operations, and with --follow those that begin from now on.
func list(ctx context.Context, from *source, h history) error {
	l := newLister(from, h)
	if err := l.begin(ctx); err != nil {
		return err
	}
	event := ""
	if h.follow {
		event = "event"
	}
	out := newOutput(from.script, from.process.Stdout, operationLayout(event, from.times))
	written := 0
	var missing error
	if !h.follow || l.since > 0 || l.limit > 0 {
		var lines []line
		var err error
		if lines, written, err = l.load(ctx); err != nil {
			return err
		}
		if h.follow {
			slices.Reverse(lines)
		}
		for _, one := range lines {
			out.write(one)
		}
		missing = l.missing(l.process.Clock())
	}
	if err := out.Flush(); err != nil || !h.follow {
		return cmp.Or(err, missing)
	}
	if missing != nil {
		from.say("%v", missing)
	}
	return l.followFrom(ctx, out, written)
}
