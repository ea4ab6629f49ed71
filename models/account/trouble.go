package account

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/poll"
)

// Trouble is a list of projects that should exist and cannot be read.
type Trouble struct {
	List     models.ListID
	Err      error
	Projects int // how many it had when it was last good: they stay
}

// refused reports whether the service, or what is known of the key, decides that the list cannot be read.
func (t Trouble) refused() bool {
	return models.Answered(t.Err) || models.KindOf(t.Err) == models.KindUnknown
}

// ErrNoProject is the trouble of a project key whose project is unknown.
var ErrNoProject = errors.New(
	"this key is for one project, and the service does not say which: enter the project's id")

// otherProjectError is a refusal because the key is for another project than the named one.
type otherProjectError struct {
	error

	project string
}

func (e *otherProjectError) Error() string {
	return "this key is not for project " + e.project +
		", and the service does not say for which: enter its project's id"
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

// Troubles returns the lists that should be readable and are not, in their order. A list that this kind of key never has
// is no trouble.
func (a *Account) Troubles() (list []Trouble) {
	if a.KeyProject() == "" && a.NeedsProject() {
		return []Trouble{{Err: ErrNoProject}}
	}
	// Without the organizations of a user, there is no list to read.
	orgs := &a.key.orgs
	if a.Kind() == models.PersonalKey && a.options.Org == "" && !orgs.known() && orgs.err != nil {
		list = append(list, Trouble{Err: orgs.err})
	}
	visible := a.Lists()
	for id := range a.lists {
		if a.left(id) {
			visible = append(visible, id)
		}
	}
	slices.SortStableFunc(visible, a.compare)
	for _, id := range visible {
		l := a.lists.at(id)
		err := l.err
		if err == nil && a.left(id) {
			err = errLeft
		}
		if id.Project != "" && a.lists.isOther(id.Project) {
			err = &otherProjectError{err, id.Project}
		}
		if err != nil {
			list = append(list, Trouble{List: id, Err: err, Projects: len(l.projects)})
		}
	}
	return list
}

// Trouble returns the troubles as one error, or nil. With several lists, it names the first one, and counts the others.
func (a *Account) Trouble() error {
	list := a.Troubles()
	if len(list) == 0 {
		return nil
	}
	first := list[0]
	if len(a.shown()) < 2 || first.List == (models.ListID{}) {
		return first.Err
	}
	what := "cannot read the " + a.ListName(first.List)
	if first.Projects > 0 {
		what += fmt.Sprintf(", %d as known before", first.Projects)
	}
	return models.About(what, len(list)-1, first.Err)
}

// PartlyRefused returns the trouble of some lists while the service answers others, or nil.
func (a *Account) PartlyRefused() error {
	refused := slices.ContainsFunc(a.Troubles(), Trouble.refused)
	if refused && a.Err() == nil && len(a.shown()) > 1 {
		return a.Trouble()
	}
	return nil
}

// compare orders lists: organizations in the service's order, then lists of none.
func (a *Account) compare(x, y models.ListID) int {
	i, j := a.named.index(x.Org), a.named.index(y.Org)
	if i < 0 || j < 0 {
		return cmp.Compare(j, i)
	}
	return cmp.Compare(i, j)
}

// Err returns why no list at all can be read, or nil.
func (a *Account) Err() error {
	if !a.Read().IsZero() || slices.ContainsFunc(a.current(), (*list).readable) {
		return nil
	}
	if list := a.Troubles(); len(list) > 0 {
		return list[0].Err
	}
	return nil
}

// RetryAt returns when the next list that cannot be read is requested again.
func (a *Account) RetryAt() (next time.Time) {
	if a.poll == nil {
		return time.Time{}
	}
	for _, id := range a.Lists() {
		if f := a.poll.Freshness(subjectOf(id)); !f.Next.IsZero() && (next.IsZero() || f.Next.Before(next)) {
			next = f.Next
		}
	}
	if next.IsZero() {
		next = a.poll.Freshness(poll.Subject{Kind: Organizations}).Next
	}
	if paused := a.poll.Paused(); paused.After(next) {
		return paused
	}
	return next
}

// Loading reports whether any list is being read.
func (a *Account) Loading() bool {
	return !a.Settled() || slices.ContainsFunc(a.current(), (*list).busy)
}

// Partial returns why there may be more projects than the lists have, or "".
func (a *Account) Partial() string {
	for _, l := range a.current() {
		if l.partial != "" {
			return l.partial
		}
	}
	return ""
}
