package cli

import (
	"path/filepath"

	"pgtower/internal/state"
	"pgtower/models/keys"
)

// usesFile returns the path of the file of uses, beside that of the state, or "".
func (m *memory) usesFile() string {
	if m.file.Path == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(m.file.Path), "uses.jsonl")
}

// log returns the file of uses, or a log that keeps nothing if there is no folder for it.
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

// watchers keep the uses of keys that lists show: one in the file, the other one until the process ends.
type watchers struct{ kept, unkept *keys.Watcher }

// close writes when watching ended. An error is harmless: a later list proves as much.
func (w *watchers) close() { _ = w.kept.Close() }

// forProfile returns the watcher for a profile, which may want no file.
func (w *watchers) forProfile(noHistory bool) *keys.Watcher {
	if noHistory {
		return w.unkept
	}
	return w.kept
}
