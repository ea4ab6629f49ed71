package cli

import (
	"time"

	"pgtower/internal/state"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/naming"
)

// accountMemory remembers the account of a key between runs. If it cannot be written, the next run asks the service again.
type accountMemory struct {
	file  state.File
	host  string
	key   models.Secret
	clock func() time.Time // of this computer
}

func (m *memory) accountOf(host string, key models.Secret, clock func() time.Time) *accountMemory {
	return &accountMemory{m.file, host, key, clock}
}

// Recall reads the file each time: another program may have learned more.
func (m *accountMemory) Recall() account.Snapshot {
	read, err := m.file.Read()
	if err != nil {
		return account.Snapshot{}
	}
	return read.KnownOf(m.host, m.key, m.clock())
}

// Keep remembers an account.
func (m *accountMemory) Keep(snapshot *account.Snapshot) { m.write(snapshot) }

// Forget forgets the account.
func (m *accountMemory) Forget() {
	if snapshot := m.Recall(); !snapshot.Read.IsZero() {
		m.write(nil)
	}
}

// RecallNames returns the remembered names of branches and computes.
func (m *accountMemory) RecallNames() []naming.Kept {
	read, err := m.file.Read()
	if err != nil {
		return nil
	}
	return read.NamesOf(m.host, m.key)
}

// KeepNames remembers names of branches and computes.
func (m *accountMemory) KeepNames(names []naming.Kept) {
	_ = changeState(m.file, func(s *state.State) { s.KeepNames(m.host, m.key, names) })
}

func (m *accountMemory) write(snapshot *account.Snapshot) {
	_ = changeState(m.file, func(s *state.State) { s.Know(m.host, m.key, snapshot, m.clock()) })
}
