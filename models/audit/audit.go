// Package audit finds what is wrong with API keys: what is forgotten, too old, too powerful, or not replaced to the end.
package audit

import (
	"fmt"
	"time"

	"pgtower/models"
	"pgtower/models/keychange"
	"pgtower/models/rotation"
)

// Kind is what is wrong with a key, most important first.
type Kind int

// The kinds of findings.
const (
	CanGo      Kind = iota // it was replaced, and can be revoked
	TooLong                // it is being replaced for longer than [MaxReplaced]
	NeverUsed              // since it was created, [models.KeyNewFor] ago or earlier
	Idle                   // unused for longer than the limit
	SameName               // several keys of its list have its name
	Old                    // created before the limit
	Everything             // it reaches everything, although there are narrower keys
)

// names are those of the filter and of JSON.
var names = [...]string{
	CanGo: "can-go", TooLong: "replaced-too-long", NeverUsed: "never-used", Idle: "idle",
	SameName: "same-name", Old: "old", Everything: "everything",
}

// String returns the name of the kind, such as never-used.
func (k Kind) String() string { return names[k] }

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

// Listed is what the keys of one list tell together.
type Listed struct {
	Pairs []rotation.Pair

	of    models.ListID
	names map[string]int // numbers of keys
}

// Read returns what the keys of a list tell, which was read as a whole. quiet is how long an old key must be quiet, unless
// that is remembered. It takes milliseconds for thousands of keys.
func Read(
	of models.ListID, keys []models.APIKey, remembered []rotation.Memory, quiet time.Duration,
) *Listed {
	l := &Listed{of: of, names: make(map[string]int, len(keys)), Pairs: rotation.Find(keys, remembered, quiet)}
	for i := range keys {
		l.names[keys[i].Name]++
	}
	return l
}

// Audit is what is known of the keys of all lists together. It does not change.
type Audit struct {
	limits  Limits
	reaches bool
	names   map[models.ListID]map[string]int
	pairs   map[models.KeyRef]found // of the old keys
	after   map[models.KeyRef]found // of the successors
	canGo   int
}

// found is a rotation, and how far it is.
type found struct {
	rotation.Pair

	phase rotation.Phase
}

// Options are what an audit knows beside the keys.
type Options struct {
	Limits

	Reaches bool          // keys can reach less than everything
	Own     models.KeyRef // the key of this session
	// Revocations are of keys that may be listed nevertheless, as the list was read before.
	Revocations map[models.KeyRef]keychange.Revocation
}

// New returns the audit of the keys of some lists. A rotation is over once its old key was revoked.
func New(lists []*Listed, o Options) *Audit {
	rotations := 0
	for _, list := range lists {
		rotations += len(list.Pairs)
	}
	a := &Audit{
		limits: o.Limits, reaches: o.Reaches, names: map[models.ListID]map[string]int{},
		pairs: make(map[models.KeyRef]found, rotations),
		after: make(map[models.KeyRef]found, rotations),
	}
	for _, list := range lists {
		a.names[list.of] = list.names
		for _, pair := range list.Pairs {
			if o.Revocations[pair.Old.Ref()].State != keychange.Revoked {
				a.add(pair, &o)
			}
		}
	}
	return a
}

func (a *Audit) add(pair rotation.Pair, o *Options) {
	if pair.Successor != nil {
		switch o.Revocations[pair.Successor.Ref()].State {
		case keychange.Revoked:
			pair.Successor = nil
		case keychange.Unknown, keychange.Revoking:
			pair.Told = false // that it was used tells nothing of a key that may be gone
		default:
		}
	}
	one := found{pair, pair.Phase(o.Own)}
	a.pairs[pair.Old.Ref()] = one
	if pair.Successor != nil {
		_, known := a.after[pair.Successor.Ref()]
		if !known || !pair.Named {
			a.after[pair.Successor.Ref()] = one
		}
	}
	if one.phase == rotation.CanGo {
		a.canGo++
	}
}

// Replaced returns the rotation of an old key, and how far it is.
func (a *Audit) Replaced(k *models.APIKey) (rotation.Pair, rotation.Phase, bool) {
	one, ok := a.pairs[k.Ref()]
	return one.Pair, one.phase, ok
}

// Replaces returns the rotation whose successor a key is. If there are several, a remembered one comes before those that only
// the names tell of.
func (a *Audit) Replaces(k *models.APIKey) (rotation.Pair, rotation.Phase, bool) {
	one, ok := a.after[k.Ref()]
	return one.Pair, one.phase, ok
}

// Rotations returns how many keys are being replaced, and how many of them can go.
func (a *Audit) Rotations() (replaced, canGo int) { return len(a.pairs), a.canGo }

// Is reports whether a kind of finding holds for a key at now, by the service's clock.
func (a *Audit) Is(kind Kind, k *models.APIKey, now time.Time) bool {
	switch kind {
	case CanGo, TooLong:
		pair, phase, replaced := a.Replaced(k)
		canGo := replaced && phase == rotation.CanGo
		return replaced && canGo == (kind == CanGo) && (canGo || pair.For(now) >= MaxReplaced)
	case NeverUsed:
		return k.NeverUsed() && !k.New(now)
	case Idle:
		idle := k.Idle(now)
		return idle.Known && idle.Value >= a.limits.Idle
	case SameName:
		return a.names[k.List][k.Name] > 1
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
		pair, _, _ := a.Replaced(k)
		return "can go: quiet for " + rotation.Long(pair.QuietSince().Value)
	case TooLong:
		pair, _, _ := a.Replaced(k)
		return "being replaced for " + rotation.Long(pair.For(now))
	case NeverUsed:
		return "never used"
	case Idle:
		return "idle " + rotation.Long(k.Idle(now).Value)
	case SameName:
		return fmt.Sprintf("%d keys of this name", a.names[k.List][k.Name])
	case Old:
		return rotation.Long(now.Sub(k.CreatedAt)) + " old"
	case Everything:
	}
	return "reaches everything"
}
