package apikeys

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/keychange"
	"pgtower/models/rotation"
	"pgtower/ui/page"
)

// platform is a service with keys that consumers use, other people who change them, and a pgtower that is restarted.
type platform struct {
	*bench

	t       *rapid.T
	now     time.Time     // by the service's clock
	ahead   time.Duration // of pgtower's clock
	keys    []models.APIKey
	earlier []models.APIKey // the keys as an answer that is behind shows them
	silent  bool            // it does not tell when keys are used
	fails   bool            // lists are refused
	own     int64           // the session's key, or 0
	quiet   time.Duration
	last    int64

	memory  fakeMemory
	records []keychange.Record
	full    bool                // the journal cannot be written
	mine    map[int64]string    // keys that this pgtower created and could write to the journal
	used    map[int64]bool      // keys that consumers used
	shown   map[int64]time.Time // the last use of each key that this pgtower was shown since it was started
	revoked map[int64]bool      // keys that this pgtower revoked, and that no list has shown since
	asOf    time.Time           // of the last list
}

func (w *platform) key(id int64) *models.APIKey {
	if at := slices.IndexFunc(w.keys, func(k models.APIKey) bool { return k.ID == id }); at >= 0 {
		return &w.keys[at]
	}
	return nil
}

func (w *platform) use(id int64) bool {
	k := w.key(id)
	if k != nil {
		k.LastUsedAt.Value = w.now.Truncate(time.Second)
	}
	return k != nil
}

// answer is the end of a request of pgtower: it tells the service's time.
func (w *platform) answer() {
	w.session.Skew = -w.ahead
	w.use(w.own)
}

func (w *platform) APIKeys(context.Context, models.ListID) ([]models.APIKey, error) {
	w.answer()
	if w.fails {
		return nil, failure(models.KindServer)
	}
	keys := w.keys
	if w.earlier != nil {
		keys = w.earlier
	}
	all := slices.Clone(keys)
	for i := range all {
		k := &all[i]
		k.AsOf = w.now
		if w.silent {
			k.LastUsedAt.Value = time.Time{}
		}
		if k.LastUsedAt.Value.After(w.shown[k.ID]) {
			w.shown[k.ID] = k.LastUsedAt.Value
		}
		delete(w.revoked, k.ID) // it is listed nevertheless
	}
	w.asOf = w.now
	return all, nil
}

// add adds a key, as another program or this one created it.
func (w *platform) add(name string) int64 {
	w.last++
	k := models.APIKey{ID: w.last, Name: name, CreatedAt: w.now}
	k.LastUsedAt.Known = true
	w.keys = append(w.keys, k)
	return w.last
}

// created adds a key that this pgtower creates.
func (w *platform) created(name string) int64 {
	id := w.add(name)
	if !w.full {
		w.mine[id] = name
	}
	return id
}

func (w *platform) CreateAPIKey(_ context.Context, name string, _ models.Reach) (models.CreatedAPIKey, error) {
	w.answer()
	lost := failure(models.KindTimeout)
	switch rapid.IntRange(0, 4).Draw(w.t, "creation") {
	case 0:
		return models.CreatedAPIKey{}, lost
	case 1:
		w.created(name)
		return models.CreatedAPIKey{}, lost
	}
	id := w.created(name)
	return models.CreatedAPIKey{ID: id, Key: models.NewSecret("napi_" + strconv.FormatInt(id, 10))}, nil
}

func (w *platform) RevokeAPIKey(_ context.Context, k models.APIKey) (models.APIKey, error) {
	w.answer()
	carriedOut := rapid.Bool().Draw(w.t, "carried out")
	if carriedOut {
		w.remove(k.ID)
	}
	if !carriedOut || rapid.Bool().Draw(w.t, "lost") {
		return k, failure(models.KindTimeout)
	}
	w.revoked[k.ID] = true
	return k, nil
}

func (w *platform) remove(id int64) {
	w.keys = slices.DeleteFunc(w.keys, func(k models.APIKey) bool { return k.ID == id })
}

func (w *platform) Verify(_ context.Context, key models.Secret) error {
	w.now = w.now.Add(time.Duration(rapid.IntRange(0, 60).Draw(w.t, "verification")) * time.Second)
	id, _ := strconv.ParseInt(strings.TrimPrefix(key.Reveal(), "napi_"), 10, 64)
	w.use(id)
	w.answer()
	if rapid.IntRange(0, 3).Draw(w.t, "lost") == 0 {
		return failure(models.KindTimeout)
	}
	return nil
}

func (w *platform) Pipe(context.Context, string, models.Secret) error         { return nil }
func (w *platform) Save(context.Context, models.CreatedAPIKey) (Saved, error) { return Saved{}, nil }

// store is the keyring, whose check is not the journal's.
type store struct{ *platform }

func (store) Check(context.Context) error { return nil }

func (w *platform) Check() error {
	if w.full {
		return errors.New("disk full")
	}
	return nil
}

func (w *platform) Write(r keychange.Record) error {
	if w.full {
		return w.Check()
	}
	w.records = append(w.records, r)
	return nil
}

// start starts pgtower, which knows what the last one saved.
func (w *platform) start() {
	session := page.NewSession(context.Background(), 1, func() time.Time { return w.now.Add(w.ahead) })
	w.shown, w.revoked, w.earlier, w.fails = map[int64]time.Time{}, map[int64]bool{}, nil, false
	w.bench = &bench{}
	session.Skew = -w.ahead
	w.Page = New(session, w, account.New(account.Options{}), Options{
		KeyStore: store{w}, Journal: w, Rotations: &w.memory, QuietFor: w.quiet, OwnID: w.own,
		OwnList: models.Opt[models.ListID]{Known: true},
	})
	w.do(w.begin())
	w.do(w.Shown())
	w.effects = nil
}

// some returns a key of the service.
func (w *platform) some(t *rapid.T) *models.APIKey {
	if len(w.keys) == 0 {
		t.Skip("there are no keys")
	}
	return &w.keys[rapid.IntRange(0, len(w.keys)-1).Draw(t, "key")]
}

// rotation returns the creation of a successor of one of the keys that pgtower lists.
func (w *platform) rotation(t *rapid.T) *creation {
	if w.Page.keys.Len() == 0 || len(w.keys) > 12 {
		t.Skip("nothing to rotate")
	}
	old := *w.Page.keys.Row(rapid.IntRange(0, w.Page.keys.Len()-1).Draw(t, "key"))
	name := w.Page.keys.successorName(&old, w.session.ServiceNow())
	return &creation{page: w.Page, name: name, old: old, quiet: w.quiet, told: w.recorder.told()}
}

// check compares what pgtower says with what it was shown and what happened.
func (w *platform) check(t *rapid.T) {
	all := w.audited()
	for _, k := range w.targets() {
		pair, phase, ok := all.Replaced(k)
		switch {
		case !ok || phase != rotation.CanGo:
		case w.revoked[k.ID], w.revoked[pair.Successor.ID]:
			t.Fatalf("%s can go, though it or %s was revoked here", k.Name, pair.Successor.Name)
		case w.silent:
			t.Fatalf("%s can go, though the service does not tell", k.Name)
		case k.ID == w.own:
			t.Fatalf("%s can go, though it is the session's", k.Name)
		case w.asOf.Sub(w.shown[k.ID]) < w.quiet:
			t.Fatalf("%s can go, though it was shown to be used %s before", k.Name, w.asOf.Sub(w.shown[k.ID]))
		case !w.used[pair.Successor.ID]:
			t.Fatalf("%s can go, though only pgtower used %s", k.Name, pair.Successor.Name)
		}
	}
	for id, name := range w.mine {
		of := func(r keychange.Record) bool { return r.Name == name && r.Change != keychange.Revoke }
		denied := func(r keychange.Record) bool { return of(r) && r.ID == id && r.Outcome == keychange.Failed }
		if !slices.ContainsFunc(w.records, of) || slices.ContainsFunc(w.records, denied) {
			t.Fatalf("%s was created, and the journal has %+v", name, w.records)
		}
	}
	w.effects = nil
}

// rest lets time pass in which only successors are used, and returns the old keys.
func (w *platform) rest() (old []int64) {
	w.now = w.now.Add(w.quiet + time.Hour)
	w.do(w.load())
	all := w.audited()
	for _, k := range w.targets() {
		pair, _, ok := all.Replaced(k)
		if ok && pair.Successor != nil && k.ID != w.own {
			old = append(old, k.ID)
			w.used[pair.Successor.ID] = w.use(pair.Successor.ID) || w.used[pair.Successor.ID]
		}
	}
	w.do(w.load())
	return old
}

// revokeKey revokes a key as the dialog would.
func (w *platform) revokeKey(k models.APIKey) {
	if k.ID != w.own && w.Page.keys.notRevocable(&k) == "" {
		w.do(w.revoke(k, w.recorder.told(), nil))
	}
}

// finish lets time pass in which only successors are used: every old key can then go.
func (w *platform) finish(t *rapid.T) {
	w.earlier, w.fails, w.ahead = nil, false, 0
	old, all := w.rest(), w.audited()
	for _, k := range w.targets() {
		pair, phase, _ := all.Replaced(k)
		between := slices.Contains(old, k.ID) && w.now.Sub(k.LastUsedAt.Value) < w.quiet // it is a successor, too
		if slices.Contains(old, k.ID) && !between && !w.silent && phase != rotation.CanGo {
			t.Fatalf("%s cannot go: %+v", k.Name, pair)
		}
	}
	w.check(t)
}

// Whatever happens to keys, answers, pgtower and clocks: no key can go that was shown to be used within the quiet time, or
// whose successor only pgtower used, and the journal has every key that pgtower created where it could be written.
func TestRotationsAreSafe(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := &platform{
			t: t, now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC), mine: map[int64]string{}, used: map[int64]bool{},
			silent: rapid.IntRange(0, 9).Draw(t, "silent") == 0, own: rapid.Int64Range(0, 1).Draw(t, "own"),
			quiet: time.Duration(rapid.IntRange(1, 48).Draw(t, "quiet")) * time.Hour,
		}
		for _, name := range []string{"own", "ci", "other"} {
			w.add(name)
		}
		w.use(w.add("busy"))
		w.start()
		t.Repeat(map[string]func(*rapid.T){
			"time": func(t *rapid.T) {
				w.now = w.now.Add(time.Duration(rapid.IntRange(0, 30*3600).Draw(t, "seconds")) * time.Second)
			},
			"a key is used": func(t *rapid.T) {
				k := w.some(t)
				w.used[k.ID] = w.use(k.ID)
			},
			"rotate": func(t *rapid.T) { w.do(w.rotation(t).create()) },
			"rotate, verify again later, and quit before the list": func(t *rapid.T) {
				c := w.rotation(t)
				w.do(c.create())
				if c.key.Key.IsZero() {
					return
				}
				w.now = w.now.Add(time.Duration(rapid.IntRange(0, 90).Draw(t, "minutes")) * time.Minute)
				_ = c.check()()
				w.start()
			},
			"rotate, and quit before the answer": func(t *rapid.T) {
				_ = w.rotation(t).create()()
				w.start()
			},
			"another pgtower rotates": func(t *rapid.T) {
				old := w.some(t)
				if len(w.keys) > 12 {
					t.Skip("enough")
				}
				id := w.add(rotation.SuccessorName(old.Name, w.now, func(name string) bool {
					return !slices.ContainsFunc(w.keys, func(k models.APIKey) bool { return k.Name == name })
				}))
				w.now = w.now.Add(time.Duration(rapid.IntRange(0, 60).Draw(t, "seconds")) * time.Second)
				w.use(id)
			},
			"others revoke": func(t *rapid.T) { w.remove(w.some(t).ID) },
			"others rename": func(t *rapid.T) { w.some(t).Name += fmt.Sprintf("-renamed-%d", len(w.records)) },
			"revoke": func(t *rapid.T) {
				if w.Page.keys.Len() == 0 {
					t.Skip("nothing to revoke")
				}
				w.revokeKey(*w.Page.keys.Row(rapid.IntRange(0, w.Page.keys.Len()-1).Draw(t, "key")))
			},
			"only successors are used": func(*rapid.T) { w.rest() },
			"revoke a key of a rotation": func(t *rapid.T) {
				all, successor := w.audited(), rapid.Bool().Draw(t, "successor")
				for _, k := range w.targets() {
					pair, phase, _ := all.Replaced(k)
					switch {
					case phase != rotation.CanGo:
					case successor:
						w.revokeKey(*pair.Successor)
						return
					default:
						w.revokeKey(*k)
						return
					}
				}
			},
			"restart":     func(*rapid.T) { w.start() },
			"clock leaps": func(t *rapid.T) { w.ahead = time.Duration(rapid.IntRange(-72, 72).Draw(t, "ahead")) * time.Hour },
			"journal":     func(t *rapid.T) { w.full = rapid.IntRange(0, 3).Draw(t, "full") == 0 },
			"lists fail":  func(t *rapid.T) { w.fails = rapid.Bool().Draw(t, "fails") },
			"answers stay behind": func(t *rapid.T) {
				if w.earlier = nil; rapid.Bool().Draw(t, "behind") {
					w.earlier = slices.Clone(w.keys)
				}
			},
			"read": func(*rapid.T) { w.do(w.load()) },
			"":     w.check,
		})
		w.finish(t)
	})
}
