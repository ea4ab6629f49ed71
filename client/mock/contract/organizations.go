package contract

import (
	"net/http"
	"strings"
	"testing"
)

// discover finds out whether the account has organizations, and which list of projects there is.
func (s *Target) discover(t *testing.T) {
	t.Helper()
	s.list = "/projects"
	var auth record
	a := s.call(t.Context(), t, http.MethodGet, "/auth", "")
	if a.status == http.StatusNotFound {
		return // the server knows only control-api.md
	}
	a.decode(t, &auth)
	if text(auth, "auth_method") == "api_key_org" {
		t.Fatal("the key is of an organization: the tests need a personal one")
	}
	if list := s.myOrganizations(t); len(list) > 0 {
		s.orgID = text(list[0], "id")
		s.list = "/projects?org_id=" + s.orgID
	}
}

// myOrganizations returns the organizations of the key.
func (s *Target) myOrganizations(t *testing.T) []record {
	t.Helper()
	var mine struct{ Organizations []record }
	s.get(t, "/users/me/organizations", &mine)
	return mine.Organizations
}

// organized skips a test if the account has no organizations.
func (s *Target) organized(t *testing.T) {
	t.Helper()
	if s.orgID == "" {
		t.Skip("the account has no organizations")
	}
}

// denied checks that a request is refused, with one of the reasons in its body. The status differs between the service's
// versions.
func (s *Target) denied(t *testing.T, request string, reasons ...string) {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	body := ""
	if method == http.MethodPost {
		body = `{"key_name":"` + KeyPrefix + `refused"}`
	}
	a := s.call(t.Context(), t, method, path, body)
	if a.status != http.StatusForbidden && a.status != http.StatusNotFound {
		t.Errorf("%s: status %d, want 403 or 404: %s", a.what, a.status, a.body)
	}
	for _, reason := range reasons {
		if strings.Contains(string(a.body), reason) {
			return
		}
	}
	t.Errorf("%s: %s, want one of the reasons %q", a.what, a.body, reasons)
}

const (
	notForOrgKeys = "not allowed for organization API keys"
	notAMember    = "not an organization member"
	scoped        = "project-scoped"
	outside       = "outside the project"
)

// isOf checks what the service says about the key: its kind and its account.
func (s *Target) isOf(t *testing.T, method, account string) {
	t.Helper()
	var auth record
	s.get(t, "/auth", &auth)
	if auth["auth_method"] != method || text(auth, "account_id") != account {
		t.Errorf("the key is %v, want %s of %s", auth, method, account)
	}
}

func (s *Target) organizations(t *testing.T) {
	t.Helper()
	s.organized(t)
	var user, alone record
	s.get(t, "/users/me", &user)
	s.isOf(t, "api_key_user", text(user, "id"))
	table := `id=word name=text handle=text plan=text managed_by=text created_at=time updated_at=time require_mfa=boolean??`
	for _, org := range s.myOrganizations(t) {
		s.check(t, "an organization", org, table)
	}
	s.get(t, "/organizations/"+s.orgID, &alone)
	s.check(t, "an organization alone", alone, table)
	if text(alone, "id") != s.orgID {
		t.Errorf("organization %s is %v", s.orgID, alone)
	}
	a := s.call(t.Context(), t, http.MethodGet, "/projects", "")
	if a.status != http.StatusBadRequest || !strings.Contains(string(a.body), "org_id is required") {
		t.Errorf("%s without org_id: status %d: %s", a.what, a.status, a.body)
	}
	s.denied(t, "GET /organizations/org-of-others-1", notAMember)
	s.denied(t, "GET /projects?org_id=org-of-others-1", notAMember)
	for _, p := range s.projects(t) {
		var detail struct{ Project record }
		s.get(t, "/projects/"+text(p, "id"), &detail)
		owned := text(p, "org_id") == s.orgID && text(detail.Project, "org_id") == s.orgID
		if !owned || detail.Project["id"] != p["id"] {
			t.Errorf("a project of %s is listed as %v, and alone %v", s.orgID, p, detail.Project)
		}
	}
}

// orgKeyList returns the path of the organization's keys.
func (s *Target) orgKeyList() string { return "/organizations/" + s.orgID + "/api_keys" }

// listedIn returns a key as a list has it, or nil.
func (s *Target) listedIn(t *testing.T, list, id string) record {
	t.Helper()
	var keys []record
	s.get(t, list, &keys)
	return find(keys, id)
}

func (s *Target) orgKeys(t *testing.T) {
	t.Helper()
	s.organized(t)
	list := s.orgKeyList()
	created := s.keyIn(t, list, "organization", "")
	id, with := keyID(created), s.as(text(created, "key"))
	s.check(t, "the create response", created, `id=integer key=word name=text created_at=time`)
	k := s.listedIn(t, list, id)
	if text(k, "name") != KeyPrefix+"organization" || k["project_id"] != nil || k["last_used_at"] != nil {
		t.Errorf("the new key is listed as %v", k)
	}
	a := s.call(t.Context(), t, http.MethodPost, list, `{"key_name":"`+KeyPrefix+`organization"}`)
	if a.status/100 != 4 || !strings.Contains(string(a.body), "unique name") {
		t.Errorf("a second key of the name: status %d: %s", a.status, a.body)
	}
	// Each list has only its own keys.
	account := s.newKey(t, "account")
	for path, key := range map[string]record{"/api_keys": created, list: account} {
		if found := s.listedIn(t, path, keyID(key)); found != nil && found["name"] == key["name"] {
			t.Errorf("%s has a key of the other list: %v", path, found)
		}
	}
	with.isOf(t, "api_key_org", s.orgID)
	if len(with.projectsOf(t, "/projects")) != len(s.projects(t)) {
		t.Error("the key lists other projects than its organization's")
	}
	with.denied(t, "GET /users/me", notForOrgKeys)
	with.denied(t, "GET /api_keys", notForOrgKeys)
	with.denied(t, "POST "+list, "")
	with.denied(t, "GET /organizations/org-of-others-1", notAMember)
	if k := s.listedIn(t, list, id); text(k, "last_used_at") == "" || text(k, "last_used_from_addr") == "" {
		t.Errorf("a key that was used: %v", k)
	}
	var revoked record
	s.call(t.Context(), t, http.MethodDelete, list+"/"+id, "").decode(t, &revoked)
	s.check(t, "the revoke response", revoked, `id=integer name=text revoked=boolean created_at=time`)
	with.call(t.Context(), t, http.MethodGet, "/auth", "").refused(t)
}

func (s *Target) projectKeys(t *testing.T) {
	t.Helper()
	s.organized(t)
	projects := s.projects(t)
	if len(projects) < 2 {
		t.Skip("the organization has less than two projects")
	}
	list, project, second := s.orgKeyList(), text(projects[0], "id"), text(projects[1], "id")
	created := s.keyIn(t, list, "project", project)
	with := s.as(text(created, "key"))
	listed := s.listedIn(t, list, keyID(created))
	if created["project_id"] != project || listed["project_id"] != project {
		t.Errorf("the key of project %s is created as %v, and listed as %v", project, created, listed)
	}
	with.isOf(t, "api_key_org", s.orgID)
	with.get(t, "/projects/"+project, new(record))
	with.get(t, "/projects/"+project+"/operations", new(record))
	with.denied(t, "GET /projects", scoped, outside)
	with.denied(t, "GET /projects/"+second, scoped, outside)
	with.denied(t, "GET /projects/"+second+"/operations", scoped, outside)
	for _, request := range []string{"GET /users/me", "GET /api_keys", "GET " + list, "POST " + list} {
		with.denied(t, request, "")
	}
}
