package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pgtower/client"
	"pgtower/internal/cli/script"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/keys"
	"pgtower/ui/style"
)

// checkAccount identifies the key, and reads each list that exists for it.
func (d *doctor) checkAccount(ctx context.Context, o client.Options, key models.Secret) {
	o.Key = key
	c, err := client.New(o)
	if err != nil {
		d.fails("authentication", err)
		return
	}
	defer c.Close()
	a, turns := account.New(d.settings.accountOptions()), loop(o)
	err = models.Doing(a.Identify(ctx, c, turns), "verify the key")
	if err != nil && !a.NeedsProject() {
		d.fails("authentication", err)
		return
	}
	d.ok("authentication", "the service accepts the key")
	if err := a.Load(ctx, c, turns); err != nil {
		d.fails("key", err)
		return
	}
	d.ok("key", a.Describe())
	for _, org := range a.Organizations() {
		d.ok("organization", org.Label()+" is "+org.ID)
	}
	for _, entry := range a.Reach() {
		switch {
		case entry.Err != nil:
			why, advice := explain(entry.Err)
			if errors.Is(entry.Err, account.ErrNoProject) {
				advice = "Use --project, or set project in the profile."
			}
			d.note(verdictFailed, "list", entry.Name+": "+why, advice)
		default:
			d.ok("list", entry.Name+": "+entry.Detail)
		}
	}
	d.checkKeyLists(ctx, c, a)
}

// checkKeyLists reads each list of API keys that exists for the key. A list that this kind of key can never read is no failure.
func (d *doctor) checkKeyLists(ctx context.Context, c *client.Client, a *account.Account) {
	lists := a.KeyLists()
	if len(lists) == 0 {
		d.ok("list", fmt.Sprintf("API keys: none: a %s cannot list them", a.Kind()))
	}
	for _, id := range lists {
		listed, err := c.APIKeys(ctx, id)
		switch {
		case err == nil:
			d.ok("list", fmt.Sprintf("%s: %s", a.KeyListName(id), models.Plural(len(listed), "key")))
			d.checkRotations(id, listed, a.OwnKey(d.keyList, d.keyID))
		case models.RefusalOf(err) == models.RefusedOrgKey:
			d.ok("list", fmt.Sprintf("%s: an %s cannot list them", a.KeyListName(id), models.OrganizationKey))
		default:
			why, advice := explain(err)
			d.note(verdictFailed, "list", a.KeyListName(id)+": "+why, advice)
		}
	}
}

// checkRotations tells which keys of a list are being replaced, and which of them can go. key is the key in use.
func (d *doctor) checkRotations(id models.ListID, listed []models.APIKey, key models.KeyRef) {
	memory := d.settings.memory
	p := keys.Performer{Store: memory.keysOf(d.settings.base.Host), Journal: memory.journal(d.account, d.process.Clock)}
	list := keys.NewListed(id, listed, time.Time{})
	p.Take(&list, nil) // an unreadable file only proves less, and decisions that cannot be saved are made again
	together := keys.ReadTogether(id, listed, &list.Memory, 0)
	audit := keys.NewAudit([]*keys.Together{together}, keys.AuditOptions{Own: key, Open: keys.OpenKeys(list.Open)})
	for _, found := range together.Pairs {
		pair, phase, ok := audit.Replaced(found.Old)
		if !ok {
			continue
		}
		old := fmt.Sprintf("%s (id %d): ", pair.Old.Name, pair.Old.ID)
		text := old + pair.Words(phase, key.ID != 0 && pair.Old.Ref() == key, d.ago(pair.Old))
		switch phase {
		case keys.CanGo:
			d.warn("rotation", text, "Revoke it on the API keys page, or with: "+script.RevokeLine(pair.Old.Ref(), pair.Old.Name))
		case keys.Lost, keys.NobodyHas:
			d.warn("rotation", text, "Rotate it again.")
		default:
			d.ok("rotation", text)
		}
	}
}

// ago returns a function that writes a time as an age when the list was read.
func (d *doctor) ago(k *models.APIKey) func(time.Time) string {
	times := style.TimesOf("", time.UTC, false)
	return func(t time.Time) string { return times.Brief(t, k.AsOf.Early) }
}
