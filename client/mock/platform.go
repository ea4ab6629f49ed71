package mock

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// world is which platform is simulated: all that its history follows from.
type world struct {
	seed       uint64
	start      time.Time // to the microsecond
	projects   int
	operations int
	live       bool
	fixture    *fixture // nil where the platform is simulated
}

func (w world) check() error {
	if y := w.start.Year(); y < 1000 || y > 5000 {
		return errors.New("start is not a time from the year 1000 to 5000")
	}
	if w.projects < 0 || w.projects > MaxProjects {
		return fmt.Errorf("%d projects are not from 0 to %d", w.projects, MaxProjects)
	}
	if w.operations < 0 || w.operations > MaxOperations {
		return fmt.Errorf("%d operations are not from 0 to %d", w.operations, MaxOperations)
	}
	return nil
}

// platform is one simulated platform and the API to it.
type platform struct {
	world
	org      string // the id of the organisation that all projects belong to
	projects []*project
	byID     map[string]*project
	apiKey   string // the secret of the key that was there from the start
	clock    *clock
	api      http.Handler

	mu       sync.Mutex
	requests uint64 // how many the API has had
	keys     keyring
	started  map[string]startedOperations // by project
	failed   map[string]*failures         // by project
	faults   faultList
}

// newPlatform returns a platform without keys.
func newPlatform(w world, c *clock) *platform {
	p := &platform{
		world:   w,
		org:     newVocabulary().id(newRand(mix(w.seed, 1<<41), 0), "org-"),
		clock:   c,
		keys:    newKeyring(),
		started: map[string]startedOperations{},
		failed:  map[string]*failures{},
	}
	if w.fixture != nil {
		p.projects = w.fixture.projects(w)
	} else {
		p.projects = newProjects(w)
	}
	p.byID = make(map[string]*project, len(p.projects))
	for _, project := range p.projects {
		p.byID[project.id] = project
	}
	p.api = p.authenticated(p.routes())
	return p
}

// ServeHTTP answers one request to the API, with the fault that hits it, if one does.
func (s *platform) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, t := s.newCall(r), traceOf(r.Context())
	r = r.WithContext(withCall(r.Context(), c))
	// As of any service, the clock that its records are dated by.
	w.Header().Set("Date", s.clock.now().UTC().Format(http.TimeFormat))
	if h, ok := s.nextFault(r, c.number); ok {
		t.fault, t.faultID = h.text, h.id
		h.serve(w, r, s.api)
		return
	}
	s.api.ServeHTTP(w, r)
}

// newCall settles what is the same for a request throughout.
func (s *platform) newCall(r *http.Request) call {
	s.mu.Lock()
	s.requests++
	n := s.requests
	s.mu.Unlock()
	return call{requestID: requestID(r, s.seed, n), number: n, now: s.clock.now()}
}
