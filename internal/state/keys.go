package state

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
)

// KeyID is an API key: the list that has it, and its id there.
type KeyID struct {
	ID    int64  `json:"id"`
	OrgID string `json:"org_id,omitempty"` // empty: the account's own list
}

// Made is an API key that the program created. Its times are by the service's clock.
type Made struct {
	Host string `json:"host"` // of the service
	KeyID

	Created time.Time `json:"created,omitzero"`
	Print   string    `json:"print,omitempty"` // the fingerprint of its secret
	First   time.Time `json:"first,omitzero"`  // the first use that any list has shown
	Took    string    `json:"took,omitempty"`  // how long it was verified, such as 2s
	Until   time.Time `json:"until,omitzero"`  // until when it was verified again
	Handed  string    `json:"handed"`          // where its secret went, such as file or nobody
	Own     bool      `json:"own,omitempty"`   // it became a key of the program
	Moved   time.Time `json:"moved,omitzero"`  // when the program began to use it instead of the old key
}

// Rotation is an API key that is being replaced. Its times are by the service's clock.
type Rotation struct {
	Host       string    `json:"host"` // of the service
	Old        KeyID     `json:"old"`
	OldCreated time.Time `json:"old_created"`
	Successor  KeyID     `json:"successor"`
	Began      time.Time `json:"began"`
	QuietFor   string    `json:"quiet_for,omitempty"` // how long the old key must be quiet, such as 24h
}

func idOf(ref models.KeyRef) KeyID { return KeyID{ID: ref.ID, OrgID: ref.List.Org} }

func (k KeyID) ref() models.KeyRef {
	return models.KeyRef{List: models.ListID{Org: k.OrgID}, ID: k.ID}
}

// Remembered returns what is remembered of the keys of a service. A duration that cannot be read is 0, which proves
// nothing.
func (s *State) Remembered(host string) keys.Memory {
	m := keys.Memory{Salt: s.Salt}
	for _, made := range s.Made {
		if made.Host != host {
			continue
		}
		took, _ := time.ParseDuration(made.Took)
		m.Add(keys.Made{
			Key: made.ref(), Created: made.Created, Print: made.Print, First: made.First, Took: took, Until: made.Until,
			Handover: keys.ParseHandover(made.Handed), Own: made.Own, Moved: made.Moved,
		})
	}
	for _, r := range s.Rotations {
		if r.Host != host {
			continue
		}
		quiet, _ := time.ParseDuration(r.QuietFor)
		m.Rotations = append(m.Rotations, keys.Rotation{
			Old: r.Old.ref(), OldCreated: r.OldCreated, New: r.Successor.ref(), Began: r.Began, Quiet: quiet,
		})
	}
	return m
}

// Remember replaces what is remembered of the keys of a service.
func (s *State) Remember(host string, m *keys.Memory) {
	s.Salt = m.Salt
	s.Made = slices.DeleteFunc(s.Made, func(entry Made) bool { return entry.Host == host })
	for _, made := range m.Made {
		s.Made = append(s.Made, Made{
			Host: host, KeyID: idOf(made.Key), Created: made.Created.UTC(), Print: made.Print, First: made.First.UTC(),
			Took: made.Took.String(), Until: made.Until.UTC(), Handed: made.Handover.String(), Own: made.Own,
			Moved: made.Moved.UTC(),
		})
	}
	s.Rotations = slices.DeleteFunc(s.Rotations, func(entry Rotation) bool { return entry.Host == host })
	for _, r := range m.Rotations {
		s.Rotations = append(s.Rotations, Rotation{
			Host: host, Old: idOf(r.Old), OldCreated: r.OldCreated.UTC(), Successor: idOf(r.New), Began: r.Began.UTC(),
			QuietFor: r.Quiet.String(),
		})
	}
}

// upgrade adds the keys that version 1 of the file remembers. What version 1 does not have is filled in so that it proves
// nothing. Only uses that lists show from now on can prove that a key can go.
func (s *State) upgrade(doc []byte) error {
	var previous struct {
		KeyLists  map[string]KeyID `json:"key_lists"` // of the keys in the keyring, by profile@host
		Rotations []struct {
			Host      string    `json:"host"`
			Successor KeyID     `json:"successor"`
			Began     time.Time `json:"began"`
			QuietFor  string    `json:"quiet_for"`
			Mark      time.Time `json:"mark"`
			Kept      bool      `json:"kept"`
			Moved     bool      `json:"moved"`
		} `json:"rotations"`
	}
	if err := json.Unmarshal(doc, &previous); err != nil {
		return fmt.Errorf("it is damaged (%w)", err)
	}
	for i, r := range previous.Rotations {
		made := Made{
			Host: r.Host, KeyID: r.Successor, Took: keys.Killed.String(), Until: r.Mark, Handed: "maybe somewhere", Own: r.Kept,
		}
		if r.Moved {
			made.Moved = r.Began
		}
		if s.Made = append(s.Made, made); r.QuietFor == "" {
			s.Rotations[i].QuietFor = keys.QuietFor.String()
		}
	}
	for account, key := range previous.KeyLists {
		host := account[strings.LastIndexByte(account, '@')+1:]
		s.Made = append(s.Made, Made{Host: host, KeyID: key, Took: keys.Killed.String(), Handed: "maybe somewhere", Own: true})
	}
	return nil
}
