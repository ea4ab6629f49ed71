package state

import (
	"errors"
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
		if err := j.Append(keys.Record{Change: keys.Created, Name: name, RequestID: "1", Outcome: keys.Trying}); err != nil {
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
			if err := j.Append(keys.Record{Change: keys.Created, RequestID: "1", Outcome: keys.Trying, Name: fmt.Sprint(i)}); err != nil {
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

// A journal that is a link is written where that leads, also when it is renamed.
func TestJournalThatIsALink(t *testing.T) {
	t.Parallel()
	kept, j := journalIn(t), journalIn(t)
	kept.add(t, "a")
	if err := errors.Join(os.MkdirAll(filepath.Dir(j.Path), 0o700), os.Symlink(kept.Path, j.Path)); err != nil {
		t.Skip(err)
	}
	j.add(t, "b")
	File(kept).write(t, File(kept).content(t)+strings.Repeat("\n", maxJournal))
	j.add(t, "c")
	link, err := os.Lstat(j.Path)
	if err != nil || link.Mode()&os.ModeSymlink == 0 {
		t.Errorf("%v, %v", link, err)
	}
	for name, of := range map[string]Journal{"the link": j, "the file": kept} {
		if names, damaged := of.names(t); names != "a b c" || damaged > 0 {
			t.Errorf("%s: %q, %d", name, names, damaged)
		}
	}
}

// A journal of the last release is read. What others wrote into the file is checked as the state is: cleaned, masked and
// bounded, and what is no record is damaged.
func TestJournalIsChecked(t *testing.T) {
	t.Parallel()
	j := journalIn(t)
	const before = `{"at":"2026-11-20T10:00:00Z","account":"work@host","change":"rotate","outcome":"trying","name":"ci-20261120","request_id":"1"}
{"at":"2026-11-20T10:00:01Z","account":"work@host","change":"rotate","outcome":"done","id":7,"name":"ci-20261120","replaces":3,"request_id":"1"}
{"at":"2026-11-20T10:00:02Z","account":"work@host","change":"revoke","outcome":"unknown","id":3,"name":"ci","request_id":"2","error":"timeout"}
`
	const hostile = `{"change":"revoke","outcome":"done","id":1,"name":"a\tb\u001b[2Jnapi_012345678abcdef","request_id":"3"}
{"change":"revoke","outcome":"done","id":-1,"name":"negative","request_id":"4"}
{"change":"bake","outcome":"done","id":1,"name":"cake","request_id":"5"}
{"change":"revoke","outcome":"perhaps","id":1,"name":"outcome","request_id":"6"}
{"change":"revoke","outcome":"done","id":1,"name":"no request"}
`
	File(j).write(t, before+hostile)
	all, damaged, err := j.Read()
	if err != nil || len(all) != 4 || damaged != 4 {
		t.Fatalf("%d records, %d damaged, %v: %+v", len(all), damaged, err, all)
	}
	if joined := keys.Joined(all); len(joined) != 3 || joined[0].Outcome != keys.Done || joined[0].ID != 7 || joined[0].Handed != "" {
		t.Errorf("%+v", joined)
	}
	if open := keys.Open(all); len(open) != 1 || open[0].ID != 3 || !open[0].Sent.IsZero() {
		t.Errorf("%+v", open)
	}
	if name := all[3].Name; strings.ContainsAny(name, "\t\x1b") || strings.Contains(name, "0123") {
		t.Errorf("%q", name)
	}
	File(j).write(t, strings.Repeat(before, 2*maxJournal/len(before)+2))
	if _, _, err := j.Read(); err == nil {
		t.Error("a journal of any size is read")
	}
}

// No secret is written, and nothing into a file that others can write to or that is none.
func TestJournalThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	j := journalIn(t)
	j.add(t, "napi_012345678abc") // a key may be called so, and is revoked nevertheless
	if doc := File(j).content(t); strings.Contains(doc, "napi_012345678abc") {
		t.Errorf("a key was written: %s", doc)
	}
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
