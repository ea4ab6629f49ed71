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
	number    uint64 // among all requests to the platform, from 1
	now       time.Time
}

type callKey struct{}

func withCall(ctx context.Context, c call) context.Context {
	traceOf(ctx).requestID = c.requestID
	return context.WithValue(ctx, callKey{}, c)
}

func callOf(r *http.Request) call {
	c, _ := r.Context().Value(callKey{}).(call)
	return c
}

// requestIDHeader carries the request's id, in the client's choice or the server's, and
// back with every answer.
const requestIDHeader = "X-Request-ID"

// maxRequestID is the longest id that is taken over from a client.
const maxRequestID = 128

// requestID returns the client's own id for the request, or one that is drawn for the
// n-th of the stream.
func requestID(r *http.Request, stream, n uint64) string {
	if id := r.Header.Get(requestIDHeader); len(id) <= maxRequestID && validSecret(id) {
		return id
	}
	hi := mix(stream, n)
	return formatUUID(hi>>4, mix(hi)>>2)
}

// endpoint answers a request with what becomes the body of a 200, or with a problem.
type endpoint func(r *http.Request) (any, *problem)

// methods are the endpoints of one path.
type methods map[string]endpoint

// routes returns the six endpoints, and words for everything else.
func (s *platform) routes() http.Handler {
	return mount(BasePath, map[string]methods{
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
	})
}

// mount returns a handler of the paths below base. A path that is not written the way
// it is meant is not found, rather than redirected as it would be for people in browsers.
func mount(base string, paths map[string]methods) http.Handler {
	mux := http.NewServeMux()
	for at, all := range paths {
		mux.Handle(base+at, notAllowed(all))
		for method, e := range all {
			mux.Handle(method+" "+base+at, e)
		}
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { noSuchPath().write(w, r) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		escaped := r.URL.EscapedPath()
		if clean := path.Clean(escaped); clean != escaped && clean+"/" != escaped {
			noSuchPath().write(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// below says whether a path is base or lies below it.
func below(at, base string) bool {
	rest, ok := strings.CutPrefix(at, base)
	return ok && (rest == "" || rest[0] == '/')
}

// ServeHTTP writes the endpoint's answer.
func (e endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set(requestIDHeader, callOf(r).requestID)
	body, trouble := e(r)
	if trouble != nil {
		trouble.write(w, r)
		return
	}
	writeJSON(w, http.StatusOK, body)
}

// notAllowed answers a path that exists for a method that it does not have.
func notAllowed(all methods) http.Handler {
	var allow []string
	for m := range all {
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
func (s *platform) authenticated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !below(r.URL.Path, BasePath) {
			newProblem(http.StatusNotFound, "the API is below %s", BasePath).write(w, r)
			return
		}
		secret, ok := bearer(r.Header)
		if ok {
			traceOf(r.Context()).keyID, ok = s.useKey(secret, callOf(r).now, r.RemoteAddr)
		}
		if !ok {
			w.Header().Set("WWW-Authenticate", "Bearer")
			newProblem(http.StatusUnauthorized, "a valid API key is required: Authorization: Bearer <API_KEY>").write(w, r)
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
