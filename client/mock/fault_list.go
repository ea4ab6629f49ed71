package mock

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"time"
)

// ActiveFault is a fault that was added and not removed.
type ActiveFault struct {
	Fault
	// ID names it among those of the server, from 1 in the order of their addition.
	ID int64
	// Passed is how many matching requests were let through because of Skip.
	Passed int
	// Hits is how many requests it has hit.
	Hits int
}

// Spent says that the fault has hit as many requests as it was to, and hits no more.
func (f *ActiveFault) Spent() bool { return f.Count > 0 && f.Hits >= f.Count }

// maxSpent is how many spent faults are kept, so that whoever comes late can see what
// was hit: the ones that were added last.
const maxSpent = 100

// faultList is the faults that were added and not removed, oldest first. The platform's
// mutex guards it.
type faultList struct {
	lastID int64
	active []*ActiveFault
}

func (l *faultList) add(f Fault) *ActiveFault {
	l.lastID++
	added := &ActiveFault{Fault: f, ID: l.lastID}
	l.active = append(l.active, added)
	return added
}

// forget drops the oldest of the spent faults that are too many.
func (l *faultList) forget() {
	spent := 0
	for i, f := range slices.Backward(l.active) {
		if f.Spent() {
			spent++
		}
		if spent > maxSpent {
			l.active = slices.Delete(l.active, i, i+1)
			return
		}
	}
}

func (l *faultList) remove(id int64) bool {
	n := len(l.active)
	l.active = slices.DeleteFunc(l.active, func(f *ActiveFault) bool { return f.ID == id })
	return len(l.active) < n
}

// Inject adds a fault. A request is hit by all faults that match it and do nothing but
// wait, and by the first that does more. The returned function removes the fault; it
// may be called more than once. The error says what is wrong with the fault.
func (s *Server) Inject(f Fault) (remove func(), err error) {
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("mock: fault: %w", err)
	}
	p := s.platform
	id := p.inject(f).ID
	return func() { p.removeFault(id) }, nil
}

func (s *platform) inject(f Fault) ActiveFault {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *s.faults.add(f)
}

// Faults returns the faults that were not removed, oldest first. Of those that are spent
// it has the last hundred.
func (s *Server) Faults() []ActiveFault { return s.platform.activeFaults() }

func (s *platform) activeFaults() []ActiveFault {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]ActiveFault, len(s.faults.active))
	for i, f := range s.faults.active {
		out[i] = *f
	}
	return out
}

// Remove ends a fault and says whether there was one with the id.
func (s *Server) Remove(id int64) bool { return s.platform.removeFault(id) }

func (s *platform) removeFault(id int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.faults.remove(id)
}

// ClearFaults ends all faults.
func (s *Server) ClearFaults() { s.platform.clearFaults() }

func (s *platform) clearFaults() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults.active = nil
}

// nextFault returns what hits the request, which has the number, and counts the hits.
func (s *platform) nextFault(r *http.Request, number uint64) (h hit, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range slices.Clone(s.faults.active) {
		draw := mix(s.seed, number, bits(f.ID))
		if f.Spent() || !f.matches(r) || !f.strikes(draw) {
			continue
		}
		if f.Hits++; f.Spent() {
			s.faults.forget()
		}
		h.latency, h.id, h.text, ok = h.latency+f.wait(mix(draw)), f.ID, f.String(), true
		if !f.delays() {
			h.Fault = f.Fault
			break
		}
	}
	return h, ok
}

// strikes says whether a matching request is among those that are hit.
func (f *ActiveFault) strikes(draw uint64) bool {
	if f.Passed < f.Skip {
		f.Passed++
		return false
	}
	return f.Probability == 0 || unit(draw) < f.Probability
}

// wait draws the latency.
func (f *ActiveFault) wait(draw uint64) time.Duration {
	return f.Latency + time.Duration(math.Round((2*unit(draw)-1)*float64(f.Jitter)))
}

// unit maps a number onto 0 up to, not including, 1.
func unit(n uint64) float64 { return float64(n>>11) / (1 << 53) }
