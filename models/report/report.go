// Package report writes what happened in a span of time as a text for a ticket: what failed and what is unfinished first
// and complete, then counts, a timeline, what recovered, and what could not be read. It claims no cause. Its times are UTC.
package report

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/incident"
	"pgtower/models/status"
)

// Report is what is known of a span of time.
type Report struct {
	Of           string    // the scope, such as "all projects (12)"
	Since, Until time.Time // an operation is in the report if it began before the end, and had not ended before the beginning
	Now          time.Time // by the service's clock
	Clock        string    // what a reader must know of the clock of the span, or ""

	About      []Fact               // what the report was asked for
	Operations []incident.Operation // in any order; those out of the span are left out
	Pasts      incident.Pasts       // of all operations that were read
	// Complete has the time after which nothing of a project is missing, see [incident.Span.Projects].
	Complete map[string]time.Time
	Window   time.Duration     // before Now: a failure in it counts as failing; 0: [incident.DefaultWindow]
	Orgs     map[string]string // the names of organizations, by id
	Missing  []string          // what could not be read, a sentence each
	Unread   []string          // the names of the projects that cannot be read

	// Nothing is missing after From, or at all if that is zero, until AsOf, when the stalest project was read. AsOf is
	// zero if nothing is claimed.
	From, AsOf time.Time
	Status     *status.Statement // what the service's status page says, of the service's clock; nil: it was not asked
	Without    string            // the projects that cannot be read, of which nothing is claimed, or ""
	Stale      string            // the projects that were last read at AsOf or soon after, such as "53 of 60 projects", or ""
	// Chosen is set if the operations are chosen, such as marked ones: others that were read are not in the report.
	Chosen bool
	// Filtered is set if a filter left out operations of the span.
	Filtered bool

	// Keys are what was seen of API keys in the span, oldest first.
	Keys []KeyEvent
	// Untimed are the operations without a readable time: whether they are of the span is unknown.
	Untimed []incident.Operation

	ended []incident.Operation // all that ended and began before the end of the span, also before it, the last one first
}

// KeyEvent is what was seen of an API key: it was created, used first or from a new address, or is no longer listed.
type KeyEvent struct {
	At   time.Time
	Key  string // its name
	ID   int64
	What string
}

// Fact is what is known of something, left out if the text is empty.
type Fact struct{ Name, Text string }

// New returns a report of those operations that overlap its span. Earlier ones show since when the places fail.
func New(r Report, operations iter.Seq[incident.Operation]) *Report {
	for o := range operations {
		ended := o.EndedAt()
		if !o.Gone && r.placeless(o) {
			r.Untimed = append(r.Untimed, o)
			continue
		}
		if o.Gone || !o.CreatedAt.Before(r.Until) {
			continue
		}
		if ended.IsZero() || !ended.Before(r.Since) {
			r.Operations = append(r.Operations, o)
		}
		if !ended.IsZero() {
			r.ended = append(r.ended, o)
		}
	}
	slices.SortStableFunc(r.ended, func(a, b incident.Operation) int { return b.EndedAt().Compare(a.EndedAt()) })
	slices.SortStableFunc(r.Operations, func(a, b incident.Operation) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return &r
}

// Text returns the report as plain text, or as Markdown.
func (r *Report) Text(markdown bool) string {
	w := &writer{markdown: markdown}
	w.heading(1, "Report of "+r.Of+", "+r.times(r.Since, r.Until))
	if r.Clock != "" {
		w.paragraph("The span is " + r.Clock + ".")
	}
	w.facts(r.About)
	w.paragraph(r.counts() + r.places())
	if r.Status != nil {
		w.paragraph(r.status())
	}
	if past := r.past(); past != "" {
		w.paragraph(past)
	}
	r.writeFailures(w)
	r.writeUnfinished(w)
	if len(r.Operations) > 0 {
		r.writeCounts(w)
		r.writeTimeline(w)
	}
	r.writeRecovered(w)
	r.writeKeys(w)
	r.writeUntimed(w)
	w.heading(2, "Not read")
	for _, entry := range r.missing() {
		w.item(entry)
	}
	w.paragraph(r.completeness())
	return w.String()
}

// placeless reports whether it is unknown if an operation is of the span: its times cannot be read.
func (r *Report) placeless(o incident.Operation) bool {
	begins := !o.CreatedAt.IsZero() && !o.CreatedAt.Before(r.Since)
	return incident.Untimed(o.Operation) && !begins
}

// completeness says which part of the span is complete, and which projects were not read since.
func (r *Report) completeness() string {
	from, until := r.complete()
	if !until.After(from) {
		return "No part of this time is known to be complete."
	}
	text := "Complete from " + r.times(from, until)
	if r.Without != "" {
		text += ", without " + r.Without
	}
	text += "."
	if r.Stale != "" && until.Before(r.Until) {
		text += " Not read since: " + r.Stale + "."
	}
	return text
}

// complete returns the part of the span from which nothing is missing, empty if it ends before it begins.
func (r *Report) complete() (from, until time.Time) {
	from, until = r.Since, r.Until
	if ended := r.endedSince(); ended.After(from) {
		from = ended
	}
	if r.AsOf.Before(until) {
		until = r.AsOf
	}
	return from, until
}

// endedSince returns the time after which nothing that ended is missing, or zero. Operations are listed by their beginning: what
// ended in the span may have begun before it.
func (r *Report) endedSince() time.Time {
	if r.From.IsZero() {
		return r.From
	}
	return r.From.Add(incident.MaxRun)
}

// known returns the time after which none of the operations is missing that the places are searched in: that of the first one if
// they are chosen, and never if nothing is claimed.
func (r *Report) known() time.Time {
	known := r.endedSince()
	if r.AsOf.IsZero() {
		return time.Unix(1<<40, 0)
	}
	if r.Chosen && len(r.ended) > 0 {
		first := r.ended[len(r.ended)-1].EndedAt()
		if first.After(known) {
			return first
		}
	}
	return known
}

// missing returns what could not be read, a sentence each. Without names a single project.
func (r *Report) missing() []string {
	n := len(r.Unread)
	if n == 0 || n == 1 && r.Without != "" {
		return r.Missing
	}
	const most = 20
	text := "Cannot be read: " + strings.Join(r.Unread[:min(n, most)], ", ")
	if n > most {
		text += fmt.Sprintf(" and %d more", n-most)
	}
	return append(slices.Clone(r.Missing), text+".")
}

// nothing says that no operation of the span has a property, of those that were read and have a readable time.
func (r *Report) nothing(what string) string {
	text := "Nothing"
	if len(r.Untimed) > 0 {
		text += " with a readable time"
	}
	if r.lacks() {
		text += " that was read"
	}
	return text + " " + what + "."
}

// lacks reports whether operations of the span may be missing.
func (r *Report) lacks() bool {
	const poll = time.Minute // what ended since the last one is not missed
	from, until := r.complete()
	return !r.Chosen && (r.Without != "" || from.After(r.Since) || r.Until.Sub(until) > poll)
}

// writeKeys lists what was seen of API keys. There may have been more.
func (r *Report) writeKeys(w *writer) {
	if len(r.Keys) == 0 {
		return
	}
	w.heading(2, fmt.Sprintf("Seen of API keys: %d", len(r.Keys)))
	table := [][]string{{"At", "Key", "Id", "What"}}
	for _, e := range r.Keys {
		table = append(table, []string{e.At.UTC().Format(time.DateTime), e.Key, fmt.Sprint(e.ID), e.What})
	}
	w.table(table)
}

// writeUntimed lists the operations without a readable time.
func (r *Report) writeUntimed(w *writer) {
	if len(r.Untimed) == 0 {
		return
	}
	w.heading(2, "Without a readable time: "+models.Count(len(r.Untimed)))
	w.paragraph("Whether they are of this time is unknown.")
	table := [][]string{{"Project", "Operation", "Status", "Error", "Id"}}
	for _, o := range r.Untimed {
		table = append(table, []string{o.Name, o.Action.Title(), string(o.Status), o.Error, o.ID})
	}
	w.table(table)
}

// where returns the operations for which a condition holds.
func (r *Report) where(holds func(incident.Operation) bool) (out []incident.Operation) {
	for _, o := range r.Operations {
		if holds(o) {
			out = append(out, o)
		}
	}
	return out
}

// whereEnded returns the operations for which a condition holds, the first one that ended first, as tables show when they ended. One
// that ended at an unknown time is where it began.
func (r *Report) whereEnded(holds func(incident.Operation) bool) []incident.Operation {
	list := r.where(holds)
	ended := func(o incident.Operation) time.Time {
		if at := o.EndedAt(); !at.IsZero() {
			return at
		}
		return o.CreatedAt
	}
	slices.SortStableFunc(list, func(a, b incident.Operation) int { return ended(a).Compare(ended(b)) })
	return list
}

func failed(o incident.Operation) bool     { return o.Status.Failed() }
func unfinished(o incident.Operation) bool { return !o.Done() }
func recovered(o incident.Operation) bool  { return o.Recovered() }
func finished(o incident.Operation) bool   { return o.Status == models.StatusFinished }

// dropped reports whether an operation ended without an outcome: it was cancelled or skipped.
func dropped(o incident.Operation) bool { return o.Done() && !failed(o) && !finished(o) }

// counts returns how many operations failed, finished and so on.
func (r *Report) counts() string {
	list := len(r.Operations)
	counts := []string{
		models.Plural(len(r.where(failed)), "failure"),
		models.Count(len(r.where(unfinished))) + " unfinished",
		fmt.Sprintf("%s finished (%s of them after a failure)",
			models.Count(len(r.where(finished))), models.Count(len(r.where(recovered)))),
	}
	if n := len(r.where(dropped)); n > 0 {
		counts = append(counts, models.Count(n)+" cancelled or skipped")
	}
	out := ""
	if r.lacks() {
		out = "Of what was read, "
	}
	out += models.Plural(list, "operation") + ": " + strings.Join(counts, ", ") + "."
	if n := len(r.Untimed); n > 0 {
		out += " " + models.Plural(n, "more operation") + " without a readable time."
	}
	return out
}

// Places returns where the failures of the span lie together, the first place first. If that is nowhere and the span ends now, these
// are the places of the last minutes that are complete, where a place that has just begun to fail outnumbers the noise sooner; each
// of the two searches has its own probability of a false claim. Operations before the span show since when.
func (r *Report) Places() []incident.Concentration {
	places := incident.Concentrated(slices.Values(r.ended), r.Until, r.known(), nil, r.span())
	if len(places) == 0 && !r.Chosen && r.past() == "" {
		places = r.lastPlaces()
	}
	if (r.Chosen || r.Filtered) && len(places) > 0 && places[0].By == incident.Everything {
		return nil // which operations were chosen says nothing of the others
	}
	return places
}

// span is the time that the whole report is about: what ended as it began is in it.
func (r *Report) span() time.Duration { return r.Until.Sub(r.Since) + 1 }

func (r *Report) lastPlaces() []incident.Concentration {
	from, until := r.complete()
	longer := func(span time.Duration) bool { return span > until.Sub(from) }
	spans := slices.DeleteFunc(incident.Spans(), longer)
	if len(spans) == 0 {
		return nil
	}
	later := func(o incident.Operation) bool { return o.EndedAt().After(until) }
	ended := slices.DeleteFunc(slices.Clone(r.ended), later)
	return incident.Concentrated(slices.Values(ended), until, r.known(), nil, spans...)
}

// minutes returns the part of the span in which the operations of one of [Report.lastPlaces] ended, or zero times for a place of the
// whole span.
func (r *Report) minutes(c *incident.Concentration) (from, until time.Time) {
	if c.Span == r.span() {
		return from, until
	}
	_, until = r.complete()
	return until.Add(-c.Span), until
}

// status says what the service's status page said.
func (r *Report) status() string {
	if !r.Status.Known() {
		return "What the status page " + r.Status.Name + " says is unknown."
	}
	return "The status page " + r.Status.Name + " said at " + r.clockUTC(r.Status.AsOf) + ": " +
		r.Status.Claim.Text(r.clockUTC, "") + "."
}

// places says where failures lie together, such as "aws-1 fails: 33 of 48 (69 %), elsewhere 6 of 170, since 12:01:04".
func (r *Report) places() (out string) {
	others := " "
	for _, c := range r.Places() {
		within, verb := "", c.Verb()
		if r.past() != "" {
			verb = "failed"
		}
		if from, until := r.minutes(&c); !from.IsZero() {
			within = "from " + r.clock(from) + " to " + r.clock(until) + ", "
		}
		out += others + r.label(c.By, c.Value) + " " + verb + ": " + within + c.Rate() + c.Elsewhere()
		if !c.Since.IsZero() {
			out += ", " + c.Begin(r.clock(c.Since))
		}
		if c.Quiet && !c.Last.IsZero() {
			out += ", last " + r.clock(c.Last)
		}
		out += "."
		others = " Of the others, "
	}
	return out
}

// label returns the name of a value of a dimension.
func (r *Report) label(dimension incident.Dimension, value string) string {
	switch dimension {
	case incident.Projects:
		for _, o := range r.Operations {
			if o.Project == value {
				return o.Name
			}
		}
	case incident.Organizations:
		if name := r.Orgs[value]; name != "" {
			return name
		}
	case incident.Actions:
		return models.Action(value).Title()
	case incident.Everything:
		return "Most operations"
	case incident.Branches:
		for _, o := range r.Operations {
			if o.BranchID == value {
				return strings.TrimSpace(o.Branch + " " + value)
			}
		}
	default:
	}
	return value
}

// groupSpan returns the span of the groups. Failures are judged by what was seen until Now, also after the end of the report.
func (r *Report) groupSpan() incident.Span {
	return incident.Span{
		Since: r.Since, Window: cmp.Or(r.Window, incident.DefaultWindow), Now: r.Now, Projects: r.Complete,
	}
}

// moment returns the time of a state of failures, to follow its words.
func (r *Report) moment(state incident.State, instant time.Time) string {
	switch state {
	case incident.NotTried:
		return " since " + r.clock(instant)
	case incident.TriedAgain:
		return " at " + r.clock(instant)
	default:
		return ""
	}
}

// clock formats a time, with its date unless it is on the day of Now.
func (r *Report) clock(instant time.Time) string {
	if instant.UTC().Format(time.DateOnly) == r.Now.UTC().Format(time.DateOnly) {
		return instant.UTC().Format(time.TimeOnly)
	}
	return stamp(instant)
}

func (r *Report) clockUTC(instant time.Time) string { return r.clock(instant) + " UTC" }

// writeFailures writes every failure, in groups by their error.
func (r *Report) writeFailures(w *writer) {
	list := r.whereEnded(failed)
	w.heading(2, "Failed: "+models.Count(len(list)))
	if len(list) == 0 {
		w.paragraph(r.nothing("failed"))
	}
	for _, g := range r.groups() {
		w.heading(3, g.Value)
		w.paragraph(fmt.Sprintf("%s in %s, %s; %s.", models.Plural(g.Failed, "failure"), models.Plural(g.Projects, "project"),
			r.times(g.First, g.Last), g.Sentence(r.moment)))
		table := [][]string{{"Failed (UTC)", "Project", "Operation", "After", "Id", "Branch", "Endpoint"}}
		exact := strings.Contains(g.Value, models.Blank)
		if exact {
			table[0] = append(table[0], "Error")
		}
		for _, o := range list {
			if incident.Errors.Of(o) != g.Value {
				continue
			}
			row := []string{
				stamp(o.EndedAt()), o.Name, o.Action.Title(), r.took(o), o.ID,
				strings.TrimSpace(o.Branch + " " + o.BranchID), strings.TrimSpace(o.Compute + " " + o.EndpointID),
			}
			if exact {
				row = append(row, o.Error)
			}
			table = append(table, row)
		}
		w.table(table)
	}
}

func (r *Report) writeUnfinished(w *writer) {
	list := r.where(unfinished)
	w.heading(2, "Unfinished: "+models.Count(len(list)))
	if len(list) == 0 {
		what := r.nothing("is unfinished")
		if _, until := r.complete(); !r.From.IsZero() && r.From.Before(until) { // what began before that was not read
			what = "Of what began from " + r.times(r.From, until) + ", n" + what[1:]
		}
		w.paragraph(what)
		return
	}
	table := [][]string{{"Began (UTC)", "Project", "Operation", "Status", "For", "Failures", "Id"}}
	for _, o := range list {
		failures := fmt.Sprint(o.FailuresCount)
		table = append(table, []string{
			stamp(o.CreatedAt), o.Name, o.Action.Title(), string(o.Status), r.took(o), failures, o.ID,
		})
	}
	w.table(table)
}

// writeCounts writes how many operations failed of each action, project, organization and region.
func (r *Report) writeCounts(w *writer) {
	w.heading(2, "Counts")
	rest := slices.ContainsFunc(r.Operations, dropped)
	for _, dimension := range incident.Dimensions()[1:] {
		groups := incident.Groups(dimension, slices.Values(r.Operations), r.Pasts, r.groupSpan())
		if len(groups) < 2 && dimension != incident.Actions {
			continue // it would be the first line of the report again
		}
		title := dimension.String()
		table := [][]string{{strings.ToUpper(title[:1]) + title[1:], "Operations", "Failed", "Unfinished", "Finished"}}
		if rest {
			table[0] = append(table[0], "Cancelled or skipped")
		}
		for _, g := range groups {
			row := []string{
				r.label(dimension, g.Value), models.Count(g.Count), models.Count(g.Failed),
				models.Count(g.Unfinished), models.Count(g.Finished),
			}
			if rest {
				row = append(row, models.Count(g.Count-g.Failed-g.Unfinished-g.Finished))
			}
			table = append(table, row)
		}
		w.table(table)
	}
}

func (r *Report) writeRecovered(w *writer) {
	list := r.whereEnded(recovered)
	w.heading(2, "Recovered: "+models.Count(len(list)))
	if len(list) == 0 {
		w.paragraph(r.nothing("finished after it had failed"))
		return
	}
	table := [][]string{{"Finished (UTC)", "Project", "Operation", "After", "Failures", "Id"}}
	for _, o := range list {
		table = append(table, []string{
			stamp(o.EndedAt()), o.Name, o.Action.Title(), r.took(o), fmt.Sprint(o.FailuresCount),
			o.ID,
		})
	}
	w.table(table)
}

// writeTimeline writes how many operations ended in each part of the span: a sign for each failure, then for the others.
func (r *Report) writeTimeline(w *writer) {
	const parts, widest = 12, 40
	w.heading(2, "Timeline")
	length := max(r.Until.Sub(r.Since)/parts, time.Second)
	var lines []string
	counts, limit := make([][2]int, parts), 1
	for _, o := range r.Operations {
		ended := o.EndedAt()
		if ended.IsZero() {
			continue
		}
		n := &counts[max(0, min(parts-1, int(ended.Sub(r.Since)/length)))]
		n[0]++
		if failed(o) {
			n[1]++
		}
		limit = max(limit, n[0])
	}
	scaled := func(n int) int { return (n*min(limit, widest) + limit - 1) / limit }
	for i, n := range counts {
		instant := r.Since.Add(time.Duration(i) * length)
		if i > 0 && !instant.Before(r.Until) {
			break
		}
		bar := strings.Repeat("x", scaled(n[1])) + strings.Repeat("=", scaled(n[0])-scaled(n[1]))
		line := fmt.Sprintf("%s  %4d ended, %3d failed  %s", instant.UTC().Format(time.TimeOnly), n[0], n[1], bar)
		lines = append(lines, strings.TrimRight(line, " "))
	}
	w.code(lines)
	w.paragraph("x: failed, =: other ends; a line is " + length.Round(time.Second).String() + ".")
}

// took returns how long an operation took, or has taken.
func (r *Report) took(o incident.Operation) string {
	took := o.Took(r.Now)
	if !took.Known {
		return ""
	}
	return took.Value.Round(100 * time.Millisecond).String()
}

// times formats a span, with one date if it is within a day.
func (r *Report) times(from, until time.Time) string {
	if from.UTC().Format(time.DateOnly) == until.UTC().Format(time.DateOnly) {
		return stamp(from) + " to " + until.UTC().Format(time.TimeOnly) + " UTC"
	}
	return stamp(from) + " to " + stamp(until) + " UTC"
}

func stampUTC(t time.Time) string { return stamp(t) + " UTC" }

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateTime)
}
