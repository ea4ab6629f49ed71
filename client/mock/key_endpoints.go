package mock

import (
	"encoding/json"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"pgtower/models"
)

// listKeys is GET /api_keys (section 4.2), oldest key first.
func (s *platform) listKeys(*http.Request) (any, *problem) {
	s.mu.Lock()
	keys := s.keys.list()
	s.mu.Unlock()
	out := make([]wireKey, len(keys))
	for i, k := range keys {
		out[i] = wireKey{
			ID:               k.id,
			Name:             k.name,
			CreatedAt:        stamp(k.created),
			LastUsedAt:       optionalStamp(k.lastUsed),
			LastUsedFromAddr: k.lastAddr,
		}
		if s.live {
			out[i].CreatedBy = &creator{ID: demoUser, Name: "Demo User"}
		}
	}
	return out, nil
}

// createKey is POST /api_keys (section 4.1).
func (s *platform) createKey(r *http.Request) (any, *problem) {
	name, trouble := keyName(r)
	if trouble != nil {
		return nil, trouble
	}
	now := callOf(r).now
	s.mu.Lock()
	defer s.mu.Unlock()
	key := &apiKey{id: s.keys.lastID + 1, name: name, created: now}
	secret := newSecret(s.seed, key.id)
	key.secret = digestOf(secret)
	s.keys.add(key)
	out := wireCreatedKey{ID: key.id, Key: secret}
	if s.live {
		out.wireCreatedKeyLive = &wireCreatedKeyLive{name, stamp(now), demoUser}
	}
	return out, nil
}

// revokeKey is DELETE /api_keys/{key_id} (section 4.3). A key may revoke itself; one
// that is revoked is not found any more.
func (s *platform) revokeKey(r *http.Request) (any, *problem) {
	id, trouble := pathID(r, "key_id")
	if trouble != nil {
		return nil, trouble
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := s.keys.remove(id)
	if key == nil {
		return nil, newProblem(http.StatusNotFound, "there is no such API key")
	}
	out := wireRevokedKey{
		ID:               key.id,
		Name:             key.name,
		Revoked:          true,
		LastUsedAt:       optionalStamp(key.lastUsed),
		LastUsedFromAddr: key.lastAddr,
	}
	if s.live {
		out.CreatedAt, out.CreatedBy = stamp(key.created), demoUser
	}
	return out, nil
}

// keyName reads the body of a create request. What is not JSON or of the wrong type
// is malformed (400); a name that is well-formed and unacceptable is a 422.
func keyName(r *http.Request) (string, *problem) {
	fields, trouble := readFields(r)
	if trouble != nil {
		return "", trouble
	}
	raw, ok := fields["key_name"]
	if !ok {
		return "", newProblem(http.StatusBadRequest, "key_name is required")
	}
	var name *string
	if err := json.Unmarshal(raw, &name); err != nil || name == nil {
		return "", newProblem(http.StatusBadRequest, "key_name is not a string")
	}
	return *name, checkName(*name)
}

func checkName(name string) *problem {
	switch n := utf8.RuneCountInString(name); {
	case strings.TrimSpace(name) == "":
		return newProblem(http.StatusUnprocessableEntity, "key_name is empty")
	case n > models.MaxAPIKeyName:
		return newProblem(http.StatusUnprocessableEntity, "key_name has %d characters, %d is the most", n, models.MaxAPIKeyName)
	case strings.ContainsFunc(name, unicode.IsControl):
		return newProblem(http.StatusUnprocessableEntity, "key_name has control characters")
	}
	return nil
}
