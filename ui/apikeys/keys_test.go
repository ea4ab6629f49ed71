package apikeys

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/query"
	"pgtower/ui/style"
)

func listed(number int, names ...string) listing {
	var all []models.APIKey
	for _, name := range names {
		all = append(all, models.APIKey{ID: int64(len(name)), Name: name})
	}
	return newListing(all, time.Unix(0, 0), number)
}

func keysOf(l listing) *keys {
	return &keys{listing: l, revocations: map[int64]revocation{}, orphans: map[string]int64{}}
}

// The result of a revocation is that of its answer, and then of later lists.
func TestRevocations(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err    error
		listed bool
		number int // of the list; the answer came during the first one
		want   revocationState
		gone   bool
	}{
		"revoked, in a list from before": {nil, true, 1, revoked, false},
		"revoked, and listed":            {nil, true, 2, stillListed, false},
		"revoked":                        {nil, false, 2, notAsked, false},
		"gone already":                   {failure(models.KindNotFound), false, 2, notAsked, false},
		"refused":                        {failure(models.KindForbidden), true, 2, notAsked, false},
		"no answer, and listed":          {failure(models.KindTimeout), true, 2, stillListed, false},
		"no answer, and not listed":      {failure(models.KindTimeout), false, 2, notAsked, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := keysOf(listed(1, "a", "bb"))
			l.reads = 1
			l.settle(models.APIKey{ID: 2, Name: "bb"}, c.err)
			names := []string{"a"}
			if c.listed {
				names = append(names, "bb")
			}
			gone, _ := l.set(listed(c.number, names...))
			if got := l.revocations[2].state; got != c.want || slices.Contains(gone, "bb") != c.gone {
				t.Errorf("is %d, want %d; gone are %v", got, c.want, gone)
			}
		})
	}
}

// Without a reliable answer, the next list decides a revocation, which can then be repeated.
func TestRevocationOfOneKey(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err                 error
		confirmed, executed bool
		want                string
		state               revocationState
	}{
		"revoked":             {nil, true, true, "✓ revoked one", notAsked},
		"confirmed, ignored":  {nil, true, false, "✓ revoked one", stillListed},
		"not confirmed":       {nil, false, false, "", stillListed},
		"gone already":        {failure(models.KindNotFound), false, true, "one was already revoked", notAsked},
		"gone, and listed":    {failure(models.KindNotFound), false, false, "one was already revoked", stillListed},
		"no answer, executed": {failure(models.KindTimeout), false, true, "✓ revoked (no longer listed): one", notAsked},
		"no answer":           {failure(models.KindServer), false, false, "", stillListed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, Options{}, "one", "two")
			b.service.revoke = func(id int64) (models.APIKey, error) {
				if c.executed {
					b.service.remove(id)
				}
				return models.APIKey{ID: id, Revoked: c.confirmed}, c.err
			}
			one := *b.keys.Row(0)
			b.do(b.revoke(one, nil))
			if c.confirmed {
				b.do(b.load())
			}
			if got := b.keys.revocations[1].state; got != c.state || c.want != "" && !slices.Contains(b.notices(), c.want) {
				t.Errorf("the state is %d, want %d; %q", got, c.state, b.notices())
			}
			if c.executed {
				return
			}
			b.service.revoke, b.effects = nil, nil
			if b.do(b.revoke(one, nil)); !slices.Contains(b.notices(), "✓ revoked one") {
				t.Errorf("repeated: %q", b.notices())
			}
		})
	}
}

// A key whose creation had no answer is found once, by its name.
func TestOrphans(t *testing.T) {
	t.Parallel()
	l := keysOf(listed(1, "a"))
	l.orphans["bb"] = 0
	if id := l.findOrphan(); id != 0 {
		t.Errorf("found %d in a list without it", id)
	}
	l.listing = listed(2, "a", "bb")
	if id := l.findOrphan(); id != 2 || !l.isOrphan(&l.All[1]) || l.isOrphan(&l.All[0]) {
		t.Errorf("found %d, want 2", id)
	}
	if id := l.findOrphan(); id != 0 {
		t.Errorf("%d is found again", id)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	l := keysOf(listed(1, "ci", "ci-2"))
	for name, want := range map[string]string{
		"ci-deploy": "", "": "must not be empty", "ci": "already exists", "a\u200bb": "invisible characters",
		strings.Repeat("ä", models.MaxAPIKeyName): "", strings.Repeat("ä", models.MaxAPIKeyName+1): "must not be longer",
	} {
		if got := l.nameProblem(name); got != want && (want == "" || !strings.Contains(got, want)) {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := l.freeName("ci"); got != "ci-3" {
		t.Errorf("free is %q", got)
	}
}

// Of the marked keys, those in use come last, and those that need more care are skipped.
func TestSelection(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	used := func(id int64, ago time.Duration) models.APIKey {
		return models.APIKey{ID: id, LastUsedAt: models.Opt[time.Time]{Value: now.Add(-ago), Known: true}}
	}
	l := keysOf(newListing([]models.APIKey{
		{ID: 1}, used(2, time.Hour), used(3, 9*24*time.Hour), used(4, 0), used(5, 0), used(6, 0), used(7, 0), used(7, 0),
	}, now, 1))
	l.own, l.maybeSaved = models.APIKey{ID: 4}, 5
	l.revocations[6] = revocation{state: revoking}
	var marked []*models.APIKey
	for i := range l.All {
		marked = append(marked, l.Row(i))
	}
	s := l.selection(marked, now)
	var ids []int64
	for _, k := range s.keys {
		ids = append(ids, k.ID)
	}
	if !slices.Equal(ids, []int64{3, 2, 1}) || s.used != 1 || s.unknown != 1 || s.skipped != 4 || !s.own {
		t.Errorf("selected %v: %+v", ids, s)
	}
}

// All warnings together leave room for keys on a screen of 60 cells.
func TestCautionsAreShort(t *testing.T) {
	t.Parallel()
	const room = 52
	s := selection{keys: make([]*models.APIKey, 30), used: 12, unknown: 13, skipped: 14, own: true}
	for _, known := range []bool{true, false} {
		s.own = known
		for _, l := range s.cautions(15, known) {
			if l.Tone != style.Muted && style.Width(l.Text) > room {
				t.Errorf("%q is %d cells wide", l.Text, style.Width(l.Text))
			}
		}
	}
}

// A filter finds the texts of the screen and the details as they are shown.
func TestAFilterFindsWhatTheScreenSays(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 15, 0, 0, 0, time.UTC)
	never := &models.APIKey{ID: 7, Name: "ci", CreatedAt: now.Add(-time.Hour), LastUsedAt: models.Opt[time.Time]{Known: true}}
	idle := &models.APIKey{ID: 8, Name: "old", CreatedAt: now.AddDate(-1, 0, 0), LastUsedAt: models.Opt[time.Time]{Value: now.AddDate(0, 0, -100), Known: true}}
	for filter, want := range map[string]*models.APIKey{
		"never": never, `"never used"`: never, "today": never, "14:00": never, "after:today": never,
		`"idle 100 days"`: idle, "idle": idle, "2026-08-14": idle, "before:2026-01-01": idle, "used:2026-08": idle,
	} {
		q, err := query.Parse(filter, Fields())
		for _, k := range []*models.APIKey{never, idle} {
			if err != nil || q.Match(k, now) != (k == want) {
				t.Errorf("%q on %s: %v, error %v", filter, k.Name, k != want, err)
			}
		}
	}
}

// A profile may require the name even for unused keys.
func TestAlwaysType(t *testing.T) {
	t.Parallel()
	for _, always := range []bool{false, true} {
		for _, name := range []string{"old", "", " \uFFFD"} { // for a name without letters, the id is typed
			b := newBench(t, Options{AlwaysType: always}, name)
			old := *b.keys.Row(0)
			old.LastUsedAt = models.Opt[time.Time]{Known: true}
			d := b.askAbout(old).Describe(page.Frame{Width: 100, Height: 40, Accessible: true})
			if typed := d.Field != nil; typed != always {
				t.Errorf("%q, always: %v, typed: %v", name, always, typed)
			}
		}
	}
}

// A key used once a year is never called stale, and none is called idle before 90 days.
func TestIdleAndStale(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0).AddDate(30, 0, 0)
	for days, want := range map[int]string{0: "", 89: "", 90: "idle 90 days", 365: "idle 365 days", 366: "stale 366 days"} {
		k := models.APIKey{ID: 1, LastUsedAt: models.Opt[time.Time]{Value: now.AddDate(0, 0, -days), Known: true}}
		if note, _ := noteOf(&k, now); note != want {
			t.Errorf("%d days: %q", days, note)
		}
		l := newListing([]models.APIKey{k}, now, 1)
		if got := l.idle == 1 && days >= 90 && days < 366 || l.stale == 1 && days >= 366; got != (want != "") || l.idle+l.stale > 1 {
			t.Errorf("%d days: %d idle, %d stale", days, l.idle, l.stale)
		}
	}
}
