package operations

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// record is an operation with every field that the API has of it, what its kind is for, and how long it took against
// others of its kind.
func (s *state) record(r row, now time.Time) table.Record {
	if r.op == nil {
		m := s.missing(r, now)
		return table.Record{Title: m.title, About: m.about}
	}
	o, is, times := r.op, styleOf(r.op), s.session.Times
	retry := ""
	if !o.RetryAt.IsZero() {
		retry = times.Stamp(o.RetryAt, now)
	}
	fields := []table.Field{
		{Label: "id", Value: o.ID},
		{Label: "project_id", Value: cmp.Or(o.ProjectID, style.None)},
		{Label: "project", Value: s.names[r.project]},
		{Label: "branch_id", Value: cmp.Or(o.BranchID, style.None)},
		{Label: "endpoint_id", Value: cmp.Or(o.EndpointID, style.None)},
		{Label: "action", Value: cmp.Or(string(o.Action), style.None)},
		{Label: "status", Value: cmp.Or(string(o.Status), style.None), Tone: is.tone},
		{Label: "failures_count", Value: count(int(o.FailuresCount))},
		{Label: "created_at", Value: times.Stamp(o.CreatedAt, now)},
		{Label: "updated_at", Value: times.Stamp(o.UpdatedAt, now)},
		{Label: "error", Value: o.Error, Tone: style.Bad},
		{Label: "retry_at", Value: retry},
	}
	about := o.Action.Meaning()
	if o.Gone {
		about = strings.TrimSpace(about + " The service no longer knows this operation: " +
			"what is shown is the last that was heard of it.")
	}
	written, spoken := wording{style.Took, style.Lasting, "p95"}, wording{style.DurationWords, style.DurationWords, "95th percentile"}
	usual := s.timeline().Durations(o.Action)
	return table.Record{
		Title: o.Action.Title(), Tone: is.tone, About: about, Damage: o.Damage,
		State: is.text + written.duration(r, now), SaidState: is.word() + spoken.duration(r, now),
		Note: written.usual(usual), SaidNote: spoken.usual(usual),
		Fields: slices.DeleteFunc(fields, func(f table.Field) bool { return f.Value == "" }),
	}
}

type missing struct{ title, about, said string }

func (s *state) missing(r row, now time.Time) missing {
	name := s.name(r.project)
	switch {
	case r.line != nil:
		said := r.line.divider(now)
		return missing{"Complete down to here", style.Sentence(said) + ". More can be loaded, a stretch of time at once.", said}
	case r.gap.Broken:
		return missing{
			"History stops here: the service's paging broke",
			"Older operations of " + name + " may exist, but the service did not say how to ask for them. Asking again may help.",
			"history of " + name + " stops here: the service's paging broke",
		}
	}
	return missing{
		"Operations are missing here",
		"More operations of " + name + " began than pgtower follows on its own, or older ones are not loaded yet. " +
			"They can be loaded a page at a time.",
		"operations of " + name + " are missing here, and can be loaded",
	}
}

// wording is how durations are put that are over or still grow, and the 95th percentile.
type wording struct {
	took, lasting func(time.Duration) string
	p95           string
}

// duration says how long an operation took or has lasted, and whether that is slow or unknown.
func (w wording) duration(r row, now time.Time) string {
	took, ok := r.took(now)
	unasked, said := r.unasked(now), ""
	switch {
	case !ok, r.op.Status == models.StatusScheduling:
		return ""
	case unasked > 0:
		return " for at least " + w.lasting(took) + " · not asked for " + w.lasting(unasked)
	case r.op.Done():
		said = " after " + w.took(took)
	default:
		said = " for " + w.lasting(took)
	}
	if r.slow(now) {
		said += " · slow"
	}
	return said
}

func (w wording) usual(d *feed.Durations) string {
	median, ok := d.Median()
	p95, _ := d.Quantile(0.95)
	if !ok {
		return "No other of its kind has finished in this feed."
	}
	return fmt.Sprintf("median %s · %s %s · %s", w.took(median), w.p95, w.took(p95), table.Plural(d.Count(), "run"))
}

// say is an operation in words, what it does and how that goes first.
func (s *state) say(r row, now time.Time) string {
	if r.op == nil {
		return s.missing(r, now).said
	}
	parts := []string{styleOf(r.op).word(), r.op.Action.Title()}
	if s.all() {
		parts = append(parts, "project "+s.name(r.project))
	}
	if !r.op.CreatedAt.IsZero() {
		parts = append(parts, s.session.Times.Ago(r.op.CreatedAt, now))
	}
	if took, ok := r.took(now); ok && r.op.Done() {
		parts = append(parts, "took "+style.DurationWords(took))
	}
	if unasked := r.unasked(now); unasked > 0 {
		parts = append(parts, "not asked for "+style.DurationWords(unasked))
	} else if r.slow(now) {
		parts = append(parts, "slow")
	}
	if n := int(r.op.FailuresCount); n > 0 {
		parts = append(parts, table.Plural(n, "failure"))
	}
	if s.watched[r.key()] {
		parts = append(parts, "watched")
	}
	if r.op.Damage != "" {
		parts = append(parts, "parts of it could not be read")
	}
	if s.partial(r) {
		parts = append(parts, "incomplete: others may be missing around it")
	}
	return strings.Join(parts, ", ")
}

// partial reports whether others may be missing around a row without a gap that shows it.
func (s *state) partial(r row) bool { return r.partial && s.table.Arranged() }
