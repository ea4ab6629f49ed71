package cli

import (
	"cmp"

	"pgtower/internal/state"
	"pgtower/models"
	"pgtower/models/keys"
)

// keyMemory remembers the keys of one service. Without a file that can be written, it does so until the process ends.
type keyMemory struct {
	keys.Volatile

	file state.File
	host string
}

func (m *memory) keysOf(host string) *keyMemory { return &keyMemory{file: m.file, host: host} }

// Load reads the file: another program may have begun a rotation.
func (m *keyMemory) Load() (keys.Memory, error) {
	remembered, _ := m.Volatile.Load()
	read, err := m.file.Read()
	if err != nil {
		return remembered, err
	}
	list := read.Remembered(m.host)
	list.Merge(&remembered)
	return list, nil
}

// Change changes the keys as they are in the file now. Other programs wait meanwhile.
func (m *keyMemory) Change(change func(*keys.Memory)) (keys.Memory, error) {
	previous, _ := m.Load()
	kept, _ := m.Volatile.Change(func(stored *keys.Memory) { changeMerged(stored, previous, change) })
	err := changeState(m.file, func(s *state.State) { kept = m.merge(s, kept) })
	return kept, err
}

// changeMerged changes the stored keys after it has merged them into the previous ones.
func changeMerged(stored *keys.Memory, previous keys.Memory, change func(*keys.Memory)) {
	previous.Merge(stored)
	*stored = previous
	change(stored)
}

// merge adds keys to those of the state, and returns all.
func (m *keyMemory) merge(s *state.State, added keys.Memory) keys.Memory {
	s.Salt = cmp.Or(s.Salt, added.Salt)
	merged := s.Remembered(m.host)
	merged.Merge(&added)
	s.Remember(m.host, &merged)
	return merged
}

// own returns the key of the session, and whether its list is known. The keyring has the id of some keys. A key that pgtower
// created is recognized by its fingerprint. From now on, the uses of the key prove nothing.
func (m *keyMemory) own(secret models.Secret, id int64) (ref models.KeyRef, ok bool) {
	stored, err := m.Load()
	if err != nil {
		return models.KeyRef{ID: id}, false
	}
	if made := stored.Printed(stored.Print(secret)); made != nil {
		ref = made.Key
		if !made.Own {
			_, _ = m.Change(func(now *keys.Memory) { now.Mine(ref, made.Created) }) // the process knows it without the file
		}
		return ref, true
	}
	for _, made := range stored.Made {
		if id != 0 && made.Own && made.Key.ID == id {
			return made.Key, true
		}
	}
	m.doubt(&stored, id)
	return models.KeyRef{ID: id}, false
}

// doubt marks the keys that may be the session's when its fingerprint is unknown.
func (m *keyMemory) doubt(stored *keys.Memory, id int64) {
	if ownUnprinted(stored, id) {
		_, _ = m.Change(func(now *keys.Memory) { ownUnprinted(now, id) }) // the process knows it without the file
	}
}

// ownUnprinted marks the keys without a fingerprint as pgtower's own, so that their uses prove nothing. An id that is not 0
// limits it to one key. It reports whether it marked any.
func ownUnprinted(m *keys.Memory, id int64) (changed bool) {
	for i := range m.Made {
		if made := &m.Made[i]; made.Print == "" && !made.Own && (id == 0 || made.Key.ID == id) {
			made.Own, changed = true, true
		}
	}
	return changed
}
