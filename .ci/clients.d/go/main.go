// Command go runs the community's library for Go against a control API.
package main

import (
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"

	neon "github.com/kislerdm/neon-sdk-go"
)

// elsewhere sends requests to another base address: the library knows only the live
// service's.
type elsewhere struct{ base string }

// Do sends a request.
func (e elsewhere) Do(r *http.Request) (*http.Response, error) {
	_, rest, ok := strings.Cut(r.URL.String(), "/api/v2")
	if !ok {
		return nil, fmt.Errorf("%s is not below the base address", r.URL)
	}
	moved, err := http.NewRequestWithContext(r.Context(), r.Method, e.base+rest, r.Body)
	if err != nil {
		return nil, err
	}
	moved.Header = r.Header
	return http.DefaultClient.Do(moved)
}

func connect(key string) *neon.Client {
	c, err := neon.NewClient(neon.Config{Key: key, HTTPClient: elsewhere{os.Getenv("NEON_API_HOST")}})
	check(err)
	return c
}

// org returns the organization whose projects are listed, nil for an account without.
func org() *string {
	if id := os.Getenv("ORG"); id != "" {
		return &id
	}
	return nil
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func expect(ok bool, format string, args ...any) {
	if !ok {
		log.Fatalf(format, args...)
	}
}

// refused expects the error of a status.
func refused(err error, status int) {
	var e neon.Error
	expect(errors.As(err, &e) && e.HTTPCode == status && e.Message != "", "error %v, want status %d", err, status)
}

func main() {
	log.SetFlags(0)
	c, project := connect(os.Getenv("NEON_API_KEY")), os.Getenv("PROJECT")
	projects(c)
	operations(c, project)
	keys(c)
	if os.Getenv("LIVE") != "" {
		branches(c, project)
	}
	_, err := c.ListProjectOperations("no-such-project", nil, nil)
	refused(err, http.StatusNotFound)
}

func projects(c *neon.Client) {
	want, err := strconv.Atoi(os.Getenv("PROJECTS"))
	check(err)
	seen, limit := map[string]bool{}, 60
	var cursor *string
	for {
		page, err := c.ListProjects(cursor, &limit, nil, org())
		check(err)
		for _, p := range page.Projects {
			expect(!seen[p.ID], "project %s came twice", p.ID)
			seen[p.ID] = true
		}
		if page.Pagination == nil || len(page.Projects) == 0 {
			break
		}
		cursor = &page.Pagination.Cursor
	}
	expect(len(seen) == want, "%d projects, want %d", len(seen), want)
	shared, err := c.ListSharedProjects(nil, &limit, nil)
	check(err)
	expect(strconv.Itoa(len(shared.Projects)) == os.Getenv("SHARED"), "%d projects are shared", len(shared.Projects))
}

func operations(c *neon.Client, project string) {
	seen, limit := map[string]bool{}, 300
	var last neon.Operation
	var cursor *string
	for {
		// The library does not escape the cursor.
		page, err := c.ListProjectOperations(project, cursor, &limit)
		check(err)
		for _, op := range page.Operations {
			expect(!seen[op.ID] && (last.ID == "" || !op.CreatedAt.After(last.CreatedAt)), "%s came twice or too late", op.ID)
			seen[op.ID], last = true, op
		}
		if page.Pagination == nil || len(page.Operations) == 0 {
			break
		}
		cursor = &page.Pagination.Cursor
	}
	expect(len(seen) >= 2000, "%d operations", len(seen))
	got, err := c.GetProjectOperation(project, last.ID)
	check(err)
	expect(got.Operation.ID == last.ID && got.Operation.Action == last.Action, "got %v, want %v", got, last)
}

// branches checks that every compute is of a branch that is listed.
func branches(c *neon.Client, project string) {
	all, err := c.ListProjectBranches(project)
	check(err)
	names := map[string]string{}
	for _, b := range all.Branches {
		names[b.ID] = b.Name
	}
	computes, err := c.ListProjectEndpoints(project)
	check(err)
	for _, e := range computes.Endpoints {
		expect(names[e.BranchID] != "", "compute %s is of the unknown branch %s", e.ID, e.BranchID)
	}
	expect(len(computes.Endpoints) > 10, "%d computes", len(computes.Endpoints))
}

func keys(c *neon.Client) {
	created, err := c.CreateApiKey(neon.ApiKeyCreateRequest{KeyName: "of go"})
	check(err)
	_, err = connect(created.Key).ListProjects(nil, nil, nil, org())
	check(err)
	all, err := c.ListApiKeys()
	check(err)
	listed := ""
	for _, k := range all {
		if k.ID == created.ID {
			listed = k.Name
		}
	}
	expect(listed == "of go", "the new key is listed as %q", listed)
	revoked, err := c.RevokeApiKey(created.ID)
	check(err)
	expect(revoked.Revoked && revoked.ID == created.ID, "revoked: %v", revoked)
	_, err = connect(created.Key).ListApiKeys()
	refused(err, http.StatusUnauthorized)
}
