package apikeys

import (
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/keychange"
	"pgtower/ui/page"
)

// fakeJournal keeps records, and fails on demand.
type fakeJournal struct {
	records []string
	err     error
}

func (j *fakeJournal) Check() error { return j.err }

func (j *fakeJournal) Write(r keychange.Record) error {
	if j.err == nil {
		j.records = append(j.records, r.Outcome+" to "+r.Change+" "+r.Name)
	}
	return j.err
}

// Every change has a line before its request and one after it.
func TestChangesAreInTheJournal(t *testing.T) {
	t.Parallel()
	journal := &fakeJournal{}
	b := newBench(t, Options{Journal: journal}, "one", "two")
	b.do(b.create(&creation{page: b.Page, name: "new", journal: b.journal()}))
	b.do(b.create(&creation{page: b.Page, name: "newer", journal: b.journal(), old: *b.keys.Row(0)}))
	b.do(b.revoke(*b.keys.Row(0), b.journal(), nil))
	b.service.revoke = func(k models.APIKey) (models.APIKey, error) { return k, failure(models.KindTimeout) }
	b.do(b.revoke(*b.keys.Row(1), b.journal(), nil))
	b.service.createErr = failure(models.KindForbidden)
	b.do(b.create(&creation{page: b.Page, name: "never", journal: b.journal()}))
	want := strings.Split("trying to create new|done to create new|trying to rotate newer|done to rotate newer|"+
		"trying to revoke one|done to revoke one|trying to revoke new|unknown to revoke new|"+
		"trying to create never|failed to create never", "|")
	if got := journal.records; len(got) != len(want) || got[0] != want[0] || got[7][:7] != "unknown" || !slices.Contains(got, want[9]) {
		t.Errorf("%q", got)
	}
}

// A journal that cannot be written is in the dialog, before anything is sent. One that fails later holds the change back.
func TestJournalThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	journal := &fakeJournal{err: errors.New("disk full")}
	b := newBench(t, Options{Journal: journal}, "one")
	const said = "The journal cannot be written, so it will not have this change: disk full."
	b.askName(models.Reach{}, "", "")
	b.do(nil)
	contains(t, b.opened(t), said)
	d := b.askAbout(*b.keys.Row(0)).Describe(page.Frame{Width: 100, Height: 40, Accessible: true})
	contains(t, words(d), said)
	b.service.asked = nil
	b.do(b.revoke(*b.keys.Row(0), b.journal(), nil))
	if !slices.Contains(b.service.asked, "revoke") {
		t.Errorf("the user was told, and asked for %q", b.service.asked)
	}

	journal.err = nil
	b = newBench(t, Options{Journal: journal}, "one")
	begun := b.journal()
	journal.err = errors.New("disk full")
	b.service.asked = nil
	for _, change := range []func() tea.Cmd{
		func() tea.Cmd { return b.revoke(*b.keys.Row(0), begun, nil) },
		func() tea.Cmd { return b.create(&creation{page: b.Page, name: "new", journal: begun}) },
	} {
		b.do(change())
		if slices.Contains(b.service.asked, "revoke") || slices.Contains(b.service.asked, "create new") {
			t.Errorf("asked for %q", b.service.asked)
		}
	}
	contains(t, b.opened(t), "not requested: the journal cannot be written: disk full", said)
}
