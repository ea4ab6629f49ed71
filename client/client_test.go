package client

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"

	"pgtower/models"
)

// New refuses options that are incomplete or unsafe, and its errors never have the key.
func TestClientNewRefuses(t *testing.T) {
	t.Parallel()
	good := Options{BaseURL: models.DefaultBaseURL, Key: models.NewSecret(testKey), Clock: now}
	if c, err := New(good); err != nil {
		t.Error(err)
	} else {
		c.Close()
	}
	for name, spoil := range map[string]func(*Options){
		"no base URL":       func(o *Options) { o.BaseURL = "" },
		"http to elsewhere": func(o *Options) { o.BaseURL = "http://console.example" },
		"no key":            func(o *Options) { o.Key = models.Secret{} },
		"a key of two lines": func(o *Options) {
			o.Key = models.NewSecret(testKey + "\r\nX-Injected: 1")
		},
		"no clock": func(o *Options) { o.Clock = nil },
	} {
		o := good
		spoil(&o)
		if _, err := New(o); err == nil || strings.Contains(err.Error(), testKey) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestRequests checks the request and the result of each endpoint.
func TestRequests(t *testing.T) {
	t.Parallel()
	const operation = `{"id":"o1","project_id":"p1","action":"create_branch","status":"running","created_at":"2022-11-09T20:47:27Z"}`
	project := func(id string) string { return "/api/v2/projects/" + id + "/operations" }
	for _, c := range []struct {
		name, want, body, answer string
		call                     func(context.Context, *Client) (any, error)
		result                   string
	}{
		{
			name:   "list API keys",
			want:   "GET /api/v2/api_keys",
			answer: `[{"id":165434,"name":"old"},{"id":9223372036854775807,"name":"new","extra":{"a":[1]}}]`,
			call:   func(ctx context.Context, c *Client) (any, error) { return c.APIKeys(ctx, models.ListID{}) },
			result: "[165434 9223372036854775807]",
		},
		{
			name:   "create API key",
			want:   "POST /api/v2/api_keys",
			body:   `{"key_name":"my \"key\" ☃"}`,
			answer: `{"id":9223372036854775807,"key":"napi_new"}`,
			call: func(ctx context.Context, c *Client) (any, error) {
				return c.CreateAPIKey(ctx, `my "key" ☃`, models.Reach{})
			},
			result: "9223372036854775807 napi_new",
		},
		{
			name:   "create API key, with a secret that cannot be one",
			want:   "POST /api/v2/api_keys",
			body:   `{"key_name":"n"}`,
			answer: `{"id":7,"key":"napi_abc\ntouch x\n"}`,
			call:   func(ctx context.Context, c *Client) (any, error) { return c.CreateAPIKey(ctx, "n", models.Reach{}) },
			result: "7 ",
		},
		{
			name:   "list API keys of an organization",
			want:   "GET /api/v2/organizations/org-a/api_keys",
			answer: `[{"id":7,"name":"ci","project_id":"p1","created_by":{"id":"u1","name":"Ada"}},{"id":8,"created_by":"u2"}]`,
			call: func(ctx context.Context, c *Client) (any, error) {
				keys, err := c.APIKeys(ctx, models.ListID{Org: "org-a"})
				return fmt.Sprint(keys[0].Reach(), keys[0].CreatedBy, keys[0].CreatedByID, keys[1].Reach(), keys[1].CreatedBy, keys[1].CreatedByID), err
			},
			result: "{org-a p1}Adau1{org-a }u2u2",
		},
		{
			name:   "create API key of a project",
			want:   "POST /api/v2/organizations/org-a/api_keys",
			body:   `{"key_name":"ci","project_id":"p1"}`,
			answer: `{"id":7,"key":"napi_new","name":"ci","project_id":"p1"}`,
			call: func(ctx context.Context, c *Client) (any, error) {
				made, err := c.CreateAPIKey(ctx, "ci", models.Reach{Org: "org-a", Project: "p1"})
				return fmt.Sprint(made.Ref(), made.Reach()), err
			},
			result: "{{org-a false } 7} {org-a p1}",
		},
		{
			name:   "revoke API key of an organization",
			want:   "DELETE /api/v2/organizations/org-a/api_keys/7",
			answer: `{"id":7,"name":"gone","revoked":true}`,
			call: func(ctx context.Context, c *Client) (any, error) {
				return c.RevokeAPIKey(ctx, models.APIKey{List: models.ListID{Org: "org-a"}, ID: 7, Name: "gone"})
			},
			result: "7 true",
		},
		{
			name:   "revoke API key",
			want:   "DELETE /api/v2/api_keys/9223372036854775807",
			answer: `{"id":9223372036854775807,"name":"gone","revoked":true}`,
			call:   func(ctx context.Context, c *Client) (any, error) { return c.RevokeAPIKey(ctx, keyOf(math.MaxInt64)) },
			result: "9223372036854775807 true",
		},
		{
			name:   "list projects",
			want:   "GET /api/v2/projects",
			answer: `{"unknown":[{"deep":[]}],"projects":[{"id":"p1"},{"id":"p2","locked":null}]}`,
			call: func(ctx context.Context, c *Client) (any, error) {
				return c.Projects(ctx, models.ListID{}, models.PageRequest{})
			},
			result: `[p1 p2] ""`,
		},
		{
			name:   "list projects, next page",
			want:   "GET /api/v2/projects?cursor=a%2Bb%26c%3Dd%25%2F%C3%A9+%23&limit=100",
			answer: `{"projects":[],"pagination":{"cursor":"a+b&c=d%/é #"}}`,
			call: func(ctx context.Context, c *Client) (any, error) {
				return c.Projects(ctx, models.ListID{}, models.PageRequest{Limit: 100, Cursor: "a+b&c=d%/é #"})
			},
			result: `[] "a+b&c=d%/é #"`,
		},
		{
			name:   "list operations",
			want:   "GET " + project("p1") + "?limit=10",
			answer: `{"operations":[` + operation + `],"pagination":{"cursor":"2022-11-09T20:47:27.123456Z"}}`,
			call: func(ctx context.Context, c *Client) (any, error) {
				return c.Operations(ctx, "p1", models.PageRequest{Limit: 10})
			},
			result: `[o1] "2022-11-09T20:47:27.123456Z"`,
		},
		{
			name:   "list operations of a hostile id",
			want:   "GET " + project("a%2F..%2Fb%3Fc%23%00%25%C3%A9"),
			answer: `{"operations":[]}`,
			call: func(ctx context.Context, c *Client) (any, error) {
				return c.Operations(ctx, "a/../b?c#\x00%é", models.PageRequest{})
			},
			result: `[] ""`,
		},
		{
			name:   "read operation",
			want:   "GET " + project("p1") + "/o1",
			answer: `{"more":1,"operation":` + operation + `}`,
			call:   func(ctx context.Context, c *Client) (any, error) { return c.Operation(ctx, "p1", "o1") },
			result: "o1 running",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			client := serve(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				got := map[string]string{
					"request":       r.Method + " " + r.RequestURI,
					"body":          string(body),
					"Authorization": r.Header.Get("Authorization"),
					"Accept":        r.Header.Get("Accept"),
					"Content-Type":  r.Header.Get("Content-Type"),
					"User-Agent":    r.UserAgent(),
				}
				want := map[string]string{
					"request":       c.want,
					"body":          c.body,
					"Authorization": "Bearer " + testKey,
					"Accept":        "application/json",
					"Content-Type":  "",
					"User-Agent":    "pgtower",
				}
				if c.body != "" {
					want["Content-Type"] = "application/json"
				}
				for k := range want {
					if got[k] != want[k] {
						t.Errorf("%s: got %q, want %q", k, got[k], want[k])
					}
				}
				writeJSON(w, c.answer)
			})
			v, err := c.call(t.Context(), client)
			if err != nil {
				t.Fatal(err)
			}
			if got := summary(v); got != c.result {
				t.Errorf("got %s, want %s", got, c.result)
			}
		})
	}
}

// summary is the part of a result that TestRequests checks.
func summary(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []models.APIKey:
		return fmt.Sprint(idsOf(v, func(k models.APIKey) int64 { return k.ID }))
	case models.CreatedAPIKey:
		return fmt.Sprint(v.ID, " ", v.Key.Reveal())
	case models.APIKey:
		return fmt.Sprint(v.ID, v.Revoked)
	case models.Page[models.Project]:
		return fmt.Sprintf("%v %q", idsOf(v.Items, func(p models.Project) string { return p.ID }), v.Next)
	case models.Page[models.Operation]:
		return fmt.Sprintf("%v %q", idsOf(v.Items, func(o models.Operation) string { return o.ID }), v.Next)
	case models.Operation:
		return v.ID + " " + string(v.Status)
	}
	return fmt.Sprintf("%T", v)
}

// idsOf returns the ids of records.
func idsOf[R, ID any](records []R, id func(R) ID) (ids []ID) {
	for _, r := range records {
		ids = append(ids, id(r))
	}
	return ids
}

// A page has the time of its request and the cursor that it was read with.
func TestPageIsDatedAndCarriesItsCursor(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, `{"operations":[]}`) })
	page, err := c.Operations(t.Context(), "p1", models.PageRequest{Cursor: "here"})
	if err != nil || page.Cursor != "here" || !page.AsOf.Equal(now()) {
		t.Errorf("got %+v, %v", page, err)
	}
}

// An id that would change the address is refused, and nothing is sent.
func TestIDsThatCannotBePartOfAnAddress(t *testing.T) {
	t.Parallel()
	c := through(t, func(r *http.Request) (*http.Response, error) {
		t.Errorf("%s was asked", r.URL)
		return answer(200, "{}"), nil
	})
	for _, id := range []string{"", ".", "..", "(no id) 1a2b3c4d"} {
		_, err := c.Operations(t.Context(), id, models.PageRequest{})
		wantKind(t, err, models.KindInvalid)
		_, err = c.Operation(t.Context(), "p1", id)
		wantKind(t, err, models.KindInvalid)
	}
}

// An error has the task in words, and the method, the escaped path and the status.
func TestErrorNamesTheRequest(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusTeapot) })
	_, err := c.RevokeAPIKey(t.Context(), keyOf(165435))
	e := wantError(t, err, models.KindInvalid)
	if e.Doing != "revoke API key 165435" || e.Method != "DELETE" || e.Path != "/api/v2/api_keys/165435" || e.Status != 418 {
		t.Errorf("got %+v", e)
	}
	_, err = c.Operations(t.Context(), "a\x1b/b", models.PageRequest{Cursor: "x y"})
	e = wantError(t, err, models.KindInvalid)
	if e.Doing != "list operations of a\uFFFD/b" || e.Path != "/api/v2/projects/a%1B%2Fb/operations?cursor=x+y" {
		t.Errorf("got %+v", e)
	}
}
