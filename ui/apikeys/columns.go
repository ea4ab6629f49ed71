package apikeys

import (
	"cmp"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// columns returns the columns of the page. names and audited may be called on any goroutine, as rows are sorted there.
func columns(
	words func() words, names func() models.Names, audited func() *keys.Audit,
) []table.Column[*models.APIKey] {
	oneReach := func() bool { return words().oneReach() }
	reach := func(k *models.APIKey) string { return names().Reach(k.Reach()) }
	return []table.Column[*models.APIKey]{
		{
			Title: "NAME", Width: 18, Least: 17, Grow: 2, Shorten: shortName,
			Cell: func(k *models.APIKey, _ time.Time) (string, style.Tone) { return k.Name, style.Plain },
			Compare: func(a, b *models.APIKey, _ time.Time) int {
				return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
			},
		},
		{
			Title: "REACHES", Width: 16, Least: 10, Grow: 1, Priority: 1, Hidden: oneReach,
			Cell:    func(k *models.APIKey, _ time.Time) (string, style.Tone) { return reach(k), style.Plain },
			Compare: func(a, b *models.APIKey, _ time.Time) int { return strings.Compare(reach(a), reach(b)) },
		},
		{
			Title: "ID", Width: 10, Grow: 1, Priority: 2,
			Cell:    func(k *models.APIKey, _ time.Time) (string, style.Tone) { return idOf(k), style.Muted },
			Compare: func(a, b *models.APIKey, _ time.Time) int { return cmp.Compare(a.ID, b.ID) },
		},
		{
			Title: "CREATED", Moment: "CREATED", Width: 8, Priority: 3,
			Cell: func(k *models.APIKey, now time.Time) (string, style.Tone) {
				return words().times.Cell(k.CreatedAt, now), style.Muted
			},
			Compare: func(a, b *models.APIKey, _ time.Time) int { return a.CreatedAt.Compare(b.CreatedAt) },
		},
		{
			Title: "LAST USED", Moment: "LAST USED", Width: 10, Least: 9, Compare: byUse,
			Cell: func(k *models.APIKey, now time.Time) (string, style.Tone) { return words().lastUsedCell(k, now) },
		},
		{
			Title: "FROM", Width: 15, Priority: 4,
			Cell:    func(k *models.APIKey, _ time.Time) (string, style.Tone) { return from(k), style.Muted },
			Compare: func(a, b *models.APIKey, _ time.Time) int { return byAddress(a, b) },
		},
		{
			Title: "CREATED BY", Width: 12, Priority: 5, Hidden: oneReach,
			Cell: func(k *models.APIKey, _ time.Time) (string, style.Tone) {
				return cmp.Or(k.CreatedBy, style.None), style.Muted
			},
			Compare: func(a, b *models.APIKey, _ time.Time) int { return strings.Compare(a.CreatedBy, b.CreatedBy) },
		},
		{
			Title: "NOTE", Grow: 3,
			Wants: func() (cells, least int) { return noteWidth(audited()) },
			Cell:  func(k *models.APIKey, now time.Time) (string, style.Tone) { return words().note(k, now) },
			Compare: func(a, b *models.APIKey, now time.Time) int {
				all := audited()
				return cmp.Or(int(a.State(now))-int(b.State(now)), int(all.Worst(a, now)-all.Worst(b, now)))
			},
		},
	}
}

// noteWidth returns the number of cells that notes want, and the least one. Those of rotations have room for the first
// text, except on small screens, and always for the second one: from where a key is still used must be seen.
func noteWidth(all *keys.Audit) (cells, least int) {
	replaced, _ := all.Rotations()
	if replaced > 0 {
		const wanted = "↻ can go: quiet 31 days · successor used 59 min ago"
		return style.Width(wanted), style.Width("↻ still used 9 min ago from 203.0.113.9")
	}
	return 18, 14
}

// shortName shortens the name of a key. The date at its end, which tells a successor apart, stays whole.
func shortName(name string, width int) string {
	base, date := keys.Parts(name)
	const least = 3 // cells of the base
	if room := width - style.Width(date); date != "" && room >= least {
		return style.Cut(base, room) + date
	}
	return style.CutMiddle(name, width)
}
