package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pgtower/client"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/ui/apikeys"
)

// place is where a session's new keys are kept.
type place interface {
	// ready says why no key could be kept, or nil.
	ready(ctx context.Context) error
	// keep puts a key where it is found the next time.
	keep(ctx context.Context, key models.CreatedAPIKey) (apikeys.Kept, error)
}

// holder holds the key of a session.
type holder struct {
	options client.Options // without the key
	place   place
	api     *client.Client
}

// Prove tries a key.
func (h *holder) Prove(ctx context.Context, key models.Secret) error {
	return tryKey(ctx, h.options, key)
}

// Ready says why no key could be kept.
func (h *holder) Ready(ctx context.Context) error { return h.place.ready(ctx) }

// Keep keeps a key, and makes the session's requests with it from then on.
func (h *holder) Keep(ctx context.Context, key models.CreatedAPIKey) (apikeys.Kept, error) {
	kept, err := h.place.keep(ctx, key)
	if err != nil {
		return apikeys.Kept{}, err
	}
	return kept, h.api.UseKey(key.Key)
}

// ringPlace is the profile's place in the keyring.
type ringPlace struct {
	keystore.Sources

	// hold makes a key that was kept the session's as well.
	hold func(keystore.Found)
}

// ready asks the keyring for the account's key, as a proof that it answers.
func (p ringPlace) ready(ctx context.Context) error {
	if _, err := p.Ring.Get(ctx, p.Account()); !errors.Is(err, keystore.ErrNotFound) {
		return err
	}
	return nil
}

// keep keeps a key in place of the one that the keyring has. A keyring that stopped
// answering may keep it all the same, when somebody answers its prompt.
func (p ringPlace) keep(ctx context.Context, key models.CreatedAPIKey) (apikeys.Kept, error) {
	kept := keystore.Key{Secret: key.Key, ID: key.ID}
	err := p.Ring.Set(ctx, p.Account(), kept)
	perhaps := []keystore.Reason{keystore.ReasonTimeout, keystore.ReasonCanceled, keystore.ReasonOther}
	if e, ok := errors.AsType[*keystore.Error](err); ok && slices.Contains(perhaps, e.Reason) {
		err = fmt.Errorf("%w: %w", apikeys.ErrPerhapsKept, err)
	}
	source := keystore.Source{Origin: keystore.OriginKeyring}
	if err == nil {
		p.hold(keystore.Found{Key: kept, Source: source})
	}
	return apikeys.Kept{Source: keyOf(source), Warning: overruled(p.Sources)}, err
}
