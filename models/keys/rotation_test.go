package keys

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
)

func atNoon() time.Time { return time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC) }

func TestSuccessorNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ö", models.MaxAPIKeyName)
	for _, c := range []struct {
		old, want string
		taken     []string
	}{
		{"ci-deploy", "ci-deploy-20261123", nil},
		{"ci-deploy-20250101", "ci-deploy-20261123", nil},
		{"ci-deploy-20261123", "ci-deploy-20261123-2", []string{"ci-deploy-20261123"}},
		{"ci-deploy-20261123-2", "ci-deploy-20261123-3", []string{"ci-deploy-20261123", "ci-deploy-20261123-2"}},
		{"build-99999999", "build-99999999-20261123", nil},
		{long, long[:2*(models.MaxAPIKeyName-9)] + "-20261123", nil},
		{long, long[:2*(models.MaxAPIKeyName-11)] + "-20261123-2", []string{long[:2*(models.MaxAPIKeyName-9)] + "-20261123"}},
	} {
		got := SuccessorName(c.old, atNoon(), func(name string) bool { return !slices.Contains(c.taken, name) })
		if got != c.want || !succeeds(got, c.old) {
			t.Errorf("%s: %s, not %s; recognized: %v", c.old, got, c.want, succeeds(got, c.old))
		}
	}
}

// keyOf returns a key of the account that was created some hours before noon and read then.
func keyOf(id int64, name string, age time.Duration, used ...time.Duration) models.APIKey {
	k := models.APIKey{ID: id, Name: name, CreatedAt: atNoon().Add(-age), AsOf: models.At(atNoon())}
	k.LastUsedAt.Known = true
	if len(used) > 0 {
		k.LastUsedAt.Value = atNoon().Add(-used[0])
	}
	return k
}

const day = 24 * time.Hour

// Only the name of the successor, its reach, its list and its age make a pair, unless one is remembered.
func TestPairs(t *testing.T) {
	t.Parallel()
	of := func(k models.APIKey, org, project string) models.APIKey {
		k.List.Org, k.ProjectID = org, project
		return k
	}
	keys := []models.APIKey{
		keyOf(1, "ci", 400*day), keyOf(2, "ci-20261101", 22*day), keyOf(3, "ci-20261120", 3*day),
		keyOf(4, "web-20261101", 22*day), keyOf(5, "web", 2*day), // it is younger
		keyOf(6, "a-b", 9*day), keyOf(7, "a-20261120", 3*day),
		of(keyOf(8, "x", 9*day), "", "p"), of(keyOf(9, "x-20261120", 3*day), "", "q"),
		keyOf(10, "other", 9*day), keyOf(11, "renamed", 3*day),
		keyOf(12, "alone", 9*day),
		keyOf(0, "y", 9*day), keyOf(13, "y-20261120", 3*day),
	}
	ref := func(id int64) models.KeyRef { return models.KeyRef{ID: id} }
	remembered := []Memory{
		{Old: ref(10), OldCreated: keys[9].CreatedAt, Successor: ref(11), Began: atNoon().Add(-3 * day), Quiet: time.Hour},
		{Old: ref(12), OldCreated: atNoon(), Successor: ref(11), Began: atNoon().Add(-3 * day)}, // of another account
		{Old: ref(4), OldCreated: keys[3].CreatedAt, Successor: ref(99), Began: atNoon().Add(-day)},
	}
	got := map[int64]int64{}
	for _, p := range FindPairs(keys, remembered, QuietFor) {
		got[p.Old.ID] = 0
		if p.Successor != nil {
			got[p.Old.ID] = p.Successor.ID
		}
		if want := map[bool]time.Duration{true: time.Hour, false: QuietFor}[p.Old.ID == 10]; p.Quiet != want {
			t.Errorf("%s must be quiet for %s", p.Old.Name, p.Quiet)
		}
	}
	want := map[int64]int64{1: 3, 2: 3, 10: 11, 4: 0}
	for id, successor := range want {
		if had, ok := got[id]; !ok || had != successor {
			t.Errorf("the successor of %d is %d, %v, not %d", id, had, ok, successor)
		}
	}
	if len(got) != len(want) {
		t.Errorf("pairs: %v", got)
	}
}

// What is remembered of keys with the same ids in another account makes no use count that pgtower made itself.
func TestMarksOfTheSameIDs(t *testing.T) {
	t.Parallel()
	keys := []models.APIKey{keyOf(1, "ci", 99*day, 2*day), keyOf(2, "next", 3*day, time.Hour)}
	ref := func(id int64) models.KeyRef { return models.KeyRef{ID: id} }
	here := Memory{Old: ref(1), OldCreated: keys[0].CreatedAt, Successor: ref(2), Began: atNoon().Add(-3 * day)}
	elsewhere := Memory{Old: ref(1), OldCreated: atNoon().Add(-400 * day), Successor: ref(2), Mark: atNoon().Add(-time.Minute)}
	for _, remembered := range [][]Memory{{here, elsewhere}, {elsewhere, here}} {
		pairs := FindPairs(keys, remembered, QuietFor)
		if len(pairs) != 1 || pairs[0].Phase(models.KeyRef{}) != Unused {
			t.Errorf("%+v", pairs)
		}
	}
}

// A key to which pgtower moved from another old key proves nothing about this one.
func TestKeptForAnotherKey(t *testing.T) {
	t.Parallel()
	keys := []models.APIKey{keyOf(1, "ci", 99*day, 2*day), keyOf(2, "ci-20261101", 22*day, 2*day), keyOf(3, "ci-20261120", 3*day, 0)}
	moved := Memory{
		Old: keys[1].Ref(), OldCreated: keys[1].CreatedAt, Successor: keys[2].Ref(), Began: atNoon().Add(-3 * day),
		Mark: atNoon().Add(-2 * day), Kept: true, Moved: true,
	}
	pairs := FindPairs(keys, []Memory{moved}, QuietFor)
	if len(pairs) != 2 || pairs[0].Phase(models.KeyRef{}) != Kept || pairs[1].Phase(models.KeyRef{}) != CanGo {
		t.Errorf("%+v", pairs)
	}
}

func TestPhases(t *testing.T) {
	t.Parallel()
	busy := keyOf(9, "busy", 99*day, 0)
	unread := keyOf(1, "ci", 99*day)
	unread.LastUsedAt.Known = false
	successor := func(used ...time.Duration) models.APIKey { return keyOf(2, "ci-20261120", 3*day, used...) }
	own := func(id int64) models.KeyRef { return models.KeyRef{ID: id} }
	for name, c := range map[string]struct {
		keys  []models.APIKey
		own   models.KeyRef
		mark  time.Duration // before noon
		is    Memory        // how the successor is used
		phase Phase
		quiet time.Duration
	}{
		"both are used":             {keys: []models.APIKey{keyOf(1, "ci", 99*day, time.Minute), successor(0)}, phase: InUse, quiet: time.Minute},
		"quiet for too short":       {keys: []models.APIKey{keyOf(1, "ci", 99*day, day-time.Second), successor(0)}, phase: InUse, quiet: day - time.Second},
		"quiet":                     {keys: []models.APIKey{keyOf(1, "ci", 99*day, day), successor(0)}, phase: CanGo, quiet: day},
		"quiet, and the session's":  {keys: []models.APIKey{keyOf(1, "ci", 99*day, day), successor(0)}, own: own(1), phase: InUse, quiet: day},
		"the session has moved":     {keys: []models.APIKey{keyOf(1, "ci", 99*day, day), successor(0)}, mark: day, is: Memory{Kept: true, Moved: true}, own: own(2), phase: CanGo, quiet: day},
		"the session took it":       {keys: []models.APIKey{keyOf(1, "ci", 99*day, day), successor(0)}, mark: day, is: Memory{Kept: true}, own: own(2), phase: Kept, quiet: day},
		"another session took it":   {keys: []models.APIKey{keyOf(1, "ci", 99*day, day), successor(0)}, mark: day, is: Memory{Kept: true}, own: own(9), phase: Kept, quiet: day},
		"it is the session's":       {keys: []models.APIKey{keyOf(1, "ci", 99*day, day), successor(0)}, own: own(2), phase: Kept, quiet: day},
		"used in the future":        {keys: []models.APIKey{keyOf(1, "ci", 99*day, -time.Hour), successor(0)}, phase: InUse},
		"never used":                {keys: []models.APIKey{keyOf(1, "ci", 99*day), successor(0)}, phase: CanGo, quiet: 99 * day},
		"the successor never is":    {keys: []models.APIKey{keyOf(1, "ci", 99*day, day), successor()}, phase: Unused, quiet: day},
		"it was verified":           {keys: []models.APIKey{keyOf(1, "ci", 99*day, day), successor(time.Hour)}, mark: time.Hour, phase: Unused, quiet: day},
		"it is used after that":     {keys: []models.APIKey{keyOf(1, "ci", 99*day, day), successor(time.Hour - 1)}, mark: time.Hour, phase: CanGo, quiet: day},
		"soon after its creation":   {keys: []models.APIKey{keyOf(1, "ci", 99*day, day), successor(3*day - Verifying)}, phase: Unused, quiet: day},
		"not soon after it":         {keys: []models.APIKey{keyOf(1, "ci", 99*day, day), successor(3*day - Verifying - 1)}, phase: CanGo, quiet: day},
		"the service does not tell": {keys: []models.APIKey{keyOf(1, "ci", 99*day), successor()}, phase: UseUnknown},
		"the use cannot be read":    {keys: []models.APIKey{unread, successor(0)}, phase: UseUnknown},
		"it tells of another key":   {keys: []models.APIKey{keyOf(1, "ci", 99*day), successor(), busy}, phase: Unused, quiet: 99 * day},
	} {
		var remembered []Memory
		if c.mark > 0 {
			remembered = []Memory{{
				Old: own(1), OldCreated: c.keys[0].CreatedAt, Successor: own(2), Began: atNoon().Add(-3 * day), Mark: atNoon().Add(-c.mark),
				Kept: c.is.Kept, Moved: c.is.Moved,
			}}
		}
		pairs := FindPairs(c.keys, remembered, QuietFor)
		if len(pairs) != 1 {
			t.Errorf("%s: %d pairs", name, len(pairs))
			continue
		}
		if got := pairs[0].Phase(c.own); got != c.phase || pairs[0].QuietSince().Value != c.quiet {
			t.Errorf("%s: phase %d, quiet for %s", name, got, pairs[0].QuietSince().Value)
		}
	}
}
