package projects

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/listpage"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

func (p *Page) newList() *list {
	name := p.columns("name")
	name[0].Cell = func(project *models.Project, _ time.Time) (string, style.Tone) {
		return p.markedName(project), style.Plain
	}
	organization := p.columns("organization")
	organization[0].Hidden = func() bool { return p.rows.orgs < 2 }
	return listpage.New(listpage.Config[models.Project]{
		ID: page.Projects, Session: p.session, Fields: models.ProjectFields(), Actions: p.newActions(), Row: "project",
		Refresh: &action.Action{
			Footer: action.Shown, Run: func() tea.Cmd { p.asked = true; return p.refresh() },
		},
		Reading: p.reading, Describe: p.describe,
		Table: table.Config[*models.Project]{
			Source: p.rows, Fields: p.fields(), Say: p.say, Values: (*models.Project).Fields, Detail: p.record,
			Examples: []string{
				"shop", "is:failing", "region:eu-central", "is:pinned", "failed:>2", "pg:>15",
				"!is:locked age:<7d",
			},
			Columns: slices.Concat(name, p.healthColumns(), p.noteColumns(), organization, p.columns("id", "region_id",
				"pg_version", "created_at", "cpu_used_sec", "updated_at", "branch_logical_size_limit", "locked", "platform_id", "provisioner",
				"proxy_host")),
		},
	})
}

func (p *Page) columns(names ...string) []table.Column[*models.Project] {
	return table.Columns(p.session, models.ProjectFields(), names...)
}

// describe completes the texts around the rows.
func (p *Page) describe(f page.Frame, d *table.Description[*models.Project]) {
	d.Summary, d.Empty, d.Note = p.summary(), p.none(f), p.note()
	d.Trouble = []error{p.account.Trouble()}
	if !f.Accessible {
		d.Summary = fitting(d.Summary, f.Width)
	}
}

// fitting returns the first parts that fit in the line above the rows. A later one may need an earlier one to be understood.
func fitting(parts []table.Part, width int) (fit []table.Part) {
	const edge, apart = 1, 3 // as the table draws the line
	end := edge - apart
	for _, part := range parts {
		end += apart + style.Width(part.Text)
		if end > width {
			break
		}
		fit = append(fit, part)
	}
	return fit
}

// none returns the empty state of an account without projects, or why one of its lists cannot be read.
func (p *Page) none(f page.Frame) table.EmptyState {
	if err := p.account.Trouble(); err != nil {
		return table.Failure(err, f.Key("refresh")+": try again.")
	}
	return table.EmptyState{
		Title: "This account has no projects.",
		Body:  "Create one in the service's console, then press " + f.Key("refresh") + ".",
	}
}

func (p *Page) note() table.Note {
	if !p.reading().Loading() {
		return table.Note{}
	}
	return table.Note{Tone: style.Muted, Text: "◌ loading…", ScreenOnly: true}
}

func (p *Page) summary() []table.Part {
	n := p.rows.Len()
	if n == 0 {
		return nil
	}
	parts := []table.Part{{Tone: style.Strong, Text: style.Plural(n, "project")}}
	parts = append(parts, p.healthSummary()...)
	if orgs := p.rows.orgs; orgs > 1 {
		parts = append(parts, table.Part{Tone: style.Muted, Text: style.Plural(orgs, "organization")})
	}
	parts = append(parts, table.Part{Tone: style.Muted, Text: style.Plural(p.rows.regions, "region")})
	if locked := p.rows.locked; locked > 0 {
		parts = append(parts, table.Part{Tone: style.Waiting, Text: fmt.Sprintf("%d locked", locked)})
	}
	if pinned := len(*p.pinned.Load()); pinned > 0 {
		parts = append(parts, table.Part{Tone: style.Accent, Text: fmt.Sprintf("%d pinned", pinned)})
	}
	return parts
}

func (p *Page) say(project *models.Project, now time.Time) string {
	s := p.state(project, now)
	text := strings.Replace(p.SayCells(project, now), "health "+s.text(), word(s.condition()), 1)
	if p.isPinned(project) {
		text = strings.TrimPrefix(text, pinMark) + ", pinned"
	}
	return text
}

func (p *Page) markedName(project *models.Project) string {
	mark := ""
	if p.isPinned(project) {
		mark = pinMark
	}
	if project.Damage != "" || p.rows.Shared(project) {
		mark += "⚠ "
	}
	return mark + cmp.Or(project.Name, project.ID) // the record of an unavailable project has not come yet
}

func (p *Page) record(project *models.Project, now time.Time) table.Record {
	r := table.Record{
		Title: project.Name, Damage: project.Damage,
		Fields: table.Details(p.session.Times, models.ProjectFields(), project, now),
	}
	showNotes(&r, project, now)
	p.showHealth(&r, p.state(project, now), now)
	if p.isPinned(project) {
		r.Note = "Pinned: its operations are read at every poll."
	}
	if p.rows.Shared(project) {
		r.State, r.AnnouncedState, r.Tone = "duplicate id", "", style.Bad
		r.About = "Several projects have this id: the operations may belong to another one."
	}
	return r
}
