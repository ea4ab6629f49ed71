package apikeys

import (
	"strings"
	"time"

	"pgtower/models"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/table"
)

// Spoken says the list in words.
func (p *Page) Spoken(f page.Frame) announce.Description {
	return p.table.Spoken(f, table.Said{
		ID: page.APIKeys, Name: page.APIKeys.Title(), Summary: p.summary(), Empty: p.words(f), Trouble: []error{p.err, p.changeErr},
	})
}

// summary is what the strip says.
func (p *Page) summary() []string {
	n := p.rows.Len()
	if n == 0 {
		return nil
	}
	out := []string{table.Plural(n, "key")}
	if p.rows.never > 0 {
		out = append(out, table.Count(p.rows.never)+" never used")
	}
	if p.rows.idle > 0 {
		out = append(out, table.Count(p.rows.idle)+" not used for more than 90 days")
	}
	if p.readOnly != "" {
		out = append(out, "read-only")
	}
	if over := n - models.RecommendedMaxAPIKeys; over > 0 {
		out = append(out, table.Count(over)+" over the recommended "+table.Count(models.RecommendedMaxAPIKeys))
	}
	return out
}

// say is a key in words: its name, what stands out about it, and how it was used.
func (p *Page) say(k *models.APIKey, now time.Time) string {
	parts := []string{k.Name}
	used := p.lastUse(k, now)
	if note, _ := p.rows.note(k, now); note != "" && note != used {
		parts = append(parts, note)
	}
	return strings.Join(append(parts, used, "created "+p.session.Times.Date(k.CreatedAt, now)), ", ")
}
