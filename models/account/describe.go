package account

import (
	"cmp"
	"strings"

	"pgtower/models"
)

// ListName returns the name of a list of projects within a sentence.
func (a *Account) ListName(id models.ListID) string {
	switch {
	case id.Project != "":
		return "project " + id.Project
	case id.Shared:
		return "shared projects"
	case id.Org != "":
		return "projects of " + a.OrgName(id.Org)
	case a.Kind() == models.OrganizationKey && a.key.org() != "":
		return "projects of " + a.OrgName(a.key.org())
	}
	return "projects"
}

// Owner returns the owner of the key, as far as the service tells: a user, an organization, or "".
func (a *Account) Owner() string {
	switch a.Kind() {
	case models.PersonalKey:
		user := a.key.user.good
		return cmp.Or(user.Login, user.Email, user.Name)
	case models.OrganizationKey, models.ProjectKey:
		return a.OrgName(a.key.org())
	default:
		return ""
	}
}

// Short returns the kind of the key in a few words, such as "personal key", or "" if it is unknown or the service has one
// kind.
func (a *Account) Short() string {
	switch kind := a.Kind(); kind {
	case models.PersonalKey:
		return kind.String()
	case models.OrganizationKey:
		return strings.TrimSpace("key of " + cmp.Or(a.Owner(), "an organization"))
	case models.ProjectKey:
		return kind.String()
	default:
		return ""
	}
}

// Describe describes the key in a sentence without a full stop, such as "personal key of ada, 3 organizations".
func (a *Account) Describe() string {
	out := a.Kind().String()
	switch kind := a.Kind(); kind {
	case models.UnknownKey:
		return "key of an unknown kind"
	case models.AccountKey:
		return "key of the account (this service has no organizations)"
	case models.ProjectKey:
		if a.KeyProject() != "" && !a.NeedsProject() {
			out += " of " + a.projectName()
		}
		if owner := a.Owner(); owner != "" {
			out += ", in the organization " + owner
		}
		return out
	default:
	}
	if owner := a.Owner(); owner != "" {
		out += " of " + owner
	}
	if n := len(a.key.orgs.good); a.Kind() == models.PersonalKey && a.key.orgs.known() {
		out += ", " + models.Plural(n, "organization")
		if n == 1 {
			out += " (" + a.OrgName(a.key.orgs.good[0].ID) + ")"
		}
	}
	return out
}

func (a *Account) projectName() string {
	id := a.KeyProject()
	l := a.lists.at(models.ListID{Project: id})
	if len(l.projects) == 1 {
		return cmp.Or(l.projects[0].Name, id)
	}
	return id
}

// Reachable is a list that the key can or cannot read.
type Reachable struct {
	Name   string // such as "projects of Acme"
	Detail string // how many projects it has
	Err    error  // why it cannot be read, or nil
}

// String returns the list with its detail, or why it cannot be read.
func (r Reachable) String() string {
	if r.Err != nil {
		return "✗ " + models.About("cannot read the "+r.Name, 0, r.Err).Error()
	}
	return r.Name + ": " + r.Detail
}

// Summary describes the key, and names the lists that cannot be read.
func (a *Account) Summary() string {
	names := []string{a.Describe()}
	for _, list := range a.Reach() {
		if list.Err != nil {
			names = append(names, list.String())
		}
	}
	return strings.Join(names, "; ")
}

// Reach returns each list of projects that exists for the key, and those that cannot be read.
func (a *Account) Reach() (list []Reachable) {
	for _, t := range a.Troubles() {
		list = append(list, Reachable{Name: a.ListName(t.List), Err: t.Err})
	}
	for _, id := range a.Lists() {
		l := a.lists.at(id)
		if l.err == nil && !l.good.IsZero() {
			has := models.Plural(len(l.projects), "project")
			list = append(list, Reachable{Name: a.ListName(id), Detail: has})
		}
	}
	return list
}
