package contract

import (
	"net/http"
	"strings"
	"testing"
)

func authentication(t *testing.T, s *service) {
	t.Helper()
	refuses := func(t *testing.T, request, authorization string) {
		t.Helper()
		header := http.Header{}
		if authorization != "" {
			header.Set("Authorization", authorization)
		}
		method, path, _ := strings.Cut(request, " ")
		s.send(t.Context(), t, method, path, "", header).refused(t)
	}
	// If it were revoked without a key, it would be one of ours.
	own := keyID(s.newKey(t, "guarded"))
	for _, request := range []string{
		"GET /api_keys", "POST /api_keys", "DELETE /api_keys/" + own, "GET /projects",
		"GET /projects/some-project-1/operations",
		"GET /projects/some-project-1/operations/00000000-0000-4000-8000-000000000000",
	} {
		t.Run(request+" requires a key", func(t *testing.T) {
			refuses(t, request, "")
			refuses(t, request, "Bearer "+KeyPrefix+"unknown")
		})
	}
	for name, authorization := range map[string]string{
		"another scheme":      "Basic " + s.key,
		"no scheme":           s.key,
		"no key":              "Bearer",
		"half of a key":       "Bearer " + s.key[:len(s.key)/2],
		"more than a key":     "Bearer " + s.key + "x",
		"a key and a word":    "Bearer " + s.key + " x",
		"a key the other way": "Bearer " + s.key[1:] + s.key[:1],
	} {
		t.Run("refused with "+name, func(t *testing.T) {
			if authorization == "Bearer "+s.key {
				t.Skip("that is the key itself")
			}
			refuses(t, "GET /projects", authorization)
		})
	}
	t.Run("a refused request does nothing", func(t *testing.T) {
		before := len(s.listed(t))
		s.as(KeyPrefix+"unknown").call(t.Context(), t, http.MethodPost, "/api_keys", `{"key_name":"`+KeyPrefix+`refused"}`).refused(t)
		if after := s.listed(t); s.exact && len(after) != before {
			t.Errorf("%d keys became %d", before, len(after))
		}
	})
}
