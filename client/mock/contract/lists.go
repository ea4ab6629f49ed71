package contract

import (
	"fmt"
	"net/url"
	"slices"
	"testing"
	"time"
)

// projects returns the first page of the account's projects.
func (s *Target) projects(t *testing.T) []record {
	t.Helper()
	var page struct{ Projects []record }
	s.get(t, "/projects", &page)
	return page.Projects
}

func (s *Target) listProjects(t *testing.T) {
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
			s.check(t, "a project", p, `id=text name=text platform_id=text region_id=text provisioner=text pg_version=integer
				locked=boolean? cpu_used_sec=integer proxy_host=text branch_logical_size_limit=integer created_at=time
				updated_at=time`)
		}
	})
	t.Run("ids are unique", func(t *testing.T) {
		seen := map[string]bool{"": true}
		for _, p := range s.projects(t) {
			if id := text(p, "id"); seen[id] {
				t.Errorf("project %q is listed twice, or has no id", id)
			}
			seen[text(p, "id")] = true
		}
	})
}

// enough is how many operations a project needs to be paged through.
const enough = 5

// operations returns the path of the operations of a project that has enough of them.
func (s *Target) operations(t *testing.T) (at, project string) {
	t.Helper()
	for _, p := range s.projects(t) {
		project = text(p, "id")
		at = "/projects/" + url.PathEscape(project) + "/operations"
		if len(s.page(t, at, enough, "").Operations) >= enough {
			return at, project
		}
	}
	t.Skipf("no project of this account has %d operations", enough)
	return "", ""
}

// page is a page of operations (section 4.5).
type page struct {
	Operations []record
	Pagination struct{ Cursor string }
}

// page returns a page, of the usual length where limit is 0.
func (s *Target) page(t *testing.T, at string, limit int, cursor string) (p page) {
	t.Helper()
	query := url.Values{}
	if limit > 0 {
		query.Set("limit", fmt.Sprint(limit))
	}
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	s.get(t, at+"?"+query.Encode(), &p)
	return p
}

func (s *Target) checkOperation(t *testing.T, r record) {
	t.Helper()
	table := `id=uuid project_id=text branch_id=text? endpoint_id=text?? action=action failures_count=integer
		created_at=time updated_at=time status=status`
	if s.Exact {
		table += "3.2"
	}
	s.check(t, "an operation", r, table)
}

// when returns a field that is a timestamp.
func when(t *testing.T, r record, name string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text(r, name))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return at
}

func (s *Target) listOperations(t *testing.T) {
	t.Helper()
	at, project := s.operations(t)
	t.Run("records have the fields of 2.3", func(t *testing.T) {
		for _, op := range s.page(t, at, 0, "").Operations {
			s.checkOperation(t, op)
			if text(op, "project_id") != project || when(t, op, "updated_at").Before(when(t, op, "created_at")) {
				t.Errorf("of project %s: %v", project, op)
			}
		}
	})
	t.Run("newest first", func(t *testing.T) {
		ops := s.page(t, at, 0, "").Operations
		for i := 1; i < len(ops); i++ {
			if when(t, ops[i], "created_at").After(when(t, ops[i-1], "created_at")) {
				t.Errorf("operation %d is newer than the one above it", i)
			}
		}
	})
	t.Run("limit is the maximum", func(t *testing.T) {
		for limit := 1; limit < enough; limit++ {
			if n := len(s.page(t, at, limit, "").Operations); n > limit || s.Exact && n < limit {
				t.Errorf("%d operations with limit=%d", n, limit)
			}
		}
	})
	t.Run("without a limit there is an answer", func(t *testing.T) {
		if len(s.page(t, at, 0, "").Operations) == 0 {
			t.Error("no operations")
		}
	})
	t.Run("the cursor leads to the next page", func(t *testing.T) { s.joins(t, at) })
}

// joins checks that two pages continue each other: together they stand in the list as they were delivered, wherever
// newer operations have pushed them meanwhile.
func (s *Target) joins(t *testing.T, at string) {
	t.Helper()
	first := s.page(t, at, 3, "")
	if first.Pagination.Cursor == "" {
		t.Fatal("no cursor, although more operations follow")
	}
	second, whole := s.page(t, at, 2, first.Pagination.Cursor), s.page(t, at, 100, "").Operations
	if len(first.Operations) == 0 || len(second.Operations) == 0 {
		t.Fatalf("pages of %d and %d operations", len(first.Operations), len(second.Operations))
	}
	paged := slices.Concat(first.Operations, second.Operations)
	begin := slices.IndexFunc(whole, func(op record) bool { return op["id"] == paged[0]["id"] })
	if begin < 0 || len(whole)-begin < len(paged) {
		t.Fatalf("the paged operations are not among the newest %d", len(whole))
	}
	for i, op := range paged {
		if want := whole[begin+i]; op["id"] != want["id"] {
			t.Errorf("row %d is %v in pages and %v in the list", i, op["id"], want["id"])
		}
	}
}

func (s *Target) getOperation(t *testing.T) {
	t.Helper()
	at, _ := s.operations(t)
	listed := s.page(t, at, enough, "").Operations
	t.Run("an object with the operation", func(t *testing.T) {
		var got record
		s.get(t, at+"/"+text(listed[0], "id"), &got)
		if _, ok := got["operation"].(record); !ok || s.Exact && len(got) != 1 {
			t.Errorf("the answer is %v", got)
		}
	})
	t.Run("the one that was asked for", func(t *testing.T) {
		for _, want := range listed {
			var got struct{ Operation record }
			s.get(t, at+"/"+text(want, "id"), &got)
			s.checkOperation(t, got.Operation)
			for _, name := range []string{"id", "project_id", "branch_id", "endpoint_id", "action", "created_at"} {
				if got.Operation[name] != want[name] {
					t.Errorf("%s is %v, and listed as %v", name, got.Operation[name], want[name])
				}
			}
		}
	})
}
