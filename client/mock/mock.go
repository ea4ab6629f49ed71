// Package mock is a complete control API (the six endpoints of section 4 of the specification) as one
// [net/http.Handler] over a simulated platform, [pgtower/client/mock/sim], with faults on demand,
// [pgtower/client/mock/fault].
//
// Where the specification is silent the mock does what is known of the live service; what the live service sends beyond
// the specification is behind [sim.Options.Live].
//
// A server is steered while it runs by its methods or, where [Server.Control] is set, over HTTP: GET [ControlPath] says
// how. That is for programs: what a web page sends gets a 403.
package mock

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"sync/atomic"
	"time"

	"pgtower/client/mock/fault"
	"pgtower/client/mock/sim"
)

// BasePath is where the API begins: the last part of every base URL (section 9).
const BasePath = "/api/v2"

// Options says which platform to simulate.
type Options = sim.Options

// Task is an operation to start by hand.
type Task = sim.Task

// Server is the mock backend. It is safe for use by any number of clients at once.
type Server struct {
	*sim.Platform

	// Faults is what goes wrong, beside what [Server.Inject] adds.
	Faults *fault.List

	// Control adds the control surface at [ControlPath], which needs no key, for this machine, and PublicControl for
	// those that reach it over a network, too. They are set before the first request.
	Control, PublicControl bool

	seed         uint64
	clock        func() time.Time // the real one
	limit        *limit           // nil for none
	log          slog.Handler     // nil for none
	logClock     func() time.Time
	api, control http.Handler
	requests     atomic.Uint64
}

// New returns a server whose simulation starts at the clock's present time. The error says which option cannot be.
func New(o Options) (*Server, error) {
	p, err := sim.New(o)
	if err != nil {
		return nil, err
	}
	s := &Server{Platform: p, seed: o.Seed, Faults: fault.NewList(BasePath, o.Seed), clock: o.Clock}
	s.api, s.control = s.authenticated(s.endpoints()), s.controls()
	return s, nil
}

// Inject makes requests go wrong, as [fault.Help] says. The returned function removes the fault; it may be called more
// than once. The error says what is wrong with the text.
func (s *Server) Inject(text string) (remove func(), err error) {
	added, err := s.Faults.Add(text)
	return func() { s.Faults.Remove(added.ID) }, err
}

// call is what is settled for a request, and what the log learns of it.
type call struct {
	requestID string
	keyID     int64 // 0 where no valid key was shown
	faultID   int64 // 0 where no fault hit it
	fault     string
	answered  bool // false where the connection was broken
}

type callKey struct{}

// callOf returns the call of a request.
func callOf(r *http.Request) *call { return r.Context().Value(callKey{}).(*call) }

const (
	// requestIDHeader carries the request's id, in the client's choice or the server's, and back with every answer.
	requestIDHeader = "X-Request-ID"
	maxRequestID    = 128 // the longest id that is taken over from a client
)

// ServeHTTP answers one request, with the fault that hits it, if one does. What lies outside [BasePath], and
// [ControlPath] where there is a control surface, is not found.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n, c := s.requests.Add(1), &call{requestID: r.Header.Get(requestIDHeader)}
	if len(c.requestID) > maxRequestID || !oneWord(c.requestID) {
		c.requestID = sim.UUID(s.seed, int64(n)) //nolint:gosec // G115: as many requests there are not
	}
	r = r.WithContext(context.WithValue(r.Context(), callKey{}, c))
	if s.log != nil {
		sent := &meter{ResponseWriter: w}
		defer s.note(r, sent, s.logClock()) // also of a broken connection, which is a panic in net/http
		w = sent
	}
	if below(r.URL.Path, ControlPath) && (s.PublicControl || s.Control && local(r)) {
		s.control.ServeHTTP(w, r)
	} else {
		// As of any service, the clock that its records are dated by.
		w.Header().Set("Date", s.Now().Format(http.TimeFormat))
		h := s.Faults.Next(r.Method, r.URL.Path, n)
		c.fault, c.faultID = h.Text, h.ID
		hit(h).serve(w, r, s.api)
	}
	c.answered = true
}

// endpoint answers a request with what becomes the body of a 200, a text as it stands and all else as JSON, or with an
// error: a [*problem], or one of sim's.
type endpoint func(r *http.Request) (any, error)

// ServeHTTP writes the endpoint's answer.
func (e endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := e(r)
	if page, ok := body.(string); ok {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte(page)) // the client may be gone
		return
	}
	if err == nil {
		w.Header().Set(requestIDHeader, callOf(r).requestID)
		writeJSON(w, http.StatusOK, body)
		return
	}
	p, ok := errors.AsType[*problem](err)
	if !ok {
		p = &problem{http.StatusUnprocessableEntity, err.Error()}
		for known, status := range map[error]int{
			sim.ErrNoProject: 404, sim.ErrNoOperation: 404, sim.ErrNoKey: 404, sim.ErrCursor: 400, sim.ErrEnded: 409,
		} {
			if errors.Is(err, known) {
				p.status = status
			}
		}
	}
	p.write(w, r)
}

// mount returns a handler of routes such as GET /projects, below base. A path that is not written the way it is meant
// is not found, rather than redirected as it would be for people in browsers.
func mount(base string, routes map[string]endpoint) http.Handler {
	mux := http.NewServeMux()
	for route, do := range routes {
		mux.Handle(strings.Replace(route, " ", " "+base, 1), do)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, pattern := mux.Handler(r)
		refusal := &recorder{header: http.Header{}, status: http.StatusNotFound}
		escaped := r.URL.EscapedPath()
		if clean := path.Clean(escaped); clean == escaped || clean+"/" == escaped {
			if pattern != "" {
				mux.ServeHTTP(w, r)
				return
			}
			h.ServeHTTP(refusal, r)
		}
		if allowed, ok := refusal.header["Allow"]; ok {
			w.Header()["Allow"] = allowed
			newProblem(refusal.status, "this path does not answer to %s", r.Method).write(w, r)
			return
		}
		newProblem(refusal.status, "there is no such path in this API").write(w, r)
	})
}

// below reports whether a path is base or lies below it.
func below(at, base string) bool {
	rest, ok := strings.CutPrefix(at, base)
	return ok && (rest == "" || rest[0] == '/')
}
