package contract

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// newKey creates a key of the account, revoked at the end of the test, and returns the create response.
func (s *Target) newKey(t *testing.T, purpose string) record {
	t.Helper()
	return s.keyIn(t, "/api_keys", purpose, "")
}

// keyIn creates a key in a list. Unless project is empty, the key reaches only that project.
func (s *Target) keyIn(t *testing.T, list, purpose, project string) record {
	t.Helper()
	asked := map[string]string{"key_name": KeyPrefix + purpose}
	if project != "" {
		asked["project_id"] = project
	}
	body, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	var created record
	s.call(t.Context(), t, http.MethodPost, list, string(body)).decode(t, &created)
	id, ctx := keyID(created), context.WithoutCancel(t.Context())
	if id == "" {
		t.Fatalf("a key without an id cannot be revoked again: %v", created)
	}
	t.Cleanup(func() { s.discard(ctx, t, list+"/"+id, text(created, "key")) })
	return created
}

// discard revokes a key, and checks that its secret is refused then. Most tests have revoked it already.
func (s *Target) discard(ctx context.Context, t *testing.T, path, secret string) {
	t.Helper()
	s.call(ctx, t, http.MethodDelete, path, "")
	s.as(secret).call(ctx, t, http.MethodGet, s.list, "").refused(t)
}

// keyID returns the id of a key, with the digits that were sent.
func keyID(r record) string {
	n, _ := r["id"].(json.Number)
	return n.String()
}

// listed returns the keys of the account.
func (s *Target) listed(t *testing.T) []record {
	t.Helper()
	var keys []record
	s.get(t, "/api_keys", &keys)
	return keys
}

// find returns the key with an id, or nil.
func find(keys []record, id string) record {
	for _, k := range keys {
		if keyID(k) == id {
			return k
		}
	}
	return nil
}

func (s *Target) createKey(t *testing.T) {
	t.Helper()
	first, second := s.newKey(t, "one"), s.newKey(t, "other")
	s.check(t, "the create response", first, `id=integer key=word`) // a secret must fit into a header
	if keyID(first) == keyID(second) || text(first, "key") == text(second, "key") {
		t.Errorf("two keys have the ids %v and %v, and perhaps the same secret", first["id"], second["id"])
	}
	s.as(text(first, "key")).get(t, s.list, new(record))
	a := s.call(t.Context(), t, http.MethodPost, "/api_keys", `{}`)
	if a.status/100 == 4 {
		return
	}
	t.Errorf("%s without a name: status %d: %s", a.what, a.status, a.body)
	a.decode(t, &second)
	s.call(t.Context(), t, http.MethodDelete, "/api_keys/"+keyID(second), "")
}

func (s *Target) listKeys(t *testing.T) {
	t.Helper()
	created := s.newKey(t, "listed")
	for _, k := range s.listed(t) {
		s.check(t, "an API key", k,
			`id=integer name=text created_at=time last_used_at=time/null? last_used_from_addr=text?`)
	}
	k := find(s.listed(t), keyID(created))
	used := k["last_used_at"] != nil || k["last_used_from_addr"] != ""
	if text(k, "name") != KeyPrefix+"listed" || s.Exact && used {
		t.Errorf("the new key is listed as %v", k)
	}
	s.as(text(created, "key")).get(t, s.list, new(record))
	k = find(s.listed(t), keyID(created))
	if s.Exact && (text(k, "last_used_at") == "" || text(k, "last_used_from_addr") == "") {
		t.Errorf("a key that was used: %v", k)
	}
	if strings.Contains(fmt.Sprint(s.listed(t)), text(created, "key")) {
		t.Error("the list shows the secret of a key")
	}
}

func (s *Target) revokeKey(t *testing.T) {
	t.Helper()
	created := s.newKey(t, "revoked")
	id, with := keyID(created), s.as(text(created, "key"))
	with.get(t, s.list, new(record))
	var revoked record
	s.call(t.Context(), t, http.MethodDelete, "/api_keys/"+id, "").decode(t, &revoked)
	with.call(t.Context(), t, http.MethodGet, s.list, "").refused(t)
	s.check(t, "the revoke response", revoked,
		`id=integer name=text revoked=boolean last_used_at=time/null? last_used_from_addr=text?`)
	if keyID(revoked) != id || revoked["name"] != KeyPrefix+"revoked" || revoked["revoked"] != true {
		t.Errorf("key %s was revoked as %v", id, revoked)
	}
	repeat := s.call(t.Context(), t, http.MethodDelete, "/api_keys/"+id, "")
	if s.Exact && (repeat.status != http.StatusNotFound || find(s.listed(t), id) != nil) {
		t.Errorf("%s once more: status %d: %s", repeat.what, repeat.status, repeat.body)
	}
}

// refuses checks that a request is refused with an Authorization header.
func (s *Target) refuses(t *testing.T, request, authorization string) {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	s.send(t.Context(), t, method, path, "", authorization).refused(t)
}

func (s *Target) authentication(t *testing.T) {
	t.Helper()
	// If the server did revoke a key, it would be this one.
	guarded := keyID(s.newKey(t, "guarded"))
	for _, request := range []string{
		"GET /api_keys", "POST /api_keys", "DELETE /api_keys/" + guarded, "GET /projects",
		"GET /projects/some-project-1/operations", "GET /auth", "GET /users/me/organizations",
		"GET /projects/some-project-1/operations/00000000-0000-4000-8000-000000000000",
	} {
		s.refuses(t, request, "")
		s.refuses(t, request, "Bearer "+KeyPrefix+"unknown")
	}
	for _, authorization := range []string{
		"Basic " + s.APIKey, s.APIKey, "Bearer",
		"Bearer " + s.APIKey[:len(s.APIKey)/2], "Bearer " + s.APIKey + "x",
		"Bearer " + s.APIKey + " x", "Bearer " + strings.ToUpper(s.APIKey), "Bearer x" + s.APIKey,
	} {
		if authorization != "Bearer "+s.APIKey {
			s.refuses(t, "GET /projects", authorization)
		}
	}
	previous := len(s.listed(t))
	unknown := s.as(KeyPrefix + "unknown")
	unknown.call(t.Context(), t, http.MethodPost, "/api_keys", `{"key_name":"`+KeyPrefix+`refused"}`).refused(t)
	if now := len(s.listed(t)); s.Exact && now != previous {
		t.Errorf("%d keys became %d", previous, now)
	}
}
