package state

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"pgtower/models"
	"pgtower/models/keys"
)

// A crash or another program may have left anything in the journal: what can be read is read, and a record is appended as a
// line of its own.
func FuzzJournal(f *testing.F) {
	const line = `{"at":"2026-11-26T22:41:57Z","account":"default@x","change":"revoke","outcome":"trying","id":7,"name":"ci","request_id":"r"}`
	for _, seed := range []string{
		"", "\n", "null", "[]\n", line, line + "\n", line + "\n" + line[:40], "\x00\n" + line, `{"id":1e9}`, `{"at":"yesterday"}`,
		`{"name":"\u001b[31m\ud800"}` + "\r\n", `{"ID":1,"id":-9223372036854775808}`, `{"outcome":"done"}` + "\n\n\n{",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		j := Journal{filepath.Join(t.TempDir(), "journal.jsonl")}
		if err := os.WriteFile(j.Path, doc, 0o600); err != nil {
			t.Fatal(err)
		}
		before, damaged, err := j.Read()
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(doc, []byte("\n")) + 1; len(before)+damaged > lines {
			t.Errorf("%q: %d records and %d damaged of %d lines", doc, len(before), damaged, lines)
		}
		_ = keys.Joined(before)
		if err := j.Append(keys.Record{Name: "new", Change: keys.Revoke, Outcome: keys.Trying, RequestID: "r"}); err != nil {
			t.Fatal(err)
		}
		after, still, err := j.Read()
		if err != nil || len(after) != len(before)+1 || still != damaged || after[len(after)-1].Name != "new" {
			t.Errorf("%q: %d records, then %d; %d damaged, then %d; %v", doc, len(before), len(after), damaged, still, err)
		}
		for _, r := range after {
			for _, text := range r.Fields() {
				if s, ok := text.(string); ok && s != models.Clean(s) {
					t.Errorf("%q: %q is shown as it is", doc, s)
				}
			}
		}
	})
}
