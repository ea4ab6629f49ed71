package mock_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

func createKey(t *testing.T, c target, name string) (id, secret string) {
	t.Helper()
	var created record
	c.call(t, http.MethodPost, "/api_keys", fmt.Sprintf(`{"key_name":%q}`, name)).ok(t, &created)
	c.fields(t, "the create response", created, "id key")
	whole(t, created, "id")
	id, secret = fmt.Sprint(created["id"]), fmt.Sprint(created["key"])
	t.Cleanup(func() { c.call(t, http.MethodDelete, "/api_keys/"+id, "") })
	return id, secret
}

func findKey(t *testing.T, c target, id string) record {
	t.Helper()
	var keys []record
	c.get(t, "/api_keys", &keys)
	i := slices.IndexFunc(keys, func(k record) bool { return fmt.Sprint(k["id"]) == id })
	if i < 0 {
		return nil
	}
	return keys[i]
}

func TestSection41CreateKey(t *testing.T) {
	t.Parallel()
	for name, c := range contractTargets(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			id, secret := createKey(t, c, "contract-create")
			if secret == "" || strings.ContainsAny(secret, " \n") {
				t.Errorf("the secret cannot be sent in a header: %d characters", len(secret))
			}
			other, otherSecret := createKey(t, c, "contract-create")
			if other == id || otherSecret == secret {
				t.Error("two keys of the same name share an id or a secret")
			}
			if k := findKey(t, c, id); k["name"] != "contract-create" {
				t.Errorf("the list shows the new key as %v", k)
			}
			with := c
			with.key = secret
			with.get(t, "/projects?limit=1", &projectPage{})
		})
	}
}

func TestSection42ListKeys(t *testing.T) {
	t.Parallel()
	for name, c := range contractTargets(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			id, secret := createKey(t, c, "contract-list")
			a := c.call(t, http.MethodGet, "/api_keys", "")
			var keys []record
			a.ok(t, &keys)
			if strings.Contains(string(a.body), secret) {
				t.Error("the list shows a secret")
			}
			for _, k := range keys {
				c.fields(t, "a key", k, "id name created_at last_used_at last_used_from_addr")
				whole(t, k, "id")
				utc(t, k, "created_at")
				if k["last_used_at"] != nil {
					utc(t, k, "last_used_at")
				}
			}
			if k := findKey(t, c, id); k["last_used_at"] != nil || k["last_used_from_addr"] != "" {
				t.Errorf("a key that was never used: %v", k)
			}
			with := c
			with.key = secret
			with.get(t, "/projects?limit=1", &projectPage{})
			if c.exact {
				if k := findKey(t, c, id); k["last_used_at"] == nil || k["last_used_from_addr"] == "" {
					t.Errorf("a key that was used: %v", k)
				}
			}
		})
	}
}

func TestSection43RevokeKey(t *testing.T) {
	t.Parallel()
	for name, c := range contractTargets(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			id, secret := createKey(t, c, "contract-revoke")
			with := c
			with.key = secret
			with.get(t, "/projects?limit=1", &projectPage{})
			var revoked record
			c.call(t, http.MethodDelete, "/api_keys/"+id, "").ok(t, &revoked)
			c.fields(t, "the revoke response", revoked, "id name revoked last_used_at last_used_from_addr")
			if fmt.Sprint(revoked["id"]) != id || revoked["name"] != "contract-revoke" || revoked["revoked"] != true {
				t.Errorf("revoked: %v", revoked)
			}
			with.call(t, http.MethodGet, "/projects?limit=1", "").problem(t, http.StatusUnauthorized)
			if k := findKey(t, c, id); k != nil {
				t.Errorf("the revoked key is still listed: %v", k)
			}
			c.call(t, http.MethodDelete, "/api_keys/"+id, "").problem(t, http.StatusNotFound)
		})
	}
}

func TestSection5Authentication(t *testing.T) {
	t.Parallel()
	for name, c := range contractTargets(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			headers := map[string][]string{
				"missing":       nil,
				"empty":         {""},
				"no scheme":     {c.key},
				"other scheme":  {"Basic " + c.key},
				"no key":        {"Bearer "},
				"unknown key":   {"Bearer pgt_demo_unknown"},
				"something on":  {"Bearer " + c.key + " x"},
				"another case":  {"Bearer " + strings.ToUpper(c.key)},
				"half of a key": {"Bearer " + c.key[:len(c.key)/2]},
			}
			paths := []string{"GET /api_keys", "POST /api_keys", "DELETE /api_keys/1", "GET /projects", "GET /projects/x/operations"}
			for what, values := range headers {
				for _, p := range paths {
					method, path, _ := strings.Cut(p, " ")
					r := c.request(t, method, path, "")
					r.Header["Authorization"] = values
					a := c.send(t, r)
					if a.status != http.StatusUnauthorized {
						t.Errorf("%s: %s answered %d", what, p, a.status)
						continue
					}
					a.problem(t, http.StatusUnauthorized)
				}
			}
		})
	}
}
