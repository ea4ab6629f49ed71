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
	return s.projectsOf(t, s.list)
}

// projectsOf returns the first page of a list of projects.
func (s *Target) projectsOf(t *testing.T, list string) []record {
	t.Helper()
	var page struct{ Projects []record }
	s.get(t, list, &page)
	return page.Projects
}

func (s *Target) listProjects(t *testing.T) {
	t.Helper()
	var answer record
	s.get(t, s.list, &answer)
	if answer["projects"] == nil {
		t.Errorf("no projects in %v", answer)
	}
	ids := map[string]bool{"": true}
	for _, p := range s.projects(t) {
		s.check(t, "a project", p, `id=text name=text platform_id=text region_id=text provisioner=text pg_version=integer
			locked=boolean? cpu_used_sec=integer proxy_host=text branch_logical_size_limit=integer created_at=time
			updated_at=time`)
		if id := text(p, "id"); ids[id] {
			t.Errorf("project %q is listed twice, or has no id", id)
		}
		ids[text(p, "id")] = true
	}
}

// enough is how many operations a project needs for paging.
const enough = 5

// operations returns the path of the operations of a project with enough of them.
func (s *Target) operations(t *testing.T) (path, project string) {
	t.Helper()
	for _, p := range s.projects(t) {
		project = text(p, "id")
		path = "/projects/" + url.PathEscape(project) + "/operations"
		if len(s.page(t, path, enough, "").Operations) >= enough {
			return path, project
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

// page returns a page, of the default length if limit is 0.
func (s *Target) page(t *testing.T, path string, limit int, cursor string) (p page) {
	t.Helper()
	query := url.Values{}
	if limit > 0 {
		query.Set("limit", fmt.Sprint(limit))
	}
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	s.get(t, path+"?"+query.Encode(), &p)
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

// when returns a timestamp field.
func when(t *testing.T, r record, name string) time.Time {
	t.Helper()
	instant, err := time.Parse(time.RFC3339Nano, text(r, name))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return instant
}

func (s *Target) listOperations(t *testing.T) {
	t.Helper()
	path, project := s.operations(t)
	list := s.page(t, path, 0, "").Operations
	if len(list) == 0 {
		t.Error("no operations without a limit")
	}
	for i, op := range list {
		s.checkOperation(t, op)
		created := when(t, op, "created_at")
		if text(op, "project_id") != project || when(t, op, "updated_at").Before(created) {
			t.Errorf("of project %s: %v", project, op)
		}
		if i > 0 && created.After(when(t, list[i-1], "created_at")) {
			t.Errorf("operation %d is newer than the one above it", i)
		}
	}
	for limit := 1; limit < enough; limit++ {
		if n := len(s.page(t, path, limit, "").Operations); n > limit || s.Exact && n < limit {
			t.Errorf("%d operations with limit=%d", n, limit)
		}
	}
	s.joins(t, path)
}

// joins checks that a page continues the page before it: together they are a part of the list. Newer operations may have
// moved that part down.
func (s *Target) joins(t *testing.T, path string) {
	t.Helper()
	first := s.page(t, path, 3, "")
	if first.Pagination.Cursor == "" {
		t.Fatal("no cursor, although more operations follow")
	}
	second, whole := s.page(t, path, 2, first.Pagination.Cursor), s.page(t, path, 100, "").Operations
	if len(first.Operations) == 0 || len(second.Operations) == 0 {
		t.Fatalf("pages of %d and %d operations", len(first.Operations), len(second.Operations))
	}
	paged := slices.Concat(first.Operations, second.Operations)
	begin := slices.IndexFunc(whole, func(op record) bool { return op["id"] == paged[0]["id"] })
	if begin < 0 || len(whole)-begin < len(paged) {
		t.Fatalf("the paged operations are not among the newest %d", len(whole))
	}
	for i, op := range paged {
		if expected := whole[begin+i]; op["id"] != expected["id"] {
			t.Errorf("row %d is %v in pages and %v in the list", i, op["id"], expected["id"])
		}
	}
}

func (s *Target) getOperation(t *testing.T) {
	t.Helper()
	path, _ := s.operations(t)
	for _, expected := range s.page(t, path, enough, "").Operations {
		var answer record
		s.get(t, path+"/"+text(expected, "id"), &answer)
		got, ok := answer["operation"].(record)
		if !ok || s.Exact && len(answer) != 1 {
			t.Fatalf("the answer is %v", answer)
		}
		s.checkOperation(t, got)
		for _, name := range []string{"id", "project_id", "branch_id", "endpoint_id", "action", "created_at"} {
			if got[name] != expected[name] {
				t.Errorf("%s is %v, and listed as %v", name, got[name], expected[name])
			}
		}
	}
}
