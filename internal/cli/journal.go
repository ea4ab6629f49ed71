package cli

import (
	"path/filepath"
	"slices"
	"time"

	"pgtower/internal/state"
	"pgtower/models/keys"
)

// journalFile is the file of the journal, beside that of the state.
func (m *memory) journalFile() state.Journal {
	if m.file.Path == "" {
		return state.Journal{}
	}
	return state.Journal{Path: filepath.Join(filepath.Dir(m.file.Path), "journal.jsonl")}
}

// journal is the journal of one account.
type journal struct {
	file    state.Journal
	account string // profile@host
	clock   func() time.Time
}

func (m *memory) journal(account string, clock func() time.Time) keys.Journal {
	return &journal{file: m.journalFile(), account: account, clock: clock}
}

func (j *journal) Check() error { return j.file.Check() }

func (j *journal) Write(r keys.Record) error {
	r.At, r.Account = j.clock().UTC(), j.account
	return j.file.Append(r)
}

// undated is the age from which the change of a record without the service's time is over. It is long, because this computer's
// clock may have been set meanwhile.
const undated = 8 * 24 * time.Hour

func (j *journal) Open() ([]keys.Record, error) {
	records, _, err := j.file.Read()
	open := keys.Open(slices.DeleteFunc(records, j.isForeign))
	return slices.DeleteFunc(open, j.isOver), err
}

func (j *journal) isForeign(r keys.Record) bool { return r.Account != j.account }

func (j *journal) isOver(r keys.Record) bool { return r.Sent.IsZero() && j.clock().Sub(r.At) > undated }
