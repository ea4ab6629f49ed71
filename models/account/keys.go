package account

import (
	"cmp"
	"slices"

	"pgtower/models"
)

// Names returns the names of the organizations and projects of the account.
func (a *Account) Names() models.Names {
	names := models.Names{Orgs: map[string]string{}, Projects: map[string]string{}}
	for _, org := range a.named {
		names.Orgs[org.ID] = org.Name
	}
	for _, project := range a.Projects() {
		names.Projects[project.ID] = project.Name
	}
	return names
}

// Reaches returns the possible reaches of a new key, as far as they are known, the narrowest first: projects,
// organizations, everything. A new key must be in a list that exists for the session's key.
func (a *Account) Reaches() (reaches []models.Reach) {
	lists := a.KeyLists()
	for _, project := range a.Projects() {
		id := models.ListID{Org: project.OrgID}
		if project.OrgID != "" && !models.NoID(project.ID) && slices.Contains(lists, id) {
			reaches = append(reaches, models.Reach{Org: project.OrgID, Project: project.ID})
		}
	}
	for _, list := range lists {
		if list.Org != "" {
			reaches = append(reaches, models.Reach{Org: list.Org})
		}
	}
	if slices.Contains(lists, models.ListID{}) {
		reaches = append(reaches, models.Reach{})
	}
	return reaches
}

// KeysFixed returns why the key can create no others, or "". The service decides about roles.
func (a *Account) KeysFixed() string {
	switch a.Kind() {
	case models.OrganizationKey, models.ProjectKey:
		return "only a personal key can create keys"
	default:
		return ""
	}
}

// OwnKey identifies the session's key by its list and id, as remembered. A service without organizations has only one
// list. The result is zero if the list or the id is unknown.
func (a *Account) OwnKey(list models.Opt[models.ListID], id int64) models.KeyRef {
	if a.Kind() == models.AccountKey {
		list = models.Opt[models.ListID]{Known: true}
	}
	if id == 0 || !list.Known {
		return models.KeyRef{}
	}
	return models.KeyRef{List: list.Value, ID: id}
}

// MayListOwn reports whether the session's key may be in a list: a personal key is in no list of an organization.
func (a *Account) MayListOwn(list models.ListID) bool {
	switch a.Kind() {
	case models.PersonalKey:
		return list.Org == ""
	case models.OrganizationKey, models.ProjectKey:
		return list.Org != ""
	default:
		return true
	}
}

// KeyListName returns the name of a list of API keys within a sentence.
func (a *Account) KeyListName(id models.ListID) string {
	if id.Org != "" {
		return "the keys of " + a.OrgName(id.Org)
	}
	return "the account's keys"
}

// ReachWords returns what a reach means, in a sentence without its subject and full stop.
func (a *Account) ReachWords(r models.Reach) string {
	names := a.Names()
	switch {
	case r.Project != "":
		return "reaches the project " + names.Reach(r) + " alone"
	case r.Org != "":
		return "reaches all projects of " + cmp.Or(names.Org(r.Org), r.Org)
	case a.Kind() == models.PersonalKey:
		return "reaches all projects of all organizations of its user"
	}
	return "works with every project of the account"
}
