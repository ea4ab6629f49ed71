package keys

import (
	"fmt"
	"strings"

	"pgtower/models"
)

// Claim is what is known of a change from its answer and from lists.
type Claim struct {
	State State
	Found []int64 // the ids of new keys with its name that lists have shown, but no answer
	read  bool    // a list was read since
}

// claim records the claims that a list allows about changes.
func (c *Changes) claim(records []Record, what Claim) {
	for i := range records {
		c.claims[records[i].RequestID] = what
	}
}

// Claim returns what is known of the change of a flow.
func (c *Changes) Claim(f *Flow) Claim {
	claim, ok := c.claims[f.Record.RequestID]
	switch {
	case ok:
		return claim
	case f.Err == nil && f.Revoke:
		return Claim{State: Revoked}
	case f.Err == nil:
		return Claim{State: CarriedOut}
	case f.NotSent, Refused(f.Err):
		return Claim{State: Refusal}
	}
	open := c.creations[place{f.Key.List, f.Key.Name}]
	return Claim{Unknown, open.found, open.read}
}

// Words returns the claim about a key as a clause. asOf is when its list was read.
func (c Claim) Words(k *models.APIKey, asOf string) string {
	revoked := fmt.Sprintf("%s (id %d)", k.Name, k.ID)
	switch {
	case c.State == NoLonger:
		return revoked + " is no longer listed"
	case c.State == StillListed:
		return revoked + " is still listed as of " + asOf + ": not revoked"
	case c.State == Appeared:
		return fmt.Sprintf("%s exists (id %d), and its secret is lost", k.Name, c.Found[0])
	case c.State == Absent:
		return k.Name + " is not listed as of " + asOf + ", and can no longer appear"
	case len(c.Found) > 0:
		ids := strings.Trim(fmt.Sprint(c.Found), "[]")
		return k.Name + " is listed as new (id " + ids + "), and nothing tells which request created it"
	case k.ID != 0:
		return revoked + " may still be revoked"
	case !c.read:
		return k.Name + " may still appear"
	}
	return k.Name + " is not listed yet; it may still appear"
}
