package cli

import (
	"slices"

	"pgtower/internal/state"
	"pgtower/models"
	"pgtower/models/keys"
)

// keyMemory remembers the keys of one service. What cannot be written is remembered until the process ends.
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

// Change changes what the file has by now. Other programs wait meanwhile.
func (m *keyMemory) Change(change func(*keys.Memory)) (keys.Memory, error) {
	previous, _ := m.Load()
	volatile, _ := m.Volatile.Change(func(stored *keys.Memory) {
		previous.Merge(stored)
		*stored = previous
		change(stored)
	})
	kept := volatile
	err := m.file.Change(func(s *state.State) error {
		if s.Salt == "" {
			s.Salt = volatile.Salt
		}
		kept = s.Remembered(m.host)
		kept.Merge(&volatile)
		s.Remember(m.host, &kept)
		return nil
	})
	return kept, err
}

// own returns the key of the session, with its list, if it is known: the keyring has the id of some keys, and a key that
// pgtower created is known by its fingerprint, wherever it comes from. From now on, its uses prove nothing.
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

// doubt takes in that pgtower works with a key of which little is known: it may be any that was created when no
// fingerprints were kept. The uses of these prove nothing from now on.
func (m *keyMemory) doubt(stored *keys.Memory, id int64) {
	may := func(made keys.Made) bool {
		return made.Print == "" && !made.Own && (id == 0 || made.Key.ID == id)
	}
	if !slices.ContainsFunc(stored.Made, may) {
		return
	}
	_, _ = m.Change(func(now *keys.Memory) { // the process knows it without the file
		for i := range now.Made {
			now.Made[i].Own = now.Made[i].Own || may(now.Made[i])
		}
	})
}
