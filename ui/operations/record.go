package operations

import (
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"pgtower/models"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// record is an operation with every field that the API has of it, what its kind is for,
// and how long it took against others of its kind.
func (p *Page) record(r row, now time.Time) table.Record {
	if r.line != nil {
		return table.Record{
			Title: "Complete down to here",
			About: style.Sentence(p.divider(*r.line, now)) + ". More can be loaded, a stretch of time at once.",
		}
	}
	if r.gap != nil && r.gap.Broken {
		return table.Record{
			Title: "History stops here: the service's paging broke",
			About: "Older operations of " + p.name(r.project) + " may exist, but the service did not say how to ask for them. Asking again may help.",
		}
	}
	if r.gap != nil {
		return table.Record{
			Title: "Operations are missing here",
			About: "More operations of " + p.name(r.project) + " began than pgtower follows on its own, or older ones are not loaded yet. They can be loaded a page at a time.",
		}
	}
	o := r.op
	l := lookOf(o)
	fields := []table.Field{
		{Label: "id", Value: o.ID},
		{Label: "project_id", Value: orNone(o.ProjectID)},
	}
	if name := p.names[r.project]; name != "" {
		fields = append(fields, table.Field{Label: "project", Value: name})
	}
	fields = append(fields,
		table.Field{Label: "branch_id", Value: orNone(o.BranchID)},
		table.Field{Label: "endpoint_id", Value: orNone(o.EndpointID)},
		table.Field{Label: "action", Value: orNone(string(o.Action))},
		table.Field{Label: "status", Value: orNone(string(o.Status)), Tone: l.tone},
		table.Field{Label: "failures_count", Value: humanize.Comma(o.FailuresCount)},
		table.Field{Label: "created_at", Value: p.session.Times.Stamp(o.CreatedAt, now)},
		table.Field{Label: "updated_at", Value: p.session.Times.Stamp(o.UpdatedAt, now)},
	)
	if o.Error != "" {
		fields = append(fields, table.Field{Label: "error", Value: o.Error, Tone: style.Bad})
	}
	if !o.RetryAt.IsZero() {
		fields = append(fields, table.Field{Label: "retry_at", Value: p.session.Times.Stamp(o.RetryAt, now)})
	}
	about := o.Action.Meaning()
	if o.Gone {
		about = strings.TrimSpace(about + " The service no longer knows this operation: what is shown is the last that was heard of it.")
	}
	return table.Record{
		Title: o.Action.Title(), State: l.glyph + " " + l.word + p.duration(r, now, written()), Tone: l.tone,
		Note: p.usual(o.Action, written()), About: about, Fields: fields, Damage: o.Damage,
		SaidState: l.word + p.duration(r, now, spoken()), SaidNote: p.usual(o.Action, spoken()),
	}
}

// title names an operation: "Create branch of storefront".
func (p *Page) title(r row) string { return r.op.Action.Title() + " of " + p.name(r.project) }

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
func (p *Page) duration(r row, now time.Time, w wording) string {
	o, facts := r.op, p.facts.Load()
	took := facts.took(r, now)
	if !took.Known || o.Status == models.StatusScheduling {
		return ""
	}
	s := " for " + w.lasting(took.Value)
	if o.Done() {
		s = " after " + w.took(took.Value)
	}
	if unasked := facts.unasked(r, now); unasked > 0 {
		return " for at least " + w.lasting(took.Value) + " · not asked for " + w.lasting(unasked)
	}
	if facts.slow(r, now) {
		s += " · slow"
	}
	return s
}

// usual says how long operations of the kind take in this feed.
func (p *Page) usual(a models.Action, w wording) string {
	d := p.timeline.Durations(a)
	median, ok := d.Median()
	p95, _ := d.Quantile(0.95)
	if !ok {
		return "No other of its kind has finished in this feed."
	}
	return fmt.Sprintf("usual %s · %s %s · of %s", w.took(median), w.p95, w.took(p95), humanize.Comma(int64(d.Count())))
}

func orNone(s string) string {
	if s == "" {
		return style.None
	}
	return s
}
