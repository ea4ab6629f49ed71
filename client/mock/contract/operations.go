package contract

import (
	"fmt"
	"net/url"
	"slices"
	"testing"
)

// enough is how many operations a project needs to be paged through.
const enough = 5

// page is a page of operations (section 4.5).
type page struct {
	Operations []record
	Pagination *struct{ Cursor string }
}

// operations returns the path of the operations of a project that has enough of them.
func (s *service) operations(t *testing.T) (at, project string) {
	t.Helper()
	for _, p := range s.projects(t) {
		project = text(p, "id")
		at = "/projects/" + url.PathEscape(project) + "/operations"
		var got page
		if s.get(t, fmt.Sprintf("%s?limit=%d", at, enough), &got); len(got.Operations) >= enough {
			return at, project
		}
	}
	t.Skipf("no project of this account has %d operations", enough)
	return "", ""
}

func (s *service) operationFields() []field {
	status := matching("status", `^[a-z]+$`, "a status")
	if s.exact {
		status = matching("status", `^(scheduling|running|finished|failed)$`, "a status of section 3.2")
	}
	return []field{
		matching("id", `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`, "a UUID"),
		str("project_id"), unless(known, str("branch_id")), unless(sometimes, str("endpoint_id")),
		matching("action", `^[a-z]+(_[a-z]+)*$`, "lower case with underscores"), status,
		integer("failures_count"), timestamp("created_at"), timestamp("updated_at"),
	}
}

func listOperations(t *testing.T, s *service) {
	t.Helper()
	at, project := s.operations(t)
	t.Run("records have the fields of 2.3", func(t *testing.T) {
		var got page
		s.get(t, at, &got)
		for _, op := range got.Operations {
			s.check(t, "an operation", op, s.operationFields())
			if text(op, "project_id") != project || when(t, op, "updated_at").Before(when(t, op, "created_at")) {
				t.Errorf("of project %s: %v", project, op)
			}
		}
	})
	t.Run("newest first", func(t *testing.T) {
		var got page
		s.get(t, at, &got)
		for i := 1; i < len(got.Operations); i++ {
			if when(t, got.Operations[i], "created_at").After(when(t, got.Operations[i-1], "created_at")) {
				t.Errorf("operation %d is newer than the one above it", i)
			}
		}
	})
	t.Run("limit is the maximum", func(t *testing.T) {
		for limit := 1; limit < enough; limit++ {
			var got page
			if s.get(t, fmt.Sprintf("%s?limit=%d", at, limit), &got); len(got.Operations) > limit || s.exact && len(got.Operations) < limit {
				t.Errorf("%d operations with limit=%d", len(got.Operations), limit)
			}
		}
	})
	t.Run("without a limit there is an answer", func(t *testing.T) {
		var got page
		if s.get(t, at, &got); len(got.Operations) == 0 {
			t.Error("no operations")
		}
	})
	t.Run("the cursor leads to the next page", func(t *testing.T) { s.joins(t, at) })
}

// joins checks that two pages continue each other: together they stand in the list as
// they were delivered, wherever newer operations have pushed them meanwhile.
func (s *service) joins(t *testing.T, at string) {
	t.Helper()
	var first, second, whole page
	s.get(t, at+"?limit=3", &first)
	if first.Pagination == nil || first.Pagination.Cursor == "" {
		t.Fatal("no cursor, although more operations follow")
	}
	s.get(t, at+"?limit=2&cursor="+url.QueryEscape(first.Pagination.Cursor), &second)
	s.get(t, at+"?limit=100", &whole)
	paged := slices.Concat(first.Operations, second.Operations)
	if len(first.Operations) == 0 || len(second.Operations) == 0 {
		t.Fatalf("pages of %d and %d operations", len(first.Operations), len(second.Operations))
	}
	begin := slices.IndexFunc(whole.Operations, func(op record) bool { return op["id"] == paged[0]["id"] })
	if begin < 0 || len(whole.Operations)-begin < len(paged) {
		t.Fatalf("the paged operations are not among the newest %d", len(whole.Operations))
	}
	for i, op := range paged {
		if want := whole.Operations[begin+i]; op["id"] != want["id"] {
			t.Errorf("row %d is %v in pages and %v in the list", i, op["id"], want["id"])
		}
	}
}

func getOperation(t *testing.T, s *service) {
	t.Helper()
	at, _ := s.operations(t)
	var listed page
	s.get(t, fmt.Sprintf("%s?limit=%d", at, enough), &listed)
	t.Run("an object with the operation", func(t *testing.T) {
		var got record
		s.get(t, at+"/"+text(listed.Operations[0], "id"), &got)
		if _, ok := got["operation"].(record); !ok || s.exact && len(got) != 1 {
			t.Errorf("the answer is %v", got)
		}
	})
	t.Run("the one that was asked for", func(t *testing.T) {
		for _, want := range listed.Operations {
			var got struct{ Operation record }
			s.get(t, at+"/"+text(want, "id"), &got)
			s.check(t, "the operation", got.Operation, s.operationFields())
			for _, name := range []string{"id", "project_id", "branch_id", "endpoint_id", "action", "created_at"} {
				if got.Operation[name] != want[name] {
					t.Errorf("%s is %v, and listed as %v", name, got.Operation[name], want[name])
				}
			}
		}
	})
}
