package state

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
)

// check removes what the program would not have written, and notes it: another program may have changed the file, or the disk
// is damaged. The views, profiles and columns are checked by the packages that use them.
func (s *State) check() {
	s.Made = checkEach(s, "a key that was created", s.Made, (*Made).check)
	s.Rotations = checkEach(s, "a rotation", s.Rotations, (*Rotation).check)
	s.Accounts = checkEach(s, "what is known of a key", s.Accounts, (*Account).check)
	s.Names = checkEach(s, "names of branches", s.Names, (*Names).check)
	for page, filters := range s.Filters {
		s.Filters[page] = slices.DeleteFunc(filters, func(filter string) bool { return filter == "" || !isPlain(filter) })
	}
	for name, ids := range s.Pins {
		s.Pins[name] = slices.DeleteFunc(ids, func(id string) bool { return !models.IsID(id) || !isPlain(id) })
	}
	maps.DeleteFunc(s.Keys, func(name string, key Key) bool {
		return s.ignored("what is known of the key of "+models.Clean(name), key.check())
	})
}

// checkEach returns the entries of a list that are as the program writes them, and notes the others.
func checkEach[T any](s *State, part string, list []T, check func(*T) error) []T {
	return slices.DeleteFunc(list, func(entry T) bool { return s.ignored(part, check(&entry)) })
}

// ignored notes an error in a part, and reports whether there is one.
func (s *State) ignored(part string, err error) bool {
	if err != nil {
		s.Ignored = append(s.Ignored, fmt.Sprintf("ignored %s in the state: %v", part, err))
	}
	return err != nil
}

func isPlain(text string) bool { return models.Clean(text) == text && len(text) <= maxField }

// wrong returns the error of a field.
func wrong(field string) error { return fmt.Errorf("%s is not as pgtower writes it", field) }

func (k KeyID) check(field string) error {
	if k.ID < 1 || k.OrgID != "" && !models.IsOrgID(k.OrgID) {
		return wrong(field)
	}
	return nil
}

func (m *Made) check() error {
	took, unread := time.ParseDuration(m.Took)
	switch {
	case m.Host == "" || !isPlain(m.Host):
		return wrong("host")
	case !isPlain(m.Print), !isPlain(m.Handed):
		return wrong("print or handed")
	case m.Took != "" && (unread != nil || took < 0):
		return wrong("took")
	}
	return m.KeyID.check("id")
}

func (r *Rotation) check() error {
	quiet, unread := time.ParseDuration(r.QuietFor)
	switch {
	case r.Host == "" || !isPlain(r.Host):
		return wrong("host")
	case r.Old == r.Successor:
		return wrong("successor")
	case r.QuietFor != "" && (unread != nil || quiet != 0 && keys.CheckQuiet(quiet) != nil): // 0 proves nothing
		return wrong("quiet_for")
	}
	if err := r.Old.check("old"); err != nil {
		return err
	}
	return r.Successor.check("successor")
}

func (k *Key) check() error {
	if !isPlain(k.About) || !isPlain(k.Origin) || k.Project != "" && !models.IsID(k.Project) || !isPlain(k.Project) {
		return wrong("about, origin or project")
	}
	return nil
}
