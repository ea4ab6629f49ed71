package apikeys

import (
	"slices"
	"strings"

	"pgtower/models"
	"pgtower/ui/browse"
	"pgtower/ui/detail"
	"pgtower/ui/page"
	"pgtower/ui/text"
	"pgtower/ui/theme"
)

// View draws the list.
func (p *Page) View(f page.Frame) []string {
	return p.table.View(f, browse.Parts[*models.APIKey]{
		Strip: p.strip(f),
		Empty: p.words(f),
		Notes: p.table.Foot(f, "", p.err, p.changeErr),
	})
}

// strip counts the keys, and those that may be forgotten.
func (p *Page) strip(f page.Frame) string {
	n := p.rows.Len()
	if n == 0 {
		return ""
	}
	parts := []string{f.Theme.Paint(theme.Strong, " "+browse.Plural(n, "key"))}
	if p.rows.never > 0 {
		parts = append(parts, f.Theme.Paint(theme.Waiting, browse.Count(p.rows.never)+" never used"))
	}
	if p.rows.idle > 0 {
		parts = append(parts, f.Theme.Paint(theme.Waiting, browse.Count(p.rows.idle)+" idle > 90 days"))
	}
	if p.readOnly != "" {
		parts = append(parts, f.Theme.Paint(theme.Muted, "read-only"))
	}
	const limit = models.RecommendedMaxAPIKeys
	most := f.Theme.Paint(theme.Muted, "recommended maximum "+browse.Count(limit)+" ")
	if n > limit {
		parts = slices.Insert(parts, 1, f.Theme.Paint(theme.Bad, browse.Count(n-limit)+" over the recommended "+browse.Count(limit)))
		most = ""
	}
	left := strings.Join(parts, "   ")
	if text.Width(left)+text.Width(most)+2 > f.Width {
		return left
	}
	return text.Ends(left, most, f.Width)
}

// words are said in the place of the rows.
func (p *Page) words(f page.Frame) detail.Words {
	switch {
	case p.busy:
		return detail.Words{Tone: theme.Waiting, Title: "Loading the API keys…"}
	case p.err != nil:
		return browse.Failure(p.err, f.Keys.Label(refreshKey())+" tries again.")
	}
	return detail.Words{Title: "This account has no API keys.", Body: f.Keys.Label(createKey()) + " creates one."}
}
