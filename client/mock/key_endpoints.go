package mock

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"time"
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
	return s.newKey(name, callOf(r).now), nil
}

// newKey makes a key and returns it with its secret.
func (s *platform) newKey(name string, now time.Time) wireCreatedKey {
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
	return out
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
	if halfCharacter(raw) {
		return "", newProblem(http.StatusBadRequest, "key_name has half of a surrogate pair, which is no character")
	}
	return *name, checkName(*name)
}

// halfCharacter says whether a JSON string escapes a surrogate that is not one of a pair:
// the decoder would put another character in its place without a word.
func halfCharacter(raw []byte) bool {
	var high bool
	for len(raw) > 0 {
		n, low := 1, false
		wasHigh := high
		high = false
		if raw[0] == '\\' {
			n = 2
			if raw[1] == 'u' {
				n = 6
				digits := bytes.ToLower(raw[2:6])
				surrogate := digits[0] == 'd'
				high = surrogate && digits[1] >= '8' && digits[1] <= 'b'
				low = surrogate && digits[1] >= 'c'
			}
		}
		if wasHigh != low {
			return true
		}
		raw = raw[n:]
	}
	return high
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
