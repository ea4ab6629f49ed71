package client

import (
	"context"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"pgtower/models"
)

// Each list requests its own path, and decodes its form and its kind of paging.
func TestBranchCalls(t *testing.T) {
	t.Parallel()
	const active = `"user":{"email":"ada@example.com"}`
	branches := func(ctx context.Context, c *Client) (any, string, error) {
		p, err := c.Branches(ctx, "p1", models.PageRequest{Limit: maxBranches, Cursor: "a+b"})
		return p.Items, p.Next, err
	}
	endpoints := func(ctx context.Context, c *Client) (any, string, error) {
		p, err := c.Endpoints(ctx, "p1")
		return p.Items, p.Next, err
	}
	members := func(ctx context.Context, c *Client) (any, string, error) {
		p, err := c.Members(ctx, "org-1", models.PageRequest{})
		return p.Items, p.Next, err
	}
	for name, c := range map[string]struct {
		call             func(context.Context, *Client) (any, string, error)
		path, body, next string
		want             any
	}{
		"branches": {
			branches, "/api/v2/projects/p1/branches?cursor=a%2Bb&limit=1000&sort_by=created_at",
			`{"branches":[{"id":"br-a-1","name":"ma\u001bin","default":true,"expires_at":7}],"annotations":{},"pagination":{"next":"n2","sort_by":"created_at"}}`, "n2",
			[]models.Branch{{ID: "br-a-1", Name: "ma\uFFFDin", Default: models.Opt[bool]{Value: true, Known: true}, Damage: "expires_at is not a timestamp"}},
		},
		"no branches": {branches, "/api/v2/projects/p1/branches?cursor=a%2Bb&limit=1000&sort_by=created_at", `{"branches":[]}`, "", []models.Branch{}},
		"computes": {
			endpoints, "/api/v2/projects/p1/endpoints", `{"endpoints":[{"id":"ep-a-1","branch_id":"br-a-1"}]}`, "",
			[]models.Endpoint{{ID: "ep-a-1", BranchID: "br-a-1"}},
		},
		"members": {
			members, "/api/v2/organizations/org-1/members", `{"members":[{"member":{"id":"m1"},` + active + `}],"pagination":{"next":"n2","cursor":"x"}}`, "n2",
			[]models.Member{decoded(t, `{"member":{"id":"m1"},`+active+`}`)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, next, err := c.call(t.Context(), through(t, respondAt(t, c.path, c.body))); err != nil || next != c.next || !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v, next %q, %v; want %+v", got, next, err, c.want)
			}
		})
	}
}

func decoded(t *testing.T, doc string) (m models.Member) {
	t.Helper()
	if err := m.UnmarshalJSON([]byte(doc)); err != nil {
		t.Fatal(err)
	}
	return m
}

// What is no list, and a list that is too long, is refused as a whole: a part of it would make the rest look deleted.
func TestBranchesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]models.Kind{
		`{"branches":{}}`:   models.KindMalformed,
		`{"branches":null}`: models.KindMalformed,
		`{"endpoints":[]}`:  models.KindMalformed,
		`[]`:                models.KindMalformed,
		`{"branches":[`:     models.KindMalformed,
		`{"branches":[` + strings.Repeat("{},", maxRecords) + `{}]}`: models.KindTooLarge,
	} {
		c := through(t, respond(http.StatusOK, body))
		if page, err := c.Branches(t.Context(), "p1", models.PageRequest{}); models.KindOf(err) != want || page.Items != nil {
			t.Errorf("%.40s: %d branches, %v", body, len(page.Items), err)
		}
	}
	for body, want := range map[string]string{
		`{"branches":[],"pagination":{"next":7}}`:                                          "pagination.next is not text",
		`{"branches":[],"pagination":["n"]}`:                                               "pagination is not an object",
		`{"branches":[],"pagination":{"next":"` + strings.Repeat("n", maxCursor+1) + `"}}`: "pagination.next is too long to be sent back",
		`{"branches":[],"pagination":{"next":null,"cursor":7}}`:                            "",
	} {
		c := through(t, respond(http.StatusOK, body))
		if page, err := c.Branches(t.Context(), "p1", models.PageRequest{}); err != nil || page.Damage != want || page.Next != "" {
			t.Errorf("%.60s: damage %q, next %q, %v", body, page.Damage, page.Next, err)
		}
	}
}

// A server that knows only control-api.md has none of these lists.
func TestBranchesOfAServerWithoutThem(t *testing.T) {
	t.Parallel()
	c := through(t, respond(http.StatusNotFound, `{"request_id":"r","code":"","message":"no such path in this API"}`))
	_, branches := c.Branches(t.Context(), "p1", models.PageRequest{})
	_, endpoints := c.Endpoints(t.Context(), "p1")
	_, members := c.Members(t.Context(), "org-1", models.PageRequest{})
	for _, err := range []error{branches, endpoints, members} {
		if !models.NoSuchEndpoint(err) {
			t.Errorf("%v", err)
		}
	}
}
