package operations

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// record is an operation with every field that the API has of it, what its kind is for,
// and how long it took against others of its kind.
func (c cells) record(r row, now time.Time) table.Record {
	if r.op == nil {
		m := c.missing(r, now)
		return table.Record{Title: m.title, About: m.about}
	}
	o, s, times := r.op, styleOf(r.op), c.session.Times
	fields := []table.Field{{Label: "id", Value: o.ID}, {Label: "project_id", Value: cmp.Or(o.ProjectID, style.None)}}
	if name := c.names[r.project]; name != "" {
		fields = append(fields, table.Field{Label: "project", Value: name})
	}
	fields = append(fields,
		table.Field{Label: "branch_id", Value: cmp.Or(o.BranchID, style.None)},
		table.Field{Label: "endpoint_id", Value: cmp.Or(o.EndpointID, style.None)},
		table.Field{Label: "action", Value: cmp.Or(string(o.Action), style.None)},
		table.Field{Label: "status", Value: cmp.Or(string(o.Status), style.None), Tone: s.tone},
		table.Field{Label: "failures_count", Value: count(int(o.FailuresCount))},
		table.Field{Label: "created_at", Value: times.Stamp(o.CreatedAt, now)},
		table.Field{Label: "updated_at", Value: times.Stamp(o.UpdatedAt, now)},
	)
	if o.Error != "" {
		fields = append(fields, table.Field{Label: "error", Value: o.Error, Tone: style.Bad})
	}
	if !o.RetryAt.IsZero() {
		fields = append(fields, table.Field{Label: "retry_at", Value: times.Stamp(o.RetryAt, now)})
	}
	about := o.Action.Meaning()
	if o.Gone {
		about = strings.TrimSpace(about + " The service no longer knows this operation: " +
			"what is shown is the last that was heard of it.")
	}
	written, spoken := wording{style.Took, style.Lasting, "p95"}, wording{style.DurationWords, style.DurationWords, "95th percentile"}
	return table.Record{
		Title: o.Action.Title(), Tone: s.tone, About: about, Fields: fields, Damage: o.Damage,
		State: s.text + written.duration(r, now), SaidState: s.word() + spoken.duration(r, now),
		Note: written.usual(c.timeline().Durations(o.Action)), SaidNote: spoken.usual(c.timeline().Durations(o.Action)),
	}
}

// missing says what it is that is not loaded: in its details and in words.
type missing struct{ title, about, said string }

func (c cells) missing(r row, now time.Time) missing {
	name := c.name(r.project)
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

// wording is how durations are put: those that are over, those that still grow, and what
// nearly all of a kind are shorter than.
type wording struct {
	took, lasting func(time.Duration) string
	p95           string
}

// duration says how long an operation took or has lasted, and whether that is slow or not
// known any more.
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

// usual says how long operations of a kind take in this feed.
func (w wording) usual(d *feed.Durations) string {
	median, ok := d.Median()
	p95, _ := d.Quantile(0.95)
	if !ok {
		return "No other of its kind has finished in this feed."
	}
	return fmt.Sprintf("median %s · %s %s · %s", w.took(median), w.p95, w.took(p95), table.Plural(d.Count(), "run"))
}

// say is an operation in words, what it does and how that goes first.
func (c cells) say(r row, now time.Time) string {
	if r.op == nil {
		return c.missing(r, now).said
	}
	parts := []string{styleOf(r.op).word(), r.op.Action.Title()}
	if c.all() {
		parts = append(parts, "project "+c.name(r.project))
	}
	if !r.op.CreatedAt.IsZero() {
		parts = append(parts, c.session.Times.Ago(r.op.CreatedAt, now))
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
	if c.watched[r.key()] {
		parts = append(parts, "watched")
	}
	if r.op.Damage != "" {
		parts = append(parts, "parts of it could not be read")
	}
	if c.partial(r) {
		parts = append(parts, "incomplete: others may be missing around it")
	}
	return strings.Join(parts, ", ")
}

// partial reports whether others may be missing around a row. The feed in its own order stops
// where that begins, or shows a gap there.
func (c cells) partial(r row) bool { return r.partial && c.table.Arranged() }
