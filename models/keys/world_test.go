package keys

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgtower/models"
)

// world is a service within its bounds: a request may be carried out up to a minute after its answer was lost, and lists
// show keys up to eight seconds late, and uses two. On two computers, processes rotate and revoke keys, are killed anywhere,
// and one computer may lose what it remembers. Consumers use keys, and go to a successor or stay; colleagues create keys with
// the names of successors, and revoke others.
type world struct {
	*rand.Rand

	seed    uint64
	now     time.Time
	keys    []*worldKey
	pending []pending
	homes   [2]*home
	busy    bool                  // something uses a key meanwhile
	users   []models.KeyRef       // the keys that consumers use
	handed  map[models.KeyRef]int // the computer that handed the secret of a key over
	sent    map[string]*fate      // of requests, by their ids
	said    map[string]int        // how often each claim was made
}

// worldKey is a key, and what has used it.
type worldKey struct {
	models.APIKey

	revoked time.Time
	uses    []worldUse
}

// worldUse is a use of a key by a computer's pgtower, or by something else: -1.
type worldUse struct {
	at time.Time
	by int
}

// pending is what is carried out later.
type pending struct {
	at   time.Time
	what func()
}

// fate is what becomes of a request.
type fate struct {
	done, later bool
	key         *worldKey // that was created
}

// home is a computer with its state, its journal and a process.
type home struct {
	number  int
	store   *Volatile
	records []Record
	moved   map[[2]models.KeyRef]time.Time // when a process went from an old key to its successor
	*process
}

// process is a run of the program.
type process struct {
	Changes

	own   models.KeyRef // zero: unknown
	uses  Uses
	used  models.KeyRef // the key of its requests
	audit *Audit
	lists map[models.ListID]Listed // as last read
	flows []Flow                   // whose answers were lost, or refused
}

func newWorld(seed uint64) *world {
	w := &world{seed: seed, Rand: rand.New(rand.NewPCG(seed, 47)), now: atNoon(), handed: map[models.KeyRef]int{}, sent: map[string]*fate{}, said: map[string]int{}}
	for _, name := range []string{"ci", "backup", "own-a", "own-b", "web"} {
		w.add(name, models.Reach{})
		w.add(name, []models.Reach{{Org: "acme"}, {Org: "acme", Project: "p"}}[w.IntN(2)])
	}
	for _, k := range w.keys {
		k.CreatedAt = w.now.Add(-time.Duration(1+w.IntN(90)) * day)
	}
	w.users = []models.KeyRef{ref(1), ref(2), ref(5), ref(1), w.keys[1].Ref(), w.keys[3].Ref()}
	for i := range w.homes {
		w.homes[i] = &home{number: i, store: &Volatile{}, moved: map[[2]models.KeyRef]time.Time{}}
		w.start(w.homes[i], ref(int64(3+i)))
	}
	return w
}

// start starts a process, which knows its own key by what is remembered.
func (w *world) start(h *home, key models.KeyRef) {
	h.process = &process{Changes: NewChanges(), used: key, lists: map[models.ListID]Listed{}}
	known, _ := h.store.Load()
	if made := known.Printed(known.Print(secretOf(key))); made != nil {
		h.own = made.Key
		_, _ = h.store.Change(func(m *Memory) { m.Mine(key, made.Created) })
	} else if w.IntN(2) == 0 {
		h.own = key
	}
}

func usedBy(secret models.Secret) models.KeyRef {
	org, number, _ := strings.Cut(strings.TrimPrefix(secret.Reveal(), "napi_"), "_")
	id, _ := strconv.ParseInt(number, 10, 64)
	return models.KeyRef{List: models.ListID{Org: org}, ID: id}
}

func secretOf(key models.KeyRef) models.Secret {
	return models.NewSecret("napi_" + key.List.Org + "_" + strconv.FormatInt(key.ID, 10))
}

func (w *world) one(n int) bool { return w.IntN(n) == 0 }

// upTo returns a time of up to some seconds.
func (w *world) upTo(seconds int) time.Duration {
	return time.Duration(w.Int64N(int64(seconds)*int64(time.Second) + 1))
}

// add adds a key. Ids count from 1 in each list.
func (w *world) add(name string, reach models.Reach) *worldKey {
	k := &worldKey{APIKey: Wanted(name, reach)}
	k.ID, k.CreatedAt = 1, w.now
	for _, other := range w.keys {
		if other.List == k.List {
			k.ID++
		}
	}
	w.keys = append(w.keys, k)
	return k
}

// ever returns a key that there is, or was.
func (w *world) ever(ref models.KeyRef) *worldKey {
	return w.keys[slices.IndexFunc(w.keys, func(k *worldKey) bool { return k.Ref() == ref })]
}

// some returns one of the keys that there are, or were.
func (w *world) some() *worldKey { return w.keys[w.IntN(len(w.keys))] }

func (w *world) key(ref models.KeyRef) *worldKey {
	i := slices.IndexFunc(w.keys, func(k *worldKey) bool { return k.Ref() == ref })
	if i < 0 || !w.keys[i].revoked.IsZero() {
		return nil
	}
	return w.keys[i]
}

// use uses a key, stamped when the request was made or when that was written.
func (w *world) use(ref models.KeyRef, by int) {
	if k := w.key(ref); k != nil {
		k.uses = append(k.uses, worldUse{w.now, by})
	}
}

// pass lets time pass, in which pending requests are carried out, and something may use its key.
func (w *world) pass(d time.Duration) {
	end := w.now.Add(d)
	if !w.busy && d > 0 && w.one(3) {
		w.busy = true
		w.pass(time.Duration(w.Int64N(int64(d))))
		w.use(w.users[w.IntN(len(w.users))], -1)
		w.busy = false
	}
	slices.SortFunc(w.pending, func(a, b pending) int { return a.at.Compare(b.at) })
	for len(w.pending) > 0 && !w.pending[0].at.After(end) {
		next := w.pending[0]
		w.pending = w.pending[1:]
		w.now = later(w.now, next.at)
		next.what()
	}
	w.now = later(w.now, end)
}

// moment bounds the present, as closely as the client can.
func (w *world) moment() models.Moment {
	m := models.Moment{Early: w.now.Add(-w.upTo(2)), Late: w.now.Add(w.upTo(2))}
	switch w.IntN(9) {
	case 0:
		m.Early = m.Early.Add(-2 * day)
	case 1:
		m.Late = time.Time{}
	case 2:
		m = models.Moment{}
	}
	return m
}

// read answers with what one copy of the service's data has of a list.
func (w *world) read(h *home, of models.ListID) []models.APIKey {
	w.pass(w.upTo(2))
	w.use(h.used, h.number)
	entries, uses := w.now.Add(-w.upTo(8)), w.now.Add(-w.upTo(2))
	asOf := w.moment()
	var listed []models.APIKey
	for _, k := range w.keys {
		if k.List != of || k.CreatedAt.After(entries) || !k.revoked.IsZero() && !k.revoked.After(entries) {
			continue
		}
		shown := k.APIKey
		shown.AsOf, shown.LastUsedAt = asOf, models.Opt[time.Time]{Known: true}
		for _, one := range k.uses {
			if !one.at.After(uses) {
				shown.LastUsedAt.Value = one.at.Truncate(time.Second)
			}
		}
		listed = append(listed, shown)
	}
	w.pass(w.upTo(2))
	return listed
}

// request is a request for a change: it is carried out before the answer, later, or never. Only an answer of the API itself
// that refuses proves that it never is.
func (w *world) request(ctx context.Context, carryOut func() bool) error {
	became := &fate{}
	w.sent[models.RequestIDOf(ctx)] = became
	do := func() { became.done, became.later = carryOut(), false }
	w.pass(w.upTo(5))
	kind := w.IntN(6)
	switch kind {
	case 0, 1, 2:
		do()
		w.pass(w.upTo(5))
		return nil
	case 3:
		return failed([]int{400, 403, 422, 423}[w.IntN(4)], models.APIBody)
	}
	err := []error{
		&models.Error{Kind: models.KindTimeout}, failed(409, models.APIBody), failed(408, models.UnknownBody),
		&models.Error{Kind: models.KindNotFound, Status: 404, Body: models.APIBody, Message: "no"},
		&models.Error{Kind: models.KindServer, Status: 504}, &models.Error{Kind: models.KindUnauthorized, Status: 401},
	}[w.IntN(6)]
	switch w.IntN(3) {
	case 0:
		do()
	case 1:
		became.later = true
		w.pass(w.upTo(40))
		w.pending = append(w.pending, pending{w.now.Add(w.upTo(60)), do})
		return err
	}
	w.pass(w.upTo(40))
	return err
}

// client is the service and the journal as a process sees them.
type worldClient struct {
	*world
	*home
}

func (c worldClient) CreateAPIKey(ctx context.Context, name string, reach models.Reach) (made models.CreatedAPIKey, err error) {
	err = c.request(ctx, func() bool {
		isTaken := func(k *worldKey) bool { return k.List == reach.List() && k.Name == name && k.revoked.IsZero() }
		if slices.ContainsFunc(c.keys, isTaken) {
			return false // names are unique
		}
		k := c.add(name, reach)
		c.sent[models.RequestIDOf(ctx)].key = k
		made = models.CreatedAPIKey{List: k.List, ID: k.ID, ProjectID: k.ProjectID, Key: secretOf(k.Ref())}
		if c.one(2) {
			made.CreatedAt = k.CreatedAt
		}
		return true
	})
	if err == nil && made.ID == 0 {
		return made, failed(409, models.UnknownBody)
	}
	if err != nil {
		made = models.CreatedAPIKey{}
	}
	return made, err
}

func (c worldClient) RevokeAPIKey(ctx context.Context, k models.APIKey) (models.APIKey, error) {
	return k, c.request(ctx, func() bool {
		there := c.key(k.Ref())
		if there != nil {
			there.revoked = c.now
		}
		return there != nil
	})
}

func (c worldClient) Check() error { return nil }

func (c worldClient) Open() ([]Record, error) { return Open(c.records), nil }

func (c worldClient) Write(r Record) error {
	c.records = append(c.records, r)
	return nil
}

// load makes a process read a list, or both, and handle them as all faces do.
func (w *world) load(t *testing.T, h *home) {
	t.Helper()
	var read []*Together
	var open []Record
	for _, of := range []models.ListID{{}, {Org: "acme"}} {
		if !w.one(4) {
			w.loadOne(t, h, of)
		}
		list := h.lists[of]
		read = append(read, ReadTogether(of, list.Keys, &list.Memory, 0))
		open = append(open, list.Open...)
	}
	w.checkClaims(t, h)
	h.audit = NewAudit(read, AuditOptions{Own: h.own, Revocations: h.Revocations, Open: OpenKeys(open)})
	w.check(t, h)
}

func (w *world) loadOne(t *testing.T, h *home, of models.ListID) {
	t.Helper()
	asked := w.now
	list := NewListed(of, w.read(h, of), asked)
	h.uses = h.uses.Raise(list.Keys)
	p := w.performer(h)
	p.Take(&list, h.SentIDs())
	decided := h.Decide(list)
	_ = p.Decided(decided.Records)
	for _, r := range decided.Records {
		w.checkRecord(t, r)
	}
	w.said["absent"] += len(decided.Absent)
	w.said["gone"] += len(decided.Gone)
	w.said["appeared"] += len(decided.Found) + len(decided.Left)
	h.lists[of] = list
}

// listed returns a key that a process has listed, with its list.
func (w *world) listed(h *home) (k models.APIKey, list Listed, ok bool) {
	list = h.lists[models.ListID{Org: []string{"", "acme"}[w.IntN(2)]}]
	if len(list.Keys) == 0 {
		return k, list, false
	}
	return list.Keys[w.IntN(len(list.Keys))], list, true
}

// checkRecord fails if the journal has another outcome of a request than the true one.
func (w *world) checkRecord(t *testing.T, r Record) {
	t.Helper()
	became := w.sent[r.RequestID]
	if len(r.RequestID) == 1 {
		t.Fatalf("a list told of a line that cannot be true: %+v", r)
	}
	if became == nil {
		became = &fate{} // the process was killed before it was sent
	}
	switch {
	case r.By == ByList && became.key != nil && !became.key.revoked.IsZero(): // it is absent by now
	case r.Outcome == Failed && (became.done || became.later):
		t.Fatalf("%s of %s is said not to have happened: %+v", r.Change, r.Name, became)
	case r.Outcome == Done && r.Change == Revoke && r.By == ByList && w.key(r.key()) != nil:
		t.Fatalf("%s is said to be revoked", r.Name)
	}
	w.said["journal "+r.Outcome+strings.TrimSuffix(" by "+r.By, " by ")]++
}

// last returns the last use of a key by what counts, as far as the service had shown it.
func (k *worldKey) last(shown time.Time, counts func(by int) bool) (at time.Time) {
	for _, one := range k.uses {
		if !one.at.After(shown) && counts(one.by) {
			at = later(at, one.at)
		}
	}
	return at
}

// check fails if a process claims that a key can go which something needs, as far as the service had shown.
func (w *world) check(t *testing.T, h *home) {
	t.Helper()
	for _, k := range slices.Concat(h.lists[models.ListID{}].Keys, h.lists[models.ListID{Org: "acme"}].Keys) {
		pair, phase, ok := h.audit.Replaced(&k)
		if !ok {
			continue
		}
		w.said[fmt.Sprintf("phase %d", phase)]++
		if phase == CanGo {
			w.checkCanGo(t, h, &pair)
		}
		if phase == NobodyHas {
			if number, handed := w.handed[pair.Successor.Ref()]; handed && number == h.number {
				t.Fatalf("nobody is said to have the secret of %s", pair.Successor.Name)
			}
		}
		isOf := func(r Rotation) bool { return r.Old == k.Ref() && r.Began.Equal(pair.Began) }
		for _, r := range slices.Backward(h.lists[k.List].Memory.Rotations) {
			if phase == Lost && isOf(r) && w.key(r.New) != nil && h.Revocations[r.New].State != Revoked {
				t.Fatalf("the successor of %s is said to be gone", k.Name)
			}
			if isOf(r) {
				break
			}
		}
	}
}

func (w *world) checkCanGo(t *testing.T, h *home, pair *Pair) {
	t.Helper()
	old, next := w.ever(pair.Old.Ref()), w.ever(pair.Successor.Ref())
	shown := h.lists[pair.Old.List].Asked.Add(-2 * time.Second) // what is later, a list need not show
	others := func(by int) bool { return by != h.number }
	anyUse := func(int) bool { return true }
	lastOld := old.last(shown, others)
	lastNext := next.last(w.now, others)
	moved := h.moved[[2]models.KeyRef{pair.Old.Ref(), pair.Successor.Ref()}]
	if !moved.IsZero() && !lastOld.After(moved.Add(Slack)) { // nothing but pgtower needed it
		lastNext = next.last(w.now, anyUse)
	}
	switch {
	case pair.Named:
		t.Fatalf("%s can go by its name", pair.Old.Name)
	case w.now.Sub(lastOld) < pair.Quiet:
		t.Fatalf("%s can go, and was used %s ago", pair.Old.Name, w.now.Sub(lastOld))
	case lastNext.IsZero():
		t.Fatalf("%s can go, and only pgtower used %s: %+v", pair.Old.Name, pair.Successor.Name, next.uses)
	case !lastOld.IsZero() && !lastNext.After(lastOld):
		t.Fatalf("%s can go, and was used after %s", pair.Old.Name, pair.Successor.Name)
	}
}

// performer performs steps for a process.
func (w *world) performer(h *home) *Performer {
	c := worldClient{w, h}
	return &Performer{Service: c, Journal: c, Store: h.store, Clock: func() time.Time { return w.now }, Now: w.moment}
}

// perform performs a task of a flow. It reports whether the process was killed, before or after any of the steps.
func (w *world) perform(t *testing.T, h *home, p *Performer, f *Flow) (killed bool) {
	t.Helper()
	f.start(p.instant())
	for step, ok := f.next(); ok; step, ok = f.next() {
		if w.one(40) && w.killed(h, step.Act) {
			return true
		}
		answer := p.do(t.Context(), f, step)
		if w.one(40) && w.killed(h, step.Act) {
			return true
		}
		f.told(step, answer, p.instant())
	}
	return false
}

// killed kills a process at a step, and starts another one.
func (w *world) killed(h *home, at Act) bool {
	w.said[fmt.Sprintf("killed at %d", at)]++
	w.start(h, h.used)
	return true
}

// rotate creates the successor of a key as a face does, and hands its secret over.
func (w *world) rotate(t *testing.T, h *home) {
	t.Helper()
	old, list, ok := w.listed(h)
	if !ok || len(w.keys) > 40 {
		return
	}
	if w.one(3) { // more often its own
		if i := slices.IndexFunc(list.Keys, func(k models.APIKey) bool { return k.Ref() == h.own }); i >= 0 {
			old = list.Keys[i]
		}
	}
	p := w.performer(h)
	p.Check = func(context.Context) error { return w.fails(9) }
	p.Verify = func(_ context.Context, secret models.Secret) error { return w.verify(h, secret) }
	c := Change{
		Key: Wanted(SuccessorName(old.Name, w.now, list.Lacks), old.Reach()), Before: list.Keys, Old: old, Asked: w.now,
		Quiet: time.Duration(1+w.IntN(30)) * time.Hour, Verify: !w.one(4), To: []string{"", ToFile}[w.IntN(2)],
	}
	if h.own == old.Ref() && h.used == old.Ref() && w.one(2) {
		c.Own, c.Verify, c.To = true, true, ToProfile
	}
	f := p.Begin(c)
	p.HandOver = func(context.Context, *models.CreatedAPIKey) (bool, error) { return w.handOver(h, &f) }
	w.carryOut(t, h, p, &f)
}

// carryOut goes on with a flow as long as it does so by itself, and then as the user says.
func (w *world) carryOut(t *testing.T, h *home, p *Performer, f *Flow) {
	t.Helper()
	process := h.process
	process.Began(f)
	if w.perform(t, h, p, f) {
		return
	}
	process.Told(f)
	if f.NotSent {
		return
	}
	w.checkRecord(t, f.Record)
	if f.Err != nil {
		process.flows = append(process.flows, *f)
	}
	for range 3 {
		for f.Task != Resting {
			if w.perform(t, h, p, f) {
				return
			}
		}
		if f.Err != nil || f.Revoke || f.To != "" && w.one(2) {
			return
		}
		switch w.IntN(4) {
		case 0:
			f.Deliver(ToFile)
		case 1:
			f.Take(ToScreen)
			w.migrate(f.Old.Ref(), f.Made.Ref())
		case 2:
			f.Keep()
		}
	}
}

// fails returns an error one time in n.
func (w *world) fails(n int) error {
	if w.one(n) {
		return &models.Error{Kind: models.KindTimeout}
	}
	return nil
}

// verify verifies a key with up to three requests, each of which may be late.
func (w *world) verify(h *home, secret models.Secret) (lost error) {
	key := usedBy(secret)
	for range 1 + w.IntN(3) {
		w.pass(w.upTo(3))
		w.use(key, h.number)
		if w.one(6) {
			lost = &models.Error{Kind: models.KindTimeout}
			w.pending = append(w.pending, pending{w.now.Add(w.upTo(55)), func() { w.use(key, h.number) }})
		}
	}
	return lost
}

// handOver hands a secret over: something goes to it, or pgtower itself, also where that is not confirmed.
func (w *world) handOver(h *home, f *Flow) (maybe bool, err error) {
	old, key := f.Old.Ref(), f.Made.Ref()
	w.pass(w.upTo(3))
	err = w.fails(6)
	if f.To == ToProfile {
		if err == nil || w.one(2) {
			if f.Own {
				h.moved[[2]models.KeyRef{old, key}] = w.now
			}
			h.used, h.own = key, key
		}
		return true, err
	}
	w.handed[key] = h.number
	w.migrate(old, key)
	return true, err
}

// migrate has some consumers go to another key, sooner or later; the others stay.
func (w *world) migrate(old, key models.KeyRef) {
	for i := range w.users {
		if w.users[i] == old && !w.one(3) {
			w.pending = append(w.pending, pending{w.now.Add(w.upTo(3 * 3600)), func() { w.users[i] = key }})
		}
	}
	if w.one(6) { // it is tried once, and not gone to
		w.pending = append(w.pending, pending{w.now.Add(w.upTo(3600)), func() { w.use(key, -1) }})
	}
}

// revoke revokes a key as a face does.
func (w *world) revoke(t *testing.T, h *home) {
	t.Helper()
	k, _, ok := w.listed(h)
	if !ok || k.Ref() == h.used || h.Revocations[k.Ref()].State == Revoked {
		return
	}
	p := w.performer(h)
	f := p.Begin(Change{Revoke: true, Key: k})
	w.carryOut(t, h, p, &f)
}

// checkClaims fails if a process makes a wrong claim about a change of its own.
func (w *world) checkClaims(t *testing.T, h *home) {
	t.Helper()
	for i := range h.flows {
		f := &h.flows[i]
		claim, became := h.Claim(f), w.sent[f.Record.RequestID]
		w.said[fmt.Sprintf("claim %d", claim.State)]++
		happens := became.done || became.later
		switch {
		case claim.State == Absent && happens && became.key.revoked.IsZero(), claim.State == StillListed && happens, claim.State == Refusal && happens,
			claim.State == NoLonger && w.key(f.Key.Ref()) != nil:
			t.Fatalf("%s of %s: claim %+v, and it became %+v", f.Record.Change, f.Key.Name, claim, became)
		}
	}
}

// tamper makes the memory of a computer untrue, or adds untrue lines to its journal.
func (w *world) tamper(h *home) {
	far := w.now.Add(time.Duration(400+w.IntN(90)) * day) // no history lasts as long
	_, _ = h.store.Change(func(m *Memory) {
		if len(m.Rotations) == 0 {
			return
		}
		r := &m.Rotations[w.IntN(len(m.Rotations))]
		made := &m.Made[w.IntN(len(m.Made))]
		switch w.IntN(9) {
		case 0:
			m.Begin(Rotation{Old: r.New, New: r.Old, OldCreated: made.Created, Began: w.now, Quiet: r.Quiet})
		case 1:
			r.New = r.Old
		case 2:
			r.New.ID = -r.New.ID
		case 3:
			r.Quiet = []time.Duration{0, -time.Hour, maxQuiet + 1}[w.IntN(3)]
		case 4:
			made.Took = -made.Took
		case 5:
			made.First = far
		case 6:
			made.Moved = far
		case 7:
			made.Created = far
		case 8:
			r.New.List.Org = "other"
		}
	})
	some := w.some()
	h.records = append(h.records,
		Record{Change: Revoke, ID: -some.ID, Name: some.Name, OrgID: some.List.Org, RequestID: "a", Outcome: Trying, Sent: w.now},
		Record{Change: "other", ID: some.ID, Name: some.Name, RequestID: "b", Outcome: Trying, Sent: w.now},
		Record{Change: Revoke, ID: some.ID, Name: some.Name, OrgID: some.List.Org, RequestID: "c", Outcome: Trying, Sent: far},
		Record{Change: Created, Name: some.Name, OrgID: some.List.Org, RequestID: "d", Outcome: Trying, Sent: far},
	)
}

// step is one of what happens.
func (w *world) step(t *testing.T) {
	t.Helper()
	h := w.homes[w.IntN(2)]
	switch w.IntN(17) {
	case 16:
		if w.one(4) {
			w.tamper(h)
		}
	case 0, 1:
		w.rotate(t, h)
	case 2:
		w.revoke(t, h)
	case 3:
		w.start(h, h.used)
	case 4:
		if w.one(4) { // what it remembers is lost
			h.store = &Volatile{}
			w.start(h, h.used)
		}
	case 5: // a colleague makes a pair by name
		if base := w.some(); base.revoked.IsZero() && len(w.keys) < 40 {
			name := SuccessorName(base.Name, w.now.Add(time.Duration(w.IntN(9))*day), func(string) bool { return true })
			w.add(name, base.Reach())
		}
	case 6:
		if w.one(4) {
			if k := w.some(); k.revoked.IsZero() && k.Ref() != h.used {
				k.revoked = w.now
			}
		}
	case 7: // another computer begins to work with a key, which is something else here
		if w.one(3) {
			if k := w.some(); k.revoked.IsZero() {
				w.start(h, k.Ref())
			}
		}
	case 8, 9, 10:
		w.use(w.users[w.IntN(len(w.users))], -1)
	case 11, 12:
		w.pass(w.upTo(30 * 3600))
	case 13:
		w.pass(w.upTo(20))
	case 14:
		w.pass(w.upTo(3 * 3600))
	}
	w.load(t, h)
}

// live lets a history happen.
func (w *world) live(t *testing.T) {
	t.Helper()
	defer func() {
		if t.Failed() {
			t.Logf("seed %d", w.seed)
		}
	}()
	for range 60 {
		w.step(t)
	}
}

// Whatever happens within the bounds of the service, no key can go that something needs, as far as the service had shown,
// and nothing is said not to have happened that did or will. Each phase is reached, and each outcome.
func TestWorld(t *testing.T) {
	t.Parallel()
	histories := uint64(1000)
	if checks, err := strconv.ParseUint(os.Getenv("PGTOWER_CHECKS"), 10, 32); err == nil {
		histories = max(histories, 20*checks)
	}
	if testing.Short() {
		histories = 200
	}
	said := map[string]int{}
	for seed := range histories {
		w := newWorld(seed)
		w.live(t)
		for what, n := range w.said {
			said[what] += n
		}
	}
	for phase := UseUnknown; phase <= CanGo; phase++ {
		if said[fmt.Sprintf("phase %d", phase)] == 0 {
			t.Errorf("phase %d is not reached: %v", phase, said)
		}
	}
	for act := doCheck; act <= doHandOver; act++ {
		if said[fmt.Sprintf("killed at %d", act)] == 0 {
			t.Errorf("no process is killed at act %d: %v", act, said)
		}
	}
	for _, state := range []State{Refusal, Unknown, StillListed, NoLonger, Appeared, Absent, Several} {
		if said[fmt.Sprintf("claim %d", state)] == 0 {
			t.Errorf("state %d is not claimed: %v", state, said)
		}
	}
	for _, what := range []string{"gone", "appeared", "absent", "journal failed", "journal failed by list", "journal done by list"} {
		if said[what] == 0 {
			t.Errorf("%s is not reached: %v", what, said)
		}
	}
	t.Log(said)
}
