package mock_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"pgtower/client/mock"
)

// newKey creates a key in a list.
func (c target) newKey(t *testing.T, list, name, project string) (created record) {
	t.Helper()
	body := fmt.Sprintf(`{"key_name":%q}`, name)
	if project != "" {
		body = fmt.Sprintf(`{"key_name":%q,"project_id":%q}`, name, project)
	}
	c.call(t, http.MethodPost, list, body).ok(t, &created)
	has(t, "the create response", created, "id key name created_at created_by")
	return created
}

// in returns the record of a key in a list, or nil.
func (c target) in(t *testing.T, list string, key record) record {
	t.Helper()
	var keys []record
	c.get(t, list, &keys)
	for _, k := range keys {
		if k["id"] == key["id"] {
			return k
		}
	}
	return nil
}

// A new key has the requested reach, and its use is recorded.
func TestOrgKeysOfEachReach(t *testing.T) {
	t.Parallel()
	a := newAccount(t)
	list, project := "/organizations/"+a.issued[1].OrgID+"/api_keys", a.issued[1].ProjectID
	whole, single := a.personal.newKey(t, list, "whole", ""), a.personal.newKey(t, list, "single", project)
	if whole["project_id"] != nil || single["project_id"] != project {
		t.Errorf("created %v and %v", whole, single)
	}
	for _, k := range []record{whole, single} {
		listed := a.personal.in(t, list, k)
		by, _ := listed["created_by"].(record)
		has(t, "the creator", by, "id name image")
		if listed["last_used_at"] != nil || listed["last_used_from_addr"] != "" || by["id"] != k["created_by"] {
			t.Errorf("never used: %v", listed)
		}
	}
	c := a.personal.as(fmt.Sprint(whole["key"]))
	if len(c.projects(t, "")) < 5 {
		t.Error("the key does not reach its organization")
	}
	one := a.personal.as(fmt.Sprint(single["key"]))
	one.get(t, "/projects/"+project, new(record))
	one.says(t, "GET /projects", 403, "outside the project")
	listed := a.personal.in(t, list, single)
	if listed["project_id"] != project || listed["last_used_from_addr"] != "192.0.2.7" || listed["last_used_at"] == nil {
		t.Errorf("used: %v", listed)
	}
	var revoked record
	a.personal.call(t, http.MethodDelete, list+"/"+fmt.Sprint(single["id"]), "").ok(t, &revoked)
	has(t, "the revoke response", revoked, "id name created_at created_by revoked project_id")
	one.call(t, http.MethodGet, "/projects/"+project, "").problem(t, 401)
	c.get(t, "/projects", new(record))
}

// A fault gives a key of the whole organization instead of the project's.
func TestOrgKeysWiderThanAsked(t *testing.T) {
	t.Parallel()
	a := newAccount(t)
	inject(t, a.server, "wider of create_org_key")
	created := a.personal.newKey(t, "/organizations/"+a.issued[0].OrgID+"/api_keys", "wide", a.issued[0].ProjectID)
	if created["project_id"] != nil || len(a.personal.as(fmt.Sprint(created["key"])).projects(t, "")) < 5 {
		t.Errorf("created %v", created)
	}
}

// Each list has only its own keys.
func TestOrgKeysAreInListsOfTheirOwn(t *testing.T) {
	t.Parallel()
	a := newAccount(t)
	lists := []string{
		"/api_keys", "/organizations/" + a.issued[0].OrgID + "/api_keys", "/organizations/" + a.issued[1].OrgID + "/api_keys",
	}
	for i, own := range lists {
		key := a.personal.newKey(t, own, "same name", "") // the name is unique in its list
		a.personal.call(t, http.MethodPost, own, `{"key_name":"same name"}`).problem(t, 409)
		for j, list := range lists {
			if found := a.personal.in(t, list, key) != nil; found != (i == j) {
				t.Errorf("%s has a key of %s: %v", list, own, found)
			}
			if i != j {
				a.personal.call(t, http.MethodDelete, list+"/"+fmt.Sprint(key["id"]), "").problem(t, 404)
			}
		}
	}
	answer := a.personal.call(t, http.MethodPost, lists[1], `{"key_name":"same name"}`)
	if !strings.Contains(string(answer.body), "choose another unique name") {
		t.Errorf("%s", answer.body)
	}
	a.personal.call(t, http.MethodPost, lists[1], `{"key_name":"x","project_id":"`+a.issued[1].ProjectID+`"}`).problem(t, 404)
	a.personal.call(t, http.MethodPost, lists[1], `{"key_name":"x","project_id":7}`).problem(t, 400)
	a.personal.call(t, http.MethodPost, lists[1], `{"key_name":"`+strings.Repeat("x", 65)+`"}`).problem(t, 422)
}

// Without organizations, the mock is what the specification describes.
func TestOrganizationsAbsent(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := handlerTarget(srv)
	for _, path := range []string{
		"/auth", "/users/me", "/users/me/organizations", "/organizations/org-any-1", "/organizations/org-any-1/api_keys",
		"/projects/" + srv.BusiestProject(),
	} {
		c.says(t, "GET "+path, 404, "no such path")
	}
	for range 2 {
		createKey(t, c, "the same name")
	}
}
