package projects

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/query"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

func (p *Page) newTable() *table.Model[*models.Project, string] {
	return table.New(table.Config[*models.Project, string]{
		Source:   p.rows,
		PaneFrom: 140,
		Natural:  "order of the service",
		Columns: []table.Column[*models.Project]{
			head(column("NAME", 18, 3, 0, func(project *models.Project) string {
				mark := ""
				if p.isPinned(project) {
					mark = pinMark
				}
				if project.Damage != "" || p.rows.shared[project.ID] {
					mark += "⚠ "
				}
				return mark + project.Name
			})),
			head(column("ID", 22, 2, 1, func(p *models.Project) string { return p.ID })),
			column("REGION", 18, 0, 2, func(p *models.Project) string { return p.RegionID }),
			numbered("PG", 2, 0, func(p *models.Project) models.Opt[int64] { return p.PgVersion }, plain),
			numbered("CPU TIME", 8, 4, func(p *models.Project) models.Opt[int64] { return p.CPUUsedSec }, cpu),
			numbered("LIMIT", 11, 6, func(p *models.Project) models.Opt[int64] { return p.BranchLogicalSizeLimit }, mebibytes),
			column("LOCKED", 6, 0, 7, func(p *models.Project) string { return yesNo(p.Locked) }),
			column("PLATFORM", 8, 0, 8, func(p *models.Project) string { return p.PlatformID }),
			column("PROVISIONER", 19, 0, 9, func(p *models.Project) string { return p.Provisioner }),
			column("PROXY HOST", 28, 1, 10, func(p *models.Project) string { return p.ProxyHost }),
			p.dated("CREATED", 3, func(p *models.Project) time.Time { return p.CreatedAt }),
			p.dated("UPDATED", 5, func(p *models.Project) time.Time { return p.UpdatedAt }),
		},
		Fields: p.fields(),
		Detail: func(project *models.Project, now time.Time) table.Record {
			r := record(project, now, p.session.Times)
			if p.isPinned(project) {
				r.State, r.SaidState, r.Tone, r.Note = pinMark+"pinned", "pinned", style.Accent, "Its operations are asked for at every poll."
			}
			if p.rows.shared[project.ID] {
				r.State, r.SaidState, r.Tone, r.About = "shares its id", "", style.Bad, sharedID
			}
			return r
		},
		Say:     p.say,
		Open:    detailsKey(),
		Session: p.session,
		Page:    page.Projects,
	})
}

// fields are what the filter knows of a project.
func (p *Page) fields() []query.Field[*models.Project] {
	return []query.Field[*models.Project]{
		query.Text("name", func(p *models.Project) string { return p.Name }).Visible(),
		query.Text("id", func(p *models.Project) string { return p.ID }).Visible(),
		query.Text("region", func(p *models.Project) string { return p.RegionID }).Visible(),
		query.Text("platform", func(p *models.Project) string { return p.PlatformID }),
		query.Text("provisioner", func(p *models.Project) string { return p.Provisioner }),
		query.Text("host", func(p *models.Project) string { return p.ProxyHost }),
		query.Text("pg", func(p *models.Project) string { return plain(p.PgVersion) }),
		query.Duration("age", func(p *models.Project, now time.Time) (time.Duration, bool) {
			return now.Sub(p.CreatedAt), !p.CreatedAt.IsZero()
		}),
		query.Words("is",
			query.Is("locked", func(p *models.Project, _ time.Time) bool { return p.Locked.Value }),
			query.Is("pinned", func(project *models.Project, _ time.Time) bool { return p.isPinned(project) })),
	}
}

// column shows a text.
func column(title string, width, grow, priority int, of func(*models.Project) string) table.Column[*models.Project] {
	return table.Column[*models.Project]{
		Title: title, Width: width, Grow: grow, Priority: priority,
		Cell:    func(p *models.Project, _ time.Time) (string, style.Tone) { return shown(of(p), priority) },
		Compare: func(a, b *models.Project, _ time.Time) int { return strings.Compare(of(a), of(b)) },
	}
}

// head makes a column one of those that say which project it is.
func head(c table.Column[*models.Project]) table.Column[*models.Project] {
	c.Head = true
	return c
}

// numbered shows a number that may not be known, and sorts by it.
func numbered(title string, width, priority int, of func(*models.Project) models.Opt[int64], say func(models.Opt[int64]) string) table.Column[*models.Project] {
	return table.Column[*models.Project]{
		Title: title, Width: width, Priority: priority, Right: true,
		Cell:    func(p *models.Project, _ time.Time) (string, style.Tone) { return shown(say(of(p)), priority) },
		Compare: func(a, b *models.Project, _ time.Time) int { return cmp.Compare(of(a).Value, of(b).Value) },
	}
}

// dated shows a day.
func (p *Page) dated(title string, priority int, of func(*models.Project) time.Time) table.Column[*models.Project] {
	return table.Column[*models.Project]{
		Title: title, Moment: title, Width: 8, Priority: priority,
		Cell: func(project *models.Project, now time.Time) (string, style.Tone) {
			return p.session.Times.Cell(of(project), now), style.Muted
		},
		Compare: func(a, b *models.Project, _ time.Time) int { return of(a).Compare(of(b)) },
	}
}

// shown is a cell's text. Columns that never leave stand in the foreground.
func shown(s string, priority int) (string, style.Tone) {
	switch {
	case s == "":
		return style.None, style.Muted
	case priority == 0:
		return s, style.Plain
	}
	return s, style.Muted
}

func plain(n models.Opt[int64]) string {
	if !n.Known {
		return ""
	}
	return humanize.Comma(n.Value)
}

func mebibytes(n models.Opt[int64]) string {
	if !n.Known {
		return ""
	}
	return humanize.Comma(n.Value) + " MiB"
}

func cpu(seconds models.Opt[int64]) string {
	if !seconds.Known {
		return ""
	}
	return style.Took(time.Duration(seconds.Value) * time.Second)
}

func yesNo(b models.Opt[bool]) string {
	switch {
	case !b.Known:
		return ""
	case b.Value:
		return "yes"
	}
	return "no"
}

// record is a project with every field that section 2.2 names.
func record(p *models.Project, now time.Time, times style.Times) table.Record {
	field := func(label, value string) table.Field {
		if value == "" {
			return table.Field{Label: label, Value: style.None, Tone: style.Muted}
		}
		return table.Field{Label: label, Value: value}
	}
	used := plain(p.CPUUsedSec)
	if used != "" {
		used += " s (" + cpu(p.CPUUsedSec) + ")"
	}
	return table.Record{
		Title: p.Name,
		Fields: []table.Field{
			field("id", p.ID),
			field("name", p.Name),
			field("platform_id", p.PlatformID),
			field("region_id", p.RegionID),
			field("provisioner", p.Provisioner),
			field("pg_version", plain(p.PgVersion)),
			field("locked", yesNo(p.Locked)),
			field("cpu_used_sec", used),
			field("proxy_host", p.ProxyHost),
			field("branch_logical_size_limit", mebibytes(p.BranchLogicalSizeLimit)),
			field("created_at", times.Stamp(p.CreatedAt, now)),
			field("updated_at", times.Stamp(p.UpdatedAt, now)),
		},
		Damage: p.Damage,
	}
}

// View draws the list.
func (p *Page) View(f page.Frame) []string {
	return p.table.View(f, table.Parts[*models.Project]{
		Strip: p.strip(f),
		Empty: p.words(f),
		Notes: p.table.Foot(f, p.said(f), p.err),
	})
}

func (p *Page) strip(f page.Frame) string {
	n := p.rows.Len()
	if n == 0 {
		return ""
	}
	parts := []string{f.Theme.Paint(style.Strong, " "+table.Plural(n, "project"))}
	parts = append(parts, f.Theme.Paint(style.Muted, table.Plural(p.rows.regions, "region")))
	if n := p.rows.locked; n > 0 {
		parts = append(parts, f.Theme.Paint(style.Waiting, fmt.Sprintf("%d locked", n)))
	}
	if n := len(*p.pinned.Load()); n > 0 {
		parts = append(parts, f.Theme.Paint(style.Accent, fmt.Sprintf("%d pinned", n)))
	}
	return strings.Join(parts, "   ")
}

// words are said in the place of the rows.
func (p *Page) words(f page.Frame) table.Words {
	switch {
	case p.reading():
		return table.Words{Tone: style.Waiting, Title: "Loading the projects…"}
	case p.err != nil:
		return table.Failure(p.err, f.Keys.Label(refreshKey())+" tries again.")
	}
	return table.Words{Title: "This account has no projects.", Body: "Create one in the console of the service, then press " + f.Keys.Label(refreshKey()) + "."}
}

// said is what there is to say about rows that are not on the screen.
func (p *Page) said(f page.Frame) string {
	if p.reading() {
		return f.Theme.Paint(style.Muted, " ◌ loading…")
	}
	return ""
}
