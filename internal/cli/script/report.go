package script

import (
	"context"
	"io"
	"time"

	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/incident"
	"pgtower/models/query"
	"pgtower/models/report"
	"pgtower/ui/style"
)

// ReportOptions are the span and the form of a report.
type ReportOptions struct {
	Since, Until string // times as in a filter, or durations before now; Until may be empty, for now
	Markdown     bool
}

// Report returns the command that prints what happened in a span of time.
func Report(o *Options, r ReportOptions) (Run, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if _, err := query.ParseOperations(o.Filter, query.Facts{}, feed.NewTimeline()); err != nil {
		return nil, exit.Usagef("--filter: %w", err)
	}
	const wanted = "must be a time or a duration, such as 14:00, 2026-11-20 09:00 or 2h"
	since, ok := query.Moment(r.Since)
	if !ok {
		return nil, exit.Usagef("--since: "+wanted+", not %q", r.Since)
	}
	until := func(now time.Time) time.Time { return now }
	if r.Until != "" {
		until, ok = query.Moment(r.Until)
		if !ok {
			return nil, exit.Usagef("--until: "+wanted+", not %q", r.Until)
		}
	}
	return func(ctx context.Context, from *Source) error {
		now := from.filterTime()
		out := report.Report{Since: since(now), Until: until(now), Now: now}
		switch {
		case out.Since.After(now):
			return exit.Usagef("--since: %s is still to come", r.Since)
		case !out.Until.After(out.Since):
			return exit.Usagef("--until: %s is not after --since %s", r.Until, r.Since)
		}
		return writeReport(ctx, from, out, r.Markdown)
	}, nil
}

// writeReport reads the operations of a span, and prints the report. What is missing is in it, and an error.
func writeReport(ctx context.Context, from *Source, of report.Report, markdown bool) error {
	// Operations are listed by their start: those that run at the beginning of the span began before it.
	l := newLister(from, Listing{Since: of.Now.Sub(of.Since) + feed.MaxRun})
	if err := l.begin(ctx); err != nil {
		return err
	}
	lines, _, err := l.load(ctx)
	if err != nil {
		return err
	}
	facts := from.facts()
	found := func(project string, line line) incident.Operation {
		op := query.Operation{Op: line.Operation, Project: project, Facts: &facts}
		return op.Incident()
	}
	of.Of, of.Now, of.Orgs = models.Plural(len(from.names), "project"), from.now(), map[string]string{}
	if from.options.Filter != "" {
		of.Of += ", " + from.options.Filter
	}
	for _, org := range from.orgs.All() {
		of.Orgs[org.ID] = org.Label()
	}
	of.Finished = incident.FinishedOf(func(yield func(incident.Operation) bool) {
		for project, op := range l.poller.Timeline().All() {
			if !yield(found(project, line{Operation: op})) {
				return
			}
		}
	})
	missing := l.missing(l.from.process.Clock())
	if missing != nil {
		of.Missing = append(of.Missing, style.Sentence(missing.Error())+".")
	}
	if from.partial != "" {
		of.Missing = append(of.Missing, "There may be more projects: "+from.partial+".")
	}
	text := report.New(of, func(yield func(incident.Operation) bool) {
		for _, one := range lines {
			if !yield(found(one.project, one)) {
				return
			}
		}
	}).Text(markdown)
	if _, err := io.WriteString(from.process.Stdout, text); err != nil {
		return err
	}
	return missing
}
