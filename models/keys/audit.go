package keys

import (
	"fmt"
	"time"

	"pgtower/models"
)

// Kind is what is wrong with a key, most important first.
type Kind int

// The kinds of findings.
const (
	FoundCanGo      Kind = iota // it was replaced, and can be revoked
	FoundTooLong                // it is being replaced for longer than [MaxReplaced]
	FoundNeverUsed              // since it was created, [models.KeyNewFor] ago or earlier
	FoundIdle                   // unused for longer than the limit
	FoundSameName               // several keys of its list have its name
	FoundOld                    // created before the limit
	FoundEverything             // it reaches everything, although there are narrower keys
)

// names are those of the filter and of JSON.
var names = [...]string{
	FoundCanGo: "can-go", FoundTooLong: "replaced-too-long", FoundNeverUsed: "never-used", FoundIdle: "idle",
	FoundSameName: "same-name", FoundOld: "old", FoundEverything: "everything",
}

// String returns the name of the kind, such as never-used.
func (k Kind) String() string { return names[k] }

// MaxReplaced is how long a key may be being replaced without a finding.
const MaxReplaced = 30 * 24 * time.Hour

// Limits are from when on keys are old and idle.
type Limits struct{ Age, Idle time.Duration }

// DefaultLimits returns the limits of the dashboard.
func DefaultLimits() Limits { return Limits{Age: 365 * 24 * time.Hour, Idle: models.KeyIdleAfter} }

// Finding is what is wrong with a key.
type Finding struct {
	Kind Kind
	Text string // in a few words, such as "idle 95 days"
}

// Together is what the keys of one list tell together.
type Together struct {
	Pairs []Pair

	of    models.ListID
	names map[string]int // numbers of keys
}

// ReadTogether returns what the keys of a list tell, which was read as a whole. quiet is how long an old key must be quiet, unless
// that is remembered. It takes milliseconds for thousands of keys.
func ReadTogether(
	of models.ListID, keys []models.APIKey, remembered []Memory, quiet time.Duration,
) *Together {
	l := &Together{of: of, names: make(map[string]int, len(keys)), Pairs: FindPairs(keys, remembered, quiet)}
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
	Pair

	phase Phase
}

// AuditOptions are what an audit knows beside the keys.
type AuditOptions struct {
	Limits

	Reaches bool          // keys can reach less than everything
	Own     models.KeyRef // the key of this session
	// Revocations are of keys that may be listed nevertheless, as the list was read before.
	Revocations map[models.KeyRef]Revocation
}

// NewAudit returns the audit of the keys of some lists. A rotation is over once its old key was revoked.
func NewAudit(lists []*Together, o AuditOptions) *Audit {
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
			if o.Revocations[pair.Old.Ref()].State != Revoked {
				a.add(pair, &o)
			}
		}
	}
	return a
}

func (a *Audit) add(pair Pair, o *AuditOptions) {
	if pair.Successor != nil {
		switch o.Revocations[pair.Successor.Ref()].State {
		case Revoked:
			pair.Successor = nil
		case Unknown, Revoking:
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
	if one.phase == CanGo {
		a.canGo++
	}
}

// Replaced returns the rotation of an old key, and how far it is.
func (a *Audit) Replaced(k *models.APIKey) (Pair, Phase, bool) {
	one, ok := a.pairs[k.Ref()]
	return one.Pair, one.phase, ok
}

// Replaces returns the rotation whose successor a key is. If there are several, a remembered one comes before those that only
// the names tell of.
func (a *Audit) Replaces(k *models.APIKey) (Pair, Phase, bool) {
	one, ok := a.after[k.Ref()]
	return one.Pair, one.phase, ok
}

// Rotations returns how many keys are being replaced, and how many of them can go.
func (a *Audit) Rotations() (replaced, canGo int) { return len(a.pairs), a.canGo }

// Is reports whether a kind of finding holds for a key at now, by the service's clock.
func (a *Audit) Is(kind Kind, k *models.APIKey, now time.Time) bool {
	switch kind {
	case FoundCanGo, FoundTooLong:
		pair, phase, replaced := a.Replaced(k)
		canGo := replaced && phase == CanGo
		return replaced && canGo == (kind == FoundCanGo) && (canGo || pair.For(now) >= MaxReplaced)
	case FoundNeverUsed:
		return k.NeverUsed() && !k.New(now)
	case FoundIdle:
		idle := k.Idle(now)
		return idle.Known && idle.Value >= a.limits.Idle
	case FoundSameName:
		return a.names[k.List][k.Name] > 1
	case FoundOld:
		return !k.CreatedAt.IsZero() && now.Sub(k.CreatedAt) >= a.limits.Age
	case FoundEverything:
		return a.reaches && k.Reach() == models.Reach{}
	}
	return false
}

// Worst returns the most important kind of finding of a key, or one after all kinds.
func (a *Audit) Worst(k *models.APIKey, now time.Time) Kind {
	kind := FoundCanGo
	for kind <= FoundEverything && !a.Is(kind, k, now) {
		kind++
	}
	return kind
}

// Findings returns what is wrong with a key at now, by the service's clock, the most important first.
func (a *Audit) Findings(k *models.APIKey, now time.Time) (all []Finding) {
	for kind := FoundCanGo; kind <= FoundEverything; kind++ {
		if a.Is(kind, k, now) {
			all = append(all, Finding{kind, a.text(kind, k, now)})
		}
	}
	return all
}

// text returns a finding in a few words.
func (a *Audit) text(kind Kind, k *models.APIKey, now time.Time) string {
	switch kind {
	case FoundCanGo:
		pair, _, _ := a.Replaced(k)
		return "can go: quiet for " + Long(pair.QuietSince().Value)
	case FoundTooLong:
		pair, _, _ := a.Replaced(k)
		return "being replaced for " + Long(pair.For(now))
	case FoundNeverUsed:
		return "never used"
	case FoundIdle:
		return "idle " + Long(k.Idle(now).Value)
	case FoundSameName:
		return fmt.Sprintf("%d keys of this name", a.names[k.List][k.Name])
	case FoundOld:
		return Long(now.Sub(k.CreatedAt)) + " old"
	case FoundEverything:
	}
	return "reaches everything"
}
