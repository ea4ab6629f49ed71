package apikeys

import (
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/keys"
)

// fakeJournal keeps records, and fails on demand.
type fakeJournal struct {
	records []string
	err     error
}

func (j *fakeJournal) Check() error { return j.err }

func (j *fakeJournal) Open() ([]keys.Record, error) { return nil, nil }

func (j *fakeJournal) Write(r keys.Record) error {
	if j.err == nil {
		by := strings.Repeat(" by "+r.By, len(r.By)/len(keys.ByList))
		if r.Handed != "" {
			by += " (" + r.Handed + ")"
		}
		j.records = append(j.records, r.Outcome+by+" to "+r.Change+" "+r.Name)
	}
	return j.err
}

// Every change has a line before its request and one after it, and one more when a list decides it.
func TestChangesAreInTheJournal(t *testing.T) {
	t.Parallel()
	journal := &fakeJournal{}
	b := newBench(t, Options{Journal: journal}, "one", "two", "three")
	one, two, three := *b.keys.Row(0), *b.keys.Row(1), *b.keys.Row(2)
	b.creates(named("new"))
	b.creates(keys.Change{Key: models.APIKey{Name: "newer"}, Old: one})
	b.Do(b.revoke(one, false, nil))
	timeout := failure(models.KindTimeout)
	b.service.revoke = func(k models.APIKey) (models.APIKey, error) { return k, timeout }
	b.Do(b.revoke(two, false, nil))
	b.service.revoke = func(k models.APIKey) (models.APIKey, error) {
		b.service.remove(k)
		return k, timeout
	}
	b.Do(b.revoke(three, false, nil))
	b.service.createErr = failure(models.KindForbidden)
	b.creates(named("never"))
	b.service.createErr = nil
	carriedOut := true
	b.service.create = func(models.APIKey) (bool, error) { return carriedOut, timeout }
	b.creates(named("lost"))
	carriedOut = false
	b.creates(named("none"))
	want := "trying to create new|done (nobody) to create new|trying to rotate newer|done (nobody) to rotate newer|" +
		"trying to revoke one|done to revoke one|" +
		"trying to revoke two|unknown to revoke two|" +
		"trying to revoke three|unknown to revoke three|done by list to revoke three|" +
		"trying to create never|failed to create never|" +
		"trying to create lost|unknown to create lost|done by list to create lost|" +
		"trying to create none|unknown to create none"
	if got := strings.Join(journal.records, "|"); got != want {
		t.Errorf("%s, not\n%s", got, want)
	}
	journal.records = nil
	b.late()
	slices.Sort(journal.records)
	want = "failed by list to create none|failed by list to revoke two"
	if got := strings.Join(journal.records, "|"); got != want {
		t.Errorf("%s, not\n%s", got, want)
	}
}

// The dialog warns if the journal cannot be written, before anything is sent. If it fails later, the change is not sent.
func TestJournalThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	journal := &fakeJournal{err: errors.New("disk full")}
	b := newBench(t, Options{Journal: journal}, "one")
	const said = "The journal cannot be written, so it will not have this change: disk full."
	b.newCreation(keys.Change{}).ask("")
	b.Opened().Says(said)
	b.asksAbout(*b.keys.Row(0)).Says(said)
	b.service.asked = nil
	b.Do(b.revoke(*b.keys.Row(0), b.recorder.told(), nil))
	if !slices.Contains(b.service.asked, "revoke") {
		t.Errorf("the user was told, and asked for %q", b.service.asked)
	}
	journal.err = nil
	b.creates(keys.Change{Key: models.APIKey{Name: "new"}, Unrecorded: true})
	if !slices.Contains(journal.records, "done (nobody) to create new") {
		t.Errorf("the journal can be written again, and has %q", journal.records)
	}

	b = newBench(t, Options{Journal: journal}, "one")
	begun := b.recorder.told()
	journal.err = errors.New("disk full")
	b.service.asked = nil
	for _, change := range []func() tea.Cmd{
		func() tea.Cmd { return b.revoke(*b.keys.Row(0), begun, nil) },
		func() tea.Cmd {
			return b.newCreation(keys.Change{Key: models.APIKey{Name: "new"}, Unrecorded: begun}).create()
		},
	} {
		b.Do(change())
		if slices.Contains(b.service.asked, "revoke") || slices.Contains(b.service.asked, "create new") {
			t.Errorf("asked for %q", b.service.asked)
		}
	}
	b.Opened().Says("not requested: the journal cannot be written: disk full", said)
}
