package mock_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The tests of this file and of contract_keys_test.go state what the specification says, section by section. They
// know nothing of the server but its base URL and a key, and run against any other one
// that PGTOWER_CONTRACT_URL and PGTOWER_CONTRACT_KEY name. They create keys there, and
// revoke them.

type record = map[string]any

type operationPage struct {
	Operations []record
	Pagination *struct{ Cursor string }
}

type projectPage struct {
	Projects   []record
	Pagination *struct{ Cursor string }
}

// utc checks a timestamp of section 1: ISO 8601, in UTC.
func utc(t *testing.T, r record, field string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, fmt.Sprint(r[field]))
	if err != nil || !strings.HasSuffix(fmt.Sprint(r[field]), "Z") {
		t.Errorf("%s is %v, not a UTC timestamp", field, r[field])
	}
	return at
}

// whole checks that a number is an integer.
func whole(t *testing.T, r record, field string) {
	t.Helper()
	if !regexp.MustCompile(`^-?\d+$`).MatchString(fmt.Sprint(r[field])) {
		t.Errorf("%s is %v, not an integer", field, r[field])
	}
}

// busyProject returns the id of a project that has several operations.
func busyProject(t *testing.T, c target) string {
	t.Helper()
	var projects projectPage
	c.get(t, "/projects", &projects)
	for _, p := range projects.Projects {
		var page operationPage
		id := fmt.Sprint(p["id"])
		c.get(t, "/projects/"+id+"/operations?limit=5", &page)
		if len(page.Operations) == 5 {
			return id
		}
	}
	t.Skip("no project of this account has five operations")
	return ""
}

func TestSection44ListProjects(t *testing.T) {
	t.Parallel()
	for name, c := range contractTargets(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen, cursor := map[string]bool{}, ""
			for range 10_000 {
				var page projectPage
				c.get(t, "/projects?limit=3&cursor="+url.QueryEscape(cursor), &page)
				for _, p := range page.Projects {
					want := "id name platform_id region_id provisioner pg_version cpu_used_sec proxy_host " +
						"branch_logical_size_limit created_at updated_at"
					c.fields(t, "a project", p, want, "locked")
					whole(t, p, "pg_version")
					whole(t, p, "cpu_used_sec")
					whole(t, p, "branch_logical_size_limit")
					if utc(t, p, "updated_at").Before(utc(t, p, "created_at")) {
						t.Errorf("updated before it was created: %v", p)
					}
					id := fmt.Sprint(p["id"])
					if seen[id] {
						t.Errorf("%s is listed twice", id)
					}
					seen[id] = true
				}
				if page.Pagination == nil || page.Pagination.Cursor == cursor || len(page.Projects) == 0 {
					break
				}
				if cursor = page.Pagination.Cursor; cursor == "" {
					t.Fatal("an empty cursor")
				}
			}
			if c.exact && len(seen) != 12 {
				t.Errorf("%d projects were paged through, want 12", len(seen))
			}
		})
	}
}

func TestSection45ListOperations(t *testing.T) {
	t.Parallel()
	for name, c := range contractTargets(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := "/projects/" + busyProject(t, c) + "/operations"
			var whole, first, second operationPage
			c.get(t, at+"?limit=5", &whole)
			if len(whole.Operations) > 5 || whole.Pagination != nil && whole.Pagination.Cursor == "" {
				t.Errorf("%d operations, pagination %v", len(whole.Operations), whole.Pagination)
			}
			for i, op := range whole.Operations {
				c.fields(t, "an operation", op,
					"id project_id branch_id action status failures_count created_at updated_at", "endpoint_id")
				if i > 0 && utc(t, op, "created_at").After(utc(t, whole.Operations[i-1], "created_at")) {
					t.Errorf("operation %d is newer than the one above it", i)
				}
				if utc(t, op, "updated_at").Before(utc(t, op, "created_at")) {
					t.Errorf("updated before it was created: %v", op)
				}
			}
			c.get(t, at+"?limit=3", &first)
			if first.Pagination == nil {
				t.Fatal("no cursor although more operations follow")
			}
			c.get(t, at+"?limit=2&cursor="+url.QueryEscape(first.Pagination.Cursor), &second)
			if c.exact {
				paged := append(first.Operations, second.Operations...)
				for i := range whole.Operations {
					if paged[i]["id"] != whole.Operations[i]["id"] {
						t.Errorf("row %d differs between one page and two", i)
					}
				}
			}
			var unlimited operationPage
			c.get(t, at, &unlimited)
			if len(unlimited.Operations) == 0 {
				t.Error("no operations without a limit")
			}
		})
	}
}

func TestSection46GetOperation(t *testing.T) {
	t.Parallel()
	for name, c := range contractTargets(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := "/projects/" + busyProject(t, c) + "/operations"
			var page operationPage
			c.get(t, at+"?limit=5", &page)
			uuid := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
			for _, want := range page.Operations {
				id := fmt.Sprint(want["id"])
				if !uuid.MatchString(id) {
					t.Errorf("id %q is not a UUID", id)
				}
				var got map[string]record
				c.get(t, at+"/"+id, &got)
				op := got["operation"]
				if len(got) != 1 || op["id"] != want["id"] || op["created_at"] != want["created_at"] || op["action"] != want["action"] {
					t.Errorf("got %v, listed as %v", got, want)
				}
			}
			c.call(t, http.MethodGet, at+"/00000000-0000-4000-8000-000000000000", "").problem(t, http.StatusNotFound)
		})
	}
}
