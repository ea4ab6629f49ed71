package apikeys

import (
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
	parts := []string{f.Theme.Paint(theme.Strong, " "+keysCount(n))}
	if p.rows.never > 0 {
		parts = append(parts, f.Theme.Paint(theme.Waiting, browse.Count(p.rows.never)+" never used"))
	}
	if p.rows.idle > 0 {
		parts = append(parts, f.Theme.Paint(theme.Waiting, browse.Count(p.rows.idle)+" idle > 90 days"))
	}
	if p.readOnly != "" {
		parts = append(parts, f.Theme.Paint(theme.Muted, "read-only"))
	}
	limit := theme.Muted
	if n > models.RecommendedMaxAPIKeys {
		limit = theme.Bad
	}
	most := f.Theme.Paint(limit, "recommended maximum "+browse.Count(models.RecommendedMaxAPIKeys)+" ")
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
