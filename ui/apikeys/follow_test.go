package apikeys

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
)

// canGo returns a page on which the first key can go.
func canGo(t *testing.T) *bench {
	t.Helper()
	b := newBench(t, Options{}, "ci", "other")
	b.used(1, 3*time.Hour)
	b.reload()
	b.rotated(t, *b.keys.Row(0))
	b.used(101, 2*time.Hour)
	b.reload()
	b.used(101, time.Minute)
	b.reload()
	if b.CanGo() != 1 {
		t.Fatalf("%d can go: %q", b.CanGo(), b.noteOf(1))
	}
	return b
}

// press presses a key in a dialog, and returns what it does.
func (b *bench) press(d *dialog.Confirm, key tea.KeyPressMsg) {
	if a, ok := action.Find(d.Actions(), key); ok {
		b.do(a.Run())
		return
	}
	b.do(d.Update(key))
}

// An open question follows the list on which it rests: what was answered is cleared, the name must be typed, and keys that
// were pressed before the new text was drawn do not count.
func TestQuestionsFollowTheList(t *testing.T) {
	t.Parallel()
	b := canGo(t)
	d, ok := b.askAbout(*b.keys.Row(0)).(*dialog.Confirm)
	if !ok {
		t.Fatal("no question")
	}
	draw := func() string {
		return textOf(d.Describe(page.Frame{Width: 100, Height: 40, Now: time.Now(), Accessible: true}))
	}
	contains(t, draw(), "It was replaced by", "can go: quiet 3 h")
	tab, enter := tea.KeyPressMsg{Code: tea.KeyTab}, tea.KeyPressMsg{Code: tea.KeyEnter}
	b.press(d, tab)
	b.reload()
	if text := draw(); strings.Contains(text, "has changed") || !strings.Contains(text, "Button Revoke.") {
		t.Fatalf("nothing has changed:\n%s", text)
	}
	b.service.asked = nil
	b.used(1, 0)
	b.reload()
	for range 3 { // of the question that is not on the screen any more
		b.press(d, tab)
		b.press(d, enter)
	}
	contains(t, draw(), "What the list tells has changed since you were asked.", "it was used in the last 7 days",
		"Button Cancel. The other button, Revoke, is unavailable until the key's name is typed.")
	b.press(d, tab)
	b.press(d, enter)
	if got := strings.Join(b.service.asked, ", "); strings.Contains(got, "revoke") {
		t.Errorf("asked for %s", got)
	}
	if !d.Done() {
		t.Error("enter does not cancel")
	}
}

// A question about a key that is gone says so, and one whose list cannot be read for long proves nothing.
func TestQuestionsAboutWhatIsNotKnownAnyMore(t *testing.T) {
	t.Parallel()
	b := canGo(t)
	ask := func() (*dialog.Confirm, func() string) {
		d, ok := b.askAbout(*b.keys.Row(0)).(*dialog.Confirm)
		if !ok {
			t.Fatal("no question")
		}
		return d, func() string {
			return textOf(d.Describe(page.Frame{Width: 100, Height: 40, Now: time.Now(), Accessible: true}))
		}
	}
	_, draw := ask()
	b.ahead += fresh + time.Second
	b.service.fails[plain()] = failure(models.KindServer)
	b.reload()
	contains(t, draw(), "has changed", "until the key's name is typed")
	clear(b.service.fails)
	b.reload()
	contains(t, draw(), "can go: quiet")
	b.service.remove(*b.keys.Row(0))
	b.reload()
	contains(t, draw(), "It is not listed now.")
}

// A question about several keys follows each of them, and a batch leaves out what is used meanwhile.
func TestBatchesFollowTheList(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{}, "one", "two", "three")
	old := 90 * 24 * time.Hour
	for id := range int64(3) {
		b.used(id+1, old)
	}
	b.reload()
	for range b.keys.Len() {
		run(t, b.Actions(), "mark")
	}
	d, ok := b.askAboutMarked().(*dialog.Confirm)
	if !ok {
		t.Fatal("no question")
	}
	draw := func() string {
		return textOf(d.Describe(page.Frame{Width: 100, Height: 40, Now: time.Now(), Accessible: true}))
	}
	if strings.Contains(draw(), "Possibly in use") {
		t.Fatal(draw())
	}
	b.used(2, 0)
	b.reload()
	contains(t, draw(), "has changed", "Possibly in use, used in the last 7 days: 1 key.")
	b.used(2, old)
	b = newBench(t, Options{}, "one", "two", "three")
	for id := range int64(3) {
		b.used(id+1, old)
	}
	b.reload()
	targets := b.targets()
	first := b.startBatch(targets, false)
	b.used(3, 0)
	b.reload() // while the batch runs
	b.do(first)
	contains(t, b.opened(t)+b.drawn(t), "2 of 3 keys revoked", "used since you were asked: not revoked")
}

// The question after the session's key was rotated follows the list: pgtower's own use of the old key is no news, and a later
// one is.
func TestTheQuestionAfterARotationFollowsTheList(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{OwnID: 1, OwnList: models.Opt[models.ListID]{Known: true}}, "mine", "other")
	b.used(1, time.Hour)
	b.reload()
	b.do(b.newCreation(keys.Change{Key: models.APIKey{Name: "new"}, Old: b.keys.own, Own: true}).create())
	b.do(nil)
	draw := func() string { return b.opened(t) }
	contains(t, draw(), "Revoke mine?", "that may have been pgtower")
	b.used(1, 0)
	b.reload()
	if strings.Contains(draw(), "has changed") {
		t.Errorf("its own use is news: %s", draw())
	}
	b.ahead += time.Minute
	b.used(1, 0)
	b.reload()
	contains(t, draw(), "has changed", "after pgtower left it")
	b.service.remove(*b.keys.key(models.KeyRef{ID: 1}))
	b.reload()
	contains(t, draw(), "It is not listed now.")
}
