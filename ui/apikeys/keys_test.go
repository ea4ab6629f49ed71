package apikeys

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/models/query"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

func listed(names ...string) listing {
	var all []models.APIKey
	for _, name := range names {
		all = append(all, models.APIKey{ID: int64(len(name)), Name: name})
	}
	return newListing(keys.Listed{Keys: all}, time.Unix(0, 0))
}

// keysOf returns keys whose only list is the account's.
func keysOf(l listing) (*shownKeys, *keyList) {
	k := &shownKeys{Changes: keys.NewChanges()}
	k.set([]models.ListID{{}})
	k.all[0].listing = l
	return k, k.all[0]
}

// Without a reliable answer, a list decides a revocation once it can no longer be carried out. The user can then repeat it.
func TestRevocationOfOneKey(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err      error
		executed bool
		want     string
		state    keys.State
	}{
		"revoked":                 {nil, true, "✓ revoked one", keys.NotAsked},
		"confirmed, ignored":      {nil, false, "✓ revoked one", keys.StillListed},
		"not found, and gone":     {failure(models.KindNotFound), true, "✓ revoked (no longer listed): one", keys.NotAsked},
		"not found, and listed":   {failure(models.KindNotFound), false, "", keys.StillListed},
		"key refused, executed":   {failure(models.KindUnauthorized), true, "✓ revoked (no longer listed): one", keys.NotAsked},
		"key refused":             {failure(models.KindUnauthorized), false, "", keys.StillListed},
		"another answer":          {failure(models.KindMalformed), false, "", keys.StillListed},
		"no answer, executed":     {failure(models.KindTimeout), true, "✓ revoked (no longer listed): one", keys.NotAsked},
		"no answer, not executed": {failure(models.KindServer), false, "", keys.StillListed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, Options{}, "one", "two")
			b.service.revoke = func(k models.APIKey) (models.APIKey, error) {
				if c.executed {
					b.service.remove(k)
				}
				return k, c.err
			}
			one := *b.keys.Row(0)
			b.Do(b.revoke(one, false, nil))
			if !c.executed && c.err != nil && b.keys.Revocations[one.Ref()].State != keys.Unknown {
				t.Errorf("it may still be carried out: %+v", b.keys.Revocations)
			}
			b.late()
			if got := b.keys.Revocations[one.Ref()].State; got != c.state || c.want != "" && !slices.Contains(b.Notices(), c.want) {
				t.Errorf("the state is %d, want %d; %q", got, c.state, b.Notices())
			}
			if c.executed {
				return
			}
			b.service.revoke = nil
			b.Take()
			if b.Do(b.revoke(one, false, nil)); !slices.Contains(b.Notices(), "✓ revoked one") {
				t.Errorf("repeated: %q", b.Notices())
			}
		})
	}
}

// A name for a new key must be valid, and free in its list.
func TestCreateChecksNames(t *testing.T) {
	t.Parallel()
	l, _ := keysOf(listed("ci", "ci-2"))
	in := models.ListID{}
	for name, want := range map[string]string{
		"ci-deploy": "", "": "must not be empty", "ci": "already exists", "a\u200bb": "invisible characters",
		"napi_abc123": "must not look like an API key",
		strings.Repeat("ä", models.MaxAPIKeyName): "", strings.Repeat("ä", models.MaxAPIKeyName+1): "must not be longer",
	} {
		if got := l.nameProblem(in, name); got != want && (want == "" || !strings.Contains(got, want)) {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := l.nameProblem(models.ListID{Org: "org"}, "ci"); got != "" {
		t.Errorf("in another list: %q", got)
	}
}

// On a screen of 80 columns, the dialog about many keys cuts neither their ids nor their last uses.
func TestBatchQuestionIdentifiesKeys(t *testing.T) {
	t.Parallel()
	var all []models.APIKey
	for id := range int64(2) {
		k := models.APIKey{List: models.ListID{Org: "acme"}, ID: 1234567 + id, Name: strings.Repeat("long", 9), ProjectID: "winter-river-207621"}
		k.LastUsedAt = models.Opt[time.Time]{Value: time.Now().Add(-318*24*time.Hour - time.Minute), Known: true}
		all = append(all, k)
	}
	b := benchOf(t, personal(t), Options{}, all)
	asked := b.questions().aboutMany(b.targets(), nil)
	drawn := ansi.Strip(dialog.NewConfirm(asked).View(page.Frame{Width: 80, Height: 24, Theme: &style.Theme{}}))
	contains(t, drawn, "1234567", "1234568", "used 318 days ago")
}

// Of the marked keys, those in use come last. Those that must be revoked alone, or cannot be, are skipped.
func TestSelection(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	used := func(id int64, ago time.Duration) models.APIKey {
		return models.APIKey{ID: id, LastUsedAt: models.Opt[time.Time]{Value: now.Add(-ago), Known: true}}
	}
	l, of := keysOf(newListing(keys.Listed{Keys: []models.APIKey{
		{ID: 1}, used(2, time.Hour), used(3, 9*24*time.Hour), used(4, 0), used(5, 0), used(6, 0),
	}}, now))
	l.own, l.maybeSaved = models.APIKey{ID: 4}, models.KeyRef{ID: 5}
	l.Revocations[models.KeyRef{ID: 6}] = keys.Revocation{State: keys.Revoking}
	var marked []*models.APIKey
	for i := range of.All {
		marked = append(marked, l.Row(i))
	}
	paused := keys.Pair{Quiet: time.Hour, Usage: &keys.Usage{Pause: keys.Span{Begin: now.Add(-9 * time.Hour), End: now}}}
	s := l.selection(marked, func(k *models.APIKey) (keys.Pair, bool) { return paused, k.ID == 3 }, now)
	var ids []int64
	for _, k := range s.keys {
		ids = append(ids, k.ID)
	}
	if !slices.Equal(ids, []int64{3, 2, 1}) || s.used != 1 || s.unknown != 1 || s.rest != 1 || s.skipped != 2 || !s.own {
		t.Errorf("selected %v: %+v", ids, s)
	}
}

// All warnings together leave room for keys on a screen of 60 cells.
func TestSelectionCautionsAreShort(t *testing.T) {
	t.Parallel()
	const room = 52
	s := selection{keys: make([]*models.APIKey, 30), used: 12, unknown: 13, rest: 14, skipped: 15, own: true}
	for _, known := range []bool{true, false} {
		s.own = known
		for _, l := range s.cautions(16, known) {
			if l.Tone != style.Muted && style.Width(l.Text) > room {
				t.Errorf("%q is %d cells wide", l.Text, style.Width(l.Text))
			}
		}
	}
}

// A filter finds the texts of the screen and of the details as they are shown.
func TestFilterFindsWhatTheScreenSays(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 15, 0, 0, 0, time.UTC)
	never := &models.APIKey{ID: 7, Name: "ci", CreatedAt: now.Add(-time.Hour), LastUsedAt: models.Opt[time.Time]{Known: true}}
	idle := &models.APIKey{ID: 8, Name: "old", CreatedAt: now.AddDate(-1, 0, 0), LastUsedAt: models.Opt[time.Time]{Value: now.AddDate(0, 0, -100), Known: true}}
	damaged := &models.APIKey{ID: 9, Name: "broken", Damage: "created_at is not a time", LastUsedAt: never.LastUsedAt}
	fields := models.APIKeyFields(func() models.Names { return models.Names{} })
	for filter, want := range map[string]*models.APIKey{
		"name:ci never": never, `name:ci "never used"`: never, `note:damaged "never used"`: damaged, "today": never, "14:00": never, "after:today": never,
		`"idle 100 days"`: idle, "idle": idle, "2026-08-14": idle, "before:2026-01-01": idle, "used:2026-08": idle,
	} {
		q, err := query.Parse(filter, query.APIKeys(fields, newRotations().audit.Load, style.Value))
		for _, k := range []*models.APIKey{never, idle, damaged} {
			if err != nil || q.Match(k, now) != (k == want) {
				t.Errorf("%q on %s: %v, error %v", filter, k.Name, k != want, err)
			}
		}
	}
}

// A key that was never used is revoked without typing. If its last use is unknown, its name is typed, or its id if the name has no
// letters.
func TestRevokeByTyping(t *testing.T) {
	t.Parallel()
	for _, never := range []bool{false, true} {
		for _, name := range []string{"old", "", " \uFFFD"} { // for a name without letters, the id is typed
			b := newBench(t, Options{}, name)
			b.service.keys[0].LastUsedAt = models.Opt[time.Time]{Known: never}
			b.reload()
			old := *b.keys.Row(0)
			if typed := b.asksAbout(old).IsTyped(); typed == never {
				t.Errorf("%q, never used: %v, typed: %v", name, never, typed)
			}
		}
	}
}

// A name that looks like a secret is noted before the use of the key.
func TestNameThatLooksLikeASecret(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"napi_012345678abc": "name looks like a secret", "napi_key": "never used", "ci-deploy": "never used",
	} {
		k := models.APIKey{ID: 1, Name: name, LastUsedAt: models.Opt[time.Time]{Known: true}}
		if note := k.Note(time.Unix(0, 0).AddDate(30, 0, 0)); note != want {
			t.Errorf("%s: %q", name, note)
		}
	}
}

// A key used once a year is never called stale, and none is called idle before 90 days.
func TestIdleAndStale(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0).AddDate(30, 0, 0)
	for days, want := range map[int]string{0: "", 89: "", 90: "idle 90 days", 365: "idle 365 days", 366: "stale 366 days"} {
		k := models.APIKey{ID: 1, LastUsedAt: models.Opt[time.Time]{Value: now.AddDate(0, 0, -days), Known: true}}
		if note := k.Note(now); note != want {
			t.Errorf("%d days: %q", days, note)
		}
		if l := newListing(keys.Listed{Keys: []models.APIKey{k}}, now); l.states[k.State(now)] != 1 {
			t.Errorf("%d days: %v", days, l.states)
		}
	}
}

// Several addresses are sorted by the first one, as numbers, then by the next one.
func TestKeysAreSortedByAllAddresses(t *testing.T) {
	t.Parallel()
	sorted := []string{"", "9.0.0.1", "192.0.2.1", "192.0.2.1,9.0.0.2", "192.0.2.1, 192.0.2.2", "192.0.2.10,9.0.0.1", "2001:db8::1"}
	for i := range sorted {
		for j := range sorted {
			a, b := models.APIKey{LastUsedFromAddr: sorted[i]}, models.APIKey{LastUsedFromAddr: sorted[j]}
			if got := byAddress(&a, &b, time.Time{}); got != cmp.Compare(i, j) {
				t.Errorf("%q and %q: %d", sorted[i], sorted[j], got)
			}
		}
	}
}

// The counts of the summary follow the service's clock, as the rows do.
func TestCountsFollowTheServicesClock(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{}, "ci", "other")
	for i := range b.service.keys {
		b.service.keys[i].LastUsedAt = models.Opt[time.Time]{Value: time.Now().Add(-89 * 24 * time.Hour), Known: true}
	}
	for skew, want := range map[time.Duration]int{0: 0, 48 * time.Hour: 2} {
		b.session.Skew = skew
		b.reload()
		if got := b.keys.all[0].states[models.KeyIdle]; got != want {
			t.Errorf("a clock that is %s ahead: %d are idle", skew, got)
		}
	}
}

// A shortened name keeps its date, and in a table of 80 columns enough of its beginning to distinguish keys of one day.
func TestNamesOfOneDayAreToldApart(t *testing.T) {
	t.Parallel()
	column := newBench(t, Options{}).columns()[0]
	for name, want := range map[string]string{
		"backup-nightly-20261128": "backup-…-20261128", "bastion-host-20261128": "bastion…-20261128", "ci-20261128": "ci-20261128",
	} {
		if got := column.Shorten(name, column.Least); got != want {
			t.Errorf("%s is shortened to %s, not %s", name, got, want)
		}
	}
}
