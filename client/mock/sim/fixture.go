package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Fixture is a platform of which every project, key and operation is listed, for tests and pictures that must not
// change with the simulation: nothing happens beyond what is listed and what is started by hand. Times are relative to
// the start.
type Fixture struct {
	Keys []struct {
		ID       int64
		Name     string
		Created  Span
		LastUsed *Span  `json:"last_used"` // nil if it was never used
		LastAddr string `json:"last_addr"`
	} // oldest first; the last is the one whose secret is known
	Projects []struct {
		Project

		Load             float64 // CPU seconds per second
		Created          Span
		Branch, Endpoint string   // where operations are started by hand
		Operations       []listed // oldest first
	}
}

// listed is an operation, written as one line: its id, its creation, action, branch, endpoint or -, how long it is
// scheduling, how long its attempts take, the last of which decides, and its last status if that is not finished.
type listed struct {
	operation

	at Span
}

// UnmarshalText reads an operation.
func (o *listed) UnmarshalText(text []byte) error {
	words := strings.Fields(string(text))
	if len(words) < 6 {
		return fmt.Errorf("operation %q has too few words", text)
	}
	o.id, o.action, o.branch, o.endpoint, o.end = words[0], words[2], words[3], strings.Trim(words[4], "-"), finished
	var wait Span
	if err := errors.Join(o.at.UnmarshalText([]byte(words[1])), wait.UnmarshalText([]byte(words[5]))); err != nil {
		return err
	}
	o.wait = time.Duration(wait)
	for _, word := range words[6:] {
		if d, err := time.ParseDuration(word); err == nil {
			o.attempts = append(o.attempts, d)
		} else {
			o.end = word
		}
	}
	return nil
}

// ParseFixture reads a fixture from JSON. The error says what cannot be read.
func ParseFixture(text []byte) (*Fixture, error) {
	f := new(Fixture)
	if err := json.Unmarshal(text, f); err != nil {
		return nil, fmt.Errorf("fixture: %w", err)
	}
	return f, nil
}

// projects returns the projects that are listed.
func (f *Fixture) projects(o *Options) (out []*project) {
	for i, from := range f.Projects {
		p := &project{
			index: i, live: o.Live, key: draw(o.Seed, int64(i)), record: from.Project, load: from.Load,
			created: o.Start.Add(time.Duration(from.Created)), computes: []compute{{from.Branch, from.Endpoint}},
		}
		for n, op := range from.Operations {
			op.number, op.created = startedNumber+int64(n), o.Start.Add(time.Duration(op.at))
			p.started = append(p.started, op.operation)
		}
		out = append(out, p)
	}
	return out
}

// keys returns the keys that are listed.
func (f *Fixture) keys(o *Options) (out []*apiKey) {
	for _, from := range f.Keys {
		k := newKey(from.ID, from.Name, o.Start.Add(time.Duration(from.Created)), "")
		if from.LastUsed != nil {
			k.KeyUse = &KeyUse{optionalStamp(o.Start.Add(time.Duration(*from.LastUsed))), from.LastAddr}
		}
		out = append(out, k)
	}
	if len(out) > 0 {
		out[len(out)-1].secret = o.APIKey
	}
	return out
}
