package mock_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"pgtower/client/mock"
	"pgtower/client/mock/sim"
)

// account is a mock with two organizations, and a client with a key of each kind.
type account struct {
	server                *mock.Server
	clock                 *manual
	issued                []sim.OrgKeys
	personal, org, single target
}

func newAccount(t *testing.T) account {
	t.Helper()
	server, clock := newServer(t, mock.Options{Organizations: 2})
	a := account{server: server, clock: clock, issued: server.OrgKeys(), personal: handlerTarget(server)}
	a.org, a.single = a.personal.as(a.issued[0].APIKey), a.personal.as(a.issued[0].ProjectAPIKey)
	return a
}

// as returns a client with another key.
func (c target) as(key string) target {
	c.key = key
	return c
}

// says checks that a request is refused with a status and a message.
func (c target) says(t *testing.T, request string, status int, message string) {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	body := ""
	if method == http.MethodPost {
		body = `{"key_name":"refused"}`
	}
	a := c.call(t, method, path, body)
	a.problem(t, status)
	if !strings.Contains(string(a.body), message) {
		t.Errorf("%s: %s, want %q", request, a.body, message)
	}
}

// ids returns an id of each record of a list.
func ids(records []record) (out []string) {
	for _, r := range records {
		out = append(out, fmt.Sprint(r["id"]))
	}
	return out
}

func (c target) projects(t *testing.T, query string) []record {
	t.Helper()
	var page projectPage
	c.get(t, "/projects"+query, &page)
	return page.Projects
}

func (c target) organizations(t *testing.T) []record {
	t.Helper()
	var all struct{ Organizations []record }
	c.get(t, "/users/me/organizations", &all)
	return all.Organizations
}

// The service tells the kind and the account of each kind of key.
func TestOrganizationsAuth(t *testing.T) {
	t.Parallel()
	a := newAccount(t)
	var user record
	a.personal.get(t, "/users/me", &user)
	for name, tc := range map[string]struct {
		c      target
		id     any
		method string
	}{
		"personal": {a.personal, user["id"], "api_key_user"},
		"org":      {a.org, a.issued[0].OrgID, "api_key_org"},
		"project":  {a.single, a.issued[0].OrgID, "api_key_org"},
	} {
		var got record
		tc.c.get(t, "/auth", &got)
		if got["account_id"] != tc.id || got["auth_method"] != tc.method {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A personal key reaches all projects, an organization's those of its organization, and a project's one.
func TestOrganizationsReach(t *testing.T) {
	t.Parallel()
	a := newAccount(t)
	orgs := ids(a.personal.organizations(t))
	if len(orgs) != 2 || orgs[0] != a.issued[0].OrgID {
		t.Fatalf("the organizations are %v", orgs)
	}
	first, second := a.personal.projects(t, "?org_id="+orgs[0]), a.personal.projects(t, "?org_id="+orgs[1])
	var shared projectPage
	a.personal.get(t, "/projects/shared", &shared)
	if n := len(first) + len(second) + len(shared.Projects); len(first) < 5 || len(second) < 5 || n != sim.DefaultProjects {
		t.Fatalf("%d, %d and %d projects", len(first), len(second), len(shared.Projects))
	}
	if got := ids(a.org.projects(t, "")); !slices.Equal(got, ids(first)) {
		t.Errorf("the organization's key lists %v", got)
	}
	if got := a.org.projects(t, "?recoverable=true"); len(got) != 0 {
		t.Errorf("deleted projects that can be recovered: %v", got)
	}
	reaches := map[string]struct {
		c       target
		reached []record
	}{
		"personal": {a.personal, slices.Concat(first, second, shared.Projects)},
		"org":      {a.org, first},
		"project":  {a.single, first[:1]},
	}
	for name, tc := range reaches {
		for _, p := range reaches["personal"].reached {
			id := fmt.Sprint(p["id"])
			want := slices.Contains(ids(tc.reached), id)
			for _, path := range []string{"/projects/" + id, "/projects/" + id + "/operations?limit=1"} {
				if got := tc.c.call(t, http.MethodGet, path, ""); (got.status == http.StatusOK) != want {
					t.Errorf("%s: %s: status %d", name, path, got.status)
				}
			}
		}
	}
	if second[0]["org_id"] != orgs[1] || second[0]["owner_id"] != orgs[1] || second[0]["org_name"] != a.issued[1].Name {
		t.Errorf("a project of the second organization: %v", second[0])
	}
	// The user does not belong to the organization that shares its projects.
	a.personal.says(t, "GET /projects?org_id="+fmt.Sprint(shared.Projects[0]["org_id"]), 403, "not an organization member")
}

// A request beyond the reach of its key is refused with the status and the words of the service.
func TestOrganizationsRefusals(t *testing.T) {
	t.Parallel()
	const orgRequired = "org_id is required, you can find it on your organization settings page"
	const notForOrgs, member, scoped = "not allowed for organization API keys", "not an organization member", "outside the project"
	a := newAccount(t)
	own, other := "/organizations/"+a.issued[0].OrgID, "/organizations/"+a.issued[1].OrgID
	a.personal.says(t, "GET /projects", 400, orgRequired)
	a.personal.says(t, "GET /projects?org_id=", 400, orgRequired)
	a.personal.says(t, "GET /organizations/org-none-1", 403, member)
	for _, request := range []string{"GET /users/me", "GET /api_keys", "POST /api_keys", "DELETE /api_keys/1"} {
		a.org.says(t, request, 404, notForOrgs)
		a.single.says(t, request, 403, scoped)
	}
	a.org.says(t, "POST "+own+"/api_keys", 403, notForOrgs)
	a.org.says(t, "DELETE "+own+"/api_keys/1", 403, notForOrgs)
	a.org.says(t, "GET "+other, 403, member)
	a.org.says(t, "GET "+other+"/api_keys", 403, member)
	a.org.says(t, "GET /projects?org_id="+a.issued[1].OrgID, 403, member)
	a.org.says(t, "GET /projects/"+a.issued[1].ProjectID, 404, "no such project")
	for _, request := range []string{
		"GET /projects", "GET /projects/shared", "GET " + own, "GET " + own + "/api_keys", "POST " + own + "/api_keys",
		"DELETE " + own + "/api_keys/1",
	} {
		a.single.says(t, request, 403, scoped)
	}
	a.single.says(t, "GET /projects/"+a.issued[1].ProjectID, 403, "outside the project")
	a.single.says(t, "GET /projects/"+a.issued[1].ProjectID+"/operations", 403, "outside the project")
}

// With the fault other, the mock behaves like the service's other version.
func TestOrganizationsOtherVersion(t *testing.T) {
	t.Parallel()
	a := newAccount(t)
	own := "/organizations/" + a.issued[0].OrgID
	for _, c := range []target{a.org, a.single} {
		if got := ids(c.organizations(t)); !slices.Equal(got, []string{a.issued[0].OrgID}) {
			t.Errorf("the key's organizations are %v", got)
		}
	}
	var keys []record
	if a.org.get(t, own+"/api_keys", &keys); len(keys) == 0 {
		t.Error("no keys")
	}
	noAdmin := inject(t, a.server, "no-admin org="+a.issued[0].OrgID)
	a.personal.says(t, "POST "+own+"/api_keys", 403, "administrators")
	a.personal.says(t, "DELETE "+own+"/api_keys/1", 403, "administrators")
	ofProject := func(name string) answer {
		body := fmt.Sprintf(`{"key_name":%q,"project_id":%q}`, name, a.issued[0].ProjectID)
		return a.personal.call(t, http.MethodPost, own+"/api_keys", body)
	}
	if got := ofProject("of a member"); got.status != 200 {
		t.Errorf("a member's key of one project: status %d: %s", got.status, got.body)
	}
	inject(t, a.server, "other")
	ofProject("of an administrator").problem(t, 403)
	noAdmin()
	if got := ofProject("of an administrator"); got.status != 200 {
		t.Errorf("an administrator's key of one project: status %d: %s", got.status, got.body)
	}
	for _, c := range []target{a.org, a.single} {
		c.says(t, "GET /users/me/organizations", 404, "not allowed for organization API keys")
	}
	a.org.says(t, "GET "+own+"/api_keys", 404, "not allowed for organization API keys")
	a.personal.says(t, "GET /organizations/org-none-1", 404, "not an organization member")
	a.single.says(t, "GET /projects", 404, "outside the project")
	a.single.says(t, "GET /projects/"+a.issued[1].ProjectID, 404, "outside the project")
}

// With the faults left and mfa, one organization refuses its user, and the other does not.
func TestOrganizationsThatRefuse(t *testing.T) {
	t.Parallel()
	a := newAccount(t)
	first, second := a.issued[0].OrgID, a.issued[1].OrgID
	left := inject(t, a.server, "left org="+first)
	if got := ids(a.personal.organizations(t)); !slices.Equal(got, []string{second}) {
		t.Errorf("the organizations are %v", got)
	}
	for _, request := range []string{
		"GET /projects?org_id=" + first, "GET /organizations/" + first, "GET /organizations/" + first + "/api_keys",
		"GET /projects/" + a.issued[0].ProjectID + "/operations",
	} {
		a.personal.says(t, request, 403, "not an organization member")
	}
	if len(a.personal.projects(t, "?org_id="+second)) == 0 || len(a.org.projects(t, "")) == 0 {
		t.Error("the other organization, or the key of this one, is refused, too")
	}
	all := inject(t, a.server, "left")
	if got := a.personal.projects(t, ""); len(got) != 0 { // a list, for a user without organizations
		t.Errorf("projects of no organization: %v", got)
	}
	all()
	left()
	inject(t, a.server, "mfa org="+second)
	orgs := a.personal.organizations(t)
	if orgs[0]["require_mfa"] != nil || orgs[1]["require_mfa"] != true {
		t.Errorf("the organizations are %v", orgs)
	}
	a.personal.says(t, "GET /projects?org_id="+second, 403, "multi-factor")
	inject(t, a.server, "500 count=1 org="+first)
	if len(a.personal.organizations(t)) != 2 {
		t.Error("a fault of one organization hits a request about all")
	}
	a.personal.says(t, "GET /projects?org_id="+first, 500, "injected fault")
}

// With the fault unavailable, the list names projects that cannot be read, and the next page follows after them.
func TestOrganizationsUnavailableProjects(t *testing.T) {
	t.Parallel()
	a := newAccount(t)
	all := ids(a.org.projects(t, ""))
	inject(t, a.server, "unavailable=2 of list_projects")
	var page struct {
		Projects    []record
		Unavailable []string `json:"unavailable_project_ids"`
		Pagination  struct{ Cursor string }
	}
	a.org.get(t, "/projects?limit=3", &page)
	if !slices.Equal(page.Unavailable, all[:2]) || !slices.Equal(ids(page.Projects), all[2:3]) || page.Pagination.Cursor != all[2] {
		t.Errorf("%+v of %v", page, all)
	}
}
