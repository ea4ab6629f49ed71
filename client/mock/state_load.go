package mock

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// maxState is the largest state that is read, in bytes.
const maxState = 32 << 20

// Load puts everything as it was when [Server.Dump] wrote it: the same requests get the
// same answers, keys work with the secrets that they had, and simulated time goes on
// from where it was. The error says what is wrong with the state; then nothing has
// changed.
func (s *Server) Load(r io.Reader) error {
	body, err := io.ReadAll(io.LimitReader(r, maxState+1))
	if err != nil {
		return fmt.Errorf("mock: state: %w", err)
	}
	if len(body) > maxState {
		return fmt.Errorf("mock: state: it is larger than %d bytes", maxState)
	}
	var state wireState
	if err := decodeObject(body, &state); err != nil {
		return fmt.Errorf("mock: state: %w", err)
	}
	return s.restore(&state)
}

// restore replaces the platform. Requests under way end on the old one.
func (s *Server) restore(state *wireState) error {
	p, err := state.platform(s.real)
	if err != nil {
		return fmt.Errorf("mock: state: %w", err)
	}
	for _, secret := range []string{s.APIKey(), newSecret(p.seed, 0)} {
		if _, ok := p.keys.bySecret[digestOf(secret)]; ok && secret != "" {
			p.apiKey = secret
			break
		}
	}
	s.platform.Store(p)
	return nil
}

// dumpState is GET /_mock/state.
func (c *control) dumpState(*http.Request) (any, *problem) { return c.server.current().state(), nil }

// loadState is PUT /_mock/state.
func (c *control) loadState(r *http.Request) (any, *problem) {
	body, trouble := readBody(r, maxState)
	if trouble != nil {
		return nil, trouble
	}
	var state wireState
	if err := decodeObject(body, &state); err != nil {
		return nil, newProblem(http.StatusBadRequest, "the state cannot be read: %v", err)
	}
	if err := c.server.restore(&state); err != nil {
		return nil, unacceptable(err)
	}
	out := wireLoaded{wireClock: c.server.current().wireClock()}
	if !c.server.HasKeys() {
		out.Warning = "no key of this state can be used, because nobody knows a secret of any: POST " + ControlPath + "/keys makes one"
	}
	return out, nil
}

// wireLoaded is the answer to PUT /_mock/state.
type wireLoaded struct {
	wireClock

	Warning string `json:"warning,omitempty"`
}

// HasKeys says whether there is a key that somebody can know the secret of: after
// [Server.Load], or once all are revoked, there may be none.
func (s *Server) HasKeys() bool {
	p := s.current()
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.keys.bySecret) > 0
}

// platform builds what the state describes.
func (s *wireState) platform(real func() time.Time) (*platform, error) {
	w := world{s.Seed, s.Start.UTC(), s.Projects, s.Operations, s.Live}
	if err := s.check(w); err != nil {
		return nil, err
	}
	p := newPlatform(w, newClock(real, real(), w.start, s.Now, s.Speed))
	p.requests = s.Requests
	p.keys.lastID = s.LastKeyID
	for i := range s.Keys {
		if err := s.Keys[i].add(&p.keys); err != nil {
			return nil, fmt.Errorf("keys[%d]: %w", i, err)
		}
	}
	for i := range s.Started {
		if err := s.Started[i].add(p, s.Now); err != nil {
			return nil, fmt.Errorf("started[%d]: %w", i, err)
		}
	}
	for i := range s.Failed {
		if err := s.Failed[i].add(p, s.Now); err != nil {
			return nil, fmt.Errorf("failed[%d]: %w", i, err)
		}
	}
	p.faults.lastID = s.LastFaultID
	for i := range s.Faults {
		if err := s.Faults[i].add(&p.faults); err != nil {
			return nil, fmt.Errorf("faults[%d]: %w", i, err)
		}
	}
	return p, nil
}

// maxStateID bounds the last ids, so that there are more after them.
const maxStateID = 1 << 62

func (s *wireState) check(w world) error {
	if s.Version != stateVersion {
		return fmt.Errorf("version %d is not %d", s.Version, stateVersion)
	}
	if err := errors.Join(w.check(), checkSpeed(s.Speed)); err != nil {
		return err
	}
	switch {
	case s.Now.Before(w.start) || s.Now.After(w.start.Add(maxAhead)):
		return errors.New("now is not from start to a hundred years later")
	case s.LastKeyID < 0 || s.LastKeyID > maxStateID || s.LastFaultID < 0 || s.LastFaultID > maxStateID:
		return errors.New("last_key_id or last_fault_id is not from 0 to 2^62")
	}
	return nil
}

func onMicrosecond(t time.Time) bool { return t.Nanosecond()%int(time.Microsecond) == 0 }
