package sim

import (
	"cmp"
	"time"
)

// Fixture is a platform with a fixed list of projects, keys and operations, for tests and pictures that must not change
// with the simulation: nothing else happens but what is started by hand. Times are relative to the start. It is decoded
// from JSON.
type Fixture struct {
	Keys []struct {
		ID       int64
		Name     string
		Created  Span
		LastUsed *Span  `json:"last_used"` // nil if it was never used
		LastAddr string `json:"last_addr"`
	} // oldest first; the last is the one with a known secret
	Projects []struct {
		Project

		Load             float64 // CPU seconds per second
		Created          Span
		Branch, Endpoint string // where operations are started by hand
		Operations       []struct {
			ID, Action, Branch, Endpoint string
			At, Wait                     Span   // when it was created, and how long it is scheduling
			Attempts                     []Span // the last one decides
			End                          string // its last status; empty for finished
		} // oldest first
	}
}

// projects returns the listed projects.
func (f *Fixture) projects(o *Options) (out []*project) {
	for i, from := range f.Projects {
		p := &project{
			index: i, live: o.Live, key: draw(o.Seed, int64(i)), record: from.Project, load: from.Load,
			created: o.Start.Add(time.Duration(from.Created)), computes: []compute{{from.Branch, from.Endpoint}},
		}
		for n, op := range from.Operations {
			c := lifecycle{wait: time.Duration(op.Wait), end: cmp.Or(op.End, finished)}
			for _, a := range op.Attempts {
				c.attempts = append(c.attempts, time.Duration(a))
			}
			at := o.Start.Add(time.Duration(op.At))
			p.started = append(p.started, &operation{op.ID, startedNumber + int64(n), at, op.Action, op.Branch, op.Endpoint, c})
		}
		out = append(out, p)
	}
	return out
}

// keys returns the listed keys.
func (f *Fixture) keys(o *Options) (out []*apiKey) {
	for _, from := range f.Keys {
		k := newKey(from.ID, from.Name, o.Start.Add(time.Duration(from.Created)), "")
		if from.LastUsed != nil {
			k.KeyUse = &KeyUse{new(stamp(o.Start.Add(time.Duration(*from.LastUsed)))), from.LastAddr}
		}
		out = append(out, k)
	}
	if len(out) > 0 {
		out[len(out)-1].secret = o.APIKey
	}
	return out
}
