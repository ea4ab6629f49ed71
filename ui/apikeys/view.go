package apikeys

import (
	"slices"
	"strings"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// View draws the list.
func (p *Page) View(f page.Frame) []string {
	return p.table.View(f, table.Parts[*models.APIKey]{
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
	parts := []string{f.Theme.Paint(style.Strong, " "+table.Plural(n, "key"))}
	if p.rows.never > 0 {
		parts = append(parts, f.Theme.Paint(style.Waiting, table.Count(p.rows.never)+" never used"))
	}
	if p.rows.idle > 0 {
		parts = append(parts, f.Theme.Paint(style.Waiting, table.Count(p.rows.idle)+" idle > 90 days"))
	}
	if p.readOnly != "" {
		parts = append(parts, f.Theme.Paint(style.Muted, "read-only"))
	}
	const limit = models.RecommendedMaxAPIKeys
	most := f.Theme.Paint(style.Muted, "recommended maximum "+table.Count(limit)+" ")
	if n > limit {
		parts = slices.Insert(parts, 1, f.Theme.Paint(style.Bad, table.Count(n-limit)+" over the recommended "+table.Count(limit)))
		most = ""
	}
	left := strings.Join(parts, "   ")
	if style.Width(left)+style.Width(most)+2 > f.Width {
		return left
	}
	return style.Ends(left, most, f.Width)
}

// words are said in the place of the rows.
func (p *Page) words(f page.Frame) table.Words {
	switch {
	case p.busy:
		return table.Words{Tone: style.Waiting, Title: "Loading the API keys…"}
	case p.err != nil:
		return table.Failure(p.err, f.Keys.Label(refreshKey())+" tries again.")
	}
	return table.Words{Title: "This account has no API keys.", Body: f.Keys.Label(createKey()) + " creates one."}
}
