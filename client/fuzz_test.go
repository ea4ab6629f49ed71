package client

import (
	"errors"
	"net/http"
	"testing"

	"pgtower/models"
)

// fuzzAnswers calls with arbitrary bodies: the result is records or a typed error, and no text of either can act on a
// terminal.
func fuzzAnswers(f *testing.F, call func(*testing.T, *Client) ([]string, error), seeds ...string) {
	f.Helper()
	for _, s := range append(seeds, "", "null", "{}", "[]", "[[[", `{"a":`, "\x1b]0;x\x07", `{"message":"\u009b31m"}`) {
		for status := range 7 {
			f.Add(status, s)
		}
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		c := through(t, func(*http.Request) (*http.Response, error) {
			// Without retries, which would take time.
			return answer([]int{200, 204, 302, 400, 401, 404, 500}[uint(status)%7], body, "X-Request-Id", body, "Location", body), nil
		})
		texts, err := call(t, c)
		if err != nil {
			var e *models.Error
			if !errors.As(err, &e) {
				t.Fatalf("%q gave %v", body, err)
			}
			texts = []string{e.Error(), e.Message, e.RequestID, e.Path, e.Doing}
		}
		for _, s := range texts {
			if models.Clean(s) != s {
				t.Errorf("%q gave %q", body, s)
			}
		}
	})
}

func operationTexts(o *models.Operation) []string {
	return []string{o.ID, o.ProjectID, o.BranchID, o.EndpointID, string(o.Action), string(o.Status), o.Error, o.Damage}
}

// The operations of any page have texts that cannot act on a terminal.
func FuzzDecodeOperations(f *testing.F) {
	fuzzAnswers(f, func(t *testing.T, c *Client) (texts []string, err error) {
		t.Helper()
		p, err := c.Operations(t.Context(), "p", models.PageRequest{})
		for i := range p.Items {
			texts = append(texts, operationTexts(&p.Items[i])...)
		}
		return append(texts, p.Damage), err
	}, operationsPage(2), `{"operations":[null,7],"pagination":{"cursor":7}}`)
}

// A single operation has texts that cannot act on a terminal.
func FuzzDecodeOperation(f *testing.F) {
	fuzzAnswers(f, func(t *testing.T, c *Client) ([]string, error) {
		t.Helper()
		o, err := c.Operation(t.Context(), "p", "o")
		return operationTexts(&o), err
	}, `{"operation":{"id":"a","status":"\u202e","created_at":"0000-01-01T00:00:00Z"}}`)
}

// The projects of any page have texts that cannot act on a terminal.
func FuzzDecodeProjects(f *testing.F) {
	fuzzAnswers(f, func(t *testing.T, c *Client) (texts []string, err error) {
		t.Helper()
		p, err := c.Projects(t.Context(), models.ListID{}, models.PageRequest{})
		for _, r := range p.Items {
			texts = append(texts, r.ID, r.Name, r.PlatformID, r.RegionID, r.Provisioner, r.ProxyHost, r.Damage)
		}
		return append(texts, p.Damage), err
	}, projectsPage(2), `{"projects":[{"name":"\u0000"},[]],"pagination":[]}`)
}

// The API keys of any list have texts that cannot act on a terminal.
func FuzzDecodeAPIKeys(f *testing.F) {
	fuzzAnswers(f, func(t *testing.T, c *Client) (texts []string, err error) {
		t.Helper()
		keys, err := c.APIKeys(t.Context(), models.ListID{})
		for _, k := range keys {
			texts = append(texts, k.Name, k.LastUsedFromAddr, k.ProjectID, k.CreatedBy, k.Damage)
		}
		return texts, err
	}, keysList(2), `[{"id":9007199254740993,"name":"a\u200db"},null]`)
}

// The organizations of any list have texts that cannot act on a terminal.
func FuzzDecodeOrganizations(f *testing.F) {
	fuzzAnswers(f, func(t *testing.T, c *Client) (texts []string, err error) {
		t.Helper()
		all, err := c.Organizations(t.Context())
		for _, o := range all {
			texts = append(texts, o.ID, o.Name)
		}
		return texts, err
	}, `{"organizations":[{"id":"org-a","name":"A\u202e"},null,7]}`, `{"organizations":{}}`)
}

// The branches of any page have texts that cannot act on a terminal.
func FuzzDecodeBranches(f *testing.F) {
	fuzzAnswers(f, func(t *testing.T, c *Client) (texts []string, err error) {
		t.Helper()
		p, err := c.Branches(t.Context(), "p", models.PageRequest{})
		for _, b := range p.Items {
			texts = append(texts, b.ID, b.Name, b.ParentID, b.State, b.PendingState, b.CreatedBy, b.Damage)
		}
		return append(texts, p.Damage), err
	}, `{"branches":[{"id":"br-a-1","name":"a\u202e","created_by":{"name":"\u001b"}},null,7],"pagination":{"next":7}}`)
}

// The computes of any page have texts that cannot act on a terminal.
func FuzzDecodeEndpoints(f *testing.F) {
	fuzzAnswers(f, func(t *testing.T, c *Client) (texts []string, err error) {
		t.Helper()
		p, err := c.Endpoints(t.Context(), "p")
		for _, e := range p.Items {
			texts = append(texts, e.ID, e.Name, e.BranchID, e.Type, e.State, e.PendingState, e.Damage)
		}
		return append(texts, p.Damage), err
	}, `{"endpoints":[{"id":"ep-a-1","name":"a\u202e","last_active":"0000-01-01T00:00:00Z"},null,7]}`)
}

// The members of any page have texts that cannot act on a terminal.
func FuzzDecodeMembers(f *testing.F) {
	fuzzAnswers(f, func(t *testing.T, c *Client) (texts []string, err error) {
		t.Helper()
		p, err := c.Members(t.Context(), "org-a", models.PageRequest{})
		for _, m := range p.Items {
			texts = append(texts, m.ID, m.UserID, m.Role, m.Email, m.Damage)
		}
		return append(texts, p.Damage), err
	}, `{"members":[{"member":{"user_id":"u1"},"user":{"email":"a\u202e","deactivated_at":7}},{"member":[]},7]}`)
}

// A single project has texts that cannot act on a terminal, and limits above 0.
func FuzzDecodeProjectState(f *testing.F) {
	fuzzAnswers(f, func(t *testing.T, c *Client) ([]string, error) {
		t.Helper()
		p, err := c.Project(t.Context(), "p")
		for _, amount := range p.Limits() {
			if amount.Limit <= 0 {
				t.Errorf("a limit is %d", amount.Limit)
			}
		}
		return []string{p.ID, p.Name, string(p.Permission), p.Damage}, err
	}, `{"project":{"id":"p","settings":{"quota":{"compute_time_seconds":-1,"written_data_bytes":"9"}},"written_data_bytes":10,`+
		`"effective_project_permission":"\u202e","maintenance_starts_at":[]}}`, `{"project":{"id":"p","settings":{"quota":[]}}}`)
}

// The answer about the key has texts that cannot act on a terminal.
func FuzzDecodeAuth(f *testing.F) {
	fuzzAnswers(f, func(t *testing.T, c *Client) ([]string, error) {
		t.Helper()
		a, err := c.Auth(t.Context())
		return []string{a.AccountID, a.Method}, err
	}, `{"account_id":"org-a","auth_method":"api_key_org"}`, `{"account_id":["\u001b"],"auth_method":null}`)
}

// A created key has texts that cannot act on a terminal, also where its secret is printed.
func FuzzDecodeCreatedKey(f *testing.F) {
	fuzzAnswers(f, func(t *testing.T, c *Client) ([]string, error) {
		t.Helper()
		k, err := c.CreateAPIKey(t.Context(), "n", models.Reach{})
		return []string{k.Damage, k.Key.String()}, err
	}, `{"id":7,"key":"napi_x"}`, `{"id":"7","key":["napi_x"]}`)
}

// A revoked key has texts that cannot act on a terminal.
func FuzzDecodeRevokedKey(f *testing.F) {
	fuzzAnswers(f, func(t *testing.T, c *Client) ([]string, error) {
		t.Helper()
		k, err := c.RevokeAPIKey(t.Context(), keyOf(1))
		return []string{k.Name, k.LastUsedFromAddr, k.Damage}, err
	}, `{"id":7,"name":"gone","revoked":true}`)
}
