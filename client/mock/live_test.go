package mock_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"pgtower/client/mock"
	"pgtower/client/mock/sim"
)

// has checks that a record has fields, none of them null.
func has(t *testing.T, what string, r record, fields string) {
	t.Helper()
	for name := range strings.FieldsSeq(fields) {
		if r[name] == nil {
			t.Errorf("%s lacks %s: %v", what, name, r)
		}
	}
}

// With Live, records have what the live service's own libraries require beyond the specification. The contract tests
// that they do not without it.
func TestLiveFields(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{Live: true})
	c := handlerTarget(srv)
	var created, revoked record
	c.call(t, http.MethodPost, "/api_keys", `{"key_name":"a"}`).ok(t, &created)
	has(t, "the create response", created, "id key name created_at created_by")
	id := fmt.Sprint(created["id"])
	by, _ := findKey(t, c, id)["created_by"].(map[string]any)
	has(t, "the creator", by, "id name image")
	c.call(t, http.MethodDelete, "/api_keys/"+id, "").ok(t, &revoked)
	has(t, "the revoke response", revoked, "id name created_at created_by revoked")
	if created["created_by"] != by["id"] || revoked["created_by"] != by["id"] {
		t.Errorf("created by %v, %v and %v", created["created_by"], by["id"], revoked["created_by"])
	}
	var projects projectPage
	c.get(t, "/projects?limit=400", &projects)
	for _, p := range projects.Projects {
		has(t, "a project", p, "org_id active_time branch_logical_size_limit_bytes store_passwords creation_source owner_id")
		if _, ok := p["locked"]; ok {
			t.Errorf("the live service has no locked: %v", p)
		}
	}
	for _, op := range newest(t, c, srv.BusiestProject(), 1000) {
		has(t, "an operation", op, "total_duration_ms")
	}
}

// Names of keys are unique, as the live service has it.
func TestLiveKeyNames(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{Live: true})
	c := handlerTarget(srv)
	createKey(t, c, "the same name")
	c.call(t, http.MethodPost, "/api_keys", `{"key_name":"the same name"}`).problem(t, http.StatusConflict)
}

// All projects belong to one organization: for another one, the live service lists none. A server without Live ignores
// organizations.
func TestLiveOrganization(t *testing.T) {
	t.Parallel()
	for _, live := range []bool{false, true} {
		srv, _ := newServer(t, mock.Options{Live: live})
		c := handlerTarget(srv)
		var all, other projectPage
		c.get(t, "/projects?limit=400&org_id=", &all)
		c.get(t, "/projects?limit=400&org_id=org-any", &other)
		if len(all.Projects) != sim.DefaultProjects || (len(other.Projects) == 0) != live {
			t.Errorf("live %v: %d projects, %d of another organization", live, len(all.Projects), len(other.Projects))
		}
		for _, p := range all.Projects {
			if p["org_id"] != all.Projects[0]["org_id"] || (p["org_id"] != nil) != live {
				t.Errorf("live %v: %v", live, p)
			}
		}
		if live {
			c.get(t, "/projects?limit=400&org_id="+fmt.Sprint(all.Projects[0]["org_id"]), &other)
			if len(other.Projects) != len(all.Projects) {
				t.Errorf("%d projects of the organization", len(other.Projects))
			}
		}
	}
}
