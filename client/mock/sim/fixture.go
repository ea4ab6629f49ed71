package sim

import (
	"cmp"
	"time"
)

// Fixture is a platform with fixed lists of projects, keys and operations, for tests and pictures that must not change with
// the simulation. Everything else is started by hand. Times are relative to the start. It is decoded from JSON.
type Fixture struct {
	Keys []ListedKey // oldest first; the last is the one with a known secret
	// Organizations make it an account with organizations. Of the keys of each, the last of the organization and the
	// last of a project have a known secret.
	Organizations []struct {
		Organization

		Created Span
		Shares  bool // the user does not belong to it, and sees its projects
		Keys    []ListedKey
	}
	Projects []struct {
		Project

		Organization     string  // its id; empty for the first one
		Load             float64 // CPU seconds per second
		Created          Span
		Branch, Endpoint string            // where operations are started by hand: the default branch
		Branches         map[string]string // names of branches by their ids; others are drawn
		Maintenance      Span              // when it is maintained, every week; 0 for never
		Quota            Quota
		Over             bool // it has used more than its quota of compute time
		Operations       []struct {
			ID, Action, Branch, Endpoint string
			At, Wait                     Span   // when it was created, and how long it is scheduling
			Attempts                     []Span // the last one decides
			Retry                        Span   // how long it is failed before the last attempt; 0 if it stays running
			End                          string // its last status; empty for finished
			Error                        string // the reason of a failure; empty for one of the usual ones
		} // oldest first
	}
}

// ListedKey is a key of a [Fixture].
type ListedKey struct {
	ID       int64
	Name     string
	Created  Span
	LastUsed *Span  `json:"last_used"` // nil if it was never used
	LastAddr string `json:"last_addr"`
	Project  string // the id of the one that it reaches; empty for all
	Creator  string // one of the people of the organization; empty for the user of the account
}

// organizations returns the listed organizations.
func (f *Fixture) organizations(o *Options) (out []*organization) {
	for _, from := range f.Organizations {
		org := &organization{from.Organization, draw(o.Seed, 1<<45), from.Shares}
		org.Handle, org.Plan = cmp.Or(org.Handle, handle(org.Name)), cmp.Or(org.Plan, "launch")
		org.ManagedBy = cmp.Or(org.ManagedBy, "console")
		org.CreatedAt = stamp(o.Start.Add(time.Duration(from.Created)))
		org.UpdatedAt = org.CreatedAt
		out = append(out, org)
	}
	return out
}

// projects returns the listed projects, with the organization of each id.
func (f *Fixture) projects(o *Options, org func(id string) *organization) (out []*project) {
	for i, from := range f.Projects {
		p := &project{
			index: i, live: o.Live, exact: o.Microseconds, key: draw(o.Seed, int64(i)),
			record: from.Project, load: from.Load,
			created:    o.Start.Add(time.Duration(from.Created)),
			computes:   []compute{{from.Branch, from.Endpoint}},
			org:        org(from.Organization),
			maintained: from.Maintenance, quota: from.Quota, over: from.Over,
		}
		for n, op := range from.Operations {
			c := lifecycle{
				wait: time.Duration(op.Wait), retry: time.Duration(op.Retry),
				end: cmp.Or(op.End, finished),
			}
			for _, a := range op.Attempts {
				c.attempts = append(c.attempts, time.Duration(a))
			}
			created := o.Start.Add(time.Duration(op.At))
			p.started = append(p.started, &operation{
				op.ID, startedNumber + int64(n), created, op.Action, op.Branch, op.Endpoint, op.Error, c,
			})
		}
		p.listed = p.fixtureBranches(from.Branches)
		out = append(out, p)
	}
	return out
}

// keys returns the listed keys of the account.
func (f *Fixture) keys(o *Options) []*apiKey {
	out := listedKeys(o, nil, f.Keys)
	if len(out) > 0 {
		out[len(out)-1].secret = o.APIKey
	}
	return out
}

func listedKeys(o *Options, org *organization, list []ListedKey) (out []*apiKey) {
	for _, from := range list {
		k := newKey(from.ID, from.Name, o.Start.Add(time.Duration(from.Created)), "")
		k.ProjectID = from.Project
		if from.Creator != "" && org != nil {
			k.creator = org.person(from.Creator)
		}
		if from.LastUsed != nil {
			k.used = o.Start.Add(time.Duration(*from.LastUsed))
			k.KeyUse = &KeyUse{new(stamp(k.used)), from.LastAddr}
			k.habit = habitOf(k.Name, bits(k.ID), k.used, o.Start, from.LastAddr, from.LastAddr)
			if k.habit != nil {
				k.habit.over = true
			}
		}
		out = append(out, k)
	}
	return out
}
