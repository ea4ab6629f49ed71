package apikeys

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/keys"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// used has the service show uses of a key and of all others as of now.
func (b *bench) used(id int64, ago time.Duration) {
	now := b.clock()
	for i := range b.service.keys {
		k := &b.service.keys[i]
		if k.AsOf = models.At(now); k.ID == id {
			k.LastUsedAt, k.LastUsedFromAddr = models.Opt[time.Time]{Value: now.Add(-ago), Known: true}, "203.0.113.9"
		} else {
			k.LastUsedAt.Known = true
		}
		if k.CreatedAt.IsZero() {
			k.CreatedAt = now.Add(-2 * time.Hour)
		}
	}
}

// listsUse reads lists that show the last use of a key.
func (b *bench) listsUse(id int64, ago time.Duration) {
	b.used(id, ago)
	b.reload()
}

func (b *bench) noteOf(id int64) string {
	text, _ := b.words().note(b.keys.key(models.KeyRef{ID: id}), b.session.ServiceNow())
	return text
}

// rotated rotates a key, whose successor is the first that the service creates, and hands the secret over.
func (b *bench) rotated(t *testing.T, old models.APIKey) *creation {
	t.Helper()
	c := b.creates(keys.Change{Key: keys.Wanted(b.keys.successorName(&old, time.Now()), old.Reach()), Old: old, Quiet: time.Hour})
	b.Do(c.toCommand("store it"))
	return c
}

// A key that only pgtower's verification used counts as never used: in its note, in the summary and for the filter.
func TestRotationVerificationIsNoUse(t *testing.T) {
	t.Parallel()
	made := time.Now().Add(-400 * 24 * time.Hour).Truncate(time.Second)
	key := models.APIKey{
		ID: 1, Name: "next", CreatedAt: made, LastUsedAt: models.Opt[time.Time]{Value: made.Add(time.Second), Known: true},
	}
	memory := &keys.Volatile{}
	_, _ = memory.Change(func(m *keys.Memory) {
		m.Add(keys.Made{Key: key.Ref(), Created: made, Took: time.Second, First: key.LastUsedAt.Value})
	})
	for _, c := range []struct {
		used       time.Duration // after the verification
		note, part string
	}{{0, "never used", "1 never used"}, {time.Minute, "stale 399 days", "1 stale > 1 year"}} {
		k := key
		k.LastUsedAt.Value = key.LastUsedAt.Value.Add(c.used)
		b := benchOf(t, account.New(account.Options{}), Options{Memory: memory}, []models.APIKey{k})
		contains(t, b.noteOf(1), c.note)
		var parts []string
		for _, part := range b.words().summary() {
			parts = append(parts, part.Text)
		}
		contains(t, strings.Join(parts, ", "), c.part)
	}
}

// A key that is replaced shows the phase of its rotation. It is revoked like an idle key only when it can go.
func TestRotationOfReplacedKeys(t *testing.T) {
	t.Parallel()
	memory := &keys.Volatile{}
	b := newBench(t, Options{Memory: memory}, "ci", "other")
	b.listsUse(1, 2*time.Hour)
	b.Run("rotate")
	b.Opened().Says("ci keeps working")
	old := *b.keys.Row(0)
	c := b.rotated(t, old)
	known, _ := memory.Load()
	if len(known.Rotations) != 1 || known.Made[0].Took != time.Second || !slices.Contains(b.service.asked, "verify") {
		t.Fatalf("%+v after %q", known, b.service.asked)
	}
	if to := known.Made[0].Handover; to != (keys.Handover{Stage: keys.Handed, To: keys.ToCommand}) {
		t.Errorf("it was handed over to %+v", to)
	}
	b.Opens(c.dialog).Says("The command read the secret")
	careful := func() bool {
		return b.asksAbout(*b.keys.key(old.Ref())).IsTyped()
	}
	for _, c := range []struct {
		id      int64
		ago     time.Duration
		note    string
		careful bool
		canGo   int
	}{
		{1, 2 * time.Hour, "quiet 2 h · successor not used yet", true, 0},
		{101, time.Hour, "successor not used yet", true, 0}, // the verification
		{101, time.Hour - time.Minute, "can go: quiet 2 h · successor used", false, 1},
		{1, 30 * time.Minute, "used after its successor", true, 0},
		{101, time.Minute, "quiet 30 min of 1 h; it has paused for 1 h before · successor used", true, 0},
	} {
		b.listsUse(c.id, c.ago)
		if note := b.noteOf(1); !strings.Contains(note, c.note) || careful() != c.careful || b.CanGo() != c.canGo {
			t.Errorf("%+v: %q, careful %v, %d can go", c, note, careful(), b.CanGo())
		}
	}
	contains(t, b.noteOf(101), "↻ replaces ci")
	contains(t, strings.Join(b.Notices(), "\n"), "ci can go: quiet 2 h", "ci: used again")
	b.ahead += time.Hour
	b.listsUse(101, 0)
	if b.CanGo() != 1 {
		t.Errorf("%d can go: %q", b.CanGo(), b.noteOf(1))
	}
	// It has paused for longer than it was asked to be quiet, which is said wherever it is revoked.
	if line := b.words().keyLines([]*models.APIKey{b.keys.key(old.Ref())}, b.session.ServiceNow())[0]; !careful() ||
		line.Tone != style.Waiting || !strings.Contains(line.Text, "paused 1 h") || !strings.Contains(line.Announced, "it has paused for 1 h") {
		t.Errorf("%+v, careful %v", line, careful())
	}
	b.Do(b.revoke(*b.keys.key(old.Ref()), false, nil))
	if b.CanGo() > 0 || b.noteOf(101) != "" {
		t.Errorf("%d can go, though it was revoked: %q", b.CanGo(), b.noteOf(101))
	}
}

// If nobody took the secret of a successor, there is no rotation.
func TestRotationWithoutItsSecret(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{}, "ci")
	b.listsUse(1, 2*time.Hour)
	b.creates(keys.Change{Key: models.APIKey{Name: "next"}, Old: *b.keys.Row(0), Quiet: time.Hour})
	b.listsUse(101, 0)
	contains(t, b.noteOf(1)+"\n"+b.noteOf(101), "nobody has the secret of next: rotate again", "nobody has its secret")
}

// Names show that a key may be replaced, and prove nothing: its revocation needs the name, whatever the keys were used for.
func TestRotationPairsByName(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{QuietFor: time.Hour}, "ci", "ci-20200101")
	b.service.keys[1].CreatedAt = time.Unix(2, 0)
	b.used(1, 2*time.Hour)
	b.listsUse(2, 0)
	contains(t, b.noteOf(1)+"\n"+b.noteOf(2), "may be replaced by ci-20200101", "may replace ci")
	asked := b.asksAbout(*b.keys.Row(0))
	if !asked.IsTyped() || b.CanGo() > 0 {
		t.Errorf("%d can go: %s", b.CanGo(), asked.Text())
	}
}

// Uses of a successor that becomes pgtower's own key prove nothing. The dialog says so before k saves it.
func TestRotationSuccessorBecomesTheSessionsKey(t *testing.T) {
	t.Parallel()
	memory := &keys.Volatile{}
	b := newBench(t, Options{Memory: memory, OwnID: 2, OwnList: models.Opt[models.ListID]{Known: true}}, "ci", "own")
	b.listsUse(1, 2*time.Hour)
	b.creates(keys.Change{Key: models.APIKey{Name: "ci-20261124"}, Old: *b.keys.Row(0), Quiet: time.Hour})
	secret := b.Opened()
	secret.Run("save as profile's key")
	secret.Draws("can't tell when ci can go")
	secret.Press("k")
	b.listsUse(101, time.Minute)
	known, _ := memory.Load()
	const note = "quiet 2 h · successor is pgtower's key: its uses prove nothing"
	if got := b.noteOf(1); !strings.Contains(got, note) || b.CanGo() > 0 || !known.Made[0].Own || !known.Made[0].Moved.IsZero() {
		t.Errorf("%q, remembered: %+v", got, known)
	}
	contains(t, b.noteOf(101), "↻ replaces ci · this session's key")
	contains(t, b.words().record(b.keys.Row(0), time.Now()).About, "revoke the old one with x once you know")
}

// A use that any list has shown counts, even if a later answer does not have it.
func TestRotationUseIsNotHiddenByAnOlderAnswer(t *testing.T) {
	t.Parallel()
	for _, missing := range []bool{false, true} {
		b := newBench(t, Options{}, "ci", "other")
		b.listsUse(1, 3*time.Hour)
		b.rotated(t, *b.keys.Row(0))
		b.listsUse(101, 2*time.Hour)
		b.used(101, time.Hour)
		b.listsUse(1, 30*time.Minute)
		contains(t, b.noteOf(1), "used after its successor")
		all := slices.Clone(b.service.keys)
		if missing {
			b.service.keys = all[1:]
			b.reload()
			b.service.keys = all
		}
		b.listsUse(1, 3*time.Hour)
		contains(t, b.noteOf(1), "used after its successor")
	}
}

// A change without an answer is decided by the clock that never goes back, whatever the time of day is set to.
func TestSetClockDecidesNoChange(t *testing.T) {
	t.Parallel()
	for _, set := range []time.Duration{2 * time.Minute, -time.Hour} {
		passed := time.Duration(0)
		b := newBench(t, Options{Steady: func() time.Time { return time.Now().Add(passed) }}, "one")
		b.service.create = func(models.APIKey) (bool, error) { return false, failure(models.KindTimeout) }
		b.creates(named("new"))
		b.ahead += set
		passed += 2 * time.Second
		b.reload()
		b.Opened().Says("is not listed yet; it may still appear", "Checking again until ")
		passed += keys.Deadline
		b.reload()
		b.Opened().Says("is not listed as of", "can no longer appear")
	}
}

// Marked keys are rotated one after the other, each after its secret was taken. If the user cancels or one fails, the remaining keys are
// named and stay marked.
func TestRotationOfMarkedKeys(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{}, "one", "two", "three")
	b.markAll()
	b.Run("rotate")
	b.Opened().Says("Rotate one (1 of 3)")
	b.Opened().Press("enter")
	d := b.Opened()
	d.Run("reveal")
	d.Run("done")
	b.Opened().Says("Rotate two (2 of 3)")
	b.Opened().Run("cancel")
	contains(t, strings.Join(b.Notices(), "\n"), "Not rotated, and still marked: two, three")
	if b.List().CountMarked() != 2 {
		t.Errorf("%d are marked", b.List().CountMarked())
	}
	b.service.create = func(models.APIKey) (bool, error) { return false, failure(models.KindTimeout) }
	b.Run("rotate")
	b.Opened().Press("enter")
	b.Opened().Says("is not listed yet; it may still appear", "Checking again until ")
	b.late()
	b.Opened().Says("is not listed as of", "can no longer appear")
	b.Opened().Run("close")
	contains(t, b.Notices()[len(b.Notices())-1], "Not rotated, and still marked: three")
}

// A key that was revoked meanwhile is skipped with a message. A key that the user revokes loses its mark.
func TestRotationSkipsRevokedKeys(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{}, "one", "two")
	b.markAll()
	b.keys.Began(&keys.Flow{Change: keys.Change{Revoke: true, Key: *b.keys.Row(0)}})
	b.Run("rotate")
	b.Opened().Says("Rotate two")
	b.keys.Began(&keys.Flow{Change: keys.Change{Revoke: true, Key: *b.keys.Row(1)}})
	b.Run("rotate")
	contains(t, strings.Join(b.Notices(), "\n"), "Skipped 1 key (already", "Skipped 2 keys (already")
	b.Do(b.revoke(*b.keys.Row(1), false, nil))
	if b.List().CountMarked() != 1 {
		t.Errorf("%d are marked", b.List().CountMarked())
	}
}

// After the end of the session, a secret stays on the screen, and no other key is rotated.
func TestRotationsStopWithTheSession(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{}, "one", "two")
	b.markAll()
	b.Run("rotate")
	b.Opened().Press("enter")
	d := b.Opened()
	b.session.End()
	d.OnSessionEnd()
	d.Run("reveal")
	d.Run("done")
	contains(t, strings.Join(b.Notices(), "\n"), "Not rotated, and still marked: two")
	if b.Opened() != d {
		t.Error("another form was opened")
	}
}

// While another page is shown, a list with rotations is read rarely, even if it cannot be read.
func TestListsWithRotationsAreReadRarely(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, Options{}, "ci")
		b.rotated(t, *b.keys.Row(0))
		b.reload()
		b.session.Shown = func() page.ID { return page.Projects }
		reader{b.Page}.put()
		b.service.asked, b.service.fails[models.ListID{}] = nil, failure(models.KindInvalid)
		for _, c := range []struct {
			after time.Duration
			want  int // requests
		}{
			{watchEvery, 0}, {watchRest, 1}, {watchEvery, 1}, {watchRest, 2},
		} {
			time.Sleep(c.after)
			b.Do(nil)
			if asked := len(b.service.asked); asked != c.want {
				t.Errorf("%d requests after another %s, want %d", asked, c.after, c.want)
			}
		}
	})
}
