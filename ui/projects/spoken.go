package projects

import (
	"fmt"

	"pgtower/ui/browse"
	"pgtower/ui/page"
	"pgtower/ui/speech"
)

// Spoken says the list in words.
func (p *Page) Spoken(f page.Frame) speech.Scene {
	var summary []string
	if n := p.rows.Len(); n > 0 {
		regions, locked := p.counts()
		summary = []string{browse.Plural(n, "project"), browse.Plural(regions, "region")}
		if locked > 0 {
			summary = append(summary, fmt.Sprintf("%d locked", locked))
		}
	}
	return p.table.Spoken(f, browse.Told{
		ID: page.Projects, Name: page.Projects.Title(), Summary: summary, Empty: p.words(f), Trouble: []error{p.err},
	})
}
