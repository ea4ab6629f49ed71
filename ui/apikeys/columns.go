package apikeys

import (
	"cmp"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/query"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// idleAfter is how long a key must not have been used to be called idle.
const idleAfter = 90 * 24 * time.Hour

func (p *Page) newTable() *table.Model[*models.APIKey, int64] {
	muted := func(of func(*models.APIKey, time.Time) string) func(*models.APIKey, time.Time) (string, style.Tone) {
		return func(k *models.APIKey, now time.Time) (string, style.Tone) { return of(k, now), style.Muted }
	}
	byText := func(of func(*models.APIKey) string) func(a, b *models.APIKey, _ time.Time) int {
		return func(a, b *models.APIKey, _ time.Time) int { return strings.Compare(of(a), of(b)) }
	}
	return table.New(table.Config[*models.APIKey, int64]{
		Source:   p.rows,
		Markable: true,
		PaneFrom: 140,
		Natural:  "order of the service",
		Columns: []table.Column[*models.APIKey]{
			{
				Title: "NAME", Width: 18, Grow: 2, Head: true,
				Cell:    func(k *models.APIKey, _ time.Time) (string, style.Tone) { return k.Name, style.Plain },
				Compare: byText(func(k *models.APIKey) string { return strings.ToLower(k.Name) }),
			},
			{
				Title: "ID", Width: 10, Grow: 1, Priority: 2, Head: true, Cell: muted(func(k *models.APIKey, _ time.Time) string { return idOf(k) }),
				Compare: func(a, b *models.APIKey, _ time.Time) int { return cmp.Compare(a.ID, b.ID) },
			},
			{
				Title: "CREATED", Moment: "CREATED", Width: 8, Priority: 3, Cell: muted(func(k *models.APIKey, now time.Time) string { return p.session.Times.Cell(k.CreatedAt, now) }),
				Compare: func(a, b *models.APIKey, _ time.Time) int { return a.CreatedAt.Compare(b.CreatedAt) },
			},
			{
				Title: "LAST USED", Moment: "LAST USED", Width: 10, Cell: p.lastUsedCell,
				Compare: byUse,
			},
			{
				Title: "FROM", Width: 15, Priority: 4, Cell: muted(func(k *models.APIKey, _ time.Time) string { return from(k) }),
				Compare: func(a, b *models.APIKey, _ time.Time) int { return addr(a).Compare(addr(b)) },
			},
			{
				Title: "NOTE", Width: 18, Grow: 1,
				Cell:    func(k *models.APIKey, now time.Time) (string, style.Tone) { return p.rows.note(k, now) },
				Compare: func(a, b *models.APIKey, now time.Time) int { return cmp.Compare(standing(a, now), standing(b, now)) },
			},
		},
		Fields:  fields(),
		Say:     p.say,
		Detail:  func(k *models.APIKey, now time.Time) table.Record { return p.rows.record(k, now, p.session.Times) },
		Session: p.session,
		Page:    page.APIKeys,
	})
}

// fields are what the filter knows of a key.
func fields() []query.Field[*models.APIKey] {
	never := func(k *models.APIKey, _ time.Time) bool { return k.NeverUsed() }
	return []query.Field[*models.APIKey]{
		query.Text("name", func(k *models.APIKey) string { return k.Name }).Visible(),
		query.Text("id", func(k *models.APIKey) string { return strconv.FormatInt(k.ID, 10) }).Visible(),
		query.Text("from", func(k *models.APIKey) string { return k.LastUsedFromAddr }).Visible(),
		query.Duration("age", func(k *models.APIKey, now time.Time) (time.Duration, bool) {
			return now.Sub(k.CreatedAt), !k.CreatedAt.IsZero()
		}),
		query.Duration("idle", func(k *models.APIKey, now time.Time) (time.Duration, bool) {
			idle := k.Idle(now)
			return idle.Value, idle.Known
		}),
		query.Words("never", query.Is("used", never)),
		query.Words("is",
			query.Is("damaged", func(k *models.APIKey, _ time.Time) bool { return k.Damage != "" }),
			query.Is("idle", idle),
		),
	}
}

func idOf(k *models.APIKey) string {
	if k.ID == 0 {
		return style.None
	}
	return strconv.FormatInt(k.ID, 10)
}

func from(k *models.APIKey) string {
	if k.LastUsedFromAddr == "" {
		return style.None
	}
	return k.LastUsedFromAddr
}

// unknownUse is said where the service's text on the last use cannot be read.
const unknownUse = "unknown"

func (p *Page) lastUsedCell(k *models.APIKey, now time.Time) (string, style.Tone) {
	if !k.LastUsedAt.Known {
		return unknownUse, style.Bad
	}
	if k.NeverUsed() {
		return "never", style.Muted
	}
	return p.session.Times.Cell(k.LastUsedAt.Value, now), style.Muted
}

func lastUsedStamp(k *models.APIKey, now time.Time, times style.Times) string {
	if !k.LastUsedAt.Known {
		return unknownUse
	}
	return times.Stamp(k.LastUsedAt.Value, now)
}

// byUse orders keys by their last use. One of which that is unknown may be in use now.
func byUse(a, b *models.APIKey, _ time.Time) int {
	if x, y := a.LastUsedAt, b.LastUsedAt; x.Known && y.Known {
		return x.Value.Compare(y.Value)
	} else if x.Known {
		return -1
	} else if y.Known {
		return +1
	}
	return 0
}

// addr is the address as one, for the order; what is none comes first.
func addr(k *models.APIKey) netip.Addr {
	a, _ := netip.ParseAddr(k.LastUsedFromAddr)
	return a
}

// idle is how long a key has not been used, if that is long.
func idle(k *models.APIKey, now time.Time) bool {
	return k.Idle(now).Value > idleAfter
}

// standing orders keys by how much they ask to be revoked: those that are used last.
func standing(k *models.APIKey, now time.Time) int {
	switch {
	case k.Damage != "":
		return 0
	case k.NeverUsed():
		return 1
	case idle(k, now):
		return 2
	}
	return 3
}

// note is what stands out about a key, in words.
func (r *rows) note(k *models.APIKey, now time.Time) (string, style.Tone) {
	switch f := r.fate[k.ID]; f.state {
	case revoking:
		return "◌ revoking…", style.Waiting
	case gone:
		return "⊘ revoked", style.Bad
	case failed:
		return "✗ not revoked", style.Bad
	case listed:
		return "✗ still listed", style.Bad
	case unsure:
		return "◌ revoked?", style.Waiting
	case untouched:
	}
	if r.secretLost(k) {
		return "its secret is lost", style.Bad
	}
	switch {
	case r.shared[k.ID]:
		return "shares its id", style.Bad
	case k.Damage != "":
		return "damaged", style.Bad
	case r.isOwn(k):
		return "this session's key", style.Accent
	case k.NeverUsed():
		return "never used", style.Waiting
	case !k.LastUsedAt.Known:
		return "last use unknown", style.Waiting
	case idle(k, now):
		return fmt.Sprintf("idle %d days", int(k.Idle(now).Value.Hours()/24)), style.Waiting
	}
	return "", style.Plain
}

// record is a key with every field that the API has of it.
func (r *rows) record(k *models.APIKey, now time.Time, times style.Times) table.Record {
	state, tone := r.note(k, now)
	fields := []table.Field{
		{Label: "id", Value: idOf(k)},
		{Label: "name", Value: k.Name},
		{Label: "created_at", Value: times.Stamp(k.CreatedAt, now)},
		{Label: "last_used_at", Value: lastUsedStamp(k, now, times)},
		{Label: "last_used_from_addr", Value: from(k)},
	}
	if err := r.fate[k.ID].err; err != nil {
		fields = append(fields, table.Field{Label: "error", Value: err.Error(), Tone: style.Bad})
	}
	about := "Keys belong to the account and work with all of its projects. The secret of a key is shown only when it is created."
	if r.own.id == 0 {
		about += " Which of them this session uses, pgtower cannot know: it was not made here."
	}
	return table.Record{Title: k.Name, State: state, Tone: tone, About: about, Fields: fields, Damage: k.Damage}
}
