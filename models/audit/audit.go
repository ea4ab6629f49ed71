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
	NeverUsed              // since it was created, at least [NewFor] ago
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

// MaxReplaced is how long a key may be being replaced without a finding.
const MaxReplaced = 30 * 24 * time.Hour

// NewFor is how long a key may be unused after its creation without a finding.
const NewFor = 24 * time.Hour

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
	n := 0
	for _, keys := range lists {
		n += len(keys)
	}
	a := &Audit{
		limits: o.Limits, reaches: o.Reaches, own: o.Own, count: make(map[nameOf]int, n),
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

// Is reports whether a kind of finding holds for a key at now, by the service's clock.
func (a *Audit) Is(kind Kind, k *models.APIKey, now time.Time) bool {
	switch kind {
	case CanGo, TooLong:
		pair, replaced := a.Replaced(k)
		canGo := replaced && pair.Phase(a.own) == rotation.CanGo
		return replaced && canGo == (kind == CanGo) && (canGo || pair.For(now) >= MaxReplaced)
	case NeverUsed:
		return k.NeverUsed() && (k.CreatedAt.IsZero() || now.Sub(k.CreatedAt) >= NewFor)
	case Idle:
		idle := k.Idle(now)
		return idle.Known && idle.Value >= a.limits.Idle
	case SameName:
		return a.count[nameOf{k.List, k.Name}] > 1
	case Old:
		return !k.CreatedAt.IsZero() && now.Sub(k.CreatedAt) >= a.limits.Age
	case Everything:
		return a.reaches && k.Reach() == models.Reach{}
	}
	return false
}

// Worst returns the most important kind of finding of a key, or one after all kinds.
func (a *Audit) Worst(k *models.APIKey, now time.Time) Kind {
	kind := CanGo
	for kind <= Everything && !a.Is(kind, k, now) {
		kind++
	}
	return kind
}

// Findings returns what is wrong with a key at now, by the service's clock, the most important first.
func (a *Audit) Findings(k *models.APIKey, now time.Time) (all []Finding) {
	for kind := CanGo; kind <= Everything; kind++ {
		if a.Is(kind, k, now) {
			all = append(all, Finding{kind, a.text(kind, k, now)})
		}
	}
	return all
}

// text returns a finding in a few words.
func (a *Audit) text(kind Kind, k *models.APIKey, now time.Time) string {
	switch kind {
	case CanGo:
		pair, _ := a.Replaced(k)
		return "can go: quiet for " + rotation.Long(pair.QuietSince().Value)
	case TooLong:
		pair, _ := a.Replaced(k)
		return "being replaced for " + rotation.Long(pair.For(now))
	case NeverUsed:
		return "never used"
	case Idle:
		return "idle " + rotation.Long(k.Idle(now).Value)
	case SameName:
		return fmt.Sprintf("%d keys of this name", a.count[nameOf{k.List, k.Name}])
	case Old:
		return rotation.Long(now.Sub(k.CreatedAt)) + " old"
	case Everything:
	}
	return "reaches everything"
}
