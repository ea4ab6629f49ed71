package control

import (
	"context"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/poll"
)

// Shown is the account whose rows are on the screen.
type Shown struct {
	Identity account.Identity
	Projects []models.Project
	Keys     []models.KeyRef
}

// IsOf reports whether the connection is to the account on the screen. If the service does not tell, at least half of the
// listed projects must be on the screen: some may be shared or deleted. Without projects, one of the keys must be.
func (c *Connection) IsOf(
	ctx context.Context, baseURL string, previous Shown, clock func() time.Time,
) (bool, error) {
	const compared = 100 // projects are enough to distinguish accounts
	if c.BaseURL != baseURL {
		return false, nil
	}
	if c.Account.Kind() == models.UnknownKey {
		if err := c.Account.Identify(ctx, c.API, poll.NewLoop(poll.New(poll.DefaultBudget), clock)); err != nil {
			return false, err
		}
	}
	if now := c.Account.Identity(); now.ID != "" && previous.Identity.ID != "" {
		return now == previous.Identity, nil
	}
	lists := c.Account.Lists()
	if len(lists) == 0 {
		return false, nil
	}
	list, err := c.API.Projects(ctx, lists[0], models.PageRequest{Limit: compared})
	if err != nil {
		return false, err
	}
	shared := 0
	for _, listed := range list.Items {
		if previous.hasProject(listed.ID) {
			shared++
		}
	}
	if len(list.Items)+len(previous.Projects) > 0 {
		return shared > 0 && 2*shared >= len(list.Items), nil
	}
	keyLists := c.Account.KeyLists()
	if len(previous.Keys) == 0 || len(keyLists) == 0 {
		return len(previous.Keys) == 0, nil
	}
	listed, err := c.API.APIKeys(ctx, keyLists[0])
	return slices.ContainsFunc(listed, previous.hasKey), err
}

func (s *Shown) hasProject(id string) bool {
	return slices.ContainsFunc(s.Projects, func(p models.Project) bool { return p.ID == id })
}

func (s *Shown) hasKey(k models.APIKey) bool { return slices.Contains(s.Keys, k.Ref()) }
