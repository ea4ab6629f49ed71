package sim

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Fixture is a platform of which every project, key and operation is listed, for tests and pictures that must not change
// with the simulation: nothing happens beyond what is listed and what is started by hand. Times are relative to the start.
type Fixture struct {
	Keys []struct {
		ID       int64
		Name     string
		Created  span
		LastUsed *span  `json:"last_used"` // nil if it was never used
		LastAddr string `json:"last_addr"`
	} // oldest first; the last is the one whose secret is known
	Projects []struct {
		ID, Name, Platform, Region, Provisioner string

		PgVersion        int `json:"pg_version"`
		SizeLimit        int `json:"size_limit"` // MiB
		Locked           bool
		Load             float64 // CPU seconds per second
		Created          span
		Branch, Endpoint string            // where operations are started by hand
		Operations       []listedOperation // oldest first
	}
}

// listedOperation is an operation, written as one line: its id, its creation, action, branch, endpoint or -, how long it
// is scheduling, how long its attempts take, the last of which decides, and its last status if that is not finished.
type listedOperation struct {
	operation
	at time.Duration
}

// UnmarshalText reads an operation.
func (o *listedOperation) UnmarshalText(text []byte) error {
	words := strings.Fields(string(text))
	if len(words) < 6 {
		return fmt.Errorf("operation %q has too few words", text)
	}
	o.id, o.action, o.branch, o.endpoint = words[0], words[2], words[3], strings.Trim(words[4], "-")
	o.end = finished
	var err error
	if o.at, err = time.ParseDuration(words[1]); err != nil {
		return err
	}
	if o.wait, err = time.ParseDuration(words[5]); err != nil {
		return err
	}
	for _, word := range words[6:] {
		d, err := time.ParseDuration(word)
		if err != nil {
			o.end = word
			break
		}
		o.attempts = append(o.attempts, d)
	}
	return nil
}

// span is a duration that is written as text.
type span time.Duration

// UnmarshalText reads it as [time.ParseDuration] does.
func (s *span) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	*s = span(d)
	return err
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
func (f *Fixture) projects(o *Options) []*project {
	var out []*project
	for i, listed := range f.Projects {
		_, place, _ := strings.Cut(listed.Region, "-")
		p := &project{
			index: i, live: o.Live, key: mix(o.Seed, bits(int64(i))), locked: listed.Locked, load: listed.Load,
			created:  o.Start.Add(time.Duration(listed.Created)),
			computes: []compute{{listed.Branch, listed.Endpoint}},
			record: Project{
				ID: listed.ID, Name: listed.Name, PlatformID: listed.Platform, RegionID: listed.Region, Provisioner: listed.Provisioner,
				PgVersion: listed.PgVersion, BranchLogicalSizeLimit: listed.SizeLimit,
				ProxyHost: place + "." + listed.Platform + ".db.example",
			},
		}
		for n, op := range listed.Operations {
			op.number, op.created = int64(n), o.Start.Add(op.at)
			p.fixed = append(p.fixed, op.operation)
		}
		out = append(out, p)
	}
	return out
}

// keys returns the keys that are listed.
func (f *Fixture) keys(o *Options) (out []*apiKey) {
	for i, listed := range f.Keys {
		k := &apiKey{id: listed.ID, name: listed.Name, created: o.Start.Add(time.Duration(listed.Created)), lastAddr: listed.LastAddr}
		if listed.LastUsed != nil {
			k.lastUsed = o.Start.Add(time.Duration(*listed.LastUsed))
		}
		if i == len(f.Keys)-1 {
			k.secret = o.APIKey
		}
		out = append(out, k)
	}
	return out
}
