package cli

import (
	"context"
	"errors"
	"fmt"

	"pgtower/client"
	"pgtower/internal/cli/script"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/keys"
)

// checkAccount checks what the key is, and reads each list that there is for it.
func (d *doctor) checkAccount(ctx context.Context, o client.Options, key models.Secret) {
	o.Key = key
	c, err := client.New(o)
	if err != nil {
		d.fails("authentication", err)
		return
	}
	defer c.Close()
	a := account.New(d.settings.accountOptions())
	err = models.Doing(a.Identify(ctx, c, d.process.Clock), "verify the key")
	if err != nil && !a.NeedsProject() {
		d.fails("authentication", err)
		return
	}
	d.ok("authentication", "the service accepts the key")
	if err := a.Load(ctx, c, d.process.Clock); err != nil {
		d.fails("key", err)
		return
	}
	d.ok("key", a.Describe())
	for _, one := range a.Reach() {
		switch {
		case one.Err != nil:
			why, advice := explain(one.Err)
			if errors.Is(one.Err, account.ErrNoProject) {
				advice = "Use --project, or set project in the profile."
			}
			d.note(verdictFailed, "list", one.Name+": "+why, advice)
		default:
			d.ok("list", one.Name+": "+one.Detail)
		}
	}
	d.checkKeyLists(ctx, c, a)
}

// checkKeyLists reads each list of API keys that there is for the key. What this kind of key never has is no failure.
func (d *doctor) checkKeyLists(ctx context.Context, c *client.Client, a *account.Account) {
	lists := a.KeyLists()
	if len(lists) == 0 {
		d.ok("list", fmt.Sprintf("API keys: none: a %s cannot list them", a.Kind()))
	}
	for _, id := range lists {
		keys, err := c.APIKeys(ctx, id)
		switch {
		case err == nil:
			d.ok("list", fmt.Sprintf("%s: %s", a.KeyListName(id), models.Plural(len(keys), "key")))
			d.checkRotations(keys, a.OwnKey(d.keyList, d.keyID))
		case models.RefusalOf(err) == models.RefusedOrgKey:
			d.ok("list", fmt.Sprintf("%s: an %s cannot list them", a.KeyListName(id), models.OrganizationKey))
		default:
			why, advice := explain(err)
			d.note(verdictFailed, "list", a.KeyListName(id)+": "+why, advice)
		}
	}
}

// checkRotations tells which keys of a list are being replaced, and which of them can go. own is the key that was found.
func (d *doctor) checkRotations(listed []models.APIKey, own models.KeyRef) {
	store := rotations{file: d.settings.memory.file, host: d.settings.base.Host}
	remembered, err := store.Load()
	if err != nil {
		remembered = nil // the check of the state tells why
	}
	for _, pair := range keys.FindPairs(listed, remembered, d.settings.quietFor) {
		old := fmt.Sprintf("%s (id %d)", pair.Old.Name, pair.Old.ID)
		switch phase := pair.Phase(own); phase {
		case keys.CanGo:
			d.warn("rotation", fmt.Sprintf("%s can go: quiet for %s, and %s is used", old,
				keys.Long(pair.QuietSince().Value), pair.Successor.Name),
				"Revoke it on the API keys page, or with: "+script.RevokeLine(pair.Old.Ref(), pair.Old.Name))
		case keys.Lost:
			d.warn("rotation", old+" was being replaced, and its successor is no longer listed", "Rotate it again.")
		case keys.Kept:
			d.ok("rotation", fmt.Sprintf("%s is being replaced; %s is pgtower's own key, so its uses prove nothing", old,
				pair.Successor.Name))
		case keys.Unused:
			d.ok("rotation", fmt.Sprintf("%s is being replaced; %s was not used yet", old, pair.Successor.Name))
		case keys.UseUnknown:
			d.ok("rotation", old+" is being replaced; the service does not tell when it was used")
		case keys.InUse:
			d.ok("rotation", old+" is being replaced, and still used")
		}
	}
}
