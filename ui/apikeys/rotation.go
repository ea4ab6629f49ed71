package apikeys

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/audit"
	"pgtower/models/rotation"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	watchEvery = 30 * time.Second // how often lists with rotations are read while the page is shown
	watchRest  = 10 * time.Minute // and while it is not
	// fresh is how old a list may be for what it tells of a rotation to make a revocation easier.
	fresh = 5 * time.Minute
)

// rotations are the keys that are being replaced, as far as this session knows.
type rotations struct {
	store      rotation.Store    // nil: only this session remembers
	remembered []rotation.Memory // by the store, as last read
	here       []rotation.Memory // what this session knows better
	verified   map[models.KeyRef]verification
	phases     map[models.KeyRef]rotation.Phase // of the old keys, by the last lists
	audit      atomic.Pointer[audit.Audit]      // of all lists, for filters on other goroutines, too
	timer      page.Timer
}

// verification is a use of a successor by pgtower, until a later list shows it.
type verification struct {
	at       time.Time // by the service's clock
	requests int       // for lists before
}

// rotationTick is the time to look at the lists with rotations again.
type rotationTick struct{}

func newRotations() *rotations {
	r := &rotations{verified: map[models.KeyRef]verification{}, phases: map[models.KeyRef]rotation.Phase{}}
	r.audit.Store(audit.New(nil, nil, audit.Options{}))
	return r
}

// all returns what is remembered. What this session knows comes last, which counts.
func (r *rotations) all() []rotation.Memory { return slices.Concat(r.remembered, r.here) }

// add takes over what this session knows of a rotation.
func (r *rotations) add(m rotation.Memory) {
	r.here = slices.DeleteFunc(r.here, func(one rotation.Memory) bool {
		return one.Old == m.Old && one.Successor == m.Successor
	})
	r.here = append(r.here, m)
}

// drop forgets the rotations of an old key.
func (r *rotations) drop(old models.KeyRef) {
	of := func(m rotation.Memory) bool { return m.Old == old }
	r.here, r.remembered = slices.DeleteFunc(r.here, of), slices.DeleteFunc(slices.Clone(r.remembered), of)
	delete(r.phases, old)
}

// mark takes in a list: the successors that were verified before it was requested have no more uses of pgtower's own than
// it shows. It returns what is to be saved.
func (r *rotations) mark(list *keyList) (changed []rotation.Memory) {
	for ref, v := range r.verified {
		if ref.List != list.id || list.number <= v.requests {
			continue
		}
		delete(r.verified, ref)
		at, ok := list.Find(indexOf(ref))
		all := r.all()
		of := slices.IndexFunc(all, func(m rotation.Memory) bool { return m.Successor == ref })
		if !ok || of < 0 {
			continue
		}
		m := all[of]
		m.Mark = rotation.Mark(v.at, list.Row(at))
		r.add(m)
		changed = append(changed, m)
	}
	return changed
}

// uncounted notes that uses of a successor prove nothing until then. It returns what is to be saved, if there is a rotation.
func (r *rotations) uncounted(successor models.KeyRef, until time.Time) (m rotation.Memory, ok bool) {
	for _, one := range r.all() {
		if one.Successor == successor {
			m, ok = one, true
		}
	}
	if ok {
		m.Mark = until
		r.add(m)
	}
	return m, ok
}

// wasVerified notes that pgtower used a successor.
func (p *Page) wasVerified(ref models.KeyRef) {
	p.rotations.verified[ref] = verification{p.session.ServiceNow(), p.keys.requests}
}

// save saves what is remembered of rotations.
func (p *Page) save(all []rotation.Memory) tea.Cmd {
	store := p.rotations.store
	if store == nil || len(all) == 0 {
		return nil
	}
	return page.Call(p.session, page.APIKeys, func(context.Context) (struct{}, error) {
		for _, m := range all {
			if err := store.Save(m); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, nil
	}, func(_ struct{}, err error) tea.Cmd {
		if err != nil {
			p.session.Notify(style.Waiting, "The rotation is remembered until you quit only: "+sentence(err))
		}
		return nil
	})
}

// forget forgets the rotations of an old key that was revoked.
func (p *Page) forget(old models.KeyRef) tea.Cmd {
	p.rotations.drop(old)
	p.reaudit()
	store := p.rotations.store
	if store == nil {
		return nil
	}
	return p.session.DoQuietly(page.APIKeys, func(context.Context) tea.Msg {
		_ = store.Forget(old) // what is remembered of a key that is gone is not used
		return page.Result(func() tea.Cmd { return nil })
	})
}

// reaudit takes in what changed in the lists, or in what is remembered.
func (p *Page) reaudit() {
	var lists [][]models.APIKey
	for _, of := range p.keys.all {
		lists = append(lists, of.All)
	}
	p.rotations.audit.Store(audit.New(lists, p.rotations.all(), audit.Options{
		Limits: audit.Defaults(), Reaches: !p.oneReach(), Own: p.keys.own.Ref(), Quiet: p.quietFor(),
	}))
}

func (p *Page) audited() *audit.Audit { return p.rotations.audit.Load() }

// quietFor returns how long an old key must be quiet, unless the user asks for another time.
func (p *Page) quietFor() time.Duration {
	if p.options.QuietFor > 0 {
		return p.options.QuietFor
	}
	return rotation.QuietFor
}

// CanGo returns how many keys were replaced and can go, as of the last lists.
func (p *Page) CanGo() int {
	_, n := p.audited().Rotations()
	return n
}

// compareRotations takes in a list that was read: it tells what is news of rotations, and looks again later.
func (p *Page) compareRotations(list *keyList) tea.Cmd {
	changed := p.rotations.mark(list)
	p.reaudit()
	all, now := p.audited(), p.session.ServiceNow()
	for i := range list.All {
		pair, ok := all.Replaced(&list.All[i])
		if !ok {
			continue
		}
		ref, phase := pair.Old.Ref(), all.Phase(&pair)
		before, known := p.rotations.phases[ref]
		p.rotations.phases[ref] = phase
		switch {
		case !known || before == phase:
		case phase == rotation.CanGo:
			p.session.Notify(style.Good, "✓ "+pair.Old.Name+" can go: "+p.quietText(&pair, now))
		case before == rotation.CanGo && phase == rotation.InUse:
			p.session.Notify(style.Waiting, pair.Old.Name+" was used again: "+p.lastUse(pair.Old, now))
		}
	}
	return tea.Batch(p.save(changed), p.watch())
}

// watch sets the timer for the next look at the lists with rotations, if there are any. A session that does not know what
// is shown reads nothing by itself.
func (p *Page) watch() tea.Cmd {
	replaced, _ := p.audited().Rotations()
	if replaced == 0 || p.session.Shown == nil {
		return nil
	}
	return p.rotations.timer.Set(p.session, page.APIKeys, watchEvery, rotationTick{})
}

// look reads the lists with rotations that are old enough for that.
func (p *Page) look() tea.Cmd {
	every := watchEvery
	if p.session.Shown() != page.APIKeys {
		every = watchRest
	}
	all := p.audited()
	var old []models.ListID
	for _, of := range p.keys.all {
		rotates := slices.ContainsFunc(of.All, func(k models.APIKey) bool {
			_, ok := all.Replaced(&k)
			return ok
		})
		if rotates && !of.busy && p.session.Now().Sub(of.good) >= every-time.Second {
			old = append(old, of.id)
		}
	}
	return tea.Batch(p.read(old...), p.watch())
}

// begin reads what is remembered, and the lists with rotations: an old key may be able to go.
func (p *Page) begin() tea.Cmd {
	store := p.rotations.store
	if store == nil {
		return nil
	}
	return page.Call(p.session, page.APIKeys, func(context.Context) ([]rotation.Memory, error) {
		return store.Load()
	}, func(all []rotation.Memory, _ error) tea.Cmd {
		p.rotations.remembered = all
		var lists []models.ListID
		for _, m := range all {
			if of := p.keys.get(m.Old.List); of != nil && of.good.IsZero() && !slices.Contains(lists, of.id) {
				lists = append(lists, of.id)
			}
		}
		return p.read(lists...)
	})
}

// canGo returns the rotation of an old key that can go, as of a list that was read just now.
func (p *Page) canGo(k *models.APIKey) (rotation.Pair, bool) {
	of, all := p.keys.get(k.List), p.audited()
	pair, ok := all.Replaced(k)
	return pair, ok && of != nil && p.session.Now().Sub(of.good) <= fresh && all.Phase(&pair) == rotation.CanGo
}

// rotationNote returns what the row of an old key or of a successor tells of the rotation, or "".
func (p *Page) rotationNote(k *models.APIKey, now time.Time) (string, style.Tone) {
	all := p.audited()
	if pair, ok := all.Replaced(k); ok {
		tones := [...]style.Tone{
			rotation.Unknown: style.Waiting, rotation.Lost: style.Bad, rotation.Unused: style.Waiting,
			rotation.InUse: style.Waiting, rotation.CanGo: style.Good,
		}
		phase := all.Phase(&pair)
		return "↻ " + p.phaseText(&pair, phase, now), tones[phase]
	}
	if pair, ok := all.Replaces(k); ok {
		text := "↻ replaces " + pair.Old.Name
		if !pair.SuccessorUsed() && pair.Told {
			return text + " · not used yet", style.Waiting
		}
		return text, style.Accent
	}
	return "", style.Plain
}

// phaseText returns how far a rotation is.
func (p *Page) phaseText(pair *rotation.Pair, phase rotation.Phase, now time.Time) string {
	switch phase {
	case rotation.Lost:
		return "its successor was revoked"
	case rotation.Unknown:
		return "being replaced for " + rotation.Long(pair.For(now)) + ", use unknown"
	case rotation.CanGo:
		return "can go: " + p.quietText(pair, now)
	case rotation.InUse, rotation.Unused:
	}
	return p.quietText(pair, now)
}

// quietText returns what the service tells of the use of both keys of a pair.
func (p *Page) quietText(pair *rotation.Pair, now time.Time) string {
	const recently = time.Hour
	quiet := pair.QuietSince().Value
	text := "quiet for " + rotation.Long(quiet)
	switch {
	case p.keys.isOwn(pair.Old):
		text = "still this session's key"
	case pair.Old.NeverUsed():
		text = "never used"
	case quiet < min(recently, pair.Quiet):
		text = "still " + strings.TrimPrefix(p.lastUse(pair.Old, now), "last ")
	case quiet < pair.Quiet:
		text += " of " + rotation.Long(pair.Quiet)
	}
	if pair.Successor == nil {
		return text
	}
	if pair.SuccessorUsed() {
		return text + " · successor used " + p.session.Times.Ago(pair.Successor.LastUsedAt.Value, now)
	}
	return text + " · successor not used yet"
}

// rotationAbout returns what the details of a key tell of its rotation, or "".
func (p *Page) rotationAbout(k *models.APIKey, now time.Time) string {
	all := p.audited()
	if pair, ok := all.Replaced(k); ok {
		began := " (begun " + p.session.Times.Stamp(pair.Began, now) + ")"
		switch all.Phase(&pair) {
		case rotation.Lost:
			return " It was being replaced" + began + ". Its successor is no longer listed; R creates another one."
		case rotation.CanGo:
			return " It was replaced by " + pair.Successor.Name + began + " and can go: x revokes it."
		default:
			return " It is being replaced by " + pair.Successor.Name + began + ". It can go once it has been quiet for " +
				rotation.Long(pair.Quiet) + " and its successor was used by more than pgtower's verification."
		}
	}
	if pair, ok := all.Replaces(k); ok {
		return " It replaces " + pair.Old.Name + ": " + p.phaseText(&pair, all.Phase(&pair), now) + "."
	}
	return ""
}

// keepUses keeps the last use of an old key that an earlier answer showed, if a later one shows an earlier use: it may come
// from a copy of the service's data that is behind.
func (p *Page) keepUses(before *keyList, got *listing) {
	all := p.audited()
	for i := range got.All {
		k := &got.All[i]
		at, listed := before.Find(indexOf(k.Ref()))
		if _, replaced := all.Replaced(k); !replaced || !listed || !k.LastUsedAt.Known {
			continue
		}
		if shown := before.Row(at); shown.LastUsedAt.Value.After(k.LastUsedAt.Value) {
			k.LastUsedAt, k.LastUsedFromAddr = shown.LastUsedAt, shown.LastUsedFromAddr
		}
	}
}
