// Package mock is a complete control API (the six endpoints of section 4 of the
// specification) as one [net/http.Handler] over a deterministic simulation of a
// platform at work.
//
// The simulation is a pure function of a seed and a clock: the same seed, clock
// readings and requests give the same bytes. Nothing runs in the background, and
// history is computed as it is asked for, so that a project with a million
// operations costs no more memory than one with ten. Projects keep the hours of their
// region: nights and weekends are quiet there, and the busiest project is where it is day
// at the start. Days differ, and now and then a region has trouble, in which much fails.
//
// Where the specification is silent the mock does what is known of the live service;
// what the live service sends beyond the specification is behind [Options.Live].
//
// A server is steered while it runs: time with [Server.SetSpeed] and [Server.Advance],
// faults with [Server.Inject], operations with [Server.Start] and [Server.Fail], keys
// with [Server.Revoke].
//
// The same is to be had over HTTP beside the API, where [Options.Control] asks for it,
// without a key and for programs on this machine only (what comes from a web page, and a
// Host that is not loopback or the listener's address, get a 403). Bodies and answers are JSON,
// durations are texts such as "1m30s" (advance knows days, too: "1d12h"):
//
//	GET    /_mock/                 what there is, and how faults are written
//	GET    /_mock/clock            {"now", "start", "speed"}
//	POST   /_mock/clock            {"speed": 10, "advance": "1h"}, or one of them
//	GET    /_mock/faults           {"faults": [{"id", "fault", "passed", "hits", "spent"}]}
//	POST   /_mock/faults           what [ParseFault] reads
//	DELETE /_mock/faults           all of them
//	DELETE /_mock/faults/{id}      one of them
//	POST   /_mock/projects/{project_id}/operations
//	                               {"action": "create_branch", "wait": "1s", "run": "5s", "fail": false}
//	POST   /_mock/projects/{project_id}/operations/{operation_id}/fail
//
// What cannot be read there is a 400, what can be read and cannot be is a 422, and both
// change nothing.
package mock

import (
	"errors"
	"fmt"
	"net/http"
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
	// Clock tells the real time. It is required and must be safe for use by several
	// goroutines. It is read once by [New], and once whenever simulated time is needed,
	// which runs along with it from the same reading on: once for each request.
	Clock func() time.Time
	// Start is the simulated time at which the simulation starts, from the year 1000 to
	// 5000; zero for the clock's present. With it, and a speed of 0, the same seed and
	// requests give the same bytes whenever they are asked for.
	Start time.Time
	// Speed is how many simulated seconds pass in a second from the start on, from 0 to
	// [MaxSpeed]; nil for 1.
	Speed *float64
	// APIKey is the secret of the key that is there from the start; generated from the
	// seed where empty.
	APIKey string
	// Projects is the number of projects: 0 for [DefaultProjects], negative for none.
	// The first is the busiest; among any twelve are busy, quiet, dormant, new and
	// empty ones.
	Projects int
	// Operations is how many operations the busiest project has behind it at the start:
	// 0 for [DefaultOperations], negative for none. It says how far back history reaches,
	// not how busy the project is: that is the same before and after the start. The others
	// have a share of it, and no more than six months' worth.
	Operations int
	// Live adds the fields, statuses and actions that the live service has beyond the
	// specification, and leaves out the one field that it does not send.
	Live bool
	// Fixture, a JSON object, lists a platform in place of the simulated one, for tests and pictures that must not
	// change with the simulation: see the fields of fixture.
	Fixture []byte
	// Control adds the control surface at [ControlPath], which needs no key. See
	// [ListenOptions.PublicControl] for a server that other machines reach.
	Control bool
}

// Server is the mock backend. It is safe for use by any number of clients at once.
type Server struct {
	control  http.Handler // nil unless asked for
	platform *platform
}

// New returns a server whose simulation starts at the clock's present time. The
// error says which option cannot be.
func New(o Options) (*Server, error) {
	if o.Clock == nil {
		return nil, errors.New("mock: a clock is required")
	}
	real, at, speed := o.Clock(), o.Start, 1.0
	if at.IsZero() {
		at = real
	}
	if o.Speed != nil {
		speed = *o.Speed
	}
	w := world{
		seed:       o.Seed,
		start:      at.UTC().Truncate(time.Microsecond),
		projects:   orDefault(o.Projects, DefaultProjects),
		operations: orDefault(o.Operations, DefaultOperations),
		live:       o.Live,
	}
	if len(o.Fixture) > 0 {
		var err error
		if w.fixture, err = parseFixture(o.Fixture); err != nil {
			return nil, fmt.Errorf("mock: %w", err)
		}
	}
	if err := errors.Join(w.check(), checkSpeed(speed)); err != nil {
		return nil, fmt.Errorf("mock: %w", err)
	}
	if o.APIKey == "" {
		o.APIKey = newSecret(o.Seed, 0)
	}
	if !validSecret(o.APIKey) {
		return nil, errors.New("mock: the API key cannot travel in a header: it needs printable ASCII without spaces")
	}
	p := newPlatform(w, newClock(o.Clock, real, w.start, at, speed))
	if w.fixture != nil {
		p.keys = w.fixture.keys(w.start, o.APIKey)
	} else {
		p.keys = demoKeys(w.seed, w.start, o.APIKey)
	}
	p.apiKey = o.APIKey
	s := &Server{platform: p}
	if o.Control {
		s.control = newControl(s)
	}
	return s, nil
}

// APIKey returns the secret of the key that was there from the start.
func (s *Server) APIKey() string { return s.platform.apiKey }

// APIKeyID returns the id of that key, or 0 once it is revoked.
func (s *Server) APIKeyID() int64 {
	p := s.platform
	p.mu.Lock()
	defer p.mu.Unlock()
	if key, ok := p.keys.bySecret[digestOf(p.apiKey)]; ok {
		return key.id
	}
	return 0
}

// ServeHTTP answers one request. What lies outside [BasePath], and [ControlPath] where
// there is a control surface, is not found.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.control != nil && r.Context().Value(noControlKey{}) == nil && below(r.URL.Path, ControlPath) {
		s.control.ServeHTTP(w, r)
		return
	}
	s.platform.ServeHTTP(w, r)
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
