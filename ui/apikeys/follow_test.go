package apikeys

import (
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
)

// canGo returns a page on which the first key can go.
func canGo(t *testing.T) *bench {
	t.Helper()
	b := newBench(t, Options{}, "ci", "other")
	b.listsUse(1, 3*time.Hour)
	b.rotated(t, *b.keys.Row(0))
	b.listsUse(101, 2*time.Hour)
	b.listsUse(101, time.Minute)
	if b.CanGo() != 1 {
		t.Fatalf("%d can go: %q", b.CanGo(), b.noteOf(1))
	}
	return b
}

// An open question follows its list: the typed answer is cleared, the name must be typed, and keys that were pressed before the new
// text was drawn do not count.
func TestQuestionsFollowTheList(t *testing.T) {
	t.Parallel()
	b := canGo(t)
	asked := b.asksAbout(*b.keys.Row(0)).Says("It was replaced by", "can go: quiet 3 h")
	asked.Press("tab")
	b.reload()
	if text := asked.Text(); strings.Contains(text, "has changed") || !strings.Contains(text, "Button Revoke.") {
		t.Fatalf("nothing has changed:\n%s", text)
	}
	b.service.asked = nil
	b.listsUse(1, 0)
	for range 3 { // of the question that is not on the screen any more
		asked.Press("tab", "enter")
	}
	if asked.Done() {
		t.Fatal("a key that was pressed before counts")
	}
	asked.Says("What the list tells has changed since you were asked.", "it was used in the last 7 days",
		"Button Cancel. The other button, Revoke, is unavailable until the key's name is typed.")
	asked.Press("tab", "enter")
	if got := strings.Join(b.service.asked, ", "); strings.Contains(got, "revoke") {
		t.Errorf("asked for %s", got)
	}
	if !asked.Done() {
		t.Error("enter does not cancel")
	}
}

// A question about a key that is gone says so, and one whose list cannot be read for long proves nothing.
func TestQuestionsAboutWhatIsNotKnownAnyMore(t *testing.T) {
	t.Parallel()
	b := canGo(t)
	asked := b.asksAbout(*b.keys.Row(0))
	b.ahead += fresh + time.Second
	b.service.fails[plain()] = failure(models.KindServer)
	b.reload()
	asked.Says("has changed", "until the key's name is typed")
	clear(b.service.fails)
	b.reload()
	asked.Says("can go: quiet")
	b.service.remove(*b.keys.Row(0))
	b.reload()
	asked.Says("It is not listed now.")
}

// A question about several keys follows each of them, and a batch skips a key that is used meanwhile.
func TestBatchFollowsTheList(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{}, "one", "two", "three")
	old := 90 * 24 * time.Hour
	for id := range int64(3) {
		b.used(id+1, old)
	}
	b.reload()
	b.markAll()
	asked := b.Opens(b.askAboutMarked())
	if strings.Contains(asked.Text(), "Possibly in use") {
		t.Fatal(asked.Text())
	}
	b.listsUse(2, 0)
	asked.Says("has changed", "Possibly in use, used in the last 7 days: 1 key.")
	b.used(2, old)
	b = newBench(t, Options{}, "one", "two", "three")
	for id := range int64(3) {
		b.used(id+1, old)
	}
	b.reload()
	targets := b.targets()
	first := b.startBatch(targets, false)
	b.listsUse(3, 0) // while the batch runs
	b.Do(first)
	b.Opened().Draws("2 of 3 keys revoked", "used since you were asked: not revoked")
}

// The question after the rotation of the session's key follows the list: pgtower's own uses of the old key change nothing, later
// ones do.
func TestRotationQuestionFollowsTheList(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{OwnID: 1, OwnList: models.Opt[models.ListID]{Known: true}}, "mine", "other")
	b.listsUse(1, time.Hour)
	b.creates(keys.Change{Key: models.APIKey{Name: "new"}, Old: b.keys.own, Own: true})
	asked := b.Opened().Says("Revoke mine?", "that may have been pgtower")
	b.listsUse(1, 0)
	if text := asked.Text(); strings.Contains(text, "has changed") {
		t.Errorf("its own use is news: %s", text)
	}
	b.ahead += time.Minute
	b.listsUse(1, 0)
	asked.Says("has changed", "after pgtower left it")
	b.service.remove(*b.keys.key(models.KeyRef{ID: 1}))
	b.reload()
	asked.Says("It is not listed now.")
}
