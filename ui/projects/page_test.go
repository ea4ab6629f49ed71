package projects

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/ui/page"
)

// A list that goes on and on is followed no further than memory allows, and the page says
// that there may be more.
func TestEndlessListOfProjects(t *testing.T) {
	t.Parallel()
	p := New(page.NewSession(t.Context(), 1, func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }), nil)
	p.busy = true
	const size = 10_000
	for n := 0; p.busy; n++ {
		if n*size > maxProjects {
			t.Fatalf("asks for more after %d projects", n*size)
		}
		projects := make([]models.Project, size)
		for i := range projects {
			projects[i].ID = strconv.Itoa(n*size + i)
		}
		p.took(loaded{depth: n, page: models.ProjectPage{Projects: projects, Cursor: strconv.Itoa(n), Next: strconv.Itoa(n + 1)}})
	}
	if !strings.Contains(p.partial, "stopped after 100,000 projects") {
		t.Errorf("says %q", p.partial)
	}
}
