package operations

import (
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"pgtower/models"
	"pgtower/ui/detail"
	"pgtower/ui/text"
	"pgtower/ui/theme"
	"pgtower/ui/when"
)

// record is an operation with every field that the API has of it, what its kind is for,
// and how long it took against others of its kind.
func (p *Page) record(r row, now time.Time) detail.Record {
	if r.line != nil {
		return detail.Record{
			Title: "Complete down to here",
			About: text.Sentence(p.divider(*r.line, now)) + ". More can be loaded, a stretch of time at once.",
		}
	}
	if r.gap != nil && r.gap.Broken {
		return detail.Record{
			Title: "History stops here: the service's paging broke",
			About: "Older operations of " + p.name(r.project) + " may exist, but the service did not say how to ask for them. Asking again may help.",
		}
	}
	if r.gap != nil {
		return detail.Record{
			Title: "Operations are missing here",
			About: "More operations of " + p.name(r.project) + " began than pgtower follows on its own, or older ones are not loaded yet. They can be loaded a page at a time.",
		}
	}
	o := r.op
	l := lookOf(o)
	fields := []detail.Field{
		{Label: "id", Value: o.ID},
		{Label: "project_id", Value: orNone(o.ProjectID)},
	}
	if name := p.names[r.project]; name != "" {
		fields = append(fields, detail.Field{Label: "project", Value: name})
	}
	fields = append(fields,
		detail.Field{Label: "branch_id", Value: orNone(o.BranchID)},
		detail.Field{Label: "endpoint_id", Value: orNone(o.EndpointID)},
		detail.Field{Label: "action", Value: orNone(string(o.Action))},
		detail.Field{Label: "status", Value: orNone(string(o.Status)), Tone: l.tone},
		detail.Field{Label: "failures_count", Value: humanize.Comma(o.FailuresCount)},
		detail.Field{Label: "created_at", Value: p.session.Times.Stamp(o.CreatedAt, now)},
		detail.Field{Label: "updated_at", Value: p.session.Times.Stamp(o.UpdatedAt, now)},
	)
	if o.Error != "" {
		fields = append(fields, detail.Field{Label: "error", Value: o.Error, Tone: theme.Bad})
	}
	if !o.RetryAt.IsZero() {
		fields = append(fields, detail.Field{Label: "retry_at", Value: p.session.Times.Stamp(o.RetryAt, now)})
	}
	about := o.Action.Meaning()
	if o.Gone {
		about = strings.TrimSpace(about + " The service no longer knows this operation: what is shown is the last that was heard of it.")
	}
	return detail.Record{
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

func written() wording { return wording{when.Took, when.Lasting, "p95"} }
func spoken() wording  { return wording{when.Words, when.Words, "95th percentile"} }

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
		return when.None
	}
	return s
}
