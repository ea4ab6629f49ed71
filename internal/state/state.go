// Package state keeps what the program remembers from one run to the next, in one file. No user has to write it.
//
// Settings belong to the configuration file. The state never has a program, a key command, a CA file, read_only or an API
// key: its types have no place for them.
package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/query"
	"pgtower/models/settings"
)

// currentVersion is the version of the file. Raise it with a new field if the current one was released: a program that does not
// know a field would drop it.
const currentVersion = 2

// State is the content of the file. Each part is a field that is empty if nothing is remembered.
type State struct {
	Version int               `json:"version"`
	Layout  settings.Layout   `json:"layout,omitzero"`
	Views   []query.SavedView `json:"views,omitempty"`
	// Default is the profile that is used unless the configuration file or the user names another.
	Default  string                      `json:"default_profile,omitzero"`
	Profiles map[string]settings.Profile `json:"profiles,omitempty"` // those that a sign-in added, by name
	Keys     map[string]Key              `json:"keys,omitempty"`     // what a sign-in found out about the keys, by profile
	Pins     map[string][]string         `json:"pins,omitempty"`     // the ids of the pinned projects, by profile
	Filters  map[string][]string         `json:"filters,omitempty"`  // of each page, the newest last
	Seen     map[string]time.Time        `json:"seen,omitempty"`     // when operations were last read, by profile and the service's clock
	// Made are the API keys that the program created, oldest first, and Salt is that of their fingerprints.
	Salt string `json:"salt,omitempty"`
	Made []Made `json:"made,omitempty"`
	// Rotations are the API keys that are being replaced, or were, oldest first.
	Rotations []Rotation `json:"rotations,omitempty"`
	// Accounts are what is known of keys for a day, by their fingerprints, oldest first.
	Accounts []Account `json:"accounts,omitempty"`
	// Names are the names of branches and computes, by the fingerprints of keys, oldest first.
	Names []Names `json:"names,omitempty"`

	Ignored []string `json:"-"` // what was wrong in the file, and is left out
}

// Key is what a sign-in found out about the key of a profile.
type Key struct {
	About   string `json:"about,omitempty"`   // what it is, such as "personal key, 3 organizations"
	Origin  string `json:"origin,omitempty"`  // where it came from, such as "keyring"
	Project string `json:"project,omitempty"` // the id of the only project that it reaches, which the service does not tell
}

// What the file holds at most, so that no part grows for years.
const (
	maxFile      = 1 << 20 // bytes
	maxViews     = 200
	maxPins      = 1000 // of each profile
	maxFilters   = 300  // of all pages
	maxMade      = 500
	maxRotations = 200
	maxAccounts  = 20
	maxNamed     = 1000 // organizations and projects of all accounts
	maxParts     = 1000 // branches and computes of all keys
)

// errNewer is in the error of a state that a newer version of the program wrote.
var errNewer = errors.New("of a newer pgtower")

// decode returns the state in a document. One of a newer version is returned as far as this version understands it, with an
// error.
func decode(doc []byte) (State, error) {
	var s State
	if models.FindKey(string(doc)) >= 0 {
		return State{}, errors.New("it has what looks like an API key")
	}
	var of struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(doc, &of); err != nil {
		return State{}, fmt.Errorf("it is damaged (%w)", err)
	}
	err := json.Unmarshal(doc, &s)
	switch {
	case of.Version > currentVersion:
		return s.asOlder(err), fmt.Errorf("%w (version %d, not %d)", errNewer, of.Version, currentVersion)
	case err != nil:
		return State{}, fmt.Errorf("it is damaged (%w)", err)
	case of.Version < 1:
		return State{}, errors.New("it is damaged (it has no version)")
	case of.Version == 1:
		err = s.upgrade(doc)
	}
	s.check()
	return s, err
}

// asOlder returns the part of a newer state that this version can use; nothing after an error of decoding. It leaves out keys:
// their fields may mean something else in the newer version, and must not prove that a key can go.
func (s *State) asOlder(err error) State {
	if err != nil {
		return State{}
	}
	out := *s
	out.Salt, out.Made, out.Rotations, out.Accounts, out.Names = "", nil, nil, nil, nil
	out.check()
	return out
}

// encode returns the document of a state, or an error if that is too large to be read again or has an API key.
func (s *State) encode() ([]byte, error) {
	s.Version = currentVersion
	s.Made = s.Made[max(0, len(s.Made)-maxMade):]
	s.Rotations = s.Rotations[max(0, len(s.Rotations)-maxRotations):]
	doc, err := json.MarshalIndent(s, "", "  ")
	switch {
	case err != nil:
		return nil, err
	case models.FindKey(string(doc)) >= 0:
		return nil, errors.New("this looks like an API key, and no key belongs into the state")
	case len(s.Views) > maxViews:
		return nil, fmt.Errorf("there are %d saved views already", maxViews)
	case len(doc) > maxFile:
		return nil, fmt.Errorf("the state would be larger than %d MiB", maxFile>>20)
	}
	return append(doc, '\n'), nil
}

// AddFilter makes a filter the newest one of a page. The oldest ones of the page make room.
func (s *State) AddFilter(page, filter string) {
	if s.Filters == nil {
		s.Filters = map[string][]string{}
	}
	others := slices.DeleteFunc(s.Filters[page], func(entry string) bool { return entry == filter })
	s.Filters[page] = append(others, filter)
	count := 0
	for _, list := range s.Filters {
		count += len(list)
	}
	s.Filters[page] = s.Filters[page][min(max(0, count-maxFilters), len(s.Filters[page])-1):]
}

// Pin adds a project to the pinned ones of a profile, or removes it.
func (s *State) Pin(profile, project string, pinned bool) error {
	ids := slices.DeleteFunc(s.Pins[profile], func(id string) bool { return id == project })
	if pinned {
		ids = append(ids, project)
	}
	if len(ids) > maxPins {
		return fmt.Errorf("%d projects are pinned already", maxPins)
	}
	if s.Pins == nil {
		s.Pins = map[string][]string{}
	}
	s.Pins[profile] = ids
	if len(ids) == 0 {
		delete(s.Pins, profile)
	}
	return nil
}
