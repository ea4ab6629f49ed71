package apikeys

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/dialog"
)

// shaky is a service whose answers to changes are lost, late, refused, wrong or cut.
type shaky struct {
	*bench

	random *rand.Rand
	later  []models.APIKey // revocations that are carried out after the list was read, but before the deadline
	sent   map[models.KeyRef]int
}

var (
	undecided = []models.Kind{
		models.KindTimeout, models.KindUnreachable, models.KindCutOff, models.KindStalled, models.KindMalformed,
		models.KindServer, models.KindUnauthorized, models.KindRedirect,
	}
	decided = []models.Kind{models.KindForbidden, models.KindInvalid, models.KindLocked}
)

func (s *shaky) pick(kinds []models.Kind) error { return failure(kinds[s.random.IntN(len(kinds))]) }

func (s *shaky) revoke(k models.APIKey) (models.APIKey, error) {
	s.sent[k.Ref()]++
	there := slices.ContainsFunc(s.service.keys, func(one models.APIKey) bool { return one.Ref() == k.Ref() })
	switch s.random.IntN(6) {
	case 0:
		return k, s.pick(decided)
	case 1:
		return k, s.pick(undecided)
	case 2:
		s.service.remove(k)
		return k, s.pick(undecided)
	case 3:
		s.later = append(s.later, k)
		return k, s.pick(undecided)
	case 4:
		return k, failure(models.KindNotFound) // of something in between: the key exists
	}
	if !there {
		return k, failure(models.KindNotFound)
	}
	s.service.remove(k)
	return k, nil
}

func (s *shaky) create(models.APIKey) (carriedOut bool, err error) {
	switch s.random.IntN(4) {
	case 0:
		return false, s.pick(decided)
	case 1:
		return false, s.pick(undecided)
	case 2:
		return true, s.pick(undecided)
	}
	return true, nil
}

// has reports whether the service has a key.
func (s *shaky) has(ref models.KeyRef) bool {
	return slices.ContainsFunc(s.service.keys, func(k models.APIKey) bool { return k.Ref() == ref })
}

// check compares what the page says of revocations with what the service did.
func (s *shaky) check(t *testing.T, done string) {
	t.Helper()
	for ref, r := range s.keys.Revocations {
		switch r.State {
		case keys.Revoked:
			if s.has(ref) {
				t.Errorf("%s: %s is said to be revoked", done, r.Name)
			}
		case keys.Refusal, keys.StillListed:
			if !s.has(ref) {
				t.Errorf("%s: %s is said not to be revoked", done, r.Name)
			}
		case keys.Revoking:
			t.Errorf("%s: %s is being revoked for good", done, r.Name)
		default:
		}
	}
	if s.report == nil {
		return
	}
	for i, result := range s.report.results {
		ref := s.report.targets[i].Ref()
		if result == keys.Revoked && s.has(ref) || (result == keys.Refusal || result == keys.StillListed) && !s.has(ref) {
			t.Errorf("%s: the report has %d for %v", done, result, ref)
		}
	}
}

// knownOf returns what is known of a key whose creation had no answer.
func (s *shaky) knownOf(in models.ListID, exists bool) string {
	switch {
	case s.service.fails[in] != nil:
		return "may still appear, but its secret is lost"
	case exists:
		return ", and its secret is lost"
	}
	return "is not listed yet; it may still appear"
}

// createOne creates a key, and checks what its dialog says.
func (s *shaky) createOne(t *testing.T, name string, reach models.Reach) {
	t.Helper()
	s.Take()
	c := s.newCreation(keys.Change{Key: keys.Wanted(name, reach)})
	s.Do(c.create())
	exists := slices.ContainsFunc(s.service.keys, func(k models.APIKey) bool {
		return k.List == reach.List() && k.Name == name && k.Reach() == reach
	})
	_, form := s.Opened().Dialog.(*dialog.Form)
	said := s.Opened().Text()
	switch {
	case form && exists:
		t.Errorf("%s exists, and the form says %s", name, said)
	case c.Made.ID != 0 && !exists:
		t.Errorf("%s does not exist, and the dialog says %s", name, said)
	case !form && c.Made.ID == 0 && !strings.Contains(said, s.knownOf(reach.List(), exists)):
		t.Errorf("%s exists: %t, and the dialog says %s", name, exists, said)
	}
}

// Whatever the service does: the page reports what happened to a key, or that this is unknown, and sends nothing twice.
func TestPagePropertyWhatItSaysHappenedDid(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 33))
		var made []models.APIKey
		for _, of := range []models.ListID{plain(), acme(), other()} {
			for id := range int64(6) {
				made = append(made, models.APIKey{List: of, ID: id + 1, Name: fmt.Sprintf("%s-%d", of.Org, id)})
			}
		}
		s := &shaky{bench: benchOf(t, personal(t), Options{}, made), random: random}
		s.sent = map[models.KeyRef]int{}
		s.service.revoke, s.service.create = s.revoke, s.create
		for step := range 12 {
			clear(s.sent)
			clear(s.service.fails)
			if random.IntN(4) == 0 {
				s.service.fails[[]models.ListID{plain(), acme(), other()}[random.IntN(3)]] = failure(models.KindServer)
			}
			all := s.targets()
			random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			all = slices.DeleteFunc(all, func(k *models.APIKey) bool { return s.keys.notRevocable(k) != "" })
			done := fmt.Sprintf("seed %d, step %d", seed, step)
			switch what := random.IntN(3); {
			case what == 0:
				reach := []models.Reach{{}, {Org: "acme"}, {Org: "acme", Project: "p1"}}[random.IntN(3)]
				s.createOne(t, fmt.Sprintf("new-%d", step), reach)
			case what == 1 && len(all) > 0:
				s.report = nil // it is about what was before
				s.Do(s.Page.revoke(*all[0], false, nil))
			case len(all) > 1:
				s.Do(s.startBatch(all[:min(len(all), 1+random.IntN(4))], false))
			}
			s.check(t, done)
			for ref, n := range s.sent {
				if n > 1 {
					t.Errorf("%s: %v was sent %d times", done, ref, n)
				}
			}
			for _, k := range s.later {
				s.service.remove(k)
			}
			s.later = nil
			if step%2 == 1 {
				clear(s.service.fails)
				s.report = nil
				s.late()
				s.check(t, done+", read again")
				if s.keys.Len() != len(s.service.keys) || s.ExitWarning() != "" {
					t.Errorf("%s: %d of %d keys, %q", done, s.keys.Len(), len(s.service.keys), s.ExitWarning())
				}
			}
		}
		if t.Failed() {
			return
		}
	}
}
