package apikeys

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/rotation"
	"pgtower/ui/page"
)

// fakeMemory remembers rotations.
type fakeMemory struct{ all []rotation.Memory }

func (m *fakeMemory) Load() ([]rotation.Memory, error) { return slices.Clone(m.all), nil }

func (m *fakeMemory) Save(one rotation.Memory) error {
	m.all = append(slices.DeleteFunc(m.all, func(o rotation.Memory) bool { return o.Successor == one.Successor }), one)
	return nil
}

func (m *fakeMemory) Forget(old models.KeyRef) error {
	m.all = slices.DeleteFunc(m.all, func(o rotation.Memory) bool { return o.Old == old })
	return nil
}

// used has the service show uses of a key and of all others as of now.
func (b *bench) used(id int64, ago time.Duration) {
	now := time.Now()
	for i := range b.service.keys {
		k := &b.service.keys[i]
		if k.AsOf = now; k.ID == id {
			k.LastUsedAt, k.LastUsedFromAddr = models.Opt[time.Time]{Value: now.Add(-ago), Known: true}, "203.0.113.9"
		} else {
			k.LastUsedAt.Known = true
		}
		if k.CreatedAt.IsZero() {
			k.CreatedAt = now
		}
	}
}

func (b *bench) noteOf(id int64) string {
	text, _ := b.note(b.keys.key(models.KeyRef{ID: id}), b.session.ServiceNow())
	return text
}

// A key that is replaced tells how far that is, and is revoked as an idle one only when it can go.
func TestReplacedKeys(t *testing.T) {
	t.Parallel()
	memory := &fakeMemory{}
	b := newBench(t, Options{Rotations: memory}, "ci", "other")
	b.used(1, 2*time.Hour)
	b.do(b.load())
	run(t, b.Actions(), "rotate")
	b.do(nil)
	contains(t, b.opened(t), "ci keeps working")
	old := *b.keys.Row(0)
	b.do(b.create(&creation{page: b.Page, name: b.successorName(&old), old: old, quiet: time.Hour, queue: queue{all: 1}}))
	if len(memory.all) != 1 || memory.all[0].Mark.IsZero() || !slices.Contains(b.service.asked, "verify") {
		t.Fatalf("%+v after %q", memory.all, b.service.asked)
	}
	contains(t, b.opened(t), "The new key works.")
	careful := func() bool {
		return b.askAbout(*b.keys.key(old.Ref())).Describe(page.Frame{Width: 100, Height: 40, Accessible: true}).Field != nil
	}
	for _, c := range []struct {
		id      int64
		ago     time.Duration
		note    string
		careful bool
		canGo   int
	}{
		{1, 2 * time.Hour, "successor not used yet", true, 0},
		{101, -time.Minute, "can go: quiet for 2 h · successor used", false, 1},
		{1, 0, "still used", true, 0},
	} {
		b.used(c.id, c.ago)
		b.do(b.load())
		if note := b.noteOf(1); !strings.Contains(note, c.note) || careful() != c.careful || b.CanGo() != c.canGo {
			t.Errorf("%+v: %q, careful %v, %d can go", c, note, careful(), b.CanGo())
		}
	}
	contains(t, b.noteOf(101), "↻ replaces ci")
	contains(t, strings.Join(b.notices(), "\n"), "ci can go: quiet for 2 h", "ci was used again: last used")
	b.do(b.revoke(*b.keys.key(old.Ref()), nil, nil))
	if len(memory.all) > 0 || b.CanGo() > 0 {
		t.Errorf("%+v is remembered of a revoked key", memory.all)
	}
}

// An answer that is behind an earlier one does not make a key look quiet.
func TestAnOlderAnswerHidesNoUse(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{QuietFor: time.Hour}, "ci", "ci-20200101")
	for i := range b.service.keys {
		b.service.keys[i].CreatedAt = time.Unix(int64(i+1), 0)
	}
	b.used(2, 0)
	b.used(1, time.Minute)
	b.do(b.load())
	b.used(1, 3*time.Hour)
	b.do(b.load())
	contains(t, b.noteOf(1), "still used")
}

// Marked keys are rotated one after the other, each once its secret was taken.
func TestMarkedKeysAreRotated(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{}, "one", "two")
	all := []models.APIKey{*b.keys.Row(0), *b.keys.Row(1)}
	b.rotateNext(queue{rest: all, all: 2})
	b.do(nil)
	contains(t, b.opened(t), "Rotate one (1 of 2)")
	b.do(b.create(&creation{page: b.Page, name: "one-20200101", old: all[0], queue: queue{rest: all, all: 2}}))
	d := b.dialog(t)
	run(t, d.Actions(), "reveal")
	run(t, d.Actions(), "done")
	b.do(nil)
	contains(t, b.opened(t), "Rotate two (2 of 2)")
}
