package mock

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"
)

// stateVersion is the version of the format of [Server.Dump].
const stateVersion = 2

// wireState is everything that the answers of a platform follow from. Of secrets it
// holds digests only.
type wireState struct {
	Version     int           `json:"version"`
	Seed        uint64        `json:"seed"`
	Start       time.Time     `json:"start"`
	Now         time.Time     `json:"now"`
	Speed       float64       `json:"speed"`
	Projects    int           `json:"projects"`
	Operations  int           `json:"operations"`
	Live        bool          `json:"live"`
	Requests    uint64        `json:"requests"`
	LastKeyID   int64         `json:"last_key_id"`
	Keys        []stateKey    `json:"keys"`
	Started     []stateTask   `json:"started"`
	Failed      []stateFailed `json:"failed"`
	LastFaultID int64         `json:"last_fault_id"`
	Faults      []wireFault   `json:"faults"`
}

// stateKey is a valid key.
type stateKey struct {
	ID               int64      `json:"id"`
	Name             string     `json:"name"`
	CreatedAt        time.Time  `json:"created_at"`
	LastUsedAt       *time.Time `json:"last_used_at,omitempty"`
	LastUsedFromAddr string     `json:"last_used_from_addr,omitempty"`
	SHA256           string     `json:"sha256,omitempty"` // of the secret, where somebody knows it
}

// stateTask is an operation that [Server.Start] added.
type stateTask struct {
	ProjectID  string    `json:"project_id"`
	CreatedAt  time.Time `json:"created_at"`
	Action     string    `json:"action"`
	BranchID   string    `json:"branch_id"`
	EndpointID string    `json:"endpoint_id,omitempty"`
	Wait       string    `json:"wait"`
	Attempts   []string  `json:"attempts"`
	Failed     bool      `json:"failed"`
}

// stateFailed is an operation that [Server.Fail] ended.
type stateFailed struct {
	ProjectID   string    `json:"project_id"`
	OperationID string    `json:"operation_id"`
	At          time.Time `json:"at"`
}

// Dump writes everything there is as JSON, for [Server.Load]: which platform is
// simulated and what was done to it. Secrets of keys are not in it, only digests. The
// error is that of w.
func (s *Server) Dump(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(s.current().state()); err != nil {
		return fmt.Errorf("mock: state: %w", err)
	}
	return nil
}

func (s *platform) state() wireState {
	s.mu.Lock()
	defer s.mu.Unlock()
	// After the lock was taken: nothing in the state is younger than its time.
	now, speed := s.clock.reading()
	out := wireState{
		Version: stateVersion, Seed: s.seed, Start: s.start, Now: now, Speed: speed,
		Projects: len(s.projects), Operations: s.operations, Live: s.live, Requests: s.requests,
		LastKeyID: s.keys.lastID, Keys: s.keys.state(),
		Started: []stateTask{}, Failed: []stateFailed{},
		LastFaultID: s.faults.lastID, Faults: []wireFault{},
	}
	for _, p := range s.touched() {
		started := s.started[p.id]
		for i := range started {
			out.Started = append(out.Started, newStateTask(p, &started[i]))
		}
		failed := s.failed[p.id]
		if failed == nil {
			continue
		}
		for _, number := range slices.Sorted(maps.Keys(failed.struck)) {
			out.Failed = append(out.Failed, stateFailed{p.id, operationID(p.key, number), failed.struck[number]})
		}
	}
	for _, f := range s.faults.active {
		out.Faults = append(out.Faults, newWireFault(*f))
	}
	return out
}

// touched returns the projects to which something was done, in their order.
func (s *platform) touched() []*project {
	var out []*project
	for id := range s.started {
		out = append(out, s.byID[id])
	}
	for id := range s.failed {
		if s.started[id] == nil {
			out = append(out, s.byID[id])
		}
	}
	slices.SortFunc(out, func(a, b *project) int { return cmp.Compare(a.index, b.index) })
	return out
}

func newStateTask(p *project, op *operation) stateTask {
	out := stateTask{
		ProjectID: p.id, CreatedAt: op.created, Action: op.action, BranchID: op.branch, EndpointID: op.endpoint,
		Wait: op.wait.String(), Failed: op.failed,
	}
	for _, a := range op.attempts[:op.tries] {
		out.Attempts = append(out.Attempts, a.String())
	}
	return out
}

func (k *keyring) state() []stateKey {
	out := []stateKey{}
	for _, key := range k.list() {
		one := stateKey{ID: key.id, Name: key.name, CreatedAt: key.created, LastUsedFromAddr: key.lastAddr}
		if !key.lastUsed.IsZero() {
			one.LastUsedAt = &key.lastUsed
		}
		if key.secret != (digest{}) {
			one.SHA256 = hex.EncodeToString(key.secret[:])
		}
		out = append(out, one)
	}
	return out
}
