package apikeys

import (
	"cmp"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/query"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// View draws the list.
func (p *Page) View(f page.Frame) []string { return p.Draw(f, p.description(f)) }

// Describe returns the list in words.
func (p *Page) Describe(f page.Frame) announce.Description {
	return p.list.Describe(f, p.description(f))
}

func (p *Page) description(f page.Frame) table.Description[*models.APIKey] {
	return table.Description[*models.APIKey]{
		ID: page.APIKeys, Name: page.APIKeys.Title(),
		Summary: p.summary(), Trouble: []error{p.Err, p.changeErr},
		Empty: p.Empty(f, "API keys", table.EmptyState{
			Title: "This account has no API keys.", Body: f.Key("new") + ": create one.",
		}),
	}
}

func (p *Page) summary() []table.Part {
	n := p.keys.Len()
	if n == 0 {
		return nil
	}
	const most = models.RecommendedMaxAPIKeys
	const nearMaximum = most * 9 / 10
	limit := table.Part{Tone: style.Bad, Text: style.Count(n-most) + " over the recommended " + style.Count(most)}
	switch {
	case n < nearMaximum:
		limit = table.Part{}
	case n <= most:
		limit = table.Part{Tone: style.Muted, Text: "recommended maximum " + style.Count(most), ScreenOnly: true, Right: true}
	}
	parts := []table.Part{{Tone: style.Strong, Text: style.Plural(n, "key")}, limit}
	gone := 0
	for _, r := range p.keys.revocations {
		if r.state == revoked {
			gone++
		}
	}
	for _, of := range []struct {
		n          int
		tone       style.Tone
		text, said string
	}{
		{gone, style.Muted, " of them revoked", " of them revoked"},
		{p.keys.never, style.Waiting, " never used", " never used"},
		{p.keys.stale, style.Waiting, " stale > 1 year", " stale, not used for more than a year"},
		{p.keys.idle, style.Muted, " idle > 90 days", " not used for more than 90 days"},
	} {
		if n := style.Count(of.n); of.n > 0 {
			parts = append(parts, table.Part{Tone: of.tone, Text: n + of.text, Announced: n + of.said})
		}
	}
	return parts
}

func (p *Page) newTable() *list {
	return table.New(table.Config[*models.APIKey]{
		Source: p.keys, Order: "order of the service", Fields: Fields(),
		Examples: []string{"ci", "never", "idle:>30d", "is:idle or never:used", "from:203.0.113", "before:2026-01-01"},
		Say:      p.say, Values: (*models.APIKey).Fields, Detail: p.record,
		Markable: func(*models.APIKey) bool { return true }, Session: p.session, Page: page.APIKeys,
		Columns: []table.Column[*models.APIKey]{
			{
				Title: "NAME", Width: 18, Least: 12, Grow: 2,
				Cell: func(k *models.APIKey, _ time.Time) (string, style.Tone) { return k.Name, style.Plain },
				Compare: func(a, b *models.APIKey, _ time.Time) int {
					return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
				},
			},
			{
				Title: "ID", Width: 10, Grow: 1, Priority: 2,
				Cell:    func(k *models.APIKey, _ time.Time) (string, style.Tone) { return idOf(k), style.Muted },
				Compare: func(a, b *models.APIKey, _ time.Time) int { return cmp.Compare(a.ID, b.ID) },
			},
			{
				Title: "CREATED", Moment: "CREATED", Width: 8, Priority: 3,
				Cell: func(k *models.APIKey, now time.Time) (string, style.Tone) {
					return p.session.Times.Cell(k.CreatedAt, now), style.Muted
				},
				Compare: func(a, b *models.APIKey, _ time.Time) int { return a.CreatedAt.Compare(b.CreatedAt) },
			},
			{Title: "LAST USED", Moment: "LAST USED", Width: 10, Least: 9, Cell: p.lastUsedCell, Compare: byUse},
			{
				Title: "FROM", Width: 15, Priority: 4,
				Cell:    func(k *models.APIKey, _ time.Time) (string, style.Tone) { return from(k), style.Muted },
				Compare: func(a, b *models.APIKey, _ time.Time) int { return addr(a).Compare(addr(b)) },
			},
			{
				Title: "NOTE", Width: 18, Least: 14, Grow: 1, Cell: p.keys.note,
				Compare: func(a, b *models.APIKey, now time.Time) int { return attention(a, now) - attention(b, now) },
			},
		},
	})
}

// Fields returns the fields of the filter.
func Fields() []query.Field[*models.APIKey] {
	return []query.Field[*models.APIKey]{
		query.Text("name", func(k *models.APIKey) string { return k.Name }).Visible(),
		query.Text("id", func(k *models.APIKey) string { return strconv.FormatInt(k.ID, 10) }).Visible(),
		query.Text("from", func(k *models.APIKey) string { return k.LastUsedFromAddr }).Visible(),
		query.TextAt("note", func(k *models.APIKey, now time.Time) string {
			note, _ := noteOf(k, now)
			return note
		}).Visible(),
		query.Date("created", func(k *models.APIKey) time.Time { return k.CreatedAt }),
		query.Date("used", func(k *models.APIKey) time.Time { return k.LastUsedAt.Value }),
		query.After(func(k *models.APIKey) time.Time { return k.CreatedAt }, "age"),
		query.Before(func(k *models.APIKey) time.Time { return k.CreatedAt }),
		query.Duration("age", func(k *models.APIKey, now time.Time) (time.Duration, bool) {
			return now.Sub(k.CreatedAt), !k.CreatedAt.IsZero()
		}),
		query.Duration("idle", func(k *models.APIKey, now time.Time) (time.Duration, bool) {
			idle := k.Idle(now)
			return idle.Value, idle.Known
		}),
		query.Words("never", query.Is("used", func(k *models.APIKey, _ time.Time) bool { return k.NeverUsed() })),
		query.Words("is",
			query.Is("damaged", func(k *models.APIKey, _ time.Time) bool { return k.Damage != "" }),
			query.Is("idle", idle),
			query.Is("stale", stale),
		),
	}
}

func idOf(k *models.APIKey) string { return cmp.Or(rowOf(k.ID).ID, style.None) }

func from(k *models.APIKey) string { return cmp.Or(k.LastUsedFromAddr, style.None) }

// addr returns the address of the last use, for sorting; keys without one come first.
func addr(k *models.APIKey) netip.Addr {
	a, _ := netip.ParseAddr(k.LastUsedFromAddr)
	return a
}

const unknownUse = "unknown" // shown if the time of the last use cannot be read

func (p *Page) lastUsedCell(k *models.APIKey, now time.Time) (string, style.Tone) {
	switch {
	case !k.LastUsedAt.Known:
		return unknownUse, style.Bad
	case k.NeverUsed():
		return "never", style.Muted
	}
	return p.session.Times.Cell(k.LastUsedAt.Value, now), style.Muted
}

// attention returns the rank of a key by its note, for sorting.
func attention(k *models.APIKey, now time.Time) int {
	switch {
	case k.Damage != "":
		return 0
	case k.NeverUsed():
		return 1
	case stale(k, now):
		return 2
	case idle(k, now):
		return 3
	}
	return 4
}

func (l *keys) note(k *models.APIKey, now time.Time) (string, style.Tone) {
	switch state := l.revocations[k.ID].state; {
	case state == revoking:
		return "◌ revoking…", style.Waiting
	case state == revoked:
		return "⊘ revoked", style.Bad
	case state == refused:
		return "✗ not revoked", style.Bad
	case state == stillListed:
		return "✗ still listed", style.Bad
	case state == unknown:
		return "◌ revoked?", style.Waiting
	case l.isOrphan(k):
		return "secret lost", style.Bad
	case l.Shared(k):
		return "duplicate id", style.Bad
	case l.isOwn(k) && k.Damage == "":
		return "this session's key", style.Accent
	}
	return noteOf(k, now)
}

// noteOf returns the note of a key without regard to revocations and the session.
func noteOf(k *models.APIKey, now time.Time) (string, style.Tone) {
	switch {
	case k.Damage != "":
		return "damaged", style.Bad
	case k.NeverUsed():
		return "never used", style.Waiting
	case !k.LastUsedAt.Known:
		return "last use unknown", style.Waiting
	}
	days := int(k.Idle(now).Value.Hours() / 24)
	switch {
	case stale(k, now):
		return fmt.Sprintf("stale %d days", days), style.Waiting
	case idle(k, now):
		return fmt.Sprintf("idle %d days", days), style.Muted
	}
	return "", style.Plain
}

func (p *Page) record(k *models.APIKey, now time.Time) table.Record {
	times := p.session.Times
	state, tone := p.keys.note(k, now)
	used := unknownUse
	if k.LastUsedAt.Known {
		used = times.Stamp(k.LastUsedAt.Value, now)
	}
	fields := []table.Field{
		{Label: "id", Value: idOf(k)},
		{Label: "name", Value: k.Name},
		{Label: "created_at", Value: times.Stamp(k.CreatedAt, now)},
		{Label: "last_used_at", Value: used},
		{Label: "last_used_from_addr", Value: from(k)},
	}
	about := "Keys belong to the account and work with all of its projects. " +
		"The secret of a key is shown only when it is created."
	switch {
	case stale(k, now):
		about += " This one has not been used for more than a year, so nothing that runs at least yearly uses it."
	case idle(k, now):
		about += " This one is idle, but may belong to something that runs rarely."
	}
	if p.keys.own.ID == 0 {
		about += " " + cannotTell
	}
	r := table.Record{Title: k.Name, State: state, Tone: tone, About: about, Fields: fields, Damage: k.Damage}
	if err := p.keys.revocations[k.ID].err; err != nil {
		r.Error = err.Error()
	}
	return r
}

func (p *Page) say(k *models.APIKey, now time.Time) string {
	parts := []string{k.Name}
	used := p.lastUse(k, now)
	if note, _ := p.keys.note(k, now); note != "" && note != used {
		parts = append(parts, note)
	}
	return strings.Join(append(parts, used, "created "+p.session.Times.Date(k.CreatedAt, now)), ", ")
}

func (p *Page) identify(k *models.APIKey) string {
	now := p.session.ServiceNow()
	return fmt.Sprintf("%s · id %d · name %s · created %s · %s",
		p.options.Account, k.ID, k.Name, p.session.Times.Date(k.CreatedAt, now), p.lastUse(k, now))
}

func (p *Page) lastUse(k *models.APIKey, now time.Time) string {
	if k.NeverUsed() {
		return "never used"
	}
	s := "last use " + unknownUse
	if k.LastUsedAt.Known {
		s = "last used " + p.session.Times.Ago(k.LastUsedAt.Value, now)
	}
	if k.LastUsedFromAddr != "" {
		s += " from " + k.LastUsedFromAddr
	}
	return s
}
