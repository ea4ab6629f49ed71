package apikeys

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

func (p *Page) columns() []table.Column[*models.APIKey] {
	column := func(name string) table.Column[*models.APIKey] { return table.ColumnOf(p.session, p.fields, name) }
	oneReach := func() bool { return p.words().oneReach() }
	name, reach, used := column("name"), column("reach"), column("last_used_at")
	name.Shorten, name.Compare, used.Compare = shortName, byName, byUse
	from, creator := column("last_used_from_addr"), column("created_by")
	from.Compare = byAddress
	reach.Hidden, creator.Hidden = oneReach, oneReach
	return []table.Column[*models.APIKey]{
		name, reach, p.stripColumn(), column("id"), column("created_at"), used, from, creator, p.noteColumn(),
	}
}

// stripFrom is the least width of a row with strips. In narrower rows, other columns need the room more.
const stripFrom = 119

// stripColumn is the column with the days on which a key was used. It is shown whole or not at all.
func (p *Page) stripColumn() table.Column[*models.APIKey] {
	strip := table.ColumnOf(p.session, p.fields, "used")
	strip.Drawn, strip.Compare, strip.From = true, nil, stripFrom
	strip.Tones = func(_ *models.APIKey, character rune, _, _ int) style.Tone { return stripTone(character) }
	strip.Heading = p.stripHeading
	return strip
}

func (p *Page) stripHeading(now time.Time) string {
	now = p.session.Times.In(now)
	return strings.ToUpper("Used " + now.AddDate(0, 0, 1-keys.StripDays).Format("2 Jan") + " – " + now.Format("2 Jan"))
}

func (p *Page) noteColumn() table.Column[*models.APIKey] {
	return table.Column[*models.APIKey]{
		Title: "NOTE", Grow: 3,
		Wants:   func() (cells, least int) { return noteWidth(p.audited()) },
		Cell:    func(k *models.APIKey, now time.Time) (string, style.Tone) { return p.words().note(k, now) },
		Compare: p.byNote,
	}
}

// byNote compares keys by their states, then by their worst findings.
func (p *Page) byNote(a, b *models.APIKey, now time.Time) int {
	audit := p.audited()
	return cmp.Or(int(a.State(now))-int(b.State(now)), int(audit.Worst(a, now)-audit.Worst(b, now)))
}

func byName(a, b *models.APIKey, _ time.Time) int {
	return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
}

// byAddress compares the addresses of the last uses; keys without one come first.
func byAddress(a, b *models.APIKey, _ time.Time) int {
	return slices.CompareFunc(addresses(a), addresses(b), netip.Addr.Compare)
}

// addresses returns the addresses of the last use. The service lists several of a caller behind proxies, with commas
// between them.
func addresses(k *models.APIKey) (list []netip.Addr) {
	for text := range strings.SplitSeq(k.LastUsedFromAddr, ",") {
		address, _ := netip.ParseAddr(strings.TrimSpace(text)) // anything else comes first
		list = append(list, address)
	}
	return list
}

// noteWidth returns the number of cells that notes want, and the least number. During rotations, that is the width of a long
// note, and of one with an address: the user must always see from where a key is still used.
func noteWidth(audit *keys.Audit) (cells, least int) {
	replaced, _ := audit.Rotations()
	if replaced > 0 {
		const wanted = "↻ can go: quiet 31 days · successor used 59 min ago"
		return style.Width(wanted), style.Width("↻ still used 9 min ago from 203.0.113.9")
	}
	return 28, 14
}
