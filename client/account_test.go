package client

import (
	"context"
	"net/http"
	"reflect"
	"testing"

	"pgtower/models"
)

// Each call of the live service's account requests its own path, and decodes its form.
func TestAccountCalls(t *testing.T) {
	t.Parallel()
	page := models.PageRequest{Limit: 1, Cursor: "x"}
	for name, c := range map[string]struct {
		call       func(context.Context, *Client) (any, error)
		path, body string
		want       any
	}{
		"the key": {
			func(ctx context.Context, c *Client) (any, error) { return c.Auth(ctx) },
			"/api/v2/auth", `{"account_id":"org-1","auth_method":"api_key_org"}`,
			models.Auth{AccountID: "org-1", Method: "api_key_org"},
		},
		"the user": {
			func(ctx context.Context, c *Client) (any, error) { return c.User(ctx) },
			"/api/v2/users/me", `{"id":"u1","login":"ada","name":"Ada","email":"ada@example.com","plan":"x"}`,
			models.User{ID: "u1", Login: "ada", Name: "Ada", Email: "ada@example.com"},
		},
		"the organizations": {
			func(ctx context.Context, c *Client) (any, error) { return c.Organizations(ctx) },
			"/api/v2/users/me/organizations", `{"organizations":[{"id":"org-1","name":"A\u001bcme","plan":"scale"}]}`,
			[]models.Organization{{ID: "org-1", Name: models.Clean("A\x1bcme")}},
		},
		"no organizations": {
			func(ctx context.Context, c *Client) (any, error) { return c.Organizations(ctx) },
			"/api/v2/users/me/organizations", `{"organizations":[]}`,
			[]models.Organization{},
		},
		"an organization": {
			func(ctx context.Context, c *Client) (any, error) { return c.Organization(ctx, "org-1") },
			"/api/v2/organizations/org-1", `{"id":"org-1","name":"Acme"}`,
			models.Organization{ID: "org-1", Name: "Acme"},
		},
		"a project": {
			func(ctx context.Context, c *Client) (any, error) { return c.Project(ctx, "p1") },
			"/api/v2/projects/p1", `{"project":{"id":"p1","org_id":"org-1","org_name":"Acme"}}`,
			models.Project{ID: "p1", OrgID: "org-1", OrgName: "Acme"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := c.call(t.Context(), through(t, respondAt(t, c.path, c.body))); err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v, %v; want %+v", got, err, c.want)
			}
		})
	}
	for list, path := range map[models.ListID]string{
		{}:               "/api/v2/projects?cursor=x&limit=1",
		{Org: "org-a b"}: "/api/v2/projects?cursor=x&limit=1&org_id=org-a+b",
		{Shared: true}:   "/api/v2/projects/shared?cursor=x&limit=1",
		{Project: "p1"}:  "/api/v2/projects/p1",
	} {
		api := through(t, respondAt(t, path, `{"projects":[],"project":{"id":"p1"}}`))
		if _, err := api.Projects(t.Context(), list, page); err != nil {
			t.Errorf("%+v: %v", list, err)
		}
	}
}

// A response about another record is an error.
func TestAccountRecordsOfOthers(t *testing.T) {
	t.Parallel()
	for body, call := range map[string]func(context.Context, *Client) error{
		`{"project":{"id":"p2"}}`: func(ctx context.Context, c *Client) error { _, err := c.Project(ctx, "p1"); return err },
		`{"projects":[]}`:         func(ctx context.Context, c *Client) error { _, err := c.Project(ctx, "p1"); return err },
		`{"orgs":[]}`:             func(ctx context.Context, c *Client) error { _, err := c.Organizations(ctx); return err },
		`[]`:                      func(ctx context.Context, c *Client) error { _, err := c.Auth(ctx); return err },
	} {
		c := through(t, respond(http.StatusOK, body))
		if err := call(t.Context(), c); models.KindOf(err) != models.KindMalformed {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// The ids of unavailable projects are read and cleaned; anything else in that list is skipped.
func TestProjectsThatAreUnavailable(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][]string{
		`{"projects":[],"unavailable_project_ids":["p1","p\u202e2",7,""]}`: {"p1", models.Clean("p\u202e2")},
		`{"projects":[],"unavailable_project_ids":null}`:                   nil,
		`{"projects":[],"unavailable_project_ids":"p1"}`:                   nil,
		`{"projects":[]}`: nil,
	} {
		c := through(t, respond(http.StatusOK, body))
		page, err := c.Projects(t.Context(), models.ListID{}, models.PageRequest{})
		if err != nil || !reflect.DeepEqual(page.Unavailable, want) {
			t.Errorf("%s: got %q, %v", body, page.Unavailable, err)
		}
	}
}
