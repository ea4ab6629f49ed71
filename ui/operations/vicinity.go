package operations

import (
	"cmp"
	"fmt"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/style"
)

const (
	besides    = 5               // the most operations of the same endpoint, and failures near, that are listed
	nearby     = 5 * time.Minute // how far failures near an operation are
	mostSought = 5_000           // operations that are looked at for each: the cost does not grow with the loaded ones
)

// vicinity is what happened around an operation: what else its endpoint did, how long others of its kind take, and what failed
// near it. It is found anew when the operations have changed.
type vicinity struct {
	subject *row
	key     key
	changes int

	what string // "endpoint" or, without one, "branch"
	own  sought // the operations of the same one
	near sought // failures near it
	lack bool   // failures near it may be missing
}

// sought has the operations that a search found.
type sought struct {
	rows        []*row // the first ones
	all, failed int
	since       time.Time // operations that began earlier are not counted
	projects    map[string]bool
	regions     map[string]bool
}

func (s *sought) add(r *row) {
	s.all++
	if r.Op.Status.Failed() {
		s.failed++
	}
	if len(s.rows) < besides {
		s.rows = append(s.rows, r)
	}
	if s.projects == nil {
		s.projects, s.regions = map[string]bool{}, map[string]bool{}
	}
	s.projects[r.Name()], s.regions[r.Region()] = true, true
}

// vicinity returns what happened around an operation.
func (d *display) vicinity(r *row) *vicinity {
	t := d.live.timeline()
	if found := d.found; found != nil && found.key == r.key() && found.changes == t.Changes() {
		return found
	}
	d.found = &vicinity{subject: r, key: r.key(), changes: t.Changes()}
	d.found.findOwn(t, d.live.poller.Feed(r.Project))
	d.found.findNear(t)
	span := d.live.poller.Span(d.live.claimedAt())
	if !span.Complete(r.Op.CreatedAt.Add(-nearby)) || len(span.Without) > 0 {
		d.found.lack = true
	}
	return d.found
}

// findOwn finds the last operations of the same endpoint or, without one, of the same branch.
func (v *vicinity) findOwn(t *feed.Timeline, project *feed.Feed) {
	if v.what = "endpoint"; v.subject.Op.EndpointID == "" {
		v.what = "branch"
	}
	if v.part(v.subject.Op) == "" || project == nil {
		return
	}
	v.own.since = project.CompleteSince()
	looked := 0
	for _, op := range t.OfProject(v.subject.Project) {
		if looked++; looked > mostSought || op.CreatedAt.Before(v.own.since) {
			return
		}
		if v.part(op) == v.part(v.subject.Op) {
			v.own.add(newRow(v.subject.Facts, v.subject.Project, op))
		}
		if looked == mostSought {
			v.own.since = op.CreatedAt
		}
	}
}

// part returns the id of the endpoint or branch of an operation, whichever v is about.
func (v *vicinity) part(op *models.Operation) string {
	if v.what == "endpoint" {
		return op.EndpointID
	}
	return op.BranchID
}

// findNear finds the failures that began near it, without itself.
func (v *vicinity) findNear(t *feed.Timeline) {
	begin := v.subject.Op.CreatedAt
	if begin.IsZero() {
		return
	}
	looked := 0
	for project, op := range t.Between(begin.Add(-nearby), begin.Add(nearby)) {
		if looked++; looked > mostSought {
			v.lack = true
			return
		}
		r := newRow(v.subject.Facts, project, op)
		if op.Status.Failed() && r.key() != v.key {
			v.near.add(r)
		}
	}
}

// surroundings draws what happened around an operation, below its fields.
func (d *display) surroundings(r *row, now time.Time, th *style.Theme, width int) (lines []string) {
	v := d.vicinity(r)
	if v.own.all > 1 {
		lines = append(lines, section(style.Cut(d.ownHead(v, now, th), width), d.lines(v.own, now, th, width, false))...)
	}
	usual := d.live.timeline().Durations(r.Op.Action)
	if usual.Count() > 0 {
		head, chart := d.usualLines(r, usual, th, width)
		lines = append(lines, section(style.Cut(head, width), chart)...)
	}
	if v.near.all > 0 {
		number := when(v.lack, "≥") + count(v.near.all)
		head := th.Paint(style.Strong, "Failed within 5 min of it: "+number) + nearWhere(v.near)
		lines = append(lines, section(style.Cut(head, width), d.lines(v.near, now, th, width, d.scope.all()))...)
	}
	return lines[min(1, len(lines)):]
}

// section returns lines below a head, after an empty line.
func section(head string, body []string) []string { return append([]string{"", head}, body...) }

// ownHead is the line above the operations of the same endpoint: "This endpoint  2 of 41 failed since 20:33".
func (d *display) ownHead(v *vicinity, now time.Time, th *style.Theme) string {
	tone := style.Muted
	if v.own.failed > 0 {
		tone = style.Bad
	}
	text := fmt.Sprintf("%s of %s failed", count(v.own.failed), count(v.own.all))
	text += when(!v.own.since.IsZero(), " since "+d.session.Times.Minute(v.own.since, now))
	return th.Paint(style.Strong, "This "+v.what) + "  " + th.Paint(tone, text)
}

// nearWhere tells where failures lie together: in one region or project, or in how many.
func nearWhere(s sought) string {
	if len(s.regions) == 1 && s.all > 1 && !s.regions[""] {
		for region := range s.regions {
			return ", all in " + region
		}
	}
	if len(s.projects) > 1 {
		return ", in " + style.Plural(len(s.projects), "project")
	}
	return ""
}

// lines draws operations, a line each: when it began, how long it took and why it failed.
func (d *display) lines(s sought, now time.Time, th *style.Theme, width int, projects bool) (lines []string) {
	const action, project = 18, 12
	for _, r := range s.rows {
		status := style.StatusOf(r.Op)
		line := th.Paint(status.Tone, status.Glyph) + " " + style.Fit(r.title(), action) + " "
		if projects {
			line += style.Fit(r.Name(), project) + " "
		}
		age, _ := d.age(r, now)
		duration, tone := took(r, now)
		line += th.Paint(style.Muted, style.Ends("", age, 4)) + " " + th.Paint(tone, style.Ends("", duration, 6)) + "  " +
			cmp.Or(r.Op.Error, th.Paint(style.Muted, status.Word))
		lines = append(lines, style.Cut(line, width))
	}
	return lines
}

// usualLines draws how long operations of the kind took, and where this one is among them.
func (d *display) usualLines(r *row, usual *feed.Durations, th *style.Theme, width int) (head string, chart []string) {
	head = th.Paint(style.Strong, r.title()) + th.Paint(style.Muted, ", "+style.Plural(usual.Count(), "run"))
	const most = 30
	histogram := usual.Histogram(min(most, width-2*8))
	if len(histogram) == 0 {
		return head, nil
	}
	bars := make([]int, len(histogram))
	bar, duration := -1, time.Duration(0)
	if r.Op.Done() {
		duration, _ = r.Took(time.Time{})
	}
	for i, b := range histogram {
		bars[i] = b.Count
		if duration >= b.From && duration > 0 {
			bar = i
		}
	}
	from, longest := style.Took(histogram[0].From), style.Took(histogram[len(histogram)-1].To)
	chart = append(chart, th.Paint(style.Muted, from+" ")+th.Paint(style.Accent, style.Spark(bars))+th.Paint(style.Muted, " "+longest))
	if bar >= 0 {
		chart = append(chart, style.Spaces(style.Width(from)+1+bar)+th.Paint(style.Muted, "↑ this one"))
	}
	return head, chart
}
