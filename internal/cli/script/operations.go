package script

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"pgtower/internal/cli/exit"
	"pgtower/models/feed"
	"pgtower/models/moment"
	"pgtower/models/query"
	"pgtower/ui/style"
)

// Newest is how many operations are listed by default.
const Newest = 100

// Listing is which operations are listed.
type Listing struct {
	Since  moment.Time   // that began then or later; zero: at any time
	Margin time.Duration // how much earlier they may have begun
	Limit  int           // how many that match the filter; 0: all
	Follow bool          // and those that begin from now on
}

// Operations returns the command that lists operations, and follows them if asked.
func Operations(o *Options, h Listing) (Run, error) {
	if err := cmp.Or(o.check(), o.checkFields(operationFields(h.event()))); err != nil {
		return nil, err
	}
	if h.Follow && o.Times == style.Relative { // the age of an operation that just began says nothing
		o.Times = style.Local
	}
	if _, err := query.ParseOperations(o.Filter, query.Facts{}, feed.NewTimeline()); err != nil {
		return nil, exit.Usagef("--filter: %w", err)
	}
	return func(ctx context.Context, from *Source) error { return listOperations(ctx, from, h) }, nil
}

// setDefaults sets what the flags leave open. since is since when to list if there is only a filter.
func (h *Listing) setDefaults(filtered bool, since moment.Time) {
	switch {
	case h.Limit > 0, !h.Since.IsZero(), h.Follow:
	case filtered:
		h.Since = since
	default:
		h.Limit = Newest
	}
}

// event returns the name of the field with the event of a line, or "".
func (h *Listing) event() string {
	if h.Follow {
		return "event"
	}
	return ""
}

// listOperations writes operations, and with --follow those that begin from now on.
func listOperations(ctx context.Context, from *Source, h Listing) error {
	from.recallProjects()
	l := newLister(from, h)
	if err := l.begin(ctx); err != nil {
		return err
	}
	l.sayClock()
	out := newOutput(from.options, from.process.Stdout, operationLayout(h.event(), from.times))
	written := 0
	missing := l.from.unlisted
	if !h.Follow || !l.Since.IsZero() || l.Limit > 0 {
		lines, loaded, err := l.load(ctx)
		if err != nil {
			return err
		}
		written = loaded
		if h.Follow {
			slices.Reverse(lines)
		}
		for _, record := range lines {
			out.write(record)
		}
		missing = both(l.missing(l.from.process.Clock()), errUntimed(l.untimed))
		l.sayLate()
	}
	if err := out.Flush(); err != nil || !h.Follow {
		return cmp.Or(err, missing)
	}
	if missing != nil && !errors.Is(missing, l.from.unlisted) { // which is reported as trouble of its lists
		from.say("%v", missing)
	}
	return l.followFrom(ctx, out, written)
}
