package metrics

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgtower/models"
)

// BenchmarkScrape measures a scrape of an account with 5,000 projects, and BenchmarkShow what is published for it each second.
func BenchmarkScrape(b *testing.B) {
	s, projects := fleet()
	s.Show(Present{Projects: projects})
	for b.Loop() {
		if _, err := s.registry.Gather(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkShow measures what is published each second for such an account.
func BenchmarkShow(b *testing.B) {
	s, projects := fleet()
	for b.Loop() {
		s.Show(Present{Projects: slices.Clone(projects)})
	}
}

func fleet() (*Set, []Project) {
	s, projects := New(time.Hour), []Project(nil)
	for i := range 5000 {
		one := Project{
			ID: fmt.Sprintf("amber-cake-%06d", i), Name: "payments", Org: "org-sweet-thunder-100000", OrgName: "Acme", Region: "aws-us-east-2",
			Read: noon(), State: Current, Failed: models.Opt[int]{Known: true},
		}
		projects = append(projects, one)
		s.Known(one.ID, []*models.Operation{{Action: "create_branch"}})
	}
	return s, projects
}
