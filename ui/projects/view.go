package projects

import (
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"pgtower/models"
	"pgtower/ui/browse"
	"pgtower/ui/detail"
	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/rowlist"
	"pgtower/ui/text"
	"pgtower/ui/theme"
	"pgtower/ui/when"
)

func newTable(source *rows) *browse.Model[*models.Project] {
	column := func(title string, width, grow, priority int, cell func(*models.Project) string) rowlist.Column[*models.Project] {
		return rowlist.Column[*models.Project]{
			Title: title, Width: width, Grow: grow, Priority: priority,
			Cell: func(p *models.Project, _ time.Time) (string, theme.Tone) {
				if s := cell(p); s != "" {
					return s, tone(priority)
				}
				return when.None, theme.Muted
			},
		}
	}
	dated := func(title string, priority int, of func(*models.Project) time.Time) rowlist.Column[*models.Project] {
		return rowlist.Column[*models.Project]{
			Title: title, Width: 10, Priority: priority,
			Cell: func(p *models.Project, now time.Time) (string, theme.Tone) {
				return when.Date(of(p), now), theme.Muted
			},
		}
	}
	return browse.New(browse.Config[*models.Project]{
		Source:   source,
		PaneFrom: 140,
		Columns: []rowlist.Column[*models.Project]{
			column("NAME", 18, 3, 0, func(p *models.Project) string { return p.Name }),
			column("ID", 22, 2, 1, func(p *models.Project) string { return p.ID }),
			column("REGION", 18, 0, 2, func(p *models.Project) string { return p.RegionID }),
			column("PG", 2, 0, 0, func(p *models.Project) string { return number(p.PgVersion, "") }),
			column("CPU TIME", 8, 0, 4, func(p *models.Project) string { return cpu(p.CPUUsedSec) }),
			column("LIMIT", 11, 0, 6, func(p *models.Project) string { return number(p.BranchLogicalSizeLimit, " MiB") }),
			column("LOCKED", 6, 0, 7, func(p *models.Project) string { return yesNo(p.Locked) }),
			column("PLATFORM", 8, 0, 8, func(p *models.Project) string { return p.PlatformID }),
			column("PROVISIONER", 19, 0, 9, func(p *models.Project) string { return p.Provisioner }),
			column("PROXY HOST", 28, 1, 10, func(p *models.Project) string { return p.ProxyHost }),
			dated("CREATED", 3, func(p *models.Project) time.Time { return p.CreatedAt }),
			dated("UPDATED", 5, func(p *models.Project) time.Time { return p.UpdatedAt }),
		},
		Detail: record,
		Open:   keys.New("d", "details", "d", "l", "right").InFooter(),
		Texts: func(p *models.Project) []string {
			return []string{p.Name, p.ID, p.RegionID, p.PlatformID, p.Provisioner, p.ProxyHost}
		},
	})
}

// tone keeps the columns that never leave in the foreground.
func tone(priority int) theme.Tone {
	if priority == 0 {
		return theme.Plain
	}
	return theme.Muted
}

func number(n models.Opt[int64], unit string) string {
	if !n.Known {
		return ""
	}
	return humanize.Comma(n.Value) + unit
}

func cpu(seconds models.Opt[int64]) string {
	if !seconds.Known {
		return ""
	}
	return when.Took(time.Duration(seconds.Value) * time.Second)
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
func record(p *models.Project, now time.Time) detail.Record {
	field := func(label, value string) detail.Field {
		if value == "" {
			return detail.Field{Label: label, Value: when.None, Tone: theme.Muted}
		}
		return detail.Field{Label: label, Value: value}
	}
	used := number(p.CPUUsedSec, " s")
	if p.CPUUsedSec.Known {
		used += " (" + cpu(p.CPUUsedSec) + ")"
	}
	return detail.Record{
		Title: p.Name,
		Fields: []detail.Field{
			field("id", p.ID),
			field("name", p.Name),
			field("platform_id", p.PlatformID),
			field("region_id", p.RegionID),
			field("provisioner", p.Provisioner),
			field("pg_version", number(p.PgVersion, "")),
			field("locked", yesNo(p.Locked)),
			field("cpu_used_sec", used),
			field("proxy_host", p.ProxyHost),
			field("branch_logical_size_limit", number(p.BranchLogicalSizeLimit, " MiB")),
			field("created_at", when.Stamp(p.CreatedAt, now)),
			field("updated_at", when.Stamp(p.UpdatedAt, now)),
		},
		Damage: p.Damage,
	}
}

// View draws the list.
func (p *Page) View(f page.Frame) []string {
	return p.table.View(f, browse.Parts[*models.Project]{
		Strip: p.strip(f),
		Empty: p.words(),
		Notes: p.notes(f),
	})
}

func (p *Page) strip(f page.Frame) string {
	n := p.rows.Len()
	if n == 0 {
		return ""
	}
	parts := []string{f.Theme.Paint(theme.Strong, fmt.Sprintf(" %s %s", humanize.Comma(int64(n)), plural(n, "project")))}
	regions := map[string]bool{}
	locked := 0
	for i := range p.rows.all {
		regions[p.rows.all[i].RegionID] = true
		if p.rows.all[i].Locked.Value {
			locked++
		}
	}
	parts = append(parts, f.Theme.Paint(theme.Muted, fmt.Sprintf("%d %s", len(regions), plural(len(regions), "region"))))
	if locked > 0 {
		parts = append(parts, f.Theme.Paint(theme.Waiting, fmt.Sprintf("%d locked", locked)))
	}
	return strings.Join(parts, "   ")
}

func plural(n int, one string) string {
	if n == 1 {
		return one
	}
	return one + "s"
}

// words are said in the place of the rows.
func (p *Page) words() detail.Words {
	switch {
	case p.busy:
		return detail.Words{Tone: theme.Waiting, Title: "Loading the projects…"}
	case p.err != nil:
		return browse.Failure(p.err, "r tries again.")
	}
	return detail.Words{Title: "This account has no projects.", Body: "Create one in the console of the service, then press r."}
}

func (p *Page) notes(f page.Frame) []string {
	list := p.table.List()
	if list.Len() == 0 {
		return nil
	}
	var out []string
	if p.err != nil {
		out = append(out, browse.Trouble(f, p.err))
	}
	left := ""
	if p.busy {
		left = f.Theme.Paint(theme.Muted, " ◌ loading…")
	}
	place := fmt.Sprintf("%d / %d ", list.Cursor()+1, list.Len())
	return append(out, text.Ends(left, f.Theme.Paint(theme.Muted, place), f.Width))
}
