package account

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgtower/models"
)

// Trouble is a list of projects that there should be and that cannot be read.
type Trouble struct {
	List     models.ListID
	Err      error
	Good     time.Time // when it was last good, or zero
	Projects int       // that it had then, which stay
}

// ErrNoProject is the trouble of a key of one project, without the id of that.
var ErrNoProject = errors.New("this key is for one project, and the service does not say which: enter the project's id")

// otherProjectError is a refusal because the key is of another project than the one that was named.
type otherProjectError struct {
	error

	project string
}

func (e *otherProjectError) Error() string {
	return "this key is not for project " + e.project + ", and the service does not say for which: enter its project's id"
}

func (e *otherProjectError) Unwrap() error { return e.error }

// Advice returns "": the error says what to do, and a key with more permissions is not needed.
func (e *otherProjectError) Advice() string { return "" }

var errLeft = errors.New("no longer one of your organizations")

func compareLists(a, b models.ListID) int {
	return cmp.Or(cmp.Compare(a.Org, b.Org), cmp.Compare(a.Project, b.Project))
}

// Named returns a copy of an error that names organizations instead of their ids.
func (a *Account) Named(err error) error {
	e, ok := errors.AsType[*models.Error](err)
	if !ok {
		return err
	}
	doing := e.Doing
	for _, org := range a.named {
		if org.ID != "" {
			doing = strings.ReplaceAll(doing, org.ID, a.OrgName(org.ID))
		}
	}
	if doing == e.Doing {
		return err
	}
	return models.Doing(err, doing)
}

// ListName returns what a list of projects is called in a sentence.
func (a *Account) ListName(id models.ListID) string {
	switch {
	case id.Project != "":
		return "project " + id.Project
	case id.Shared:
		return "shared projects"
	case id.Org != "":
		return "projects of " + a.OrgName(id.Org)
	case a.Kind() == models.OrganizationKey && a.orgOfKey() != "":
		return "projects of " + a.OrgName(a.orgOfKey())
	}
	return "projects"
}

// Troubles returns what should be read and cannot be, in the order of the lists. What this kind of key never has is none.
func (a *Account) Troubles() (all []Trouble) {
	if a.Kind() == models.ProjectKey && a.options.Project == "" {
		return []Trouble{{Err: ErrNoProject}}
	}
	// Without the organizations of a user, there is no list to read.
	if a.Kind() == models.PersonalKey && !a.orgs.known() && a.orgs.err != nil && a.options.Org == "" {
		all = append(all, Trouble{Err: a.orgs.err})
	}
	shown := a.Lists()
	for id := range a.lists {
		if a.left(id) {
			shown = append(shown, id)
		}
	}
	slices.SortStableFunc(shown, func(x, y models.ListID) int { return a.rank(x) - a.rank(y) })
	for _, id := range shown {
		l := a.lists[id]
		if l == nil {
			continue
		}
		err := l.err
		if err == nil && a.left(id) {
			err = errLeft
		}
		if id.Project != "" && a.isOther(id.Project) {
			err = &otherProjectError{err, id.Project}
		}
		if err != nil {
			all = append(all, Trouble{List: id, Err: err, Good: l.good, Projects: len(l.projects)})
		}
	}
	return all
}

// Trouble returns what cannot be read now as one error, or nil. Of several lists, it names those that are missing.
func (a *Account) Trouble() error {
	all := a.Troubles()
	if len(all) == 0 {
		return nil
	}
	first := all[0]
	if len(a.shown()) < 2 || first.List == (models.ListID{}) {
		return first.Err
	}
	what := "cannot read the " + a.ListName(first.List)
	if first.Projects > 0 {
		what += fmt.Sprintf(", %d as known before", first.Projects)
	}
	return models.About(what, len(all)-1, first.Err)
}

// PartlyRefused returns the trouble of some lists while the service answers others, or nil.
func (a *Account) PartlyRefused() error {
	refused := slices.ContainsFunc(a.Troubles(), func(t Trouble) bool {
		return models.Answered(t.Err) || models.KindOf(t.Err) == models.KindUnknown
	})
	if refused && a.Err() == nil && len(a.shown()) > 1 {
		return a.Trouble()
	}
	return nil
}

// rank returns the place of a list: organizations in the service's order, then what is shared.
func (a *Account) rank(id models.ListID) int {
	i := slices.IndexFunc(a.named, func(o models.Organization) bool { return o.ID == id.Org })
	if i < 0 {
		return len(a.named)
	}
	return i
}

// Err returns why no list at all can be read, or nil.
func (a *Account) Err() error {
	if !a.Read().IsZero() {
		return nil
	}
	for _, id := range a.Lists() {
		if l := a.lists[id]; l == nil || l.err == nil {
			return nil // it is on its way
		}
	}
	if all := a.Troubles(); len(all) > 0 {
		return all[0].Err
	}
	return nil
}

// RetryAt returns when the next list that cannot be read is requested again.
func (a *Account) RetryAt() (at time.Time) {
	for _, id := range a.Lists() {
		l := a.lists[id]
		if l != nil && l.err != nil && (at.IsZero() || l.next.Before(at)) {
			at = l.next
		}
	}
	if at.IsZero() {
		at = a.orgs.next
	}
	return at
}

// Loading reports whether any list is being read.
func (a *Account) Loading() bool {
	for _, id := range a.Lists() {
		if l := a.lists[id]; l == nil || l.loading != nil {
			return true
		}
	}
	return !a.Settled()
}

// Partial returns why there may be more projects than the lists have, or "".
func (a *Account) Partial() string {
	for _, id := range a.Lists() {
		if l := a.lists[id]; l != nil && l.partial != "" {
			return l.partial
		}
	}
	return ""
}

// Owner returns whom the key belongs to, as far as the service tells: a user, an organization, or "".
func (a *Account) Owner() string {
	switch a.Kind() {
	case models.PersonalKey:
		user := a.user.good
		return cmp.Or(user.Login, user.Email, user.Name)
	case models.OrganizationKey, models.ProjectKey:
		return a.OrgName(a.orgOfKey())
	default:
		return ""
	}
}

// Short returns what the key is in a few words, such as "personal key", or "" if that is unknown or there is one kind.
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

// Describe returns what the key is in a sentence without a full stop, such as "personal key of ada, 3 organizations".
func (a *Account) Describe() string {
	out := a.Kind().String()
	switch kind := a.Kind(); kind {
	case models.UnknownKey:
		return "key of an unknown kind"
	case models.AccountKey:
		return "key of the account (this service has no organizations)"
	case models.ProjectKey:
		if !a.NeedsProject() {
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
	if n := len(a.orgs.good); a.Kind() == models.PersonalKey && a.orgs.known() {
		out += ", " + models.Plural(n, "organization")
		if n == 1 {
			out += " (" + a.OrgName(a.orgs.good[0].ID) + ")"
		}
	}
	return out
}

func (a *Account) projectName() string {
	l := a.lists[models.ListID{Project: a.options.Project}]
	if l != nil && len(l.projects) == 1 {
		return cmp.Or(l.projects[0].Name, a.options.Project)
	}
	return a.options.Project
}

// Reachable is a list that the key can or cannot read.
type Reachable struct {
	Name   string // such as "projects of Acme"
	Detail string // how much it has
	Err    error  // why it should be readable and is not
}

// String returns the list with what it has, or why it cannot be read.
func (r Reachable) String() string {
	if r.Err != nil {
		return "✗ " + models.About("cannot read the "+r.Name, 0, r.Err).Error()
	}
	return r.Name + ": " + r.Detail
}

// Summary returns what the key is, and the lists that cannot be read.
func (a *Account) Summary() string {
	all := []string{a.Describe()}
	for _, list := range a.Reach() {
		if list.Err != nil {
			all = append(all, list.String())
		}
	}
	return strings.Join(all, "; ")
}

// Reach returns each list of projects that there is for the key.
func (a *Account) Reach() (all []Reachable) {
	for _, t := range a.Troubles() {
		all = append(all, Reachable{Name: a.ListName(t.List), Err: t.Err})
	}
	for _, id := range a.Lists() {
		if l := a.lists[id]; l != nil && l.err == nil && !l.good.IsZero() {
			all = append(all, Reachable{Name: a.ListName(id), Detail: models.Plural(len(l.projects), "project")})
		}
	}
	return all
}
