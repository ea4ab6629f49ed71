package cli

import (
	"time"

	"pgtower/internal/state"
	"pgtower/models"
	"pgtower/models/keys"
)

// rotations remembers the rotations of the keys of one service.
type rotations struct {
	file state.File
	host string
}

func savedKey(ref models.KeyRef) state.KeyList { return state.KeyList{ID: ref.ID, OrgID: ref.List.Org} }

func keyOf(saved state.KeyList) models.KeyRef {
	return models.KeyRef{List: models.ListID{Org: saved.OrgID}, ID: saved.ID}
}

// Load reads the file: another program may have begun a rotation.
func (r *rotations) Load() (all []keys.Memory, err error) {
	read, err := r.file.Read()
	for _, saved := range read.Rotations {
		quiet, ok := models.ParseDuration(saved.QuietFor)
		if saved.Host != r.host || saved.QuietFor != "" && !ok {
			continue
		}
		all = append(all, keys.Memory{
			Old: keyOf(saved.Old), OldCreated: saved.OldCreated, Successor: keyOf(saved.Successor),
			Began: saved.Began, Quiet: quiet, Mark: saved.Mark,
			Kept: saved.Kept, Moved: saved.Moved,
		})
	}
	return all, err
}

func (r *rotations) Save(m keys.Memory) error {
	saved := state.Rotation{
		Host: r.host, Old: savedKey(m.Old), OldCreated: m.OldCreated.UTC(),
		Successor: savedKey(m.Successor), Began: m.Began.UTC().Truncate(time.Second),
		Mark: m.Mark.UTC(), Kept: m.Kept, Moved: m.Moved,
	}
	if m.Quiet > 0 {
		saved.QuietFor = m.Quiet.String()
	}
	return r.file.Change(func(s *state.State) error {
		s.AddRotation(saved)
		return nil
	})
}
