package contract

import "testing"

// projects returns the first page of the account's projects.
func (s *service) projects(t *testing.T) []record {
	t.Helper()
	var page struct{ Projects []record }
	s.get(t, "/projects", &page)
	return page.Projects
}

func listProjects(t *testing.T, s *service) {
	t.Helper()
	t.Run("an object with the projects", func(t *testing.T) {
		var page record
		s.get(t, "/projects", &page)
		if _, ok := page["projects"].([]any); !ok {
			t.Errorf("projects is no array in %v", page)
		}
	})
	t.Run("records have the fields of 2.2", func(t *testing.T) {
		for _, p := range s.projects(t) {
			s.check(t, "a project", p, []field{
				str("id"), str("name"), str("platform_id"), str("region_id"), str("provisioner"), integer("pg_version"),
				unless(known, boolean("locked")), integer("cpu_used_sec"), str("proxy_host"),
				integer("branch_logical_size_limit"), timestamp("created_at"), timestamp("updated_at"),
			})
		}
	})
	t.Run("ids are unique", func(t *testing.T) {
		seen := map[string]bool{}
		for _, p := range s.projects(t) {
			if id := text(p, "id"); seen[id] || id == "" {
				t.Errorf("project %q is listed twice, or has no id", id)
			} else {
				seen[id] = true
			}
		}
	})
}
