// Package mock is a complete control API (the six endpoints of section 4 of the specification and, with
// [sim.Options.Organizations], those of the live service's organizations) as one
// [net/http.Handler] over a simulated platform, [pgtower/client/mock/sim], with faults on demand,
// [pgtower/client/mock/fault].
//
// Where the specification is silent, the mock behaves like the live service. [sim.Options.Live] adds the
// service's fields beyond the specification, and its endpoints of branches and computes.
//
// A running server is controlled by its methods or, if [Server.Control] is set, over HTTP: GET [ControlPath] explains
// how. That is for programs: requests from web pages get a 403.
package mock

import (
	"context"
	"errors"
	"net/http"
	"path"
	"strings"
	"sync/atomic"

	"pgtower/client/mock/fault"
	"pgtower/client/mock/sim"
)

// BasePath is the root of the API: the last part of every base URL (section 9).
const BasePath = "/api/v2"

// Options configure the simulated platform.
type Options = sim.Options

// Task is an operation to start by hand.
type Task = sim.Task

// Server is a simulated platform with its API. It is safe for concurrent use.
type Server struct {
	*sim.Platform

	// Faults are the active faults, including those of [Server.Inject].
	Faults *fault.List

	// Control enables the control surface at [ControlPath], without a key, for this machine, and PublicControl for
	// other machines, too. Set them before the first request.
	Control, PublicControl bool
	// StatusPage enables [StatusPath] for this machine, also without the control surface.
	StatusPage bool

	api      *api
	control  *control
	log      *requestLog // nil for none
	seed     uint64
	requests atomic.Uint64
}

// New returns a server whose simulation starts at the clock's current time. The error names the invalid option.
func New(o Options) (*Server, error) {
	p, err := sim.New(o)
	if err != nil {
		return nil, err
	}
	faults := fault.NewList(BasePath, o.Seed)
	return &Server{
		Platform: p, Faults: faults, seed: o.Seed,
		api: newAPI(p, o.Clock), control: newControl(p, faults),
	}, nil
}

// Inject adds a fault, as [fault.Help] explains. The returned function removes it and may be called repeatedly. The
// error says what is malformed.
func (s *Server) Inject(text string) (remove func(), err error) {
	added, err := s.Faults.Add(text)
	return func() { s.Faults.Remove(added.ID) }, err
}

// call is the outcome of a request, for the log.
type call struct {
	requestID string
	key       sim.Caller
	faultID   int64 // 0 without a fault
	fault     string
	variants  []fault.Fault
	answered  bool // false if the connection was broken
}

type callKey struct{}

// callOf returns the call of a request.
func callOf(r *http.Request) *call { return r.Context().Value(callKey{}).(*call) }

const (
	// requestIDHeader has the request's id, chosen by the client or the server. Every response returns it.
	requestIDHeader = "X-Request-ID"
	maxRequestID    = 128 // the longest accepted id of a client
)

// ServeHTTP answers one request, with the fault that hits it. Everything outside of [BasePath] and an enabled
// [ControlPath] is not found.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n, c := s.requests.Add(1), &call{requestID: r.Header.Get(requestIDHeader)}
	if len(c.requestID) > maxRequestID || !oneWord(c.requestID) {
		c.requestID = sim.UUID(s.seed, int64(n)) //nolint:gosec // there are never that many requests
	}
	r = r.WithContext(context.WithValue(r.Context(), callKey{}, c))
	if s.log != nil {
		sent := &meter{ResponseWriter: w}
		// Also for a broken connection, which is a panic in net/http.
		defer s.log.note(r, sent, s.log.clock())
		w = sent
	}
	switch path := r.URL.Path; {
	case path == StatusPath && (s.PublicControl || (s.Control || s.StatusPage) && local(r)):
		s.serve(w, r, BasePath+fault.StatusPath, n, s.control)
	case below(path, ControlPath) && (s.PublicControl || s.Control && local(r)):
		s.control.ServeHTTP(w, r)
	default:
		s.serve(w, r, path, n, s.api)
	}
	c.answered = true
}

// serve answers a request with the fault that hits it at a path. number is that of the request.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, path string, number uint64, answer http.Handler) {
	c := callOf(r)
	// The same clock that dates the records.
	w.Header().Set("Date", s.Now().Format(http.TimeFormat))
	h := s.Faults.Next(r.Method, path, s.api.orgOf(r), number)
	c.fault, c.faultID, c.variants = h.Text, h.ID, h.Variants
	if h.Fail {
		failRead(s.Platform, r.URL.Path, h.Retry)
	}
	hit(h).serve(w, r, answer)
}

// endpoint returns the body of a 200, or an error: a [*problem], or one of package sim. Text is sent unchanged, everything
// else as JSON.
type endpoint func(r *http.Request) (any, error)

// checked returns an endpoint that first makes checks, in order, and refuses a request with the first error.
func checked(do endpoint, checks ...func(*http.Request) error) endpoint {
	return func(r *http.Request) (any, error) {
		for _, check := range checks {
			if err := check(r); err != nil {
				return nil, err
			}
		}
		return do(r)
	}
}

// ServeHTTP writes the endpoint's response.
func (e endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := e(r)
	if page, ok := body.(string); ok {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte(page)) // the client may have gone
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
			sim.ErrNoProject: 404, sim.ErrNoOperation: 404, sim.ErrNoKey: 404, sim.ErrNoBranch: 404,
			sim.ErrCursor: 400, sim.ErrEnded: 409, sim.ErrName: 409, sim.ErrBranchName: 409,
		} {
			if errors.Is(err, known) {
				p.status = status
			}
		}
	}
	p.write(w, r)
}

// mount returns the handlers of routes such as GET /projects, below base.
func mount(base string, routes map[string]endpoint) *http.ServeMux {
	mux := http.NewServeMux()
	for route, do := range routes {
		mux.Handle(strings.Replace(route, " ", " "+base, 1), do)
	}
	return mux
}

// serveRoute answers a request with its route. A path in another spelling is not found. The mux alone would redirect it, as
// browsers want it.
func serveRoute(mux *http.ServeMux, w http.ResponseWriter, r *http.Request) {
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
		newProblem(refusal.status, "%s is not allowed on this path", r.Method).write(w, r)
		return
	}
	noSuchPath().write(w, r)
}

// noSuchPath returns the answer for a path that the API does not have.
func noSuchPath() *problem { return newProblem(http.StatusNotFound, "no such path in this API") }

// below reports whether a path is base or lies below it.
func below(path, base string) bool {
	rest, ok := strings.CutPrefix(path, base)
	return ok && (rest == "" || rest[0] == '/')
}
