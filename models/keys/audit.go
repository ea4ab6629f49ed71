package keys

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"pgtower/models"
)

// Kind is the kind of a finding about a key, the most important first.
type Kind int

// The kinds of findings.
const (
	FoundCanGo         Kind = iota // it was replaced, and can be revoked
	FoundUnreadable                // a date on which findings depend could not be read
	FoundOwnerGone                 // its creator is deactivated, or no longer a member of the organization
	FoundTooLong                   // it is being replaced for longer than [maxReplaced]
	FoundMayBeReplaced             // by another key, as their names say
	FoundNeverUsed                 // since it was created, [models.KeyNewFor] ago or earlier
	FoundIdle                      // unused for longer than the limit
	FoundSameName                  // several keys of its list have its name
	FoundOld                       // created before the limit
	FoundEverything                // it reaches everything, although there are narrower keys
)

// kinds declares each kind of finding: its name in filters, flags, settings and JSON, and what it means.
var kinds = [...]struct{ name, means string }{
	FoundCanGo:         {"can-go", "it was replaced, and can be revoked"},
	FoundUnreadable:    {"unreadable", "when it was created or last used could not be read, so that other findings may be missing"},
	FoundOwnerGone:     {"owner-gone", "who created it is deactivated, or no member of its organization any more"},
	FoundTooLong:       {"replaced-too-long", "it is being replaced for 30 days"},
	FoundMayBeReplaced: {"may-be-replaced", "another key may replace it, as their names say; nothing is proved"},
	FoundNeverUsed:     {"never-used", "it was not used since it was created, a day ago or longer"},
	FoundIdle:          {"idle", "it was not used for --max-idle (90d)"},
	FoundSameName:      {"same-name", "several keys of its list have its name"},
	FoundOld:           {"old", "it was created --max-age ago (365d)"},
	FoundEverything:    {"everything", "it reaches everything; not of a service without organizations, where all keys do"},
}

// Kinds returns all kinds of findings, most important first.
func Kinds() (list []Kind) {
	for kind := range kinds {
		list = append(list, Kind(kind))
	}
	return list
}

// KindNames returns the names of all kinds of findings, most important first.
func KindNames() (names []string) {
	for _, kind := range kinds {
		names = append(names, kind.name)
	}
	return names
}

// ParseKinds returns the kinds of findings with some names. The error does not repeat a wrong name, which may be a secret.
func ParseKinds(names []string) (list []Kind, err error) {
	valid := KindNames()
	for _, name := range names {
		i := slices.Index(valid, name)
		if i < 0 {
			return nil, models.Unknown("finding", name, valid)
		}
		list = append(list, Kind(i))
	}
	return list, nil
}

// String returns the name of the kind, such as never-used.
func (k Kind) String() string { return kinds[k].name }

// Means returns what the kind means, in a clause about the key.
func (k Kind) Means() string { return kinds[k].means }

// maxReplaced is how long a key may be being replaced without a finding.
const maxReplaced = 30 * 24 * time.Hour

// Limits are the ages and idle times from which on keys are old and idle.
type Limits struct{ Age, Idle time.Duration }

// DefaultLimits returns the limits of the dashboard.
func DefaultLimits() Limits { return Limits{Age: 365 * 24 * time.Hour, Idle: models.KeyIdleAfter} }

// Finding is what is wrong with a key.
type Finding struct {
	Kind Kind
	Text string // in a few words, such as "idle 95 days"
}

// Together is what follows from the keys of one list together.
type Together struct {
	Pairs  []Pair
	Usages Usages // what was seen of the use of its keys; nil: nothing

	marks

	list  models.ListID
	names map[string]int // numbers of keys
}

// marks has the time until which the uses of listed keys that pgtower created are pgtower's own.
type marks map[models.KeyRef]time.Time

// NeverUsed reports whether a key is known to be unused, except by pgtower's own verification.
func (m marks) NeverUsed(k *models.APIKey) bool {
	mark := m[k.Ref()]
	return k.NeverUsed() || !mark.IsZero() && k.LastUsedAt.Known && !k.LastUsedAt.Value.After(mark)
}

// unverified returns a key as if pgtower had not verified it.
func (m marks) unverified(k *models.APIKey) *models.APIKey {
	if !m.NeverUsed(k) {
		return k
	}
	unused := *k
	unused.LastUsedAt.Value, unused.LastUsedFromAddr = time.Time{}, ""
	return &unused
}

// State returns the state of a key at now. A verification is no use.
func (m marks) State(k *models.APIKey, now time.Time) models.KeyState {
	return m.unverified(k).State(now)
}

// Note returns the state of a key in a few words, or "".
func (m marks) Note(k *models.APIKey, now time.Time) string { return m.unverified(k).Note(now) }

// ReadTogether returns what follows from the keys of a list that was read as a whole. atLeast lengthens the time for
// which old keys must be quiet; 0: it does not. It takes milliseconds for thousands of keys.
func ReadTogether(id models.ListID, listed []models.APIKey, memory *Memory, atLeast time.Duration) *Together {
	l := &Together{
		list: id, names: make(map[string]int, len(listed)), marks: memory.marks(listed),
		Pairs: FindPairs(listed, memory, atLeast),
	}
	for i := range listed {
		l.names[listed[i].Name]++
	}
	return l
}

// marks returns until when the uses of listed keys are pgtower's own.
func (m *Memory) marks(listed []models.APIKey) marks {
	learned := m.clone()
	learned.Learn(listed)
	made := map[models.KeyRef]bool{}
	for i := range learned.Made {
		made[learned.Made[i].Key] = true
	}
	found := marks{}
	for i := range listed {
		k := &listed[i]
		if !made[k.Ref()] {
			continue
		}
		if made := learned.Of(k.Ref(), k.CreatedAt); made != nil {
			found[k.Ref()] = made.mark()
		}
	}
	return found
}

// Rotates reports whether a key of the list is being replaced, as is remembered.
func (l *Together) Rotates() bool {
	return slices.ContainsFunc(l.Pairs, func(p Pair) bool { return !p.Named })
}

// Audit is what is known of the keys of all lists together. It does not change.
type Audit struct {
	marks

	limits  Limits
	reaches bool
	members map[string]Members
	names   map[models.ListID]map[string]int
	pairs   map[models.KeyRef]found // of the old keys
	after   map[models.KeyRef]found // of the successors
	usages  map[models.ListID]Usages
	own     models.KeyRef
	telling *Event // if not nil, the only event: a filter decides whether it is told
	// remembered counts the pairs that are not by name alone, and canGo the old keys that can go.
	remembered, canGo int
}

// found is a rotation, and how far it is.
type found struct {
	Pair

	phase Phase
}

// AuditOptions are what an audit knows beside the keys.
type AuditOptions struct {
	Limits

	Reaches bool               // keys can reach less than everything
	Members map[string]Members // who belongs to organizations, by their ids, as far as it is known
	Own     models.KeyRef      // the key of this session
	// Revocations are those of keys that may still be listed: the list may be older.
	Revocations map[models.KeyRef]Revocation
	// Open are the keys with an open change of another process.
	Open map[models.KeyRef]bool
}

// NewAudit returns the audit of the keys of some lists. A rotation is over once its old key was revoked.
func NewAudit(lists []*Together, o AuditOptions) *Audit {
	rotations := 0
	for _, list := range lists {
		rotations += len(list.Pairs)
	}
	a := &Audit{
		limits: o.Limits, reaches: o.Reaches, members: o.Members, own: o.Own, names: map[models.ListID]map[string]int{},
		marks:  marks{},
		pairs:  make(map[models.KeyRef]found, rotations),
		after:  make(map[models.KeyRef]found, rotations),
		usages: make(map[models.ListID]Usages, len(lists)),
	}
	for _, list := range lists {
		a.names[list.list], a.usages[list.list] = list.names, list.Usages
		maps.Copy(a.marks, list.marks)
		for _, pair := range list.Pairs {
			if o.Revocations[pair.Old.Ref()].State != Revoked {
				a.add(pair, &o)
			}
		}
	}
	return a
}

func (a *Audit) add(pair Pair, o *AuditOptions) {
	if o.open(pair.Old.Ref()) {
		pair.Unclear = true
	}
	if pair.Successor != nil {
		ref := pair.Successor.Ref()
		pair.Unclear = pair.Unclear || o.open(ref)
		if o.Revocations[ref].State == Revoked {
			pair.Successor = nil
		}
	}
	if pair.Named && pair.Successor == nil {
		return
	}
	pair.Usage = a.Usage(pair.Old)
	rotation := found{pair, pair.Phase(o.Own)}
	a.pairs[pair.Old.Ref()] = rotation
	if pair.Successor != nil {
		_, has := a.after[pair.Successor.Ref()]
		if !has || !pair.Named {
			a.after[pair.Successor.Ref()] = rotation
		}
	}
	if !pair.Named {
		a.remembered++
	}
	if rotation.phase == CanGo {
		a.canGo++
	}
}

// open reports whether the outcome of a change of a key is unknown.
func (o *AuditOptions) open(ref models.KeyRef) bool {
	state := o.Revocations[ref].State
	return o.Open[ref] || state == Unknown || state == Revoking
}

// Replaced returns the rotation of an old key, and how far it is.
func (a *Audit) Replaced(k *models.APIKey) (Pair, Phase, bool) {
	rotation, ok := a.pairs[k.Ref()]
	return rotation.Pair, rotation.phase, ok
}

// Replaces returns the rotation whose successor a key is. A remembered one comes before those by name alone.
func (a *Audit) Replaces(k *models.APIKey) (Pair, Phase, bool) {
	rotation, ok := a.after[k.Ref()]
	return rotation.Pair, rotation.phase, ok
}

// Usage returns what was seen of the use of a key, or nil.
func (a *Audit) Usage(k *models.APIKey) *Usage { return a.usages[k.List].Of(k) }

// Rotations returns how many keys are being replaced, not by their names alone, and how many of them can go.
func (a *Audit) Rotations() (replaced, canGo int) { return a.remembered, a.canGo }

// Is reports whether a kind of finding holds for a key at now, by the service's clock.
func (a *Audit) Is(kind Kind, k *models.APIKey, now time.Time) bool {
	switch kind {
	case FoundCanGo, FoundTooLong, FoundMayBeReplaced:
		pair, phase, replaced := a.Replaced(k)
		return replaced && kind == pair.finding(phase, now)
	case FoundUnreadable:
		return Unreadable(k)
	case FoundOwnerGone:
		return a.OwnerGone(k) != ""
	case FoundNeverUsed:
		return a.NeverUsed(k) && !k.New(now)
	case FoundIdle:
		idle := a.unverified(k).Idle(now)
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

// Unreadable reports whether a date of a key could not be read, so that other findings of it may be missing.
func Unreadable(k *models.APIKey) bool { return k.CreatedAt.IsZero() || !k.LastUsedAt.Known }

// finding returns the kind of finding of an old key, or one after all kinds.
func (p *Pair) finding(phase Phase, now time.Time) Kind {
	switch {
	case phase == CanGo:
		return FoundCanGo
	case phase == ByName:
		return FoundMayBeReplaced
	case p.For(now) >= maxReplaced:
		return FoundTooLong
	}
	return FoundEverything + 1
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
func (a *Audit) Findings(k *models.APIKey, now time.Time) (list []Finding) {
	for kind := FoundCanGo; kind <= FoundEverything; kind++ {
		if a.Is(kind, k, now) {
			list = append(list, Finding{kind, a.text(kind, k, now)})
		}
	}
	return list
}

// text returns a finding in a few words.
func (a *Audit) text(kind Kind, k *models.APIKey, now time.Time) string {
	switch kind {
	case FoundCanGo:
		pair, _, _ := a.Replaced(k)
		return "can go: quiet " + Long(pair.QuietSince().Value)
	case FoundTooLong:
		pair, _, _ := a.Replaced(k)
		return "being replaced for " + Long(pair.For(now))
	case FoundMayBeReplaced:
		pair, _, _ := a.Replaced(k)
		return "may be replaced by " + pair.Successor.Name
	case FoundUnreadable:
		return "a date could not be read"
	case FoundOwnerGone:
		return "owner " + a.OwnerGone(k) + ": " + cmp.Or(k.CreatedBy, k.CreatedByID)
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
