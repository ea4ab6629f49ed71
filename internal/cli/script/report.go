package script

import (
	"cmp"
	"context"
	"io"
	"iter"
	"slices"
	"time"

	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/incident"
	"pgtower/models/moment"
	"pgtower/models/query"
	"pgtower/models/report"
	"pgtower/ui/style"
)

// ReportOptions are the span and the form of a report.
type ReportOptions struct {
	Since, Until moment.Time // Until may be zero, for now
	Markdown     bool
	Summary      bool // a few lines
}

// form returns a report in the form that was asked for.
func (r ReportOptions) form(printed *report.Report, asJSON bool) (string, error) {
	switch {
	case asJSON:
		text, err := printed.JSON()
		return string(text), err
	case r.Summary:
		return printed.Summary(), nil
	}
	return printed.Text(r.Markdown), nil
}

// Report returns the command that prints what happened in a span of time.
func Report(o *Options, r ReportOptions) (Run, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if _, err := query.ParseOperations(o.Filter, query.Facts{}, feed.NewTimeline()); err != nil {
		return nil, exit.Usagef("--filter: %w", err)
	}
	return func(ctx context.Context, from *Source) error { return writeReport(ctx, from, r) }, nil
}

// span evaluates the times of a report by the service's clock.
func (r ReportOptions) span(now moment.Now) (out report.Report, err error) {
	out = report.Report{Since: r.Since.At(now), Until: now.Time(), Clock: now.Note()}
	if !r.Until.IsZero() {
		out.Until = r.Until.At(now)
	}
	if !out.Until.After(out.Since) {
		const at = "2006-01-02 15:04:05 UTC"
		err = exit.Usagef("--until %s (%s) is not after --since %s (%s)",
			cmp.Or(r.Until.String(), "now"), out.Until.UTC().Format(at), r.Since, out.Since.UTC().Format(at))
	}
	return out, err
}

// reported returns the records of the projects that a report is about, as far as they were listed.
func (from *Source) reported() []models.Project {
	return slices.DeleteFunc(from.Account.Projects(), from.isUnnamed)
}

func (from *Source) isUnnamed(p models.Project) bool {
	_, named := from.names[p.ID]
	return !named
}

// reportedOf returns the subject of a report, and the names of the organizations.
func (from *Source) reportedOf() (subject string, orgs map[string]string) {
	subject, orgs = models.Plural(len(from.names), "project"), map[string]string{}
	if from.options.Filter != "" {
		subject += ", " + from.options.Filter
	}
	for _, org := range from.orgs.All() {
		orgs[org.ID] = org.Label()
	}
	return subject, orgs
}

// writeReport reads the operations of a span, and prints the report. What is missing is in it, and an error.
func writeReport(ctx context.Context, from *Source, r ReportOptions) error {
	// Operations are listed by their start: those that run at the beginning of the span began before it.
	from.reports = true
	l := newLister(from, Listing{Since: r.Since, Margin: feed.MaxRun})
	if err := l.begin(ctx); err != nil {
		return err
	}
	span, err := r.span(l.present)
	if err != nil {
		return err
	}
	lines, _, err := l.load(ctx)
	if err != nil {
		return err
	}
	span.Of, span.Orgs = from.reportedOf()
	span.Now = from.now()
	span.Keys, err = from.keyEvents(span.Since, span.Until)
	if err != nil {
		span.Missing = append(span.Missing, style.Sentence("What was seen of API keys cannot be read: "+err.Error())+".")
	}
	span.About = report.Maintenance(from.reported(), span.Since, span.Until)
	span.Complete = l.poller.CompleteSince()
	span.Filtered = from.options.Filter != ""
	span.Chosen = l.filter.Back(l.present) > 0 // it leaves out what was read of the time before
	l.claim(&span)
	span.Pasts = incident.PastsOf(incidents(l.poller.Timeline().All(), from.facts()))
	missing := l.missing(l.from.process.Clock())
	if missing != nil {
		span.Missing = append(span.Missing, style.Sentence(missing.Error())+".")
	}
	if from.partial != "" {
		span.Missing = append(span.Missing, "There may be more projects: "+from.partial+".")
	}
	lines = append(lines, l.unfinishedBefore()...)
	printed := report.New(span, incidents(operationsOf(lines), from.facts()))
	if r.Until.IsZero() {
		printed.Status = from.askStatus(ctx, printed.Places())
	}
	text, err := r.form(printed, from.options.JSON)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(from.process.Stdout, text); err != nil {
		return err
	}
	return both(missing, errUntimed(len(printed.Untimed)))
}

// incidents returns operations, by their projects, as reports have them.
func incidents(operations iter.Seq2[string, *models.Operation], facts query.Facts) iter.Seq[incident.Operation] {
	return func(yield func(incident.Operation) bool) {
		for project, op := range operations {
			found := query.Operation{Op: op, Project: project, Facts: &facts}
			if !yield(found.Incident()) {
				return
			}
		}
	}
}

// operationsOf returns the operations of lines by their projects.
func operationsOf(lines []line) iter.Seq2[string, *models.Operation] {
	return func(yield func(string, *models.Operation) bool) {
		for i := range lines {
			if !yield(lines[i].project, lines[i].Operation) {
				return
			}
		}
	}
}

// keyEvents returns what was seen of the service's API keys in a span, oldest first.
func (from *Source) keyEvents(since, until time.Time) (events []report.KeyEvent, err error) {
	usages, err := from.Watcher.History()
	lists := from.Account.KeyLists() // another key on this computer may have seen others
	for i := range usages {
		u := &usages[i]
		account := u.Place.OrgID != "" || u.Place.Account == from.Account.Identity().ID
		if u.Place.Host != from.Host || !account || !slices.Contains(lists, u.Place.ID()) {
			continue
		}
		for _, e := range u.Between(since, until) {
			events = append(events, report.KeyEvent{At: e.At, Key: cmp.Or(u.Name, "–"), ID: u.Ref.ID, What: e.What})
		}
	}
	slices.SortStableFunc(events, func(a, b report.KeyEvent) int { return a.At.Compare(b.At) })
	return events, err
}
