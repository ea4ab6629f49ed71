package mock

import (
	"context"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"
)

// call is what is settled once for a request, before anything looks at it.
type call struct {
	requestID string
	now       time.Time
}

type callKey struct{}

func withCall(ctx context.Context, c call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

func callOf(r *http.Request) call {
	c, _ := r.Context().Value(callKey{}).(call)
	return c
}

// maxRequestID is the longest X-Request-ID that is taken over from a client.
const maxRequestID = 128

// requestID returns the client's own id for the request, or the next of the server's.
func (s *Server) requestID(r *http.Request) string {
	if id := r.Header.Get("X-Request-ID"); len(id) <= maxRequestID && validSecret(id) {
		return id
	}
	s.mu.Lock()
	s.requests++
	n := s.requests
	s.mu.Unlock()
	hi := mix(s.seed, n)
	return formatUUID(hi>>4, mix(hi)>>2)
}

// endpoint answers a request with what becomes the body of a 200, or with a problem.
type endpoint func(r *http.Request) (any, *problem)

// routes returns the six endpoints, and words for everything else.
func (s *Server) routes() http.Handler {
	paths := map[string]map[string]endpoint{
		"/api_keys": {
			http.MethodGet:  s.listKeys,
			http.MethodPost: s.createKey,
		},
		"/api_keys/{key_id}": {
			http.MethodDelete: s.revokeKey,
		},
		"/projects": {
			http.MethodGet: s.listProjects,
		},
		// The live service's command-line client asks for it and fails on a 404.
		"/projects/shared": {
			http.MethodGet: s.listSharedProjects,
		},
		"/projects/{project_id}/operations": {
			http.MethodGet: s.listOperations,
		},
		"/projects/{project_id}/operations/{operation_id}": {
			http.MethodGet: s.getOperation,
		},
	}
	mux := http.NewServeMux()
	for at, methods := range paths {
		mux.Handle(BasePath+at, notAllowed(methods))
		for method, e := range methods {
			mux.Handle(method+" "+BasePath+at, e)
		}
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { noSuchPath().write(w, r) })
	return mux
}

// ServeHTTP writes the endpoint's answer.
func (e endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, trouble := e(r)
	if trouble != nil {
		trouble.write(w, r)
		return
	}
	writeJSON(w, http.StatusOK, body)
}

// notAllowed answers a path that exists for a method that it does not have.
func notAllowed(methods map[string]endpoint) http.Handler {
	var allow []string
	for m := range methods {
		allow = append(allow, m)
		if m == http.MethodGet {
			allow = append(allow, http.MethodHead)
		}
	}
	slices.Sort(allow)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", strings.Join(allow, ", "))
		newProblem(http.StatusMethodNotAllowed, "this path does not answer to %s", r.Method).write(w, r)
	})
}

// authenticated lets through what carries a valid key (section 5). It comes before
// everything else below the base path: whoever has no key learns nothing, not even
// which paths there are.
func (s *Server) authenticated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != BasePath && !strings.HasPrefix(r.URL.Path, BasePath+"/") {
			newProblem(http.StatusNotFound, "the API is below %s", BasePath).write(w, r)
			return
		}
		secret, ok := bearer(r.Header)
		if !ok || !s.useKey(secret, callOf(r).now, r.RemoteAddr) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			newProblem(http.StatusUnauthorized, "a valid API key is required: Authorization: Bearer <API_KEY>").write(w, r)
			return
		}
		// The mux would redirect such a path, as it does for people in browsers.
		if escaped := r.URL.EscapedPath(); path.Clean(escaped) != escaped {
			noSuchPath().write(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// bearer returns the key that a request carries.
func bearer(h http.Header) (secret string, ok bool) {
	values := h.Values("Authorization")
	if len(values) != 1 {
		return "", false
	}
	scheme, secret, _ := strings.Cut(values[0], " ")
	secret = strings.TrimLeft(secret, " ")
	return secret, strings.EqualFold(scheme, "Bearer") && validSecret(secret)
}

// validSecret says whether a text can travel in a header as one word.
func validSecret(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return s != ""
}
