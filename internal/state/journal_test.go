package state

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pgtower/models/keys"
)

func journalIn(t *testing.T) Journal {
	t.Helper()
	return Journal{filepath.Join(t.TempDir(), "pgtower", "journal.jsonl")}
}

func (j Journal) add(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := j.Append(keys.Record{Name: name, Outcome: keys.Trying}); err != nil {
			t.Fatal(err)
		}
	}
}

func (j Journal) names(t *testing.T) (names string, damaged int) {
	t.Helper()
	all, damaged, err := j.Read()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		names += r.Name + " "
	}
	return strings.TrimSpace(names), damaged
}

// What was appended is read, also behind a line that was cut off.
func TestJournal(t *testing.T) {
	t.Parallel()
	j := journalIn(t)
	if err := j.Check(); err != nil {
		t.Fatal(err)
	}
	if names, damaged := j.names(t); names != "" || damaged != 0 {
		t.Errorf("without a record: %q, %d", names, damaged)
	}
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	full := keys.Record{
		At: at, Account: "work@host", Change: keys.Rotated, Outcome: keys.Done, ID: 1<<62 + 1, Name: "a",
		OrgID: "org", ProjectID: "p", Replaces: 7, RequestID: "id", Error: "x",
	}
	if err := j.Append(full); err != nil {
		t.Fatal(err)
	}
	if all, _, err := j.Read(); err != nil || len(all) != 1 || all[0] != full {
		t.Errorf("%+v, %v", all, err)
	}
	doc := File(j).content(t)
	File(j).write(t, doc+doc[:len(doc)/2])
	j.add(t, "b", "c")
	if names, damaged := j.names(t); names != "a b c" || damaged != 1 {
		t.Errorf("after a crash: %q, %d", names, damaged)
	}
}

// Programs that write at the same time lose nothing, and the journal does not grow without limit.
func TestJournalOfSeveralPrograms(t *testing.T) {
	t.Parallel()
	j := journalIn(t)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if err := j.Append(keys.Record{Name: fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if records, damaged, err := j.Read(); len(records) != 8 || damaged > 0 || err != nil {
		t.Errorf("%d records, %d damaged, %v", len(records), damaged, err)
	}
	File(j).write(t, strings.Repeat("\n", maxJournal-10))
	j.add(t, "a")
	File(j).write(t, File(j).content(t)+strings.Repeat("\n", maxJournal-10))
	j.add(t, "b")
	if names, _ := j.names(t); names != "a b" {
		t.Errorf("%q", names)
	}
}

// A key whose name is a secret, pasted into the wrong field, is revoked with a record: without the secret.
func TestJournalMasksSecrets(t *testing.T) {
	t.Parallel()
	j := journalIn(t)
	j.add(t, "napi_012345678abc")
	if names, damaged := j.names(t); names != "•••" || damaged != 0 {
		t.Errorf("%q, %d damaged", names, damaged)
	}
}

// Nothing is written into a file that others can write to or that is none.
func TestJournalThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	j := journalIn(t)
	j.add(t, "a")
	if err := os.Chmod(j.Path, 0o622); err != nil {
		t.Fatal(err)
	}
	folder := Journal{t.TempDir()}
	for _, j := range []Journal{j, folder, {}, {filepath.Join(j.Path, "x")}} {
		if j.Check() == nil || j.Append(keys.Record{}) == nil {
			t.Errorf("%q can be written", j.Path)
		}
	}
}
