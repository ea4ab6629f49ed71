package operations

import (
	"fmt"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// record is an operation with every field that the API has of it, what its kind is for,
// and how long it took against others of its kind.
func (c *cells) record(r row, now time.Time) table.Record {
	if r.op == nil {
		m := c.missing(r, now)
		return table.Record{Title: m.title, About: m.about}
	}
	o := r.op
	l := styleOf(o)
	fields := []table.Field{
		{Label: "id", Value: o.ID},
		{Label: "project_id", Value: orNone(o.ProjectID)},
	}
	if name := c.names[r.project]; name != "" {
		fields = append(fields, table.Field{Label: "project", Value: name})
	}
	fields = append(fields,
		table.Field{Label: "branch_id", Value: orNone(o.BranchID)},
		table.Field{Label: "endpoint_id", Value: orNone(o.EndpointID)},
		table.Field{Label: "action", Value: orNone(string(o.Action))},
		table.Field{Label: "status", Value: orNone(string(o.Status)), Tone: l.tone},
		table.Field{Label: "failures_count", Value: count(int(o.FailuresCount))},
		table.Field{Label: "created_at", Value: c.session.Times.Stamp(o.CreatedAt, now)},
		table.Field{Label: "updated_at", Value: c.session.Times.Stamp(o.UpdatedAt, now)},
	)
	if o.Error != "" {
		fields = append(fields, table.Field{Label: "error", Value: o.Error, Tone: style.Bad})
	}
	if !o.RetryAt.IsZero() {
		fields = append(fields, table.Field{Label: "retry_at", Value: c.session.Times.Stamp(o.RetryAt, now)})
	}
	about := o.Action.Meaning()
	if o.Gone {
		about = strings.TrimSpace(about + " The service no longer knows this operation: " +
			"what is shown is the last that was heard of it.")
	}
	return table.Record{
		Title: o.Action.Title(), State: l.text() + c.duration(r, now, written()), Tone: l.tone,
		Note: c.usual(o.Action, written()), About: about, Fields: fields, Damage: o.Damage,
		SaidState: l.word + c.duration(r, now, spoken()), SaidNote: c.usual(o.Action, spoken()),
	}
}

// missing is what stands for operations that are not loaded: in the table, in its details, in
// words.
type missing struct{ cell, title, about, said string }

func (c *cells) missing(r row, now time.Time) missing {
	name := c.name(r.project)
	switch {
	case r.line != nil:
		said := r.line.divider(now)
		return missing{"", "Complete down to here", style.Sentence(said) + ". More can be loaded, a stretch of time at once.", said}
	case r.gap.Broken:
		return missing{
			cell:  "history stops here",
			title: "History stops here: the service's paging broke",
			about: "Older operations of " + name + " may exist, but the service did not say how to ask for them. Asking again may help.",
			said:  "history of " + name + " stops here: the service's paging broke",
		}
	}
	return missing{
		cell:  "operations are missing",
		title: "Operations are missing here",
		about: "More operations of " + name + " began than pgtower follows on its own, or older ones are not loaded yet. " +
			"They can be loaded a page at a time.",
		said: "operations of " + name + " are missing here, and can be loaded",
	}
}

// wording is how durations are put: those that are over, those that still grow, and what
// nearly all of a kind are shorter than.
type wording struct {
	took, lasting func(time.Duration) string
	p95           string
}

func written() wording { return wording{style.Took, style.Lasting, "p95"} }
func spoken() wording  { return wording{style.DurationWords, style.DurationWords, "95th percentile"} }

// duration says how long an operation took or has lasted, and whether that is slow or not
// known any more.
func (c *cells) duration(r row, now time.Time, w wording) string {
	o, known := r.op, c.snapshot.Load()
	took := known.took(r, now)
	if !took.Known || o.Status == models.StatusScheduling {
		return ""
	}
	s := " for " + w.lasting(took.Value)
	if o.Done() {
		s = " after " + w.took(took.Value)
	}
	if unasked := known.unasked(r, now); unasked > 0 {
		return " for at least " + w.lasting(took.Value) + " · not asked for " + w.lasting(unasked)
	}
	if known.slow(r, now) {
		s += " · slow"
	}
	return s
}

// usual says how long operations of the kind take in this feed.
func (c *cells) usual(a models.Action, w wording) string {
	d := c.timeline().Durations(a)
	median, ok := d.Median()
	p95, _ := d.Quantile(0.95)
	if !ok {
		return "No other of its kind has finished in this feed."
	}
	return fmt.Sprintf("median %s · %s %s · %s", w.took(median), w.p95, w.took(p95), table.Plural(d.Count(), "run"))
}

func orNone(s string) string {
	if s == "" {
		return style.None
	}
	return s
}

// say is an operation in words, what it does and how that goes first.
func (c *cells) say(r row, now time.Time) string {
	if r.op == nil {
		return c.missing(r, now).said
	}
	o := r.op
	parts := []string{styleOf(o).word, o.Action.Title()}
	if c.all() {
		parts = append(parts, "project "+c.name(r.project))
	}
	if !o.CreatedAt.IsZero() {
		parts = append(parts, c.session.Times.Ago(o.CreatedAt, now))
	}
	if took := o.Took(now); took.Known && o.Done() {
		parts = append(parts, "took "+style.DurationWords(took.Value))
	}
	if known := c.snapshot.Load(); known.unasked(r, now) > 0 {
		parts = append(parts, "not asked for "+style.DurationWords(known.unasked(r, now)))
	} else if known.slow(r, now) {
		parts = append(parts, "slow")
	}
	if n := int(o.FailuresCount); n > 0 {
		parts = append(parts, table.Plural(n, "failure"))
	}
	if c.watched[r.key()] {
		parts = append(parts, "watched")
	}
	if o.Damage != "" {
		parts = append(parts, "parts of it could not be read")
	}
	return strings.Join(parts, ", ")
}
