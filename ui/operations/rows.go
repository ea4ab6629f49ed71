package operations

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/query"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// row is an operation, a gap where operations are missing, or the divider below which the feed is not complete. Filters
// and orders read rows on other goroutines: one that the table has never changes.
type row struct {
	query.Operation

	gap     *feed.ProjectGap
	line    *extent
	partial bool // others may be missing around it
}

func (s *state) facts() *query.Facts {
	limits := map[models.Action]time.Duration{}
	for _, a := range s.timeline().Actions() {
		limits[a.Action], _ = a.Durations.Slow()
	}
	slow := func(a models.Action) (time.Duration, bool) { return limits[a], limits[a] > 0 }
	return &query.Facts{
		Names: s.names, Orgs: s.orgs, Regions: s.regions, Slow: slow, Skew: s.session.Skew, Bound: s.poller.Options().Bound(),
	}
}

func (s *state) row(project string, op *models.Operation) *row {
	return &row{Operation: query.Operation{Op: op, Project: project, Facts: s.rows.facts}}
}

func (r *row) values() models.Fields {
	if r.Op == nil {
		return nil
	}
	values := r.Op.Fields()
	values["project_id"], values["project"] = r.Project, r.Name()
	owner := r.Facts.Orgs[r.Project]
	values["org_id"], values["org_name"] = owner.ID, owner.Name
	return values
}

// key identifies an operation, the gap below one, or the divider at a time: a divider that moves is another row.
type key = table.Key

const gapMark = "gap\n" // begins the keys of gaps and dividers. No id of the service has a line break

func (r *row) key() key {
	switch {
	case r.line != nil:
		return key{Project: r.line.Lacking, ID: gapMark + r.line.Since.Format(time.RFC3339Nano)}
	case r.gap != nil:
		return key{Project: r.Project, ID: gapMark + r.gap.Below}
	}
	return key{Project: r.Project, ID: r.Op.ID}
}

type operations interface {
	Len() int
	At(i int) *models.Operation
	ProjectAt(i int) string
	AsOf(i int) time.Time
}

// rows are the rows of the table: operations, the gaps between them, and the divider.
type rows struct {
	operations
	gaps     []*feed.ProjectGap // newest first
	complete int                // the number of operations with nothing missing between them
	line     *extent            // the divider, or nil
	facts    *query.Facts
	of       *state
	extent   extent
	made     []row // the last rows returned, in one allocation: a frame asks for all on the screen
}

// frozen is all loaded rows at some time. Each is allocated on its own, because filters keep only some.
type frozen struct{ rows }

func (f *frozen) Row(i int) *row { return new(f.at(i)) }

func (r *rows) Len() int {
	n := r.operations.Len() + len(r.gaps)
	if r.line != nil {
		n++
	}
	return n
}

// Row returns a row, the newest first.
func (r *rows) Row(i int) *row {
	const atOnce = 64
	if len(r.made) == cap(r.made) {
		r.made = make([]row, 0, atOnce)
	}
	r.made = append(r.made, r.at(i))
	return &r.made[len(r.made)-1]
}

func (r *rows) at(i int) row {
	if r.line != nil && i >= r.complete {
		if i == r.complete {
			return row{Operation: query.Operation{Facts: r.facts}, line: r.line}
		}
		i--
	}
	// With k gaps before it, the gap below operation Row stands at Row + 1 + k, which grows with k.
	above := sort.Search(len(r.gaps), func(k int) bool { return r.gaps[k].Row+1+k >= i })
	if above < len(r.gaps) && r.gaps[above].Row+1+above == i {
		gap := r.gaps[above]
		return row{Operation: query.Operation{Project: gap.Project, Facts: r.facts}, gap: gap}
	}
	i -= above
	op := query.Operation{Op: r.At(i), Project: r.ProjectAt(i), AsOf: r.AsOf(i), Facts: r.facts}
	return row{Operation: op, partial: i >= r.complete}
}

// place finds the gaps and the divider.
func (r *rows) place() {
	t := r.of.timeline()
	r.gaps, r.extent, r.complete = t.Gaps(), r.of.extent(), 0
	if !r.extent.unknown && r.extent.Unread == 0 {
		r.complete = t.Complete()
	}
}

// Freeze returns all loaded rows. There is no gap above the divider.
func (r *rows) Freeze() (all table.Rows[*row], divider int) {
	f := &frozen{*r}
	f.operations = r.of.timeline().Rows()
	if r.extent.whole() {
		return f, -1
	}
	f.line = &f.extent
	return f, r.complete
}

func (*rows) Key(r *row) key { return r.key() }

func (r *rows) Find(k key) (int, bool) {
	if below, gap := strings.CutPrefix(k.ID, gapMark); gap {
		i := slices.IndexFunc(r.gaps, func(g *feed.ProjectGap) bool { return g.Project == k.Project && g.Below == below })
		if i < 0 {
			return 0, false
		}
		return r.gaps[i].Row + 1 + i, true
	}
	i, ok := r.of.timeline().Find(k.Project, k.ID)
	// The gaps below operations above this one push it down.
	return i + sort.Search(len(r.gaps), func(k int) bool { return r.gaps[k].Row >= i }), ok
}

// Has reports whether an operation is loaded, shown or not.
func (r *rows) Has(k key) bool {
	f := r.of.poller.Feed(k.Project)
	if f == nil {
		return false
	}
	_, ok := f.Find(k.ID)
	return ok
}

// record returns the details of a row: of an operation, every field of the API, and how long others of its kind took.
func (s *state) record(r *row, now time.Time) table.Record {
	if r.Op == nil {
		title, about, _ := s.missing(r, now)
		return table.Record{Title: title, About: about}
	}
	o, is, times := r.Op, style.StatusOf(r.Op), s.session.Times
	retry := ""
	if !o.RetryAt.IsZero() {
		retry = times.Due(o.RetryAt, now)
	}
	fields := []table.Field{
		{Label: "id", Value: o.ID},
		{Label: "project_id", Value: cmp.Or(o.ProjectID, style.None)},
		{Label: "project", Value: s.names[r.Project]},
		{Label: "branch_id", Value: cmp.Or(o.BranchID, style.None)},
		{Label: "endpoint_id", Value: cmp.Or(o.EndpointID, style.None)},
		{Label: "action", Value: cmp.Or(string(o.Action), style.None)},
		{Label: "status", Value: cmp.Or(string(o.Status), style.None), Tone: is.Tone},
		{Label: "failures_count", Value: count(int(o.FailuresCount))},
		{Label: "created_at", Value: times.Stamp(o.CreatedAt, now)},
		{Label: "updated_at", Value: times.Stamp(o.UpdatedAt, now)},
		{Label: "retry_at", Value: retry},
	}
	about := o.Action.Meaning()
	if o.Gone {
		about = strings.TrimSpace(about + " This operation no longer exists in the service. " +
			"Its last known state is shown.")
	}
	usual := s.timeline().Durations(o.Action)
	return table.Record{
		Title: o.Action.Title(), Tone: is.Tone, About: about, Damage: o.Damage,
		Error: o.Error,
		State: is.Glyph + " " + written().result(r, now), AnnouncedState: spoken().result(r, now),
		Note: written().usual(usual), AnnouncedNote: spoken().usual(usual),
		Fields: slices.DeleteFunc(fields, func(f table.Field) bool { return f.Value == "" }),
	}
}

func (s *state) missing(r *row, now time.Time) (title, about, said string) {
	name := s.name(r.Project)
	switch {
	case r.line != nil:
		title, said = "Complete down to here", r.line.divider(now)
		about = style.Sentence(said) + ". More can be loaded, a time range at once."
	case r.gap.Broken:
		title = "History stops here: the service's paging broke"
		said = "history of " + name + " stops here: the service's paging broke"
		about = "Older operations of " + name + " may exist, but the service returned no cursor for them. " +
			"Retrying may help."
	default:
		title, said = "Operations are missing here", "operations of "+name+" are missing here, and can be loaded"
		about = "More operations of " + name + " began than pgtower follows on its own, or older ones are not loaded yet. " +
			"They can be loaded a page at a time."
	}
	return title, about, said
}

// wording formats durations, final and growing ones, and names the 95th percentile.
type wording struct {
	took, lasting func(time.Duration) string
	p95           string
}

// written is the wording of the screen.
func written() wording { return wording{style.Took, style.Elapsed, "p95"} }

// spoken is the wording of the accessible mode.
func spoken() wording { return wording{style.DurationWords, style.DurationWords, "95th percentile"} }

func (w wording) duration(r *row, now time.Time) string {
	took, ok := r.Took(now)
	unasked, said := r.Unasked(now), ""
	switch {
	case !ok:
		return ""
	case unasked > 0:
		return " for at least " + w.lasting(took) + " · not checked for " + w.lasting(unasked)
	case r.Op.Done():
		said = " after " + w.took(took)
	default:
		said = " for " + w.lasting(took)
	}
	if r.Slow(now) {
		said += " · slow"
	}
	return said
}

func (w wording) usual(d *feed.Durations) string {
	median, ok := d.Median()
	p95, _ := d.Quantile(0.95)
	if !ok {
		return "No other operation of this kind has finished yet."
	}
	return fmt.Sprintf("median %s · %s %s · %s", w.took(median), w.p95, w.took(p95), style.Plural(d.Count(), "run"))
}

func (s *state) say(r *row, now time.Time) string {
	if r.Op == nil {
		_, _, said := s.missing(r, now)
		return said
	}
	parts := []string{style.StatusOf(r.Op).Word, r.Op.Action.Title()}
	add := func(is bool, text string) {
		if is {
			parts = append(parts, text)
		}
	}
	took, known := r.Took(now)
	unasked, failures := r.Unasked(now), int(r.Op.FailuresCount)
	add(s.all(), "project "+s.name(r.Project))
	add(!r.Op.CreatedAt.IsZero(), s.session.Times.Ago(r.Op.CreatedAt, now))
	add(known && r.Op.Done(), "took "+style.DurationWords(took))
	add(unasked > 0, "not checked for "+style.DurationWords(unasked))
	add(unasked == 0 && r.Slow(now), "slow")
	add(failures > 0 && !r.Op.Recovered(), style.Plural(failures, "failure"))
	add(r.Op.Recovered(), recovered(r.Op))
	if r.Op.Status.Failed() && !r.Op.Gone {
		parts = append(parts, strings.TrimLeft(spoken().retry(r, now), "·, "))
	}
	add(s.watched[r.key()], "watched")
	add(r.Op.Damage != "", "the record is partly unreadable")
	add(s.partial(r), "incomplete: operations may be missing around it")
	return strings.Join(parts, ", ")
}

// partial reports whether others may be missing around a row, and no gap shows that.
func (s *state) partial(r *row) bool { return r.partial && s.table.Arranged() }
