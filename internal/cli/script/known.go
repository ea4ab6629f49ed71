package script

import (
	"context"
	"reflect"
	"slices"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/feed"
	"pgtower/models/keys"
)

// remembered is what earlier commands have found out about the key.
type remembered struct {
	recalled *account.Snapshot // what completed the account; nil: nothing did
	doubted  bool              // an answer contradicts it

	recalledNames bool // the remembered names were recalled
}

// recall completes the account by what is remembered of the key. It is for a command that names projects or lists: a command
// about all of them asks the service.
func (from *Source) recall() {
	if from.Known == nil || from.recalled != nil || from.doubted {
		return
	}
	snapshot := from.Known.Recall()
	if !snapshot.Read.IsZero() {
		from.recalled = &snapshot
		from.Account.Restore(&snapshot)
	}
}

// recallProjects recalls the names of the projects of --project, if it is given.
func (from *Source) recallProjects() {
	if len(from.options.Projects) > 0 {
		from.recall()
	}
}

// forget drops what is remembered of the key, because an answer contradicts it.
func (from *Source) forget() {
	if from.Known != nil {
		from.Known.Forget()
	}
	from.remembered = remembered{doubted: true, recalledNames: from.recalledNames}
	from.Account.Detach()
	from.Account = account.New(from.options.Key)
}

// doubt drops what is remembered of the key if the operations of a remembered project are refused.
func (from *Source) doubt(a feed.Answer) {
	if from.recalled == nil || a.ID != "" || !contradicts(a.Err) {
		return
	}
	if slices.ContainsFunc(from.recalled.Projects, func(p models.Project) bool { return p.ID == a.Project }) {
		from.forget()
	}
}

// contradicts reports whether an error shows that something remembered is no longer there.
func contradicts(err error) bool {
	switch models.KindOf(err) {
	case models.KindUnauthorized, models.KindForbidden, models.KindNotFound:
		return true
	default:
		return models.RefusalOf(err) != models.NoRefusal
	}
}

// Remember remembers what the command has learned of the key, for later ones. The error is that of the command.
func (from *Source) Remember(err error) {
	if models.KindOf(err) == models.KindUnauthorized {
		from.forget()
		return
	}
	if from.Account.Kind() == models.UnknownKey {
		from.recall() // a command that has learned less takes nothing away
	}
	from.rememberNames()
	now := from.process.Clock()
	if from.recalled == nil || !reflect.DeepEqual(from.Account.Snapshot(now), *from.recalled) {
		from.Connection.Remember(now)
	}
}

// recognize finds out what the key is, by what is remembered or by asking. It reads no list of projects.
func (from *Source) recognize(ctx context.Context) error {
	from.recall()
	if from.Account.Kind() != models.UnknownKey {
		return nil
	}
	return from.Account.Recognize(ctx, from.API, from.loop)
}

// readNamed reads the lists of API keys that a command names, as readLists reads all. If a refusal contradicts what is
// remembered of the key, it asks anew.
func (from *Source) readNamed(ctx context.Context, named []models.ListID) (lists []keys.Listed, missing []error, err error) {
	if err := from.recognize(ctx); err != nil {
		return nil, nil, err
	}
	lists, missing, err = from.readEach(ctx, slices.DeleteFunc(slices.Clone(named), func(id models.ListID) bool {
		return !from.Account.MayList(id)
	}))
	if from.recalled != nil && err == nil && (slices.ContainsFunc(missing, contradicts) || slices.ContainsFunc(lists, isUnread)) {
		from.forget()
		return from.readNamed(ctx, named)
	}
	return lists, missing, err
}

// learnName asks for the name of a project, unless it is known. Without an answer, the id is printed instead.
func (from *Source) learnName(ctx context.Context, project string) {
	if _, ok := from.Account.Project(project); ok || project == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, namePatience)
	defer cancel()
	from.readChosen(ctx, []string{project})
}
