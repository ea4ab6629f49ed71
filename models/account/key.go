package account

import (
	"cmp"
	"slices"
	"time"

	"pgtower/models"
)

// key is what is known of an API key, from answers about it and from refusals. A key does not change, so this stays true.
type key struct {
	auth question[models.Auth]
	user question[models.User]
	orgs question[[]models.Organization]
	own  question[models.Organization] // that of the key, if it is not among orgs

	personal bool   // it may list the projects of one organization at a time
	ofOrg    bool   // it is a key of an organization, or of a project
	ofOne    bool   // it is a key of one project
	project  string // the id of that project, if a refusal has named it
	untold   bool   // a refusal has not named it
	noShares bool   // the service has no list of shared projects
	plain    bool   // the service knows one kind of key, as is remembered
}

// The methods of /auth for keys.
const (
	personalMethod = "api_key_user"
	orgMethod      = "api_key_org"
)

// kind returns the kind of the key, as far as the answers tell.
func (k *key) kind() models.KeyKind {
	method := k.auth.good.Method
	switch {
	case k.ofOne && method != personalMethod:
		return models.ProjectKey
	case method == personalMethod, k.personal:
		return models.PersonalKey
	case method == orgMethod, k.ofOrg:
		return models.OrganizationKey
	case k.plain, models.NoSuchEndpoint(k.auth.err) && models.NoSuchEndpoint(k.orgs.err):
		return models.AccountKey
	}
	return models.UnknownKey
}

// org returns the id of the organization that a key of an organization or of a project belongs to, or "".
func (k *key) org() string {
	switch {
	case k.auth.good.Method == orgMethod:
		return k.auth.good.AccountID
	case len(k.orgs.good) == 1:
		return k.orgs.good[0].ID
	}
	return ""
}

func (k *key) receive(got Answer, now time.Time) {
	switch got.Kind {
	case Auth:
		k.auth.receive(got.Auth, got.Err, now)
	case User:
		k.user.receive(got.User, got.Err, now)
	case Organizations:
		k.orgs.receive(got.Organizations, got.Err, now)
	case Organization:
		k.own.receive(got.Organization, got.Err, now)
	case Projects:
	}
}

// learn keeps what the refusal of any answer tells about the key.
func (k *key) learn(got Answer) {
	refused := models.RefusedBy(got.Err)
	switch refused.Refusal {
	case models.RefusedWithoutOrg:
		k.personal = k.personal || got.Kind == Projects && got.List == models.ListID{}
	case models.RefusedOrgKey:
		k.ofOrg = true
	case models.RefusedProjectKey:
		k.ofOne = true
		k.project = cmp.Or(refused.Project, k.project)
		k.untold = k.project == ""
	default:
	}
	if got.Kind == Projects && got.List.Shared && models.NoSuchEndpoint(got.Err) {
		k.noShares = true
	}
}

// directory is all organizations that the service has named for a key, in its order.
type directory []models.Organization

// index returns the index of an organization, or -1.
func (d directory) index(id string) int {
	return slices.IndexFunc(d, func(o models.Organization) bool { return o.ID == id })
}

// name returns the name of an organization, or its id if the name is unknown.
func (d directory) name(id string) string {
	i := d.index(id)
	if i < 0 || d[i].Name == "" {
		return id
	}
	return d[i].Name
}

// with returns the directory with an organization and its present name.
func (d directory) with(org models.Organization) directory {
	i := d.index(org.ID)
	switch {
	case org.ID == "", i >= 0 && org.Name == "":
		return d
	case i < 0:
		return append(d, org)
	}
	d = slices.Clone(d) // readers keep the old one
	d[i] = org
	return d
}
