package keys

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgtower/models"
)

// sharedLog is a file of uses for several watchers.
type sharedLog struct{ lines []Seen }

// logReader is a watcher's place in the file.
type logReader struct {
	*sharedLog

	read int
}

func (r *logReader) Read() ([]Seen, error) {
	since := r.lines[r.read:]
	r.read = len(r.lines)
	return since, nil
}

func (r *logReader) Append(wanted func([]Seen, bool) []Seen) error {
	since, _ := r.Read()
	r.lines = append(r.lines, wanted(since, false)...)
	r.read = len(r.lines)
	return nil
}

// usesWorld is a list of keys that jobs use, and two programs that watch it at times.
type usesWorld struct {
	*rand.Rand

	seed     uint64
	now      time.Time
	keys     []*usedKey
	memory   Memory
	file     sharedLog
	watchers [2]*Watcher // nil: the program does not run
	lag      time.Duration
	torn     bool
	events   []Event
	shown    map[int64]map[string]bool // the addresses that lists have shown
	said     map[string]int
}

type usedKey struct {
	models.APIKey

	revoked time.Time
	made    bool // by pgtower
	uses    []Stamp
}

func newUsesWorld(seed uint64) *usesWorld {
	w := &usesWorld{
		seed: seed, Rand: rand.New(rand.NewPCG(seed, 53)), now: atNoon().Add(-45 * day), said: map[string]int{},
		shown: map[int64]map[string]bool{},
	}
	begin := w.now
	for i, job := range []func(*usedKey){w.daily, w.weekly, w.always, w.bursts, w.rarely, w.moving, w.never, w.daily} {
		k := &usedKey{APIKey: models.APIKey{ID: int64(i + 1), Name: fmt.Sprint("key-", i+1), CreatedAt: begin.Add(-100 * day)}}
		if i == 7 { // it is created later
			k.CreatedAt, k.made = begin.Add(time.Duration(w.IntN(40))*day+w.upTo(86400)), w.IntN(2) == 0
		}
		job(k)
		slices.SortFunc(k.uses, func(a, b Stamp) int { return a.At.Compare(b.At) })
		w.keys = append(w.keys, k)
	}
	if w.IntN(2) == 0 {
		w.keys[3].revoked = begin.Add(time.Duration(20+w.IntN(20)) * day)
	}
	if w.keys[7].made {
		w.memory.Add(Made{Key: w.keys[7].Ref(), Created: w.keys[7].CreatedAt, Took: time.Second})
	}
	w.memory.Add(Made{Key: w.keys[2].Ref(), Took: time.Second, First: begin.Add(-day), Handover: Handover{Handed, ToFile}})
	w.memory.Begin(Rotation{
		Old: w.keys[4].Ref(), OldCreated: w.keys[4].CreatedAt, New: w.keys[2].Ref(), Began: begin.Add(-day), Quiet: day,
	})
	w.lag = []time.Duration{0, time.Second, time.Minute, 30 * time.Hour}[w.IntN(4)]
	return w
}

func (w *usesWorld) upTo(seconds int) time.Duration {
	return time.Duration(w.Int64N(int64(seconds)*int64(time.Second) + 1))
}

// add adds a use, if the key existed.
func (k *usedKey) add(at time.Time, from string) {
	if at.After(k.CreatedAt.Add(time.Second)) {
		k.uses = append(k.uses, Stamp{at, from})
	}
}

// every adds uses at a time of each day for which on holds.
func (w *usesWorld) every(k *usedKey, on func(n int) bool, uses int) {
	hour := w.upTo(86400)
	for n := range 60 {
		for i := range uses {
			if on(n) {
				k.add(w.now.Add(time.Duration(n-10)*day+hour+time.Duration(i)*time.Minute+w.upTo(1500)), "192.0.2.1")
			}
		}
	}
}

func (w *usesWorld) daily(k *usedKey) { w.every(k, func(int) bool { return true }, 1+w.IntN(3)) }

func (w *usesWorld) weekly(k *usedKey) { w.every(k, func(n int) bool { return n%7 == 3 }, 1+w.IntN(3)) }

func (w *usesWorld) always(k *usedKey) {
	for at := w.now.Add(-day); at.Before(w.now.Add(50 * day)); at = at.Add(time.Minute + w.upTo(1800)) {
		k.add(at, "192.0.2.2")
	}
}

func (w *usesWorld) bursts(k *usedKey) {
	for at := w.now.Add(-day); at.Before(w.now.Add(50 * day)); at = at.Add(w.upTo(200_000)) {
		for range w.IntN(30) {
			at = at.Add(w.upTo(60))
			k.add(at, "192.0.2.3")
		}
	}
}

func (w *usesWorld) rarely(k *usedKey) {
	for at := w.now.Add(-30 * day); at.Before(w.now.Add(50 * day)); at = at.Add(day + w.upTo(900_000)) {
		k.add(at, "192.0.2.4")
	}
}

// moving is used from more and more addresses.
func (w *usesWorld) moving(k *usedKey) {
	n := 1
	for at := w.now.Add(-day); at.Before(w.now.Add(50 * day)); at = at.Add(w.upTo(40_000)) {
		if w.IntN(20) == 0 && n < 9 {
			n++
		}
		k.add(at, fmt.Sprintf("198.51.100.%d", 1+w.IntN(n)))
	}
}

func (w *usesWorld) never(*usedKey) {}

// list returns the list as a copy shows it that may be late: with uses by two seconds, with entries by eight.
func (w *usesWorld) list() *Listed {
	early := w.now
	if w.lag > 0 {
		early = early.Add(-time.Duration(w.Int64N(int64(w.lag))))
	}
	uses, entries, list := w.now.Add(-w.upTo(2)), w.now.Add(-w.upTo(8)), &Listed{Memory: w.memory}
	for _, k := range w.keys {
		if k.CreatedAt.After(entries) || !k.revoked.IsZero() && k.revoked.Before(entries) {
			continue
		}
		one := k.APIKey
		one.LastUsedAt.Known = w.IntN(300) > 0
		at, _ := slices.BinarySearchFunc(k.uses, uses, func(s Stamp, t time.Time) int { return s.At.Compare(t) })
		if at > 0 && one.LastUsedAt.Known {
			one.LastUsedAt.Value, one.LastUsedFromAddr = k.uses[at-1].At, k.uses[at-1].From
		}
		one.AsOf = models.Moment{Early: early}
		list.Keys = append(list.Keys, one)
	}
	list.AsOf = models.Moment{Early: early}
	return list
}

// look lets a program that runs look at the list, as it tells and shows it.
func (w *usesWorld) look(t *testing.T, i int) {
	t.Helper()
	list := w.list()
	together := ReadTogether(models.ListID{}, list.Keys, &w.memory, 0)
	audit := NewAudit([]*Together{together}, AuditOptions{Limits: DefaultLimits()})
	usages, events, err := w.watchers[i].Take(Sight{Place: ListPlace{Host: "h"}, List: list, Audit: audit})
	if err != nil {
		t.Fatal(err)
	}
	w.expect(t, list, events)
	w.events = append(w.events, events...)
	if w.IntN(50) == 0 {
		for n := range list.Keys {
			w.check(t, usages.Of(&list.Keys[n]))
		}
	}
	for n := range list.Keys {
		k := &list.Keys[n]
		_, phase, replaced := audit.Replaced(k)
		if u := usages.Of(k); replaced && phase == CanGo && (u.told(CanGoNow) == nil || !u.holds(*u.told(CanGoNow))) {
			t.Errorf("that %s can go is not told", k.Name)
		}
	}
}

// expect compares the new addresses that are told with those that lists show.
func (w *usesWorld) expect(t *testing.T, list *Listed, events []Event) {
	t.Helper()
	for i := range list.Keys {
		k := &list.Keys[i]
		from := k.LastUsedFromAddr
		known := w.shown[k.ID]
		isNew := from != "" && len(known) > 0 && !known[from]
		told := slices.ContainsFunc(events, func(e Event) bool { return e.Kind == NewAddress && e.Key.ID == k.ID })
		if told && !isNew && !w.torn || isNew && !told {
			t.Errorf("%s: new address %s is told: %v", k.Name, from, told)
		}
		if known == nil && from != "" {
			known = map[string]bool{}
			w.shown[k.ID] = known
		}
		if from != "" {
			known[from] = true
		}
		if isNew {
			w.said["new address"]++
		}
	}
}

// check compares what is said of a key with its uses.
func (w *usesWorld) check(t *testing.T, u *Usage) {
	t.Helper()
	k := w.keys[u.Ref.ID-1]
	within := func(begin, end time.Time) int { // without its ends
		at := func(t time.Time) int {
			n, _ := slices.BinarySearchFunc(k.uses, t, func(s Stamp, t time.Time) int { return s.At.Compare(t) })
			return n
		}
		return max(0, at(earlier(end, w.now))-at(begin.Add(1)))
	}
	for i, cell := range u.Strip(30, w.now, time.UTC) {
		day := dayOf(w.now, i-29, time.UTC)
		n := within(day.Begin.Add(-1), day.End)
		if cell == UnusedDay && n > 0 || cell == UsedDay && n == 0 || cell == NoDay && !k.CreatedAt.After(day.Begin) {
			t.Errorf("%s: cell %d of %s with %d uses", k.Name, cell, day.Begin, n)
		}
		w.said[fmt.Sprint("cell ", cell)]++
	}
	for _, span := range append(slices.Clone(u.Unused), Span{u.since(), u.Proven}) {
		if n := within(span.Begin, span.End); n > 0 {
			t.Errorf("%s: %d uses in %s, which is unused", k.Name, n, span)
		}
	}
	if p := u.Pause; within(p.Begin, p.End.Add(-p.length()/20)) > 0 {
		t.Errorf("%s: used in the pause %v", k.Name, p)
	}
	if u.Watched() > w.now.Sub(u.First) {
		t.Errorf("%s: watched for %s since %s", k.Name, u.Watched(), u.First)
	}
	w.checkHabit(t, k, u)
}

// checkHabit compares a pattern with all uses on the days that were watched.
func (w *usesWorld) checkHabit(t *testing.T, k *usedKey, u *Usage) {
	t.Helper()
	h, ok := u.Habit(w.now, time.UTC)
	if !ok {
		return
	}
	var uses []Stamp
	for i := 1; i <= habitDays; i++ {
		day := dayOf(w.now, -i, time.UTC)
		some := 0
		for _, use := range k.uses {
			if use.At.Before(day.Begin) || !use.At.Before(day.End) {
				continue
			}
			some++
			if u.covered(day) {
				uses = append(uses, use)
			}
		}
		if !h.Weekly && some == 0 {
			t.Errorf("%s: no use on %s, %s", k.Name, day.Begin, h.Words(w.now))
		}
	}
	for _, use := range uses { // one that was missed came shortly before one that was seen
		off := clockOf(use.At, time.UTC) - clockOf(h.About, time.UTC)
		off = (off+36*time.Hour)%(24*time.Hour) - 12*time.Hour
		if off > time.Hour || off < -3*time.Hour {
			t.Errorf("%s: used at %s, %s", k.Name, use.At, h.Words(w.now))
		}
	}
	w.said[fmt.Sprint("weekly ", h.Weekly)]++
}

// live lets six weeks go by.
func (w *usesWorld) live(t *testing.T) {
	t.Helper()
	end := w.now.Add(44 * day)
	pause := []time.Duration{5 * time.Minute, 20 * time.Minute, time.Hour}[w.IntN(3)]
	for w.now.Before(end) && !t.Failed() {
		for i := range w.watchers {
			switch {
			case w.watchers[i] == nil && w.IntN(20) == 0:
				w.watchers[i] = NewWatcher(&logReader{sharedLog: &w.file})
			case w.watchers[i] == nil:
			case w.IntN(600) == 0:
				if w.IntN(2) == 0 { // else it is killed
					_ = w.watchers[i].Close()
				}
				w.watchers[i] = nil
			default:
				w.look(t, i)
			}
			w.now = w.now.Add(w.upTo(30))
		}
		if len(w.file.lines) > 50 && w.IntN(2000) == 0 && w.seed%3 == 0 {
			w.tear()
		}
		w.now = w.now.Add(pause)
	}
}

// tear loses a line. Programs that run know it nevertheless.
func (w *usesWorld) tear() {
	w.torn = true
	at := w.IntN(len(w.file.lines))
	w.file.lines[at] = Seen{ListPlace: ListPlace{Host: "nowhere"}}
}

// Whatever the uses are, and whenever something watches: no day is shown as unused on which the key was used, no pattern is
// claimed that the uses do not have, and each event is told once, also by two programs.
func TestUses(t *testing.T) {
	t.Parallel()
	histories := uint64(8)
	if checks, err := strconv.ParseUint(os.Getenv("PGTOWER_CHECKS"), 10, 32); err == nil {
		histories = max(histories, checks)
	}
	if testing.Short() {
		histories = 4
	}
	said := map[string]int{}
	for seed := range histories {
		w := newUsesWorld(seed)
		w.live(t)
		w.once(t)
		for what, n := range w.said {
			said[what] += n
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	for _, what := range []string{
		"cell 0", "cell 1", "cell 2", "cell 3", "weekly false", "weekly true", "new address", "event can-go", "event used-again",
		"event new-address", "event new-key",
	} {
		if said[what] == 0 {
			t.Errorf("%s is not reached: %v", what, said)
		}
	}
	t.Log(said)
}

// once checks that no event was told twice or missed.
func (w *usesWorld) once(t *testing.T) {
	t.Helper()
	told := map[string]bool{}
	canGo, newKeys := time.Time{}, 0
	for _, e := range w.events {
		id := fmt.Sprint(e.Kind, e.Key.ID, e.Told.Use, e.Told.From)
		if told[id] && !w.torn {
			t.Errorf("%v of %s is told twice: %v", e.Kind, e.Key.Name, e.Told)
		}
		told[id] = true
		w.said["event "+e.Kind.String()]++
		switch e.Kind {
		case CanGoNow:
			canGo = e.Told.Use
		case UsedAgain:
			if canGo.IsZero() || !e.Told.Use.After(canGo) {
				t.Errorf("%s is used again at %s, and could go as of %s", e.Key.Name, e.Told.Use, canGo)
			}
			canGo = time.Time{}
		case NewKey:
			newKeys++
			if k := w.keys[e.Key.ID-1]; e.Key.ID != 8 || k.made {
				t.Errorf("%s is new", k.Name)
			}
		default:
		}
	}
	k := w.keys[7]
	seenBefore := slices.ContainsFunc(w.file.lines, func(s Seen) bool { return s.Read.Before(k.CreatedAt) && !s.Read.IsZero() })
	seen := slices.ContainsFunc(w.file.lines, func(s Seen) bool { return s.ID == 8 })
	if want := !k.made && seenBefore && seen; (newKeys == 1) != want && !w.torn && w.lag == 0 {
		t.Errorf("the new key is told %d times, by pgtower: %v", newKeys, k.made)
	}
}
