package projects

import (
	"fmt"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/table"
)

// Spoken says the list in words.
func (p *Page) Spoken(f page.Frame) announce.Description {
	var summary []string
	if n := p.rows.Len(); n > 0 {
		summary = []string{table.Plural(n, "project"), table.Plural(p.rows.regions, "region")}
		if locked := p.rows.locked; locked > 0 {
			summary = append(summary, fmt.Sprintf("%d locked", locked))
		}
		if pinned := len(*p.pinned.Load()); pinned > 0 {
			summary = append(summary, fmt.Sprintf("%d pinned", pinned))
		}
	}
	return p.table.Spoken(f, table.Said{
		ID: page.Projects, Name: page.Projects.Title(), Summary: summary, Empty: p.words(f), Trouble: []error{p.err},
	})
}

// say is a project in words.
func (p *Page) say(project *models.Project, now time.Time) string {
	said := p.table.SayCells(project, now)
	if p.isPinned(project) {
		said = strings.TrimPrefix(said, pinMark) + ", pinned"
	}
	return said
}
