package keys

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
)

func atNoon() time.Time { return time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC) }

// A successor has the name of its key with the date, and a number if that is taken, within the longest name.
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

// The own keys of two computers have names that do not seem to replace each other, no longer than names may be.
func TestOwnNames(t *testing.T) {
	t.Parallel()
	free := func(string) bool { return true }
	for _, c := range []struct{ old, computer, want string }{
		{"", "", "pgtower-20261123"},
		{"", "Laptop.local", "pgtower-laptop-20261123"},
		{"pgtower", "büro pc", "pgtower-b-ro-pc-20261123"},
		{"pgtower-20250101", "laptop", "pgtower-laptop-20261123"},
		{"pgtower-laptop-20250101", "laptop", "pgtower-laptop-20261123"},
		{"alice-cli", "laptop", "alice-cli-20261123"},
		{"", "srv-20250101", "pgtower-srv20250101-20261123"},
		{"", "-", "pgtower-20261123"},
		{"", strings.Repeat("x", 63), "pgtower-" + strings.Repeat("x", 32) + "-20261123"},
	} {
		name := SuccessorName(OwnName(c.old, c.computer), atNoon(), free)
		if name != c.want || NameProblem(name) != "" {
			t.Errorf("%s on %s: %s", c.old, c.computer, name)
		}
	}
	one := SuccessorName(OwnName("pgtower", "one"), atNoon(), free)
	if succeeds(one, SuccessorName(OwnName("pgtower", "two"), atNoon(), free)) {
		t.Error("it succeeds that of another computer")
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

func ref(id int64) models.KeyRef { return models.KeyRef{ID: id} }

// remembered returns the memory of a rotation from the first key to the second one, three days before noon. The verification
// was shown in the minute after.
func remembered(listed []models.APIKey, quiet time.Duration) *Memory {
	began := atNoon().Add(-3 * day)
	return &Memory{
		Made: []Made{{
			Key: listed[1].Ref(), Created: listed[1].CreatedAt, First: began.Add(time.Minute), Took: time.Second,
			Handover: Handover{Stage: Handed, To: "file"},
		}},
		Rotations: []Rotation{{Old: listed[0].Ref(), OldCreated: listed[0].CreatedAt, New: listed[1].Ref(), Began: began, Quiet: quiet}},
	}
}

// By their names, a younger key is the successor of another one in the same list with the same reach. That proves
// nothing.
func TestPairs(t *testing.T) {
	t.Parallel()
	in := func(k models.APIKey, org, project string) models.APIKey {
		k.List.Org, k.ProjectID = org, project
		return k
	}
	listed := []models.APIKey{
		keyOf(10, "other", 9*day), keyOf(11, "renamed", 3*day),
		keyOf(1, "ci", 400*day, 9*day), keyOf(2, "ci-20261101", 22*day, 0), keyOf(3, "ci-20261120", 3*day, 0),
		keyOf(4, "web-20261101", 22*day), keyOf(5, "web", 2*day), // it is younger
		keyOf(6, "a-b", 9*day), keyOf(7, "a-20261120", 3*day),
		in(keyOf(8, "x", 9*day), "", "p"), in(keyOf(9, "x-20261120", 3*day), "", "q"),
		keyOf(12, "alone", 9*day),
		keyOf(0, "y", 9*day), keyOf(13, "y-20261120", 3*day),
	}
	memory := remembered(listed, time.Hour)
	memory.Begin(Rotation{Old: ref(12), OldCreated: atNoon(), New: ref(11), Began: atNoon(), Quiet: day}) // of another account
	memory.Add(Made{Key: ref(99), Created: atNoon().Add(-day), Took: time.Second})
	memory.Begin(Rotation{Old: ref(4), OldCreated: listed[5].CreatedAt, New: ref(99), Began: atNoon().Add(-day), Quiet: day})
	got := map[int64]int64{}
	for _, p := range FindPairs(listed, memory, 0) {
		got[p.Old.ID] = 0
		if p.Successor != nil {
			got[p.Old.ID] = p.Successor.ID
		}
		if phase := p.Phase(models.KeyRef{}); p.Named != (phase == ByName) || p.Named == (p.Old.ID == 10 || p.Old.ID == 4) {
			t.Errorf("%s by name %v: phase %d", p.Old.Name, p.Named, phase)
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

// An old key can go by the uses of both keys, and by nothing less.
func TestPhases(t *testing.T) {
	t.Parallel()
	handed := func(to Handover) func(*Memory) { return func(m *Memory) { m.Made[0].Handover = to } }
	own := func(m *Memory) { m.Made[0].Own = true }
	moved := func(m *Memory) { m.Made[0].Own, m.Made[0].Moved = true, atNoon().Add(-2*day) }
	unread := keyOf(1, "ci", 99*day)
	unread.LastUsedAt.Known = false
	undated := keyOf(1, "ci", 99*day, 2*day)
	undated.AsOf = models.Moment{}
	old := func(used ...time.Duration) models.APIKey { return keyOf(1, "ci", 99*day, used...) }
	next := func(used ...time.Duration) models.APIKey { return keyOf(2, "next", 3*day, used...) }
	for name, c := range map[string]struct {
		old, next models.APIKey
		own       int64
		but       func(*Memory)
		flag      time.Duration
		gone      bool // the successor is not listed
		want      Phase
	}{
		"quiet, and the successor is used":      {old: old(day), next: next(0), want: CanGo},
		"never used":                            {old: old(), next: next(0), want: CanGo},
		"not quiet for long enough":             {old: old(day - time.Second), next: next(0), want: TooShort},
		"a flag lengthens that":                 {old: old(day), next: next(0), flag: 25 * time.Hour, want: TooShort},
		"a flag does not shorten it":            {old: old(day - time.Second), next: next(0), flag: time.Hour, want: TooShort},
		"the session's":                         {old: old(day), next: next(0), own: 1, want: TooShort},
		"used after its successor":              {old: old(day), next: next(day + time.Minute), want: Behind},
		"used at the same time":                 {old: old(day), next: next(day - 9*time.Second), want: Behind},
		"the successor is not used":             {old: old(2 * day), next: next(), want: Unused},
		"its verification is its only use":      {old: old(4 * day), next: next(3*day - time.Minute), want: Unused},
		"shown late, by as much as lists are":   {old: old(4 * day), next: next(3*day - time.Minute - 11*time.Second), want: Unused},
		"used just after":                       {old: old(4 * day), next: next(3*day - time.Minute - 12*time.Second), want: CanGo},
		"its first use is shown now":            {old: old(2 * day), next: next(0), but: func(m *Memory) { m.Made[0].First = time.Time{} }, want: Unused},
		"nobody has its secret":                 {old: old(day), next: next(0), but: handed(Handover{}), want: NobodyHas},
		"it may have been handed over":          {old: old(day), next: next(0), but: handed(Handover{Stage: Handing}), want: CanGo},
		"it became pgtower's":                   {old: old(day), next: next(0), but: own, want: Kept},
		"it is the session's":                   {old: old(day), next: next(0), own: 2, want: Kept},
		"pgtower moved to it":                   {old: old(2 * day), next: next(0), but: moved, own: 2, want: CanGo},
		"something uses the old one after that": {old: old(2*day - time.Minute), next: next(0), but: moved, own: 2, want: Kept},
		"verified again":                        {old: old(2 * day), next: next(time.Hour), but: func(m *Memory) { m.VerifyAgain(ref(2), models.At(atNoon().Add(-time.Hour))) }, want: Unused},
		"verified again at an unknown time":     {old: old(2 * day), next: next(0), but: func(m *Memory) { m.VerifyAgain(ref(2), models.Moment{}) }, want: Kept},
		"the service does not tell":             {old: old(), next: next(), want: UseUnknown},
		"the use cannot be read":                {old: unread, next: next(0), want: UseUnknown},
		"the time of the list is unknown":       {old: undated, next: next(0), want: UseUnknown},
		"the successor is gone":                 {old: old(day), next: next(0), gone: true, want: Lost},
		"it is too young for that":              {old: old(day), next: keyOf(2, "next", 19*time.Second), gone: true, want: UseUnknown},
		"nothing is known of the successor":     {old: old(day), next: next(0), but: func(m *Memory) { m.Made = nil }, want: UseUnknown},
		"remembered in the future":              {old: old(day), next: next(0), but: func(m *Memory) { m.Made[0].Moved = atNoon().Add(time.Minute) }, want: UseUnknown},
		"remembered without a quiet time":       {old: old(day), next: next(0), but: func(m *Memory) { m.Rotations[0].Quiet = 0 }, want: UseUnknown},
		"named only":                            {old: old(day), next: keyOf(2, "ci-20261120", 3*day, 0), but: func(m *Memory) { *m = Memory{} }, want: ByName},
	} {
		listed := []models.APIKey{c.old, c.next}
		memory := remembered(listed, day)
		if c.but != nil {
			c.but(memory)
		}
		if c.gone {
			listed = listed[:1]
		}
		pairs := FindPairs(listed, memory, c.flag)
		if len(pairs) != 1 || pairs[0].Phase(ref(c.own)) != c.want {
			t.Errorf("%s: %+v, phase %d", name, pairs, pairs[0].Phase(ref(c.own)))
		}
	}
}

// Two keys with one id cannot be told apart: nothing is proved of them.
func TestPairsOfKeysWithOneID(t *testing.T) {
	t.Parallel()
	listed := []models.APIKey{keyOf(1, "ci", 99*day, day), keyOf(2, "next", 3*day, 0)}
	memory := remembered(listed, day)
	for _, twin := range listed {
		if got := FindPairs(append(listed[:2:2], twin), memory, 0)[0].Phase(models.KeyRef{}); got != UseUnknown {
			t.Errorf("with another %s: phase %d", twin.Name, got)
		}
	}
}

// A pair that a command names counts as a remembered one if the successor was created long ago.
func TestPairsThatACommandNames(t *testing.T) {
	t.Parallel()
	old, none := keyOf(1, "ci", 99*day, 2*day), &Memory{}
	project := keyOf(2, "next", 3*day, 0)
	project.ProjectID = "p"
	for name, c := range map[string]struct {
		next models.APIKey
		own  int64
		want Phase
	}{
		"used":                {next: keyOf(2, "next", 3*day, 0), want: CanGo},
		"used when it began":  {next: keyOf(2, "next", day, day-10*time.Minute), want: Unused},
		"used before":         {next: keyOf(2, "next", 3*day, 2*day+time.Hour), want: Behind},
		"reaches another one": {next: project, want: UseUnknown},
		"the session's":       {next: keyOf(2, "next", 3*day, 0), own: 2, want: Kept},
		"the old one is":      {next: keyOf(2, "next", 3*day, 0), own: 1, want: TooShort},
	} {
		pair := Asked(&old, &c.next, none, day)
		if got := pair.Phase(ref(c.own)); got != c.want {
			t.Errorf("%s: phase %d", name, got)
		}
	}
	next := keyOf(2, "next", 3*day, 0)
	pair := Asked(&old, &next, &Memory{Made: []Made{{Key: ref(2), Own: true}}}, day)
	if got := pair.Phase(ref(9)); got != Kept {
		t.Errorf("it is pgtower's, phase %d", got)
	}
}

// Processes that do not know of each other remember the same in the end, and no less than each.
func TestMemoriesMerge(t *testing.T) {
	t.Parallel()
	listed := []models.APIKey{keyOf(1, "ci", 99*day, day), keyOf(2, "next", 3*day, 0)}
	a, b := remembered(listed, day), remembered(listed, day)
	a.Made[0].Handover, b.Made[0].Took = Handover{}, Killed
	b.Keep(ref(2), atNoon())
	for _, m := range []*Memory{a, b} {
		other := map[*Memory]*Memory{a: b, b: a}[m]
		merged := m.clone()
		merged.Merge(other)
		made := merged.Made[0]
		if len(merged.Made) != 1 || len(merged.Rotations) != 1 || made.Took != time.Second || !made.Own || made.Moved.IsZero() ||
			made.Handover.Stage != Handed {
			t.Errorf("%+v", merged)
		}
	}
}

// A fingerprint tells whether a key is the same.
func TestFingerprints(t *testing.T) {
	t.Parallel()
	var store, other Volatile
	m, _ := store.Change(func(m *Memory) {
		m.Add(Made{Key: ref(1), Print: m.Print(models.NewSecret("napi_one")), Took: Killed})
	})
	if m.Printed(m.Print(models.NewSecret("napi_two"))) != nil || m.Printed(m.Print(models.NewSecret("napi_one"))) == nil {
		t.Errorf("%+v", m)
	}
	if len(m.Made[0].Print) != 16 || strings.Contains(m.Made[0].Print, "napi") || (&Memory{}).Printed("") != nil {
		t.Errorf("%+v", m)
	}
	foreign, _ := other.Change(func(o *Memory) { o.Merge(&m) })
	if foreign.Made[0].Print != "" {
		t.Error("a fingerprint with another salt tells nothing")
	}
}
