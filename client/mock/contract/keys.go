package contract

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// newKey creates a key for the length of the test and returns the create response.
func (s *Target) newKey(t *testing.T, purpose string) record {
	t.Helper()
	var created record
	s.call(t.Context(), t, http.MethodPost, "/api_keys", `{"key_name":"`+KeyPrefix+purpose+`"}`).decode(t, &created)
	id, ctx := keyID(created), context.WithoutCancel(t.Context())
	if id == "" {
		t.Fatalf("a key without an id cannot be revoked again: %v", created)
	}
	t.Cleanup(func() {
		// Most tests have revoked it, or see that it is gone: what counts is that it is.
		s.call(ctx, t, http.MethodDelete, "/api_keys/"+id, "")
		s.as(text(created, "key")).call(ctx, t, http.MethodGet, "/projects", "").refused(t)
	})
	return created
}

// keyID returns the id of a key, in the digits it was sent with.
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

func find(records []record, id string) record {
	if i := slices.IndexFunc(records, func(r record) bool { return keyID(r) == id }); i >= 0 {
		return records[i]
	}
	return nil
}

func (s *Target) createKey(t *testing.T) {
	t.Helper()
	t.Run("answers with id and key", func(t *testing.T) {
		// A secret can travel in a header.
		s.check(t, "the create response", s.newKey(t, "created"), `id=integer key=word`)
	})
	t.Run("ids and keys are unique", func(t *testing.T) {
		one, other := s.newKey(t, "one"), s.newKey(t, "other")
		if keyID(one) == keyID(other) || text(one, "key") == text(other, "key") {
			t.Errorf("two keys have the ids %v and %v, and perhaps the same secret", one["id"], other["id"])
		}
	})
	t.Run("the key is accepted", func(t *testing.T) {
		var projects record
		s.as(text(s.newKey(t, "accepted"), "key")).get(t, "/projects", &projects)
	})
	t.Run("key_name is required", func(t *testing.T) {
		a := s.call(t.Context(), t, http.MethodPost, "/api_keys", `{}`)
		if a.status/100 == 4 {
			return
		}
		t.Errorf("%s without a name: status %d: %s", a.what, a.status, a.body)
		var created record
		a.decode(t, &created)
		s.call(t.Context(), t, http.MethodDelete, "/api_keys/"+keyID(created), "")
	})
}

func (s *Target) listKeys(t *testing.T) {
	t.Helper()
	t.Run("a plain array of records", func(t *testing.T) {
		for _, k := range s.listed(t) {
			s.check(t, "an API key", k, `id=integer name=text created_at=time last_used_at=time/null? last_used_from_addr=text?`)
		}
	})
	t.Run("shows a new key by its name", func(t *testing.T) {
		created := s.newKey(t, "listed")
		if k := find(s.listed(t), keyID(created)); text(k, "name") != KeyPrefix+"listed" {
			t.Errorf("the new key is listed as %v", k)
		}
	})
	t.Run("never shows a secret", func(t *testing.T) {
		secret := text(s.newKey(t, "secret"), "key")
		if a := s.call(t.Context(), t, http.MethodGet, "/api_keys", ""); strings.Contains(string(a.body), secret) {
			t.Error("the list shows the secret of a key")
		}
	})
	t.Run("tells of the last use", func(t *testing.T) {
		if !s.Exact {
			t.Skip("when a use is listed is not shown")
		}
		created := s.newKey(t, "used")
		if k := find(s.listed(t), keyID(created)); k["last_used_at"] != nil || k["last_used_from_addr"] != "" {
			t.Errorf("a key that was never used: %v", k)
		}
		s.as(text(created, "key")).get(t, "/projects", new(record))
		if k := find(s.listed(t), keyID(created)); text(k, "last_used_at") == "" || text(k, "last_used_from_addr") == "" {
			t.Errorf("a key that was used: %v", k)
		}
	})
}

func (s *Target) revokeKey(t *testing.T) {
	t.Helper()
	t.Run("answers with the revoked record", func(t *testing.T) {
		id := keyID(s.newKey(t, "revoked"))
		var revoked record
		s.call(t.Context(), t, http.MethodDelete, "/api_keys/"+id, "").decode(t, &revoked)
		s.check(t, "the revoke response", revoked,
			`id=integer name=text revoked=boolean last_used_at=time/null? last_used_from_addr=text?`)
		if keyID(revoked) != id || revoked["name"] != KeyPrefix+"revoked" || revoked["revoked"] != true {
			t.Errorf("key %s was revoked as %v", id, revoked)
		}
	})
	t.Run("effective immediately", func(t *testing.T) {
		created := s.newKey(t, "at-once")
		with := s.as(text(created, "key"))
		with.get(t, "/projects", new(record))
		s.call(t.Context(), t, http.MethodDelete, "/api_keys/"+keyID(created), "").decode(t, new(record))
		with.call(t.Context(), t, http.MethodGet, "/projects", "").refused(t)
	})
	t.Run("cannot be reversed", func(t *testing.T) {
		id := keyID(s.newKey(t, "for-good"))
		s.call(t.Context(), t, http.MethodDelete, "/api_keys/"+id, "").decode(t, new(record))
		again := s.call(t.Context(), t, http.MethodDelete, "/api_keys/"+id, "")
		if s.Exact && (again.status != http.StatusNotFound || find(s.listed(t), id) != nil) {
			t.Errorf("%s once more: status %d: %s", again.what, again.status, again.body)
		}
	})
}

func (s *Target) authentication(t *testing.T) {
	t.Helper()
	refuses := func(name, request, authorization string) {
		t.Run(name, func(t *testing.T) {
			method, path, _ := strings.Cut(request, " ")
			s.send(t.Context(), t, method, path, "", authorization).refused(t)
		})
	}
	// If it were revoked without a key, it would be one of ours.
	own := keyID(s.newKey(t, "guarded"))
	for _, request := range []string{
		"GET /api_keys", "POST /api_keys", "DELETE /api_keys/" + own, "GET /projects",
		"GET /projects/some-project-1/operations",
		"GET /projects/some-project-1/operations/00000000-0000-4000-8000-000000000000",
	} {
		refuses(request+" requires a key", request, "")
		refuses(request+" requires a key that is known", request, "Bearer "+KeyPrefix+"unknown")
	}
	for name, authorization := range map[string]string{
		"another scheme":      "Basic " + s.APIKey,
		"no scheme":           s.APIKey,
		"no key":              "Bearer",
		"half of a key":       "Bearer " + s.APIKey[:len(s.APIKey)/2],
		"more than a key":     "Bearer " + s.APIKey + "x",
		"a key and a word":    "Bearer " + s.APIKey + " x",
		"a key the other way": "Bearer " + s.APIKey[1:] + s.APIKey[:1],
	} {
		if authorization != "Bearer "+s.APIKey {
			refuses("refused with "+name, "GET /projects", authorization)
		}
	}
	t.Run("a refused request does nothing", func(t *testing.T) {
		before := len(s.listed(t))
		other := s.as(KeyPrefix + "unknown")
		other.call(t.Context(), t, http.MethodPost, "/api_keys", `{"key_name":"`+KeyPrefix+`refused"}`).refused(t)
		if after := len(s.listed(t)); s.Exact && after != before {
			t.Errorf("%d keys became %d", before, after)
		}
	})
}
