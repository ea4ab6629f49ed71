package query

import (
	"time"

	"github.com/dustin/go-humanize"

	"pgtower/models"
)

type project = *models.Project

// Projects returns the fields of a project's record. took formats a duration as the screen shows it; more are more words
// of is:.
func Projects(
	pinned func(*models.Project) bool, took func(time.Duration) string,
	more ...Word[*models.Project],
) []Field[*models.Project] {
	created := func(p project) time.Time { return p.CreatedAt }
	return []Field[project]{
		Text("name", func(p project) string { return p.Name }).Visible(),
		Text("id", func(p project) string { return p.ID }).Visible(),
		Text("organization", func(p project) string {
			owner := p.Organization()
			return owner.Label()
		}, func(p project) string { return p.OrgID }).WholeInQuotes(),
		Text("region", func(p project) string { return p.RegionID }).Visible(),
		Text("platform", func(p project) string { return p.PlatformID }).Visible(),
		Text("provisioner", func(p project) string { return p.Provisioner }).Visible(),
		Text("host", func(p project) string { return p.ProxyHost }).Visible(),
		Number("pg", func(p project) (int64, bool) { return p.PgVersion.Value, p.PgVersion.Known }),
		Text("limit", func(p project) string { return known(p.BranchLogicalSizeLimit, " MiB") }).Visible(),
		Text("cpu", func(p project) string {
			if !p.CPUUsedSec.Known {
				return ""
			}
			return known(p.CPUUsedSec, " s (") + took(time.Duration(p.CPUUsedSec.Value)*time.Second) + ")"
		}).Visible(),
		Date("created", created),
		Date("updated", func(p project) time.Time { return p.UpdatedAt }),
		After(created, "age"),
		Before(created),
		Duration("age", func(p project, now time.Time) (time.Duration, bool) {
			return now.Sub(p.CreatedAt), !p.CreatedAt.IsZero()
		}),
		Words("is", append(more,
			Is("locked", func(p project, _ time.Time) bool { return p.Locked.Value }),
			Is("pinned", func(p project, _ time.Time) bool { return pinned(p) }))...),
	}
}

func known(n models.Opt[int64], unit string) string {
	if !n.Known {
		return ""
	}
	return humanize.Comma(n.Value) + unit
}
