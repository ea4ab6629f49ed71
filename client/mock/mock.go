// Package mock is a complete control API (the six endpoints of section 4 of the
// specification) as one [net/http.Handler] over a deterministic simulation of a
// platform at work.
//
// The simulation is a pure function of a seed and a clock: the same seed, clock
// readings and requests give the same bytes. Nothing runs in the background, and
// history is computed as it is asked for, so that a project with a million
// operations costs no more memory than one with ten.
//
// Where the specification is silent the mock does what is known of the live service;
// what the live service sends beyond the specification is behind [Options.Live].
package mock

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// BasePath is where the API begins: the last part of every base URL (section 9).
const BasePath = "/api/v2"

// The defaults and bounds of [Options].
const (
	// DefaultProjects is the number of projects where none is asked for.
	DefaultProjects = 12
	// DefaultOperations is the busiest project's history where none is asked for.
	DefaultOperations = 2_000
	// MaxProjects bounds [Options.Projects]: projects, unlike operations, are held in memory.
	MaxProjects = 100_000
	// MaxOperations bounds [Options.Operations].
	MaxOperations = 10_000_000
)

// Options says which platform to simulate.
type Options struct {
	// Seed decides every name, id, duration and failure.
	Seed uint64
	// Clock tells the time. It is required, must be safe for use by several goroutines,
	// and is read once by [New] and once for each request.
	Clock func() time.Time
	// APIKey is the secret of the key that is there from the start; generated from the
	// seed where empty.
	APIKey string
	// Projects is the number of projects: 0 for [DefaultProjects], negative for none.
	// The first is the busiest; among any twelve are busy, quiet, dormant, new and
	// empty ones.
	Projects int
	// Operations is how many operations the busiest project has behind it at the start:
	// 0 for [DefaultOperations], negative for none. The others have a share of it, and
	// no more than six months' worth.
	Operations int
	// Live adds the fields that the live service sends beyond the specification, and
	// leaves out the one that it does not send.
	Live bool
}

// Server is the mock backend. It is safe for use by any number of clients at once.
type Server struct {
	live     bool
	seed     uint64
	clock    func() time.Time
	apiKey   string
	apiKeyID int64
	projects []*project
	byID     map[string]*project
	api      http.Handler

	mu       sync.Mutex
	requests uint64
	keys     keyring
	started  map[string][]operation // by project: what Start has added, in that order
	faults   []*activeFault
}

// New returns a server whose simulation starts at the clock's present time. The
// error says which option cannot be.
func New(o Options) (*Server, error) {
	if o.Clock == nil {
		return nil, errors.New("mock: a clock is required")
	}
	if o.Projects > MaxProjects {
		return nil, fmt.Errorf("mock: %d projects are more than %d", o.Projects, MaxProjects)
	}
	if o.Operations > MaxOperations {
		return nil, fmt.Errorf("mock: %d operations are more than %d", o.Operations, MaxOperations)
	}
	if o.APIKey == "" {
		o.APIKey = newSecret(o.Seed, 0)
	}
	if !validSecret(o.APIKey) {
		return nil, errors.New("mock: the API key cannot travel in a header: it needs printable ASCII without spaces")
	}
	start := o.Clock().UTC().Truncate(time.Microsecond)
	s := &Server{
		live:     o.Live,
		seed:     o.Seed,
		clock:    o.Clock,
		apiKey:   o.APIKey,
		projects: newProjects(o.Seed, start, orDefault(o.Projects, DefaultProjects), orDefault(o.Operations, DefaultOperations)),
		byID:     map[string]*project{},
		keys:     demoKeys(o.Seed, start, o.APIKey),
		started:  map[string][]operation{},
	}
	s.apiKeyID = s.keys.bySecret[digestOf(o.APIKey)].id
	for _, p := range s.projects {
		s.byID[p.id] = p
	}
	s.api = s.authenticated(s.routes())
	return s, nil
}

// APIKey returns the secret of the key that was there from the start.
func (s *Server) APIKey() string { return s.apiKey }

// APIKeyID returns the id of that key.
func (s *Server) APIKeyID() int64 { return s.apiKeyID }

// ServeHTTP answers one request. What lies outside [BasePath] is not found.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := call{requestID: s.requestID(r), now: s.clock().UTC()}
	r = r.WithContext(withCall(r.Context(), c))
	if f, ok := s.nextFault(r); ok {
		f.serve(w, r, s.api)
		return
	}
	s.api.ServeHTTP(w, r)
}

func orDefault(n, byDefault int) int {
	switch {
	case n == 0:
		return byDefault
	case n < 0:
		return 0
	}
	return n
}
