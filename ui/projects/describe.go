package projects

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// View draws the list.
func (p *Page) View(f page.Frame) []string { return p.Draw(f, p.description(f)) }

// Describe returns the list in words.
func (p *Page) Describe(f page.Frame) announce.Description {
	return p.list.Describe(f, p.description(f))
}

func (p *Page) description(f page.Frame) table.Description[*models.Project] {
	missing := p.reading()
	missing.Err = p.account.Trouble() // without any project, of one list, too
	d := table.Description[*models.Project]{
		ID: page.Projects, Name: page.Projects.Title(),
		Summary: p.summary(), Trouble: []error{p.account.Trouble()},
		Empty: missing.Empty(f, "projects", table.EmptyState{
			Title: "This account has no projects.",
			Body:  "Create one in the service's console, then press " + f.Key("refresh") + ".",
		}),
	}
	if p.reading().Loading() {
		d.Note = table.Note{Tone: style.Muted, Text: "◌ loading…", ScreenOnly: true}
	}
	return d
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
	h := p.health(project.ID)
	said := strings.Replace(p.SayCells(project, now), "health "+stateOf(h), word(condition(h)), 1)
	if p.isPinned(project) {
		said = strings.TrimPrefix(said, pinMark) + ", pinned"
	}
	return said
}

func (p *Page) newTable() *list {
	name := p.columns("name")
	name[0].Cell = func(project *models.Project, _ time.Time) (string, style.Tone) {
		return p.markedName(project), style.Plain
	}
	organization := p.columns("organization")
	organization[0].Hidden = func() bool { return p.rows.orgs < 2 }
	return table.New(table.Config[*models.Project]{
		Source: p.rows, Order: "order of the service", Fields: p.fields(),
		Examples: []string{
			"shop", "is:failing", "region:eu-central", "is:pinned", "failed:>2", "pg:>15",
			"!is:locked age:<7d",
		},
		Say: p.say, Values: (*models.Project).Fields, Detail: p.record, Session: p.session,
		Page: page.Projects,
		Columns: slices.Concat(name, p.healthColumns(), organization, p.columns("id", "region_id", "pg_version",
			"created_at", "cpu_used_sec", "updated_at", "branch_logical_size_limit", "locked", "platform_id", "provisioner",
			"proxy_host")),
	})
}

func (p *Page) columns(names ...string) []table.Column[*models.Project] {
	return table.Columns(p.session, models.ProjectFields(), names...)
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

func (p *Page) day(
	title string, width, priority int, of func(*models.Project) time.Time,
) table.Column[*models.Project] {
	return table.Column[*models.Project]{
		Title: title, Moment: title, Width: width, Priority: priority,
		Cell: func(project *models.Project, now time.Time) (string, style.Tone) {
			return p.session.Times.Cell(of(project), now), style.Muted
		},
		Compare: func(a, b *models.Project, _ time.Time) int { return of(a).Compare(of(b)) },
	}
}

func (p *Page) record(project *models.Project, now time.Time) table.Record {
	r := table.Record{
		Title: project.Name, Damage: project.Damage,
		Fields: table.Details(p.session.Times, models.ProjectFields(), project, now),
	}
	p.showHealth(&r, p.health(project.ID), now)
	if p.isPinned(project) {
		r.Note = "Pinned: its operations are read at every poll."
	}
	if p.rows.Shared(project) {
		r.State, r.AnnouncedState, r.Tone = "duplicate id", "", style.Bad
		r.About = "Several projects have this id: the operations may belong to another one."
	}
	return r
}
