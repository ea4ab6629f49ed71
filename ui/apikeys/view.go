package apikeys

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"pgtower/models"
	"pgtower/ui/browse"
	"pgtower/ui/detail"
	"pgtower/ui/page"
	"pgtower/ui/rowlist"
	"pgtower/ui/text"
	"pgtower/ui/theme"
	"pgtower/ui/when"
)

// idleAfter is how long a key must not have been used to be called idle.
const idleAfter = 90 * 24 * time.Hour

func newTable(source *rows) *browse.Model[*models.APIKey] {
	muted := func(of func(*models.APIKey, time.Time) string) func(*models.APIKey, time.Time) (string, theme.Tone) {
		return func(k *models.APIKey, now time.Time) (string, theme.Tone) { return of(k, now), theme.Muted }
	}
	return browse.New(browse.Config[*models.APIKey]{
		Source:   source,
		PaneFrom: 140,
		Columns: []rowlist.Column[*models.APIKey]{
			{Title: "NAME", Width: 20, Grow: 2, Cell: func(k *models.APIKey, _ time.Time) (string, theme.Tone) { return k.Name, theme.Plain }},
			{Title: "ID", Width: 10, Grow: 1, Priority: 2, Cell: muted(func(k *models.APIKey, _ time.Time) string { return strconv.FormatInt(k.ID, 10) })},
			{Title: "CREATED", Width: 10, Priority: 3, Cell: muted(func(k *models.APIKey, now time.Time) string { return when.Date(k.CreatedAt, now) })},
			{Title: "LAST USED", Width: 15, Cell: muted(func(k *models.APIKey, now time.Time) string { return when.Ago(k.LastUsedAt, now) })},
			{Title: "FROM", Width: 15, Priority: 4, Cell: muted(func(k *models.APIKey, _ time.Time) string { return from(k) })},
			{Title: "NOTE", Width: 14, Grow: 1, Cell: func(k *models.APIKey, now time.Time) (string, theme.Tone) { return note(source, k, now) }},
		},
		Detail: func(k *models.APIKey, now time.Time) detail.Record { return record(source, k, now) },
		Texts: func(k *models.APIKey) []string {
			return []string{k.Name, strconv.FormatInt(k.ID, 10), k.LastUsedFromAddr}
		},
	})
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
		Strip:  p.strip(f),
		Empty:  p.words(),
		Notes:  p.notes(f),
		Marked: nil,
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

func (p *Page) notes(f page.Frame) []string {
	list := p.table.List()
	if list.Len() == 0 {
		return nil
	}
	var out []string
	if p.err != nil {
		out = append(out, browse.Trouble(f, p.err))
	}
	place := fmt.Sprintf("%s / %s ", humanize.Comma(int64(list.Cursor()+1)), humanize.Comma(int64(list.Len())))
	return append(out, text.Ends("", f.Theme.Paint(theme.Muted, place), f.Width))
}
