package projects

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

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
	name := column("NAME", 16, 3, 0, p.markedName)
	name.Least = 12
	organization := column(
		"ORGANIZATION", 12, 0, 7,
		func(p *models.Project) string { owner := p.Organization(); return owner.Label() },
	)
	organization.Hidden = func() bool { return p.rows.orgs < 2 }
	return table.New(table.Config[*models.Project]{
		Source: p.rows, Order: "order of the service", Fields: p.fields(),
		Examples: []string{
			"shop", "is:failing", "region:eu-central", "is:pinned", "failed:>2", "pg:>15",
			"!is:locked age:<7d",
		},
		Say: p.say, Values: (*models.Project).Fields, Detail: p.record, Session: p.session,
		Page: page.Projects,
		Columns: append(append([]table.Column[*models.Project]{name}, p.healthColumns()...),
			organization,
			column("ID", 22, 2, 9, func(p *models.Project) string { return p.ID }),
			column("REGION", 18, 0, 8, func(p *models.Project) string { return p.RegionID }),
			number(
				"PG", 2, 10, func(p *models.Project) models.Opt[int64] { return p.PgVersion },
				humanize.Comma,
			),
			p.day("CREATED", 8, 11, func(p *models.Project) time.Time { return p.CreatedAt }),
			number(
				"CPU TIME", 8, 12,
				func(p *models.Project) models.Opt[int64] { return p.CPUUsedSec }, seconds,
			),
			p.day("UPDATED", 8, 13, func(p *models.Project) time.Time { return p.UpdatedAt }),
			number(
				"LIMIT", 11, 14,
				func(p *models.Project) models.Opt[int64] { return p.BranchLogicalSizeLimit },
				mebibytes,
			),
			column("LOCKED", 6, 0, 15, func(p *models.Project) string { return said(p.Locked, yesNo) }),
			column("PLATFORM", 8, 0, 16, func(p *models.Project) string { return p.PlatformID }),
			column("PROVISIONER", 19, 0, 17, func(p *models.Project) string { return p.Provisioner }),
			column("PROXY HOST", 28, 1, 18, func(p *models.Project) string { return p.ProxyHost }),
		),
	})
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

func column(
	title string, width, grow, priority int, of func(*models.Project) string,
) table.Column[*models.Project] {
	return table.Column[*models.Project]{
		Title: title, Width: width, Grow: grow, Priority: priority,
		Cell: func(p *models.Project, _ time.Time) (string, style.Tone) {
			return cell(of(p), priority)
		},
		Compare: func(a, b *models.Project, _ time.Time) int { return strings.Compare(of(a), of(b)) },
	}
}

func number(
	title string, width, priority int, of func(*models.Project) models.Opt[int64],
	say func(int64) string,
) table.Column[*models.Project] {
	c := column(title, width, 0, priority, func(p *models.Project) string { return said(of(p), say) })
	c.Right = true
	c.Compare = func(a, b *models.Project, _ time.Time) int {
		return cmp.Compare(of(a).Value, of(b).Value)
	}
	return c
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

func cell(s string, priority int) (string, style.Tone) {
	switch {
	case s == "":
		return style.None, style.Muted
	case priority == 0:
		return s, style.Plain
	}
	return s, style.Muted
}

func said[T any](value models.Opt[T], say func(T) string) string {
	if !value.Known {
		return ""
	}
	return say(value.Value)
}

func mebibytes(n int64) string { return humanize.Comma(n) + " MiB" }
func seconds(n int64) string   { return style.Took(time.Duration(n) * time.Second) }
func cpuTime(n int64) string   { return humanize.Comma(n) + " s (" + seconds(n) + ")" }

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func (p *Page) record(project *models.Project, now time.Time) table.Record {
	times := p.session.Times
	r := table.Record{
		Title: project.Name,
		Fields: []table.Field{
			{Label: "id", Value: project.ID},
			{Label: "name", Value: project.Name},
			{Label: "platform_id", Value: project.PlatformID},
			{Label: "region_id", Value: project.RegionID},
			{Label: "provisioner", Value: project.Provisioner},
			{Label: "pg_version", Value: said(project.PgVersion, humanize.Comma)},
			{Label: "locked", Value: said(project.Locked, yesNo)},
			{Label: "cpu_used_sec", Value: said(project.CPUUsedSec, cpuTime)},
			{Label: "proxy_host", Value: project.ProxyHost},
			{Label: "branch_logical_size_limit", Value: said(project.BranchLogicalSizeLimit, mebibytes)},
			{Label: "created_at", Value: times.Stamp(project.CreatedAt, now)},
			{Label: "updated_at", Value: times.Stamp(project.UpdatedAt, now)},
		},
		Damage: project.Damage,
	}
	if project.OrgID != "" {
		r.Fields = append(r.Fields, table.Field{Label: "org_id", Value: project.OrgID},
			table.Field{Label: "org_name", Value: project.OrgName})
	}
	for i := range r.Fields {
		if f := &r.Fields[i]; f.Value == "" {
			f.Value, f.Tone = style.None, style.Muted
		}
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
