// Package audit finds what is wrong with API keys: what is forgotten, too old, too powerful, or not replaced to the end.
package audit

import (
	"fmt"
	"time"

	"pgtower/models"
	"pgtower/models/rotation"
)

// Kind is what is wrong with a key, most important first.
type Kind int

// The kinds of findings.
const (
	CanGo      Kind = iota // it was replaced, and can be revoked
	TooLong                // it is being replaced for longer than [MaxReplaced]
	NeverUsed              // since it was created
	Idle                   // unused for longer than the limit
	SameName               // several keys of its list have its name
	Old                    // created before the limit
	Everything             // it reaches everything, although there are narrower keys
)

// names are those of the filter and of JSON.
var names = [...]string{
	CanGo: "can-go", TooLong: "replaced-too-long", NeverUsed: "never-used", Idle: "idle", SameName: "same-name",
	Old: "old", Everything: "everything",
}

// String returns the name of the kind, such as never-used.
func (k Kind) String() string { return names[k] }

// Names returns the names of all kinds.
func Names() []string { return names[:] }

// MaxReplaced is how long a key may be being replaced without a finding.
const MaxReplaced = 30 * 24 * time.Hour

// Limits are from when on keys are old and idle.
type Limits struct{ Age, Idle time.Duration }

// Defaults returns the limits of the dashboard.
func Defaults() Limits { return Limits{Age: 365 * 24 * time.Hour, Idle: models.KeyIdleAfter} }

// Finding is what is wrong with a key.
type Finding struct {
	Kind Kind
	Text string // in a few words, such as "idle 95 days"
}

type nameOf struct {
	list models.ListID
	name string
}

// Audit is what is known of the keys of all lists together. It never changes.
type Audit struct {
	limits  Limits
	reaches bool // keys may reach less than everything
	own     models.KeyRef
	pairs   map[models.KeyRef]rotation.Pair // by the old key
	after   map[models.KeyRef]rotation.Pair // by the successor
	count   map[nameOf]int
}

// Options are what an audit is about.
type Options struct {
	Limits  Limits
	Reaches bool          // the service has keys that reach less than everything
	Own     models.KeyRef // the key of this session
	Quiet   time.Duration // how long an old key must be quiet, unless that is remembered
}

// New returns the audit of the keys of some lists, each read as a whole.
func New(lists [][]models.APIKey, remembered []rotation.Memory, o Options) *Audit {
	a := &Audit{
		limits: o.Limits, reaches: o.Reaches, own: o.Own, count: map[nameOf]int{},
		pairs: map[models.KeyRef]rotation.Pair{}, after: map[models.KeyRef]rotation.Pair{},
	}
	for _, keys := range lists {
		for i := range keys {
			a.count[nameOf{keys[i].List, keys[i].Name}]++
		}
		for _, pair := range rotation.Find(keys, remembered, o.Quiet) {
			a.pairs[pair.Old.Ref()] = pair
			if pair.Successor != nil {
				a.after[pair.Successor.Ref()] = pair
			}
		}
	}
	return a
}

// Replaced returns the rotation of an old key.
func (a *Audit) Replaced(k *models.APIKey) (rotation.Pair, bool) {
	pair, ok := a.pairs[k.Ref()]
	return pair, ok
}

// Replaces returns the rotation whose successor a key is. If there are several, it is one of them.
func (a *Audit) Replaces(k *models.APIKey) (rotation.Pair, bool) {
	pair, ok := a.after[k.Ref()]
	return pair, ok
}

// Phase returns how far a rotation is.
func (a *Audit) Phase(p *rotation.Pair) rotation.Phase { return p.Phase(a.own) }

// Rotations returns how many keys are being replaced, and how many of them can go.
func (a *Audit) Rotations() (replaced, canGo int) {
	for _, pair := range a.pairs {
		if pair.Phase(a.own) == rotation.CanGo {
			canGo++
		}
	}
	return len(a.pairs), canGo
}

// Findings returns what is wrong with a key at now, by the service's clock, the most important first.
func (a *Audit) Findings(k *models.APIKey, now time.Time) (all []Finding) {
	add := func(holds bool, kind Kind, format string, values ...any) {
		if holds {
			all = append(all, Finding{kind, fmt.Sprintf(format, values...)})
		}
	}
	if pair, replaced := a.Replaced(k); replaced {
		canGo := pair.Phase(a.own) == rotation.CanGo
		add(canGo, CanGo, "can go: quiet for %s", long(pair.QuietSince().Value))
		add(!canGo && pair.For(now) >= MaxReplaced, TooLong, "being replaced for %s", long(pair.For(now)))
	}
	age, idle := now.Sub(k.CreatedAt), k.Idle(now)
	add(k.NeverUsed(), NeverUsed, "never used")
	add(idle.Known && idle.Value >= a.limits.Idle, Idle, "idle %s", long(idle.Value))
	same := a.count[nameOf{k.List, k.Name}]
	add(same > 1, SameName, "%d keys of this name", same)
	add(!k.CreatedAt.IsZero() && age >= a.limits.Age, Old, "%s old", long(age))
	add(a.reaches && k.Reach() == models.Reach{}, Everything, "reaches everything")
	return all
}

// long returns a duration in days or, if it is short, in hours.
func long(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d >= 2*day:
		return fmt.Sprintf("%d days", d/day)
	case d >= time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d min", d/time.Minute)
}
