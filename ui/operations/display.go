package operations

import (
	"slices"
	"strings"
	"time"

	"pgtower/models/feed"
	"pgtower/models/naming"
	"pgtower/models/record"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// display shows a row in cells, in details, and in a sentence. It changes nothing but what it has found.
type display struct {
	session *page.Session
	scope   *scope
	live    *live
	watches watches
	// rowFields are those of the record.
	rowFields []record.Field[*row]
	found     *vicinity       // of the row whose details were last drawn; it is nil before
	partial   func(*row) bool // reports whether operations may be missing around a row without a gap that shows it
}

func (d *display) created(r *row, now time.Time) (string, style.Tone) {
	if r.gap != nil {
		return "", style.Plain
	}
	return d.session.Times.Exact().Cell(r.Op.CreatedAt, now), style.Muted
}

func (d *display) status(r *row, _ time.Time) (string, style.Tone) {
	if r.gap != nil {
		return "┄ missing", style.Waiting
	}
	state := style.StatusOf(r.Op)
	if d.watches[r.key()] {
		state.Glyph = "◉"
	}
	return state.Text() + style.Retries(r.Op), state.Tone
}

func (d *display) age(r *row, now time.Time) (string, style.Tone) {
	if r.gap != nil {
		return "", style.Plain
	}
	if age, ok := r.Age(now); ok {
		now = r.Op.CreatedAt.Add(age)
	}
	return d.session.Times.Cell(r.Op.CreatedAt, now), style.Plain
}

// record returns the details of a row: of an operation, every field of the API, and how long others of its kind took.
func (d *display) record(r *row, now time.Time) table.Record {
	if r.Op == nil {
		title, about, _ := d.missing(r, now)
		return table.Record{Title: title, About: about}
	}
	o, state := r.Op, style.StatusOf(r.Op)
	about := o.Action.Meaning()
	if o.Gone {
		about = strings.TrimSpace(about + " This operation no longer exists in the service. " +
			"Its last known state is shown.")
	}
	usual := d.live.timeline().Durations(o.Action)
	return table.Record{
		Title: o.Action.Title(), Tone: state.Tone, About: about, Damage: o.Damage,
		Error: o.Error,
		State: state.Glyph + " " + written().result(r, now), AnnouncedState: spoken().result(r, now),
		Facts: d.facts(r, now, usual), Fields: d.fields(r, now),
		Chart: func(th *style.Theme, width int) []string { return d.surroundings(r, now, th, width) },
	}
}

// took returns the cell of [took], with the expected duration of a running operation if that is known.
func (d *display) took(r *row, now time.Time) (string, style.Tone) {
	text, tone := took(r, now)
	if lasted, grows := strings.CutSuffix(text, "…"); grows {
		if expected, ok := d.live.timeline().Durations(r.Op.Action).Expected(); ok {
			text = lasted + style.Expected(style.Took(expected))
		}
	}
	return text, tone
}

// facts returns the first lines of the details: where and when the operation was, and how long others of its kind take.
func (d *display) facts(r *row, now time.Time, usual *feed.Durations) []table.Field {
	facts := []table.Field{
		{Label: "where", Value: d.where(r)},
		{Label: "when", Value: d.when(r, now)},
		{Label: "usual", Value: written().usual(usual), Announced: spoken().usual(usual)},
	}
	return slices.DeleteFunc(facts, func(f table.Field) bool { return f.Value == "" })
}

// where names the project, its branch and its region, as far as they are known.
func (d *display) where(r *row) string {
	parts := []string{d.scope.name(r.Project), d.branch(r), r.Region()}
	return strings.Join(slices.DeleteFunc(parts, empty), " · ")
}

func empty(text string) bool { return text == "" }

// branch returns the name of the branch, or its id.
func (d *display) branch(r *row) string {
	name, _ := r.Branch()
	if name.Name == "" {
		return r.Op.BranchID
	}
	return detailed(name)
}

// when tells from when to when the operation ran, how long ago it began, and how often it failed.
func (d *display) when(r *row, now time.Time) string {
	if r.Op.CreatedAt.IsZero() {
		return ""
	}
	times, ended, last := d.session.Times, r.Op.EndedAt(), r.Op.CreatedAt
	when := "since " + times.Moment(r.Op.CreatedAt, now)
	if !ended.IsZero() {
		last = ended
		layout := time.DateTime
		if times.Date(r.Op.CreatedAt, now) == "today" {
			layout = time.TimeOnly
		}
		when = times.In(r.Op.CreatedAt).Format(layout) + " to " + times.Moment(ended, r.Op.CreatedAt)
	}
	when += " (" + style.Ago(last, now) + ")"
	if n := int(r.Op.FailuresCount); n > 0 {
		when += " · failed " + style.Plural(n, "time")
	}
	return when
}

// fields returns the lines of the details of an operation. The names of its project, branch and compute are left out if they
// are not known, and its organization if there is only one.
func (d *display) fields(r *row, now time.Time) (list []table.Field) {
	branch, _ := r.Branch()
	compute, _ := r.Compute()
	for _, line := range table.Details(d.session.Times, d.rowFields, r, now) {
		found := true
		switch line.Label {
		case "status":
			line.Tone = style.StatusOf(r.Op).Tone
		case "project":
			found = d.scope.names[r.Project] != ""
		case "organization":
			found = !d.scope.oneOrg
		case "branch":
			line.Value, found = detailed(branch), branch != naming.Name{}
		case "endpoint":
			line.Value, found = detailed(compute), compute != naming.Name{}
		}
		if found {
			list = append(list, line)
		}
		if planned := style.Planned(d.scope.listed(r.Project).MaintenanceAt, now); line.Label == "project" && planned != "" {
			list = append(list, table.Field{Label: "maintenance", Value: "! " + planned, Tone: style.Waiting})
		}
	}
	return list
}

// detailed returns a name with what else is known about the branch or compute.
func detailed(name naming.Name) string {
	switch about := name.About(); {
	case about == "":
		return name.Name
	case name.Name == "":
		return about
	default:
		return name.Name + " (" + about + ")"
	}
}

func (d *display) missing(r *row, now time.Time) (title, about, text string) {
	name := d.scope.name(r.Project)
	switch {
	case r.line != nil:
		title, text = "Complete down to here", r.line.divider(now)
		about = style.Sentence(text) + ". More can be loaded, a time range at once."
	case r.gap.Broken:
		title = "History stops here: the service's paging broke"
		text = "history of " + name + " stops here: the service's paging broke"
		about = "Older operations of " + name + " may exist, but the service returned no cursor for them. " +
			"Retrying may help."
	default:
		title = "Operations are missing here"
		text = "operations of " + name + " are missing here, and can be loaded"
		about = "More operations of " + name + " began than pgtower follows on its own, or older ones are not loaded yet. " +
			"They can be loaded a page at a time."
	}
	return title, about, text
}

func (d *display) say(r *row, now time.Time) string {
	if r.Op == nil {
		_, _, text := d.missing(r, now)
		return text
	}
	took, found := r.Took(now)
	unasked, failures := r.Unasked(now), int(r.Op.FailuresCount)
	branch, _ := r.Branch()
	parts := []string{
		style.StatusOf(r.Op).Word, r.title(),
		when(d.scope.all(), "project "+d.scope.name(r.Project)),
		when(branch.Name != "", "branch "+detailed(branch)),
		when(!r.Op.CreatedAt.IsZero(), d.session.Times.Ago(r.Op.CreatedAt, now)),
		when(found && r.Op.Done(), "took "+style.DurationWords(took)),
		when(unasked > 0, "not checked for "+style.DurationWords(unasked)),
		when(unasked == 0 && r.Slow(now), "slow"),
		when(failures > 0 && !r.Op.Recovered(), style.Plural(failures, "failure")),
		when(r.Op.Recovered(), recovered(r.Op)),
		when(r.Op.Status.Failed() && !r.Op.Gone, strings.TrimLeft(spoken().retry(r, now), "·, ")),
		when(d.watches[r.key()], "watched"),
		when(r.Op.Damage != "", "the record is partly unreadable"),
		when(d.partial(r), "incomplete: operations may be missing around it"),
	}
	return strings.Join(slices.DeleteFunc(parts, empty), ", ")
}
