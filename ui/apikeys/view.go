package apikeys

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/dustin/go-humanize"

	"pgtower/models"
	"pgtower/ui/browse"
	"pgtower/ui/detail"
	"pgtower/ui/page"
	"pgtower/ui/query"
	"pgtower/ui/rowlist"
	"pgtower/ui/text"
	"pgtower/ui/theme"
	"pgtower/ui/when"
)

// idleAfter is how long a key must not have been used to be called idle.
const idleAfter = 90 * 24 * time.Hour

func (p *Page) newTable() *browse.Model[*models.APIKey, int64] {
	id := func(k *models.APIKey) string { return strconv.FormatInt(k.ID, 10) }
	muted := func(of func(*models.APIKey, time.Time) string) func(*models.APIKey, time.Time) (string, theme.Tone) {
		return func(k *models.APIKey, now time.Time) (string, theme.Tone) { return of(k, now), theme.Muted }
	}
	byText := func(of func(*models.APIKey) string) func(a, b *models.APIKey, _ time.Time) int {
		return func(a, b *models.APIKey, _ time.Time) int { return strings.Compare(of(a), of(b)) }
	}
	return browse.New(browse.Config[*models.APIKey, int64]{
		Source:   p.rows,
		PaneFrom: 140,
		Natural:  "order of the service",
		Columns: []rowlist.Column[*models.APIKey]{
			{
				Title: "NAME", Width: 20, Grow: 2,
				Cell:    func(k *models.APIKey, _ time.Time) (string, theme.Tone) { return k.Name, theme.Plain },
				Compare: byText(func(k *models.APIKey) string { return strings.ToLower(k.Name) }),
			},
			{
				Title: "ID", Width: 10, Grow: 1, Priority: 2, Cell: muted(func(k *models.APIKey, _ time.Time) string { return id(k) }),
				Compare: func(a, b *models.APIKey, _ time.Time) int { return cmp.Compare(a.ID, b.ID) },
			},
			{
				Title: "CREATED", Width: 10, Priority: 3, Cell: muted(func(k *models.APIKey, now time.Time) string { return when.Date(k.CreatedAt, now) }),
				Compare: func(a, b *models.APIKey, _ time.Time) int { return a.CreatedAt.Compare(b.CreatedAt) },
			},
			{
				Title: "LAST USED", Width: 15, Cell: muted(func(k *models.APIKey, now time.Time) string { return when.Ago(k.LastUsedAt, now) }),
				Compare: func(a, b *models.APIKey, _ time.Time) int { return a.LastUsedAt.Compare(b.LastUsedAt) },
			},
			{Title: "FROM", Width: 15, Priority: 4, Cell: muted(func(k *models.APIKey, _ time.Time) string { return from(k) }), Compare: byText(from)},
			{Title: "NOTE", Width: 14, Grow: 1, Cell: func(k *models.APIKey, now time.Time) (string, theme.Tone) { return note(p.rows, k, now) }},
		},
		Fields: fields(),
		Detail: func(k *models.APIKey, now time.Time) detail.Record { return record(p.rows, k, now) },
		Now:    p.session.Now,
		Tell:   p.session.Tell,
		Do:     func(f func(context.Context) tea.Msg) tea.Cmd { return p.session.Do(page.APIKeys, f) },
		To:     func(msg tea.Msg) tea.Msg { return page.To{Page: page.APIKeys, Msg: msg} },
	})
}

// fields are what the filter knows of a key.
func fields() []query.Field[*models.APIKey] {
	never := func(k *models.APIKey, _ time.Time) bool { return k.LastUsedAt.IsZero() }
	return []query.Field[*models.APIKey]{
		query.Text("name", func(k *models.APIKey) string { return k.Name }).Visible(),
		query.Text("id", func(k *models.APIKey) string { return strconv.FormatInt(k.ID, 10) }).Visible(),
		query.Text("from", func(k *models.APIKey) string { return k.LastUsedFromAddr }).Visible(),
		query.Duration("age", func(k *models.APIKey, now time.Time) (time.Duration, bool) {
			return now.Sub(k.CreatedAt), !k.CreatedAt.IsZero()
		}),
		// A key that was never used has been idle since it was created.
		query.Duration("idle", func(k *models.APIKey, now time.Time) (time.Duration, bool) {
			since := k.LastUsedAt
			if since.IsZero() {
				since = k.CreatedAt
			}
			return now.Sub(since), !since.IsZero()
		}),
		query.Words("never", query.Is("used", never)),
	}
}

func from(k *models.APIKey) string {
	if k.LastUsedFromAddr == "" {
		return when.None
	}
	return k.LastUsedFromAddr
}

// idle is how long a key has not been used, if that is long.
func idle(k *models.APIKey, now time.Time) bool {
	return !k.LastUsedAt.IsZero() && now.Sub(k.LastUsedAt) > idleAfter
}

// note is what stands out about a key, in words.
func note(r *rows, k *models.APIKey, now time.Time) (string, theme.Tone) {
	switch f := r.fate[k.ID]; f.state {
	case revoking:
		return "◌ revoking…", theme.Waiting
	case gone:
		return "⊘ revoked", theme.Bad
	case failed:
		return "✗ not revoked", theme.Bad
	case untouched:
	}
	switch {
	case k.Damage != "":
		return "damaged", theme.Bad
	case k.LastUsedAt.IsZero():
		return "never used", theme.Waiting
	case idle(k, now):
		return fmt.Sprintf("idle %d days", int(now.Sub(k.LastUsedAt).Hours()/24)), theme.Waiting
	}
	return "", theme.Plain
}

// record is a key with every field that the API has of it.
func record(r *rows, k *models.APIKey, now time.Time) detail.Record {
	state, tone := note(r, k, now)
	fields := []detail.Field{
		{Label: "id", Value: strconv.FormatInt(k.ID, 10)},
		{Label: "name", Value: k.Name},
		{Label: "created_at", Value: when.Stamp(k.CreatedAt, now)},
		{Label: "last_used_at", Value: when.Stamp(k.LastUsedAt, now)},
		{Label: "last_used_from_addr", Value: from(k)},
	}
	if err := r.fate[k.ID].err; err != nil {
		fields = append(fields, detail.Field{Label: "error", Value: err.Error(), Tone: theme.Bad})
	}
	return detail.Record{
		Title: k.Name, State: state, Tone: tone,
		About:  "Keys belong to the account and work with all of its projects. The secret of a key is shown only when it is created.",
		Fields: fields, Damage: k.Damage,
	}
}

// View draws the list.
func (p *Page) View(f page.Frame) []string {
	return p.table.View(f, browse.Parts[*models.APIKey]{
		Strip: p.strip(f),
		Empty: p.words(),
		Notes: p.table.Foot(f, "", p.err),
	})
}

// strip counts the keys, and those that may be forgotten.
func (p *Page) strip(f page.Frame) string {
	n := p.rows.Len()
	if n == 0 {
		return ""
	}
	never, forgotten := 0, 0
	for i := range p.rows.all {
		switch k := &p.rows.all[i]; {
		case k.LastUsedAt.IsZero():
			never++
		case idle(k, f.Now):
			forgotten++
		}
	}
	unit := " keys"
	if n == 1 {
		unit = " key"
	}
	parts := []string{f.Theme.Paint(theme.Strong, " "+humanize.Comma(int64(n))+unit)}
	if never > 0 {
		parts = append(parts, f.Theme.Paint(theme.Waiting, humanize.Comma(int64(never))+" never used"))
	}
	if forgotten > 0 {
		parts = append(parts, f.Theme.Paint(theme.Waiting, humanize.Comma(int64(forgotten))+" idle > 90 days"))
	}
	limit := theme.Muted
	if n > models.RecommendedMaxAPIKeys {
		limit = theme.Bad
	}
	most := f.Theme.Paint(limit, "recommended maximum "+humanize.Comma(models.RecommendedMaxAPIKeys)+" ")
	left := strings.Join(parts, "   ")
	if text.Width(left)+text.Width(most)+2 > f.Width {
		return left
	}
	return text.Ends(left, most, f.Width)
}

// words are said in the place of the rows.
func (p *Page) words() detail.Words {
	switch {
	case p.busy:
		return detail.Words{Tone: theme.Waiting, Title: "Loading the API keys…"}
	case p.err != nil:
		return browse.Failure(p.err, "r tries again.")
	}
	return detail.Words{Title: "This account has no API keys.", Body: "n creates one."}
}
