package cli

import (
	"path/filepath"

	"pgtower/internal/state"
	"pgtower/models/keys"
)

// usesFile is the path of the file of what was seen of the use of keys, beside that of the state; or "".
func (m *memory) usesFile() string {
	if m.file.Path == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(m.file.Path), "uses.jsonl")
}

// log returns the file of uses, or what keeps nothing if there is no folder for it.
func (m *memory) log() keys.Log {
	if path := m.usesFile(); path != "" {
		return state.NewUses(path)
	}
	return keys.Forgetful{}
}

// newWatchers returns the watchers of a process.
func newWatchers(m *memory) *watchers {
	return &watchers{kept: keys.NewWatcher(m.log()), unkept: keys.NewWatcher(keys.Forgetful{})}
}

// watchers keep what lists show of the use of keys: in the file, and, of profiles that want none, until the process ends.
type watchers struct{ kept, unkept *keys.Watcher }

// close writes until when uses were watched. Without that, a later list proves as much.
func (w *watchers) close() { _ = w.kept.Close() }

// of returns the watcher of a profile.
func (w *watchers) of(noHistory bool) *keys.Watcher {
	if noHistory {
		return w.unkept
	}
	return w.kept
}
