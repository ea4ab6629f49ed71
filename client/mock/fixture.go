package mock

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// fixture is a platform of which every project, key and operation is listed: nothing is simulated, and nothing
// happens beyond what is listed and what is started by hand. Times are relative to the start.
type fixture struct {
	Keys     []fixedKey     `json:"keys"` // oldest first; the last is the one whose secret is known
	Projects []fixedProject `json:"projects"`
}

type fixedKey struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	Created  span   `json:"created"`
	LastUsed *span  `json:"last_used,omitempty"` // nil if it was never used
	LastAddr string `json:"last_addr,omitempty"`
}

type fixedProject struct {
	ID          string           `json:"id"`
	Name        string           `json:"name"`
	Platform    string           `json:"platform"`
	Region      string           `json:"region"`
	Provisioner string           `json:"provisioner"`
	PgVersion   int              `json:"pg_version"`
	SizeLimit   int              `json:"size_limit"` // MiB
	Locked      bool             `json:"locked,omitempty"`
	Load        float64          `json:"load"` // CPU seconds per second
	Created     span             `json:"created"`
	Branch      string           `json:"branch"` // where operations are started by hand
	Endpoint    string           `json:"endpoint"`
	Operations  []fixedOperation `json:"operations,omitempty"` // oldest first
}

// fixedOperation is an operation, written as one line: its id, its creation, action, branch, endpoint or -, how long it
// is scheduling, how long its attempts take, the last of which decides, and failed where that fails.
type fixedOperation struct{ operation }

// UnmarshalText reads an operation.
func (o *fixedOperation) UnmarshalText(text []byte) error {
	words := strings.Fields(string(text))
	if len(words) < 7 {
		return fmt.Errorf("operation %q has too few words", text)
	}
	if words[len(words)-1] == statusFailed {
		o.failed, words = true, words[:len(words)-1]
	}
	o.id, o.action, o.branch, o.endpoint = words[0], words[2], words[3], strings.Trim(words[4], "-")
	times := make([]span, 0, maxAttempts+2)
	for _, word := range append(words[1:2], words[5:]...) {
		var d span
		if err := d.UnmarshalText([]byte(word)); err != nil {
			return err
		}
		times = append(times, d)
	}
	o.created, o.wait = time.Time{}.Add(time.Duration(times[0])), time.Duration(times[1])
	for _, d := range times[2:min(len(times), maxAttempts+2)] {
		o.attempts[o.tries] = time.Duration(d)
		o.tries++
	}
	return nil
}

// span is a duration that is written as text.
type span time.Duration

// MarshalText writes it as [time.ParseDuration] reads it.
func (s span) MarshalText() ([]byte, error) { return []byte(time.Duration(s).String()), nil }

// UnmarshalText reads it.
func (s *span) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	*s = span(d)
	return err
}

func parseFixture(text []byte) (*fixture, error) {
	var f fixture
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("fixture: %w", err)
	}
	return &f, nil
}

// projects returns the projects that are listed.
func (f *fixture) projects(w world) []*project {
	var out []*project
	for i, fixed := range f.Projects {
		p := &project{
			index: i, live: w.live, key: mix(w.seed, bits(int64(i))), id: fixed.ID, name: fixed.Name,
			platform: fixed.Platform, region: fixed.Region, provisioner: fixed.Provisioner, pgVersion: fixed.PgVersion,
			sizeLimit: fixed.SizeLimit, locked: fixed.Locked, load: fixed.Load,
			created:  w.start.Add(time.Duration(fixed.Created)),
			computes: []compute{{fixed.Branch, fixed.Endpoint}},
		}
		for n, listed := range fixed.Operations {
			op := listed.operation
			op.number, op.chain.slot, op.created = int64(n), int64(n), w.start.Add(op.created.Sub(time.Time{}))
			p.fixed = append(p.fixed, op)
		}
		out = append(out, p)
	}
	return out
}

// keys returns the keys that are listed.
func (f *fixture) keys(start time.Time, secret string) keyring {
	k := newKeyring()
	for i, fixed := range f.Keys {
		key := &apiKey{id: fixed.ID, name: fixed.Name, created: start.Add(time.Duration(fixed.Created)), lastAddr: fixed.LastAddr}
		if fixed.LastUsed != nil {
			key.lastUsed = start.Add(time.Duration(*fixed.LastUsed))
		}
		if i == len(f.Keys)-1 {
			key.secret = digestOf(secret)
		}
		k.add(key)
	}
	return k
}

// fixedPage returns up to limit of the listed operations created before a time, newest first.
func (p *project) fixedPage(before time.Time, limit int, failed *failures) (out []operation) {
	for i := len(p.fixed) - 1; i >= 0 && len(out) < limit; i-- {
		if op := &p.fixed[i]; op.created.Before(before) && !failed.unborn(op) {
			out = append(out, *op)
		}
	}
	return out
}

// fixedOne returns the listed operation of the id, if it is born by now.
func (p *project) fixedOne(id string, now time.Time) (operation, bool) {
	for _, op := range p.fixed {
		if op.id == id {
			return op, !op.created.After(now)
		}
	}
	return operation{}, false
}
