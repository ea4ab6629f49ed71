package account

import (
	"cmp"
	"slices"

	"pgtower/models"
)

// Names returns what the organizations and projects of the account are called.
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

// Reaches returns what a new key can reach, as far as it is known, narrowest first: projects, organizations, everything.
// Only a list that there is for the key can get one.
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

// OwnKey returns which one the session's key is: that with an id in a list, as remembered. A service without organizations
// has only one list. The id is 0 if that or the list is unknown.
func (a *Account) OwnKey(list models.Opt[models.ListID], id int64) models.KeyRef {
	if a.Kind() == models.AccountKey {
		list = models.Opt[models.ListID]{Known: true}
	}
	if id == 0 || !list.Known {
		return models.KeyRef{}
	}
	return models.KeyRef{List: list.Value, ID: id}
}

// MayListOwn reports whether the session's key may be in a list: that of a user is in no organization's.
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

// KeyListName returns what a list of API keys is called in a sentence.
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
