package apikeys

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/internal/driver"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/control"
	"pgtower/models/feed"
	"pgtower/models/keys"
)

// platform is a service with keys that consumers use, other people who change them, and one or two pgtowers of a user, which
// are restarted.
type platform struct {
	*pgtower

	t       *rapid.T
	account *account.Account
	now     time.Time // by the service's clock
	keys    []models.APIKey
	earlier []models.APIKey // the keys as an answer that is behind shows them
	silent  bool            // it does not tell when keys are used
	fails   bool            // lists are refused
	profile models.KeyRef   // the key of the profile, with which pgtower starts; its id is 0 if that is unknown
	quiet   time.Duration
	last    map[models.ListID]int64   // ids
	secrets map[string]models.KeyRef  // of the keys that were created
	used    map[models.KeyRef]bool    // keys that consumers used, beside the sessions of this user
	kept    map[models.KeyRef]bool    // keys that may be the profile's, or were
	moved   map[[2]models.KeyRef]bool // old keys and successors to which their sessions moved
	asked   *creation                 // the last one
	ever    map[string]int            // numbers of keys that were created in an organization with a name
	mine    map[models.KeyRef]string  // keys that a pgtower created and could write to the journal

	memory  keys.Volatile
	handed  map[models.KeyRef]bool // whose secrets were handed over
	records []keys.Record
	full    bool     // the journal cannot be written
	second  *pgtower // at which nobody looks
}

// pgtower is a run of the program.
type pgtower struct {
	*bench

	own     models.KeyRef               // the session's key; its id is 0 if it is unknown
	shown   map[models.KeyRef]time.Time // the last use of each key that it was shown
	revoked map[models.KeyRef]bool      // keys that it revoked, and that no list has shown since
	asOf    map[models.ListID]time.Time // of the last lists
	open    map[string]bool             // the ids of requests of which it does not know what came
	lossy   bool                        // the journal could not be written
}

func (w *platform) key(ref models.KeyRef) *models.APIKey {
	if at := slices.IndexFunc(w.keys, func(k models.APIKey) bool { return k.Ref() == ref }); at >= 0 {
		return &w.keys[at]
	}
	return nil
}

func (w *platform) use(ref models.KeyRef) bool {
	k := w.key(ref)
	if k != nil {
		k.LastUsedAt.Value = w.now.Truncate(time.Second)
	}
	return k != nil
}

// consume uses a key as something does that is not pgtower.
func (w *platform) consume(ref models.KeyRef) {
	if w.use(ref) {
		w.used[ref] = true
	}
}

// answer is the end of a request of pgtower: it tells the service's time.
func (w *platform) answer() {
	w.session.Skew = 0
	w.use(w.own)
}

func (w *platform) APIKeys(_ context.Context, of models.ListID) ([]models.APIKey, error) {
	w.answer()
	if w.fails {
		return nil, failure(models.KindServer)
	}
	keys := w.keys
	if w.earlier != nil {
		keys = w.earlier
	}
	all := slices.DeleteFunc(slices.Clone(keys), func(k models.APIKey) bool { return k.List != of })
	for i := range all {
		k := &all[i]
		k.AsOf = models.At(w.now)
		if w.silent {
			k.LastUsedAt.Value = time.Time{}
		}
		if k.LastUsedAt.Value.After(w.shown[k.Ref()]) {
			w.shown[k.Ref()] = k.LastUsedAt.Value
		}
		delete(w.revoked, k.Ref()) // it is listed nevertheless
	}
	w.asOf[of] = w.now
	return all, nil
}

// add adds a key, as another program or this one created it. Ids are of a list.
func (w *platform) add(name string, reach models.Reach) models.KeyRef {
	in := reach.List()
	w.last[in]++
	k := models.APIKey{List: in, ID: w.last[in], Name: name, ProjectID: reach.Project, CreatedAt: w.now}
	k.LastUsedAt.Known = true
	w.keys = append(w.keys, k)
	w.ever[in.Org+"/"+name]++
	return k.Ref()
}

// created adds a key that this pgtower creates.
func (w *platform) created(name string, reach models.Reach) models.CreatedAPIKey {
	ref := w.add(name, reach)
	if !w.full {
		w.mine[ref] = name
	}
	secret := fmt.Sprintf("napi_%d", len(w.secrets))
	w.secrets[secret] = ref
	return models.CreatedAPIKey{List: ref.List, ID: ref.ID, ProjectID: reach.Project, Key: models.NewSecret(secret)}
}

func (w *platform) CreateAPIKey(_ context.Context, name string, reach models.Reach) (models.CreatedAPIKey, error) {
	w.answer()
	lost := failure(models.KindTimeout)
	switch rapid.IntRange(0, 4).Draw(w.t, "creation") {
	case 0:
		return models.CreatedAPIKey{}, lost
	case 1:
		w.created(name, reach)
		return models.CreatedAPIKey{}, lost
	}
	return w.created(name, reach), nil
}

func (*platform) Members(context.Context, string, models.PageRequest) (models.Page[models.Member], error) {
	return models.Page[models.Member]{}, failure(models.KindForbidden)
}

func (w *platform) RevokeAPIKey(_ context.Context, k models.APIKey) (models.APIKey, error) {
	w.answer()
	carriedOut := rapid.Bool().Draw(w.t, "carried out")
	if carriedOut {
		w.remove(k.Ref())
	}
	if !carriedOut || rapid.Bool().Draw(w.t, "lost") {
		return k, failure(models.KindTimeout)
	}
	w.revoked[k.Ref()] = true
	return k, nil
}

func (w *platform) remove(ref models.KeyRef) {
	w.keys = slices.DeleteFunc(w.keys, func(k models.APIKey) bool { return k.Ref() == ref })
}

func (w *platform) Verify(_ context.Context, key models.Secret) error {
	w.now = w.now.Add(time.Duration(rapid.IntRange(0, 60).Draw(w.t, "verification")) * time.Second)
	w.use(w.secrets[key.Reveal()])
	w.answer()
	if rapid.IntRange(0, 3).Draw(w.t, "lost") == 0 {
		return failure(models.KindTimeout)
	}
	return nil
}

// Save saves the profile's key, with which this session goes on if it knows that.
func (w *platform) Save(_ context.Context, key models.CreatedAPIKey) (control.Saved, error) {
	saving := rapid.IntRange(0, 5).Draw(w.t, "saving")
	if saving == 0 {
		return control.Saved{}, errors.New("locked")
	}
	w.kept[key.Ref()] = true
	if w.asked.Own {
		w.moved[[2]models.KeyRef{w.asked.Old.Ref(), key.Ref()}] = true
	}
	switch saving {
	case 1:
		return control.Saved{}, control.ErrMaybeSaved
	case 2:
		w.profile = key.Ref()
		return control.Saved{}, control.ErrMaybeSaved
	}
	w.profile, w.own = key.Ref(), key.Ref()
	return control.Saved{}, nil
}

func (w *platform) Pipe(context.Context, string, models.Secret) error { return nil }

// store is the keyring, whose check is not the journal's.
type store struct{ *platform }

func (store) Check(context.Context) error { return nil }

func (w *platform) Check() error {
	if w.full {
		return errors.New("disk full")
	}
	return nil
}

func (w *platform) Open() ([]keys.Record, error) { return keys.Open(w.records), nil }

func (w *platform) Write(r keys.Record) error {
	if w.full {
		w.lossy = true
		return w.Check()
	}
	w.records = append(w.records, r)
	w.open[r.RequestID] = r.Outcome == keys.Trying || r.Outcome == keys.Undecided && r.By == ""
	return nil
}

// start starts pgtower, which knows what the last one saved.
func (w *platform) start() {
	session := driver.NewSession(context.Background(), func() time.Time { return w.now }, feed.MaxBudget)
	w.earlier, w.fails = nil, false
	w.pgtower = &pgtower{
		bench: &bench{}, own: w.profile, shown: map[models.KeyRef]time.Time{}, revoked: map[models.KeyRef]bool{},
		asOf: map[models.ListID]time.Time{}, open: map[string]bool{},
	}
	w.Page = New(session, w, w.account, Options{
		KeyStore: store{w}, Journal: w, Memory: &w.memory, Moment: func() models.Moment { return models.At(w.now) }, QuietFor: w.quiet, OwnID: w.own.ID,
		OwnList: models.Opt[models.ListID]{Value: w.own.List, Known: true},
	})
	w.Bench = driver.NewBench(w.t, w.Page, session)
	w.Do(reader{w.Page}.readRemembered())
	w.Do(w.Shown())
	w.Take()
}

// turn turns to the other pgtower, which shares the memory and the journal of this one.
func (w *platform) turn() {
	w.pgtower, w.second = w.second, w.pgtower
	if w.pgtower == nil {
		w.start()
	}
}

// some returns a key of the service.
func (w *platform) some(t *rapid.T) *models.APIKey {
	if len(w.keys) == 0 {
		t.Skip("there are no keys")
	}
	return &w.keys[rapid.IntRange(0, len(w.keys)-1).Draw(t, "key")]
}

// listed returns a key that pgtower lists.
func (w *platform) listed(t *rapid.T) models.APIKey {
	if w.Page.keys.Len() == 0 {
		t.Skip("no keys are listed")
	}
	return *w.Page.keys.Row(rapid.IntRange(0, w.Page.keys.Len()-1).Draw(t, "key"))
}

// rotation returns the creation of the successor of a key.
func (w *platform) rotation(t *rapid.T, old models.APIKey) *creation {
	if len(w.keys) > 14 {
		t.Skip("there are many keys")
	}
	name := w.Page.keys.successorName(&old, w.session.ServiceNow())
	w.asked = w.newCreation(keys.Change{
		Key: keys.Wanted(name, old.Reach()), Old: old, Own: w.Page.keys.isOwn(&old), Quiet: w.quiet,
		Unrecorded: w.recorder.told(),
	})
	return w.asked
}

// carryOut creates the successor, and hands its secret over more often than not.
func (w *platform) carryOut(t *rapid.T, c *creation) {
	w.Do(c.create())
	if !c.Made.Key.IsZero() && rapid.IntRange(0, 3).Draw(t, "handed over") > 0 {
		w.Do(c.toCommand("store"))
		w.handed[c.Made.Ref()] = true
	}
}

// wait lets minutes pass.
func (w *platform) wait(t *rapid.T) {
	w.now = w.now.Add(time.Duration(rapid.IntRange(0, 90).Draw(t, "minutes")) * time.Minute)
}

// check compares what pgtower says with what it was shown and what happened.
func (w *platform) check(t *rapid.T) {
	all := w.audited()
	for _, k := range w.targets() {
		pair, phase, ok := all.Replaced(k)
		ref := k.Ref()
		switch {
		case !ok || phase != keys.CanGo:
		case w.revoked[ref], w.revoked[pair.Successor.Ref()]:
			t.Fatalf("%s can go, though it or %s was revoked here", k.Name, pair.Successor.Name)
		case w.silent:
			t.Fatalf("%s can go, though the service does not tell", k.Name)
		case w.own.ID != 0 && ref == w.own:
			t.Fatalf("%s can go, though it is the session's", k.Name)
		case w.asOf[k.List].Sub(w.shown[ref]) < w.quiet:
			t.Fatalf("%s can go, though it was shown to be used %s before", k.Name, w.asOf[k.List].Sub(w.shown[ref]))
		case !w.used[pair.Successor.Ref()] && !w.moved[[2]models.KeyRef{ref, pair.Successor.Ref()}]:
			t.Fatalf("%s can go, though only pgtower used %s", k.Name, pair.Successor.Name)
		case pair.Named, pair.Handover.Stage == keys.Nobody:
			t.Fatalf("%s can go, though nothing is known of %s: %+v", k.Name, pair.Successor.Name, pair)
		case pair.Successor.LastUsedAt.Value.Before(k.LastUsedAt.Value.Add(keys.Slack)):
			t.Fatalf("%s can go, though it was used after %s", k.Name, pair.Successor.Name)
		case k.Reach() != pair.Successor.Reach():
			t.Fatalf("%s can go, though %s does not reach the same", k.Name, pair.Successor.Name)
		}
	}
	for ref, name := range w.mine {
		of := func(r keys.Record) bool {
			return r.Name == name && r.OrgID == ref.List.Org && r.Change != keys.Revoke
		}
		denied := func(r keys.Record) bool { return of(r) && r.ID == ref.ID && r.Outcome == keys.Failed }
		if !slices.ContainsFunc(w.records, of) || slices.ContainsFunc(w.records, denied) {
			t.Fatalf("%s was created, and the journal has %+v", name, w.records)
		}
	}
	done := map[string]int{}
	for _, r := range keys.Joined(w.records) {
		at := r.OrgID + "/" + r.Name
		_, here := w.open[r.RequestID] // this pgtower knows nothing of what others requested
		if here && r.Outcome == keys.Done && r.Change != keys.Revoke {
			done[at]++
		}
		if done[at] > w.ever[at] {
			t.Fatalf("%d keys %s were created, and the journal has %+v", w.ever[at], at, w.records)
		}
	}
	w.Take()
}

// rest lets time pass in which only successors are used, and returns the old keys.
func (w *platform) rest() (old []models.KeyRef) {
	w.now = w.now.Add(w.quiet + time.Hour)
	w.reload()
	all := w.audited()
	for _, k := range w.targets() {
		pair, _, ok := all.Replaced(k)
		if ok && pair.Successor != nil && k.Ref() != w.own && pair.Successor.Ref() != w.own {
			old = append(old, k.Ref())
			w.consume(pair.Successor.Ref())
		}
	}
	w.reload()
	return old
}

// revokeKey revokes a key as the dialog would.
func (w *platform) revokeKey(k models.APIKey) {
	if k.Ref() != w.own && w.Page.keys.notRevocable(&k) == "" {
		w.Do(w.revoke(k, w.recorder.told(), nil))
	}
}

// revokeSome revokes keys together, as the dialog would.
func (w *platform) revokeSome(t *rapid.T) {
	all := slices.DeleteFunc(w.targets(), func(k *models.APIKey) bool {
		return k.Ref() == w.own || w.Page.keys.notRevocable(k) != ""
	})
	from := rapid.IntRange(0, len(all)).Draw(t, "first")
	all = all[from:min(from+3, len(all))]
	if len(all) > 1 {
		w.Do(w.startBatch(all, w.recorder.told()))
	}
}

// revokeOfRotation revokes an old key that can go, or its successor.
func (w *platform) revokeOfRotation(t *rapid.T) {
	all, successor := w.audited(), rapid.Bool().Draw(t, "successor")
	for _, k := range w.targets() {
		pair, phase, _ := all.Replaced(k)
		switch {
		case phase != keys.CanGo:
		case successor:
			w.revokeKey(*pair.Successor)
			return
		default:
			w.revokeKey(*k)
			return
		}
	}
}

// rotateElsewhere creates the successor of a key as another pgtower does, of which nothing is remembered here.
func (w *platform) rotateElsewhere(t *rapid.T) {
	old := *w.some(t)
	if len(w.keys) > 14 {
		t.Skip("there are many keys")
	}
	ref := w.add(keys.SuccessorName(old.Name, w.now, func(name string) bool {
		return !slices.ContainsFunc(w.keys, func(k models.APIKey) bool { return k.List == old.List && k.Name == name })
	}), old.Reach())
	w.now = w.now.Add(time.Duration(rapid.IntRange(0, 60).Draw(t, "seconds")) * time.Second)
	w.use(ref)
}

// remembered has pgtower remember a rotation of another account, whose keys have the same ids.
func (w *platform) remembered(t *rapid.T) {
	old, successor := *w.some(t), *w.some(t)
	_, _ = w.memory.Change(func(m *keys.Memory) {
		m.Begin(keys.Rotation{
			Old: old.Ref(), OldCreated: old.CreatedAt.Add(-time.Hour), New: successor.Ref(), Began: w.now, Quiet: time.Hour,
		})
	})
}

// finish lets time pass in which only successors are used: every old key can then go unless pgtower cannot tell its own
// uses of the successor from others, and nothing is unknown that this pgtower asked for.
func (w *platform) finish(t *rapid.T) {
	w.earlier, w.fails, w.full = nil, false, false
	w.rest() // its first list shows uses that prove nothing, of successors that were verified since the last list
	old, all := w.rest(), w.audited()
	for _, k := range w.targets() {
		pair, phase, _ := all.Replaced(k)
		if !slices.Contains(old, k.Ref()) || w.silent {
			continue
		}
		between := w.now.Sub(k.LastUsedAt.Value) < w.quiet // it is a successor, too
		ours := w.kept[pair.Successor.Ref()]
		if !between && !ours && !pair.Named && w.handed[pair.Successor.Ref()] && phase != keys.CanGo {
			t.Fatalf("%s cannot go: %+v", k.Name, pair)
		}
	}
	for id, open := range w.open {
		if open && !w.lossy {
			t.Fatalf("the journal does not know what came of %s, which a list decided: %+v", id, w.records)
		}
	}
	w.check(t)
}

// Whatever happens to keys, answers, pgtower and clocks: no key can go that was seen to be used within its quiet time, nor one
// whose successor only pgtower used, unless pgtower had used the old key. The journal has every key that pgtower created where
// it could be written.
func TestRotationsAreSafe(t *testing.T) {
	t.Parallel()
	of := personal(t)
	rapid.Check(t, func(t *rapid.T) {
		w := &platform{
			t: t, account: of, now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC), last: map[models.ListID]int64{},
			secrets: map[string]models.KeyRef{}, mine: map[models.KeyRef]string{}, used: map[models.KeyRef]bool{},
			kept: map[models.KeyRef]bool{}, moved: map[[2]models.KeyRef]bool{}, handed: map[models.KeyRef]bool{}, ever: map[string]int{},
			silent: rapid.IntRange(0, 9).Draw(t, "silent") == 0,
			quiet:  time.Duration(rapid.IntRange(1, 48).Draw(t, "quiet")) * time.Hour,
		}
		own := []models.KeyRef{{}, w.add("own", models.Reach{}), w.add("own", models.Reach{Org: "acme"})}
		w.profile = rapid.SampledFrom(own).Draw(t, "own")
		for _, reach := range []models.Reach{{}, {Org: "acme"}, {Org: "other", Project: "p1"}} {
			w.add("ci", reach)
		}
		w.use(w.add("busy", models.Reach{}))
		w.start()
		t.Repeat(map[string]func(*rapid.T){
			"time": func(t *rapid.T) {
				w.now = w.now.Add(time.Duration(rapid.IntRange(0, 30*3600).Draw(t, "seconds")) * time.Second)
			},
			"a key is used": func(t *rapid.T) { w.consume(w.some(t).Ref()) },
			"rotate":        func(t *rapid.T) { w.carryOut(t, w.rotation(t, w.listed(t))) },
			"rotate, and again if nothing is known": func(t *rapid.T) {
				c := w.rotation(t, w.listed(t))
				again := *c
				w.fails = true
				w.Do(c.create())
				if c.Made.Key.IsZero() {
					w.Do(again.create())
				}
				w.fails = false
			},
			"rotate the session's key": func(t *rapid.T) {
				k := w.Page.keys.key(w.own)
				if k == nil {
					t.Skip("it is not listed")
				}
				w.carryOut(t, w.rotation(t, *k))
			},
			"rotate, and make the successor the session's later": func(t *rapid.T) {
				c := w.rotation(t, w.listed(t))
				w.carryOut(t, c)
				if c.Made.Key.IsZero() {
					return
				}
				w.wait(t)
				w.Do(c.keep())
				if rapid.Bool().Draw(t, "only the session uses it") {
					w.now = w.now.Add(w.quiet)
					w.reload()
				}
			},
			"rotate, verify again later, and quit before the list": func(t *rapid.T) {
				c := w.rotation(t, w.listed(t))
				w.Do(c.create())
				if c.Made.Key.IsZero() {
					return
				}
				w.wait(t)
				c.Keep()
				_ = c.next()()
				w.start()
			},
			"rotate, and quit before the answer": func(t *rapid.T) {
				_ = w.rotation(t, w.listed(t)).create()()
				w.start()
			},
			"another pgtower rotates":    w.rotateElsewhere,
			"another account":            w.remembered,
			"others revoke":              func(t *rapid.T) { w.remove(w.some(t).Ref()) },
			"others rename":              func(t *rapid.T) { w.some(t).Name += fmt.Sprintf("-renamed-%d", len(w.records)) },
			"revoke":                     func(t *rapid.T) { w.revokeKey(w.listed(t)) },
			"revoke several":             w.revokeSome,
			"only successors are used":   func(*rapid.T) { w.rest() },
			"revoke a key of a rotation": w.revokeOfRotation,
			"restart":                    func(*rapid.T) { w.start() },
			"turn to a second pgtower":   func(*rapid.T) { w.turn() },
			"clock leaps": func(t *rapid.T) {
				w.session.Skew = time.Duration(rapid.IntRange(-72, 72).Draw(t, "ahead")) * time.Hour
			},
			"journal":    func(t *rapid.T) { w.full = rapid.IntRange(0, 3).Draw(t, "full") == 0 },
			"lists fail": func(t *rapid.T) { w.fails = rapid.Bool().Draw(t, "fails") },
			"answers stay behind": func(t *rapid.T) {
				if w.earlier = nil; rapid.Bool().Draw(t, "behind") {
					w.earlier = slices.Clone(w.keys)
				}
			},
			"read": func(*rapid.T) { w.reload() },
			"":     w.check,
		})
		w.finish(t)
	})
}
