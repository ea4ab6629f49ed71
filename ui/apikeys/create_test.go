package apikeys

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/control"
	"pgtower/models/keys"
	"pgtower/ui/action"
	"pgtower/ui/page"
)

// A rotation stops at the first step that fails, and reports the steps that are left.
func TestRotation(t *testing.T) {
	t.Parallel()
	unreachable := failure(models.KindUnreachable)
	for name, c := range map[string]struct {
		fail  func(s *fakeStore)
		asked []string
		said  []string
	}{
		"all": {
			func(*fakeStore) {},
			[]string{"create new", "verify", "save", "list"},
			[]string{"Revoke mine?", "✓ new works and is now in use: key from the keyring.", irrevocable},
		},
		"nowhere to keep it": {
			func(s *fakeStore) { s.checkErr = errors.New("the keyring is locked") }, nil,
			[]string{"The keyring is locked", "No key created: there is nowhere to save it."},
		},
		"not created": {
			func(s *fakeStore) { s.createErr = failure(models.KindForbidden) },
			[]string{"create new", "list"},
			[]string{"No key was created: permission denied (status 403): no.", "Rotate this session's key"},
		},
		"no answer": {
			func(s *fakeStore) { s.createErr = unreachable },
			[]string{"create new", "list"},
			[]string{"new is not listed yet; it may still appear.", "Checking again until ", stillInUse},
		},
		"no connection": {
			func(s *fakeStore) { s.createErr = &models.Error{Kind: models.KindUnreachable, NotConnected: true} },
			[]string{"create new", "list"},
			[]string{"No key was created: the service cannot be reached. Check the network"},
		},
		"not verified": {
			func(s *fakeStore) { s.verifyErr = unreachable },
			[]string{"create new", "verify", "list"},
			[]string{"Could not verify the new key: ", triesAgain},
		},
		"not kept": {
			func(s *fakeStore) { s.saveErr = errors.New("locked.") },
			[]string{"create new", "verify", "save", "list"},
			[]string{"The new key works, but could not be saved: locked. " + triesAgain},
		},
		"perhaps kept": {
			func(s *fakeStore) { s.saveErr = fmt.Errorf("%w: no answer", control.ErrMaybeSaved) },
			[]string{"create new", "verify", "save", "list"},
			[]string{"may not have been saved", "Do not revoke either key until k has succeeded."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, Options{OwnID: 1, OwnList: models.Opt[models.ListID]{Known: true}}, "mine", "other")
			c.fail(b.store)
			b.creates(keys.Change{Key: models.APIKey{Name: "new"}, Old: b.keys.own, Own: true})
			b.Opened().Says(c.said...)
			if !slices.Equal(b.service.asked, c.asked) {
				t.Errorf("asked for %q, want %q", b.service.asked, c.asked)
			}
			own := int64(1)
			if name == "all" {
				own = 101
			}
			if k, _ := b.List().Selected(); b.keys.own.ID != own || own == 101 && k.ID != own {
				t.Errorf("the own key is %d, selected is %v", b.keys.own.ID, k)
			}
		})
	}
}

// A rotation whose key was not saved continues when the user saves it. A key that may have been saved is not revoked
// by accident.
func TestRotationContinues(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{OwnID: 1, OwnList: models.Opt[models.ListID]{Known: true}}, "mine")
	b.store.saveErr = fmt.Errorf("%w: no answer", control.ErrMaybeSaved)
	c := b.creates(keys.Change{Key: models.APIKey{Name: "new"}, Old: b.keys.own, Own: true})
	asked := b.asksAbout(models.APIKey{ID: c.Made.ID, Name: "new"})
	if asked.Says("It may have been kept as this profile's key"); !asked.IsTyped() {
		t.Error("its name is not required")
	}
	b.store.saveErr = nil
	b.Do(c.dialog.Keep())
	b.Opened().Says("Revoke mine?", "✓ new works and is now in use: key from the keyring.")
	if b.keys.own.ID != c.Made.ID || b.keys.maybeSaved.ID != 0 {
		t.Errorf("the own key is %+v", b.keys.own)
	}
}

// A key is created even if the session ends meanwhile: the dialog gets its secret, and the journal where the secret goes.
func TestCreateAfterTheSession(t *testing.T) {
	t.Parallel()
	journal := &fakeJournal{}
	b := newBench(t, Options{Journal: journal}, "one")
	cmd := b.newCreation(named("new")).create()
	b.session.End()
	d, ok := cmd().(page.Delivery)
	if !ok {
		t.Fatal("no answer came")
	}
	d.Late()
	b.Opened().Run("reveal")
	b.Opened().Says("new")
	if last := journal.records[len(journal.records)-1]; last != "done (maybe screen) to create new" {
		t.Errorf("the user took the secret, and the journal has %s", last)
	}
	if got := b.Opened().Describe(page.Frame{Width: 100, Height: 40, Accessible: true}).Secret; got != "napi_made" {
		t.Errorf("the secret is %q", got)
	}
}

// A verified key is not saved if the session has another key by then.
func TestCreateKeepsNothingForAnotherSession(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{}, "one")
	c := b.creates(named("new"))
	verify := c.keep()
	b.reconnect(b.service, b.account, Options{KeyStore: &fakeStore{fakeService: b.service}})
	b.Do(nil)
	b.service.asked = nil
	b.Do(verify)
	if !slices.Equal(b.service.asked, []string{"verify"}) || b.keys.own.ID != 0 {
		t.Errorf("asked for %q; the own key is %+v", b.service.asked, b.keys.own)
	}
}

// A key is marked if the user closed the dialog without taking its secret.
func TestCreateMarksAnAbandonedKey(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{}, "one")
	c := b.creates(named("new"))
	c.orphaned()
	contains(t, b.noteOf(c.Made.ID), "secret lost")
}

// Disabled actions have a reason, and an empty page offers the actions that need no key.
func TestActions(t *testing.T) {
	t.Parallel()
	empty := New(page.NewSession(t.Context(), 1, nil), nil, account.New(account.Options{}), Options{})
	for _, id := range []string{"new", "revoke", "rotate", "copy", "refresh", "filter", "mark"} {
		if a, ok := action.ByID(empty.Actions(), id); !ok || a.Run == nil {
			t.Errorf("there is no %s", id)
		}
	}
	b := newBench(t, Options{}, "one")
	b.keys.Revocations[models.KeyRef{ID: 1}] = keys.Revocation{State: keys.Revoking}
	if got := b.Refuses("revoke"); got != "already being revoked" {
		t.Errorf("revoke: %q", got)
	}
	b.keys.Revocations[models.KeyRef{ID: 1}] = keys.Revocation{State: keys.Revoked}
	if got := b.Refuses("revoke"); got != "already revoked" {
		t.Errorf("revoke: %q", got)
	}
	b = newBench(t, Options{}, "one")
	b.keys.Row(0).ID = 0
	for _, id := range []string{"revoke", "copy"} {
		if got := b.Refuses(id); got != noID {
			t.Errorf("%s: %q", id, got)
		}
	}
	b = newBench(t, Options{ReadOnly: "read-only"}, "one")
	for _, id := range []string{"new", "revoke", "rotate"} {
		if got := b.Refuses(id); got != "read-only" {
			t.Errorf("%s: %q", id, got)
		}
	}
	if got := newBench(t, Options{}).Refuses("revoke"); got != "no key is selected" {
		t.Errorf("revoke: %q", got)
	}
}
