package rotation

import (
	"slices"
	"testing"
	"time"

	"pgtower/models"

	"pgregory.net/rapid"
)

// world is a service with an old key and perhaps its successor, their consumers, and pgtower.
type world struct {
	now       time.Time // by the service's clock
	keys      []models.APIKey
	used      bool // a consumer used the successor
	oldUsed   time.Time
	silent    bool // the service does not tell when keys are used
	memory    []Memory
	verifying bool // the successor was verified, and its list was not read since
}

func (w *world) key(id int64) *models.APIKey {
	if at := slices.IndexFunc(w.keys, func(k models.APIKey) bool { return k.ID == id }); at >= 0 {
		return &w.keys[at]
	}
	return nil
}

func (w *world) use(id int64) bool {
	k := w.key(id)
	if k == nil {
		return false
	}
	k.LastUsedAt.Value = w.now.Truncate(time.Second)
	return true
}

// list returns the keys as the service shows them.
func (w *world) list() []models.APIKey {
	shown := slices.Clone(w.keys)
	for i := range shown {
		shown[i].AsOf = w.now
		if w.silent {
			shown[i].LastUsedAt.Value = time.Time{}
		}
	}
	return shown
}

// rotate creates the successor, and verifies it at once or not.
func (w *world) rotate(t *rapid.T, quiet time.Duration) {
	old := w.key(1)
	name := SuccessorName(old.Name, w.now, func(name string) bool {
		return !slices.ContainsFunc(w.keys, func(k models.APIKey) bool { return k.Name == name })
	})
	successor := models.APIKey{ID: 2, Name: name, CreatedAt: w.now}
	successor.LastUsedAt.Known = true
	w.keys = append(w.keys, successor)
	if rapid.Bool().Draw(t, "remembered") {
		w.memory = []Memory{{Old: old.Ref(), OldCreated: old.CreatedAt, Successor: successor.Ref(), Began: w.now, Quiet: quiet}}
	}
	if rapid.Bool().Draw(t, "verified at once") {
		w.now = w.now.Add(time.Duration(rapid.IntRange(0, 60).Draw(t, "seconds")) * time.Second)
		w.verify()
	}
}

// verify uses the successor as pgtower does: what it remembers covers that before it happens.
func (w *world) verify() {
	if len(w.memory) > 0 {
		w.memory[0].Mark = w.now.Add(Verifying)
	}
	w.verifying = w.use(2)
}

// read is a read of the list by pgtower. It sets the mark after a verification.
func (w *world) read() []models.APIKey {
	shown := w.list()
	if len(w.memory) > 0 && w.verifying {
		if k := w.key(2); k != nil {
			w.memory[0].Mark = Mark(w.now, k)
		}
		w.verifying = false
	}
	return shown
}

// A key is never said to be able to go that was used within the quiet time, nor one whose successor only pgtower used.
func TestNoKeyInUseCanGo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		quiet := time.Duration(rapid.IntRange(1, 48).Draw(t, "quiet")) * time.Hour
		w := &world{now: atNoon(), silent: rapid.IntRange(0, 9).Draw(t, "silent") == 0}
		old := models.APIKey{ID: 1, Name: "ci", CreatedAt: atNoon().Add(-100 * day)}
		old.LastUsedAt.Known = true
		other := models.APIKey{ID: 3, Name: "other", CreatedAt: atNoon().Add(-200 * day)}
		other.LastUsedAt = models.Opt[time.Time]{Value: atNoon(), Known: true}
		w.keys = []models.APIKey{old, other}
		t.Repeat(map[string]func(*rapid.T){
			"time": func(t *rapid.T) {
				w.now = w.now.Add(time.Duration(rapid.IntRange(0, 30*3600).Draw(t, "seconds")) * time.Second)
			},
			"the old key is used": func(*rapid.T) {
				if w.use(1) {
					w.oldUsed = w.now.Truncate(time.Second)
				}
			},
			"the successor is used": func(*rapid.T) { w.used = w.use(2) || w.used },
			"rotate": func(t *rapid.T) {
				if w.key(1) == nil || w.key(2) != nil {
					t.Skip("nothing to rotate")
				}
				w.rotate(t, quiet)
				w.used = false
			},
			"verify again": func(t *rapid.T) {
				if len(w.memory) == 0 {
					t.Skip("not by this pgtower")
				}
				w.verify()
			},
			"somebody revokes": func(t *rapid.T) {
				id := rapid.Int64Range(1, 2).Draw(t, "id")
				w.keys = slices.DeleteFunc(w.keys, func(k models.APIKey) bool { return k.ID == id })
			},
			"somebody renames": func(t *rapid.T) {
				if k := w.key(rapid.Int64Range(1, 2).Draw(t, "id")); k != nil && len(w.memory) > 0 {
					k.Name += "-renamed"
				}
			},
			"the state is lost": func(*rapid.T) {
				if k := w.key(2); k != nil && w.now.Sub(k.CreatedAt) < Verifying {
					w.memory, w.verifying = nil, false
				}
			},
			"": func(t *rapid.T) {
				for _, p := range Find(w.read(), w.memory, quiet) {
					phase := p.Phase(models.KeyRef{})
					switch {
					case phase != CanGo:
					case w.silent:
						t.Fatal("it can go, though the service does not tell")
					case w.now.Sub(w.oldUsed) < quiet:
						t.Fatalf("it can go, though it was used %s ago", w.now.Sub(w.oldUsed))
					case !w.used:
						t.Fatal("it can go, though only pgtower used its successor")
					}
				}
			},
		})
	})
}
