package script

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/control"
	"pgtower/models/keys"
	"pgtower/models/poll"
	"pgtower/models/query"
	"pgtower/models/record"
	"pgtower/ui/style"
)

// Projects returns the command that lists the projects that match the filter.
func Projects(o *Options) (Run, error) {
	return list(o, projectLayout, query.Projects(o.isPinned, style.Value), readAllProjects)
}

// readAllProjects reads the lists of projects. If projects may be missing, that is an error.
func readAllProjects(ctx context.Context, from *Source) ([]models.Project, error) {
	projects, err := from.readProjects(ctx)
	partial := from.Account.Partial()
	switch {
	case err == nil && partial != "":
		err = errors.New("incomplete: there may be more projects: " + partial)
	case err != nil && projects != nil:
		err = fmt.Errorf("incomplete: %w", err)
	}
	return projects, err
}

// APIKeys returns the command that lists the API keys that match the filter.
func APIKeys(o *Options) (Run, error) {
	facts := newKeyFacts()
	facts.needsMembers = strings.Contains(o.Filter, keys.FoundOwnerGone.String())
	return list(o, facts.layout, facts.filterFields(), facts.read)
}

// keyFacts is what is known of all keys together. Filters and layouts are made before the lists are read, so they look it up
// when they need it.
type keyFacts struct {
	names models.Names
	audit *keys.Audit

	needsMembers bool // without the members of the organizations, the audit is incomplete
}

func newKeyFacts() *keyFacts { return &keyFacts{audit: keys.NewAudit(nil, keys.AuditOptions{})} }

func (f *keyFacts) currentNames() models.Names { return f.names }

func (f *keyFacts) currentAudit() *keys.Audit { return f.audit }

// read reads the keys, and updates what is known of them together.
func (f *keyFacts) read(ctx context.Context, from *Source) ([]models.APIKey, error) {
	found, err := from.readKeys(ctx)
	f.names = from.Account.Names()
	var members map[string]keys.Members
	if err == nil && f.needsMembers {
		var missing []error
		members, missing, err = from.readMembers(ctx, from.lists)
		if len(missing) > 0 {
			err = fmt.Errorf("incomplete: %w", joined(missing))
		}
	}
	f.audit = from.auditOf(from.lists, members, AuditOptions{Limits: keys.DefaultLimits()})
	return found, err
}

// filterFields returns the fields by which keys are filtered.
func (f *keyFacts) filterFields() []query.Field[*models.APIKey] {
	return query.APIKeys(models.APIKeyFields(f.currentNames), f.currentAudit, style.Value)
}

// useFields returns the fields with what was seen of the use of keys, as the audit has it.
func (f *keyFacts) useFields() []record.Field[*models.APIKey] {
	return keys.UseFields(f.currentAudit, inUTC)
}

func inUTC() *time.Location { return time.UTC }

// readKeys reads the lists of API keys that there are for the key. With an error, some of them are missing.
func (from *Source) readKeys(ctx context.Context) ([]models.APIKey, error) {
	lists, missing, err := from.readLists(ctx)
	if err != nil {
		return nil, err
	}
	from.lists = lists
	keys := []models.APIKey{}
	for _, answer := range lists {
		keys = append(keys, answer.Keys...)
	}
	switch {
	case len(missing) > 0 && len(lists) == 0:
		return nil, missing[0]
	case len(missing) > 0:
		return keys, fmt.Errorf("incomplete: %w", joined(missing))
	}
	return keys, nil
}

// readLists reads the lists of API keys that there are for the key, and returns why some of them are missing. What this
// kind of key never has is only named.
func (from *Source) readLists(ctx context.Context) (lists []keys.Listed, missing []error, err error) {
	a := from.Account
	if err := a.Load(ctx, from.API, from.loop); err != nil {
		return nil, nil, err
	}
	lists, missing, err = from.readEach(ctx, a.KeyLists())
	if unknown := a.KeyListsErr(); unknown != nil {
		missing = append(missing, models.About("cannot tell which lists of keys there are", 0, unknown))
	}
	return lists, missing, err
}

// reading reads lists of API keys, and returns why some of them are missing.
type reading func(context.Context) (lists []keys.Listed, missing []error, err error)

// again reads lists of API keys, and reads them again while that can help.
func (from *Source) again(ctx context.Context, read reading) (lists []keys.Listed, missing []error, err error) {
	lists, err = retry(ctx, from, maxTries, func(ctx context.Context) ([]keys.Listed, error) {
		lists, missing, err = read(ctx)
		return lists, cmp.Or(err, joined(missing))
	})
	if len(missing) > 0 && ctx.Err() == nil {
		err = nil
	}
	return lists, missing, err
}

// readEach reads lists of API keys. The error is that of a refused key.
func (from *Source) readEach(ctx context.Context, ids []models.ListID) (lists []keys.Listed, missing []error, err error) {
	a := from.Account
	if len(a.KeyLists()) == 0 && a.KeyListsErr() == nil {
		from.sayOnce("no list of API keys: this is a " + a.Describe())
	}
	for _, id := range ids {
		list, err := from.readList(ctx, id)
		switch {
		case err == nil:
			lists = append(lists, list)
		case models.KindOf(err) == models.KindUnauthorized:
			return nil, nil, err
		case models.RefusalOf(err) == models.RefusedOrgKey:
			from.sayOnce(fmt.Sprintf("cannot read %s with an %s", a.KeyListName(id), models.OrganizationKey))
			lists = append(lists, keys.Listed{Of: id})
		default:
			missing = append(missing, models.About("cannot read "+a.KeyListName(id), 0, err))
		}
	}
	return lists, missing, nil
}

// isUnread reports whether a list is one that the key cannot read.
func isUnread(list keys.Listed) bool { return list.Asked.IsZero() }

// readList reads a list of API keys.
func (from *Source) readList(ctx context.Context, id models.ListID) (keys.Listed, error) {
	list, err := ask(ctx, from, keysOf(id), func(ctx context.Context, _ poll.Subject) (keys.Listed, error) {
		return requestList(ctx, from.API, id, from.process.Steady())
	})
	if err == nil {
		from.completeList(ctx, &list)
	}
	return list, err
}

// requestList requests a list of API keys. asked is the time of the request.
func requestList(ctx context.Context, api control.API, id models.ListID, asked time.Time) (keys.Listed, error) {
	list, err := api.APIKeys(ctx, id)
	return keys.NewListed(id, list, asked), err
}

// keysOf returns the subject of a list of API keys.
func keysOf(id models.ListID) poll.Subject { return poll.Subject{Kind: "keys", Of: id.Org} }

// completeList completes a list of API keys that was read. It reports what the list shows: the outcomes of changes that had no answer,
// the first uses of new keys, and the uses of all.
func (from *Source) completeList(ctx context.Context, list *keys.Listed) {
	from.uses = from.uses.Raise(list.Keys)
	p := from.performer()
	for _, unknown := range p.Take(list, from.changes.SentIDs()) {
		from.sayOnce(unknown.Error())
	}
	from.see(ctx, list)
	decided := from.changes.Decide(*list)
	from.written(p.Decided(decided.Records))
	for _, k := range decided.Left {
		from.sayOnce(fmt.Sprintf("%s exists (id %d), and its secret is lost; revoke it: %s", k.Name, k.ID, RevokeLine(k.Ref(), k.Name)))
	}
}

// list returns a command that prints the records of a list that match the filter. Records that read returns with an
// error are printed, too.
func list[T any](
	o *Options, printed func(moments) layout[*T], fields []query.Field[*T],
	read func(context.Context, *Source) ([]T, error),
) (Run, error) {
	if err := cmp.Or(o.check(), o.checkFields(printed(utcTimes(noClock)).fields)); err != nil {
		return nil, err
	}
	filter, err := parseFilter(o.Filter, fields)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, from *Source) error {
		return printList(ctx, from, newOutput(o, from.process.Stdout, printed(from.times)), filter, read)
	}, nil
}

// parseFilter returns the filter of a command. An invalid one is an [exit.UsageError].
func parseFilter[T any](text string, fields []query.Field[T]) (query.Query[T], error) {
	filter, wrong := query.Parse(text, fields)
	wrong = cmp.Or(wrong, filter.Hint())
	if wrong != nil {
		return filter, exit.Usagef("--filter: %w", wrong)
	}
	return filter, nil
}

func printList[T any](
	ctx context.Context, from *Source, out *output[*T], filter query.Query[*T],
	read func(context.Context, *Source) ([]T, error),
) error {
	list, err := retry(ctx, from, maxTries, func(ctx context.Context) ([]T, error) { return read(ctx, from) })
	if err != nil && list == nil {
		return err
	}
	for i := range list {
		if filter.Match(&list[i], from.filterTime()) {
			out.write(&list[i])
		}
	}
	return errors.Join(out.Flush(), err)
}
