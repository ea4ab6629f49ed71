package script

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgtower/client"
	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/models/shell"
	"pgtower/ui/style"
)

// Target is the key that a command is about. Its list comes from the command line alone.
type Target struct {
	ID        int64
	Org       string // the list is that of this organization
	OfAccount bool   // the list is the account's own
}

// ParseTarget returns the key with an id. An error is one in the way pgtower was called.
func ParseTarget(id, org string, ofAccount bool) (Target, error) {
	n, err := strconv.ParseInt(id, 10, 64)
	switch {
	case err != nil || n <= 0:
		return Target{}, exit.Usagef("must be the id of an API key, a whole number, not %q; pgtower apikeys lists them", id)
	case org != "" && ofAccount:
		return Target{}, exit.Usagef("--org-id and --account cannot be combined")
	}
	return Target{n, org, ofAccount}, nil
}

// named reports whether the command line names the list.
func (t Target) named() bool { return t.OfAccount || t.Org != "" }

// in reports whether a list may have the key.
func (t Target) in(list models.ListID) bool { return !t.named() || list.Org == t.Org }

// find returns a key, with its list.
func (from *Source) find(ctx context.Context, of Target) (models.APIKey, *keys.Listed, error) {
	lists, missing, err := from.readLists(ctx)
	if err != nil {
		return models.APIKey{}, nil, err
	}
	return from.pick(lists, missing, of)
}

// pick returns a key of some lists, with its list. Without the name of the list, all lists must be known, and one of them
// have the id.
func (from *Source) pick(
	lists []keys.Listed, missing []error, of Target,
) (models.APIKey, *keys.Listed, error) {
	var found []models.APIKey
	var in *keys.Listed
	var where []string
	lists = slices.DeleteFunc(slices.Clone(lists), func(l keys.Listed) bool { return !of.in(l.Of) })
	if of.named() && len(lists) > 0 {
		missing = nil // what is missing is another list
	}
	unread := len(missing) > 0
	for i := range lists {
		unread = unread || lists[i].Asked.IsZero()
		for _, k := range lists[i].Keys {
			if k.ID == of.ID {
				found, in = append(found, k), &lists[i]
				where = append(where, from.Account.KeyListName(lists[i].Of)+" ("+k.Name+")")
			}
		}
	}
	switch {
	case len(found) > 1 && !of.named() && len(slices.Compact(where)) > 1:
		const several = "%d is the id of several keys, in %s: name the list with --org-id or --account"
		return models.APIKey{}, nil, exit.Usagef(several, of.ID, strings.Join(where, " and "))
	case len(found) > 1:
		return models.APIKey{}, nil, fmt.Errorf("several keys of one list have the id %d", of.ID)
	case len(found) == 0 && len(missing) > 0:
		return models.APIKey{}, nil, fmt.Errorf("no list that could be read has a key with the id %d: %w",
			of.ID, joined(missing))
	case unread && !of.named():
		text := fmt.Sprintf("another list may have a key with the id %d: name the list with --org-id or --account", of.ID)
		if len(missing) > 0 {
			return models.APIKey{}, nil, fmt.Errorf("%s; %w", text, missing[0])
		}
		return models.APIKey{}, nil, errors.New(text)
	case len(found) == 0 && (len(lists) == 0 || unread):
		return models.APIKey{}, nil, errors.New("this key cannot read that list of API keys")
	case len(found) == 0:
		return models.APIKey{}, nil, fmt.Errorf("no API key has the id %d", of.ID)
	}
	return found[0], in, nil
}

// changes returns what sends changes and keeps the journal of them, or why nothing can be changed.
func (from *Source) changes(unrecorded bool) (keys.Send, error) {
	send := keys.Send{
		Service: from.API, Journal: from.Journal, Now: from.Now, Unrecorded: unrecorded, Unwritten: from.unwritten,
	}
	switch {
	case from.ReadOnly != "":
		return send, errors.New("nothing can be changed: " + from.ReadOnly)
	case unrecorded:
		send.Unwritten = from.sayUnwritten
		return send, nil
	case from.Journal == nil:
		return send, nil
	}
	if err := from.Journal.Check(); err != nil {
		err = &keys.ErrJournal{Err: err}
		return send, fmt.Errorf("nothing was requested: %w; --no-journal goes on without it", err)
	}
	return send, nil
}

// unwritten takes in that the journal does not have what came of a change: the command fails, although the change was made.
func (from *Source) unwritten(err error) {
	from.sayUnwritten(err)
	from.unrecorded = true
}

func (from *Source) sayUnwritten(err error) {
	from.sayOnce("the journal does not have what came of this: " + err.Error())
}

// ended returns the error of a command that changed a key.
func (from *Source) ended() error {
	if from.unrecorded {
		return exit.ErrSaid
	}
	return nil
}

// await reads a list until it decides about the changes without an answer, which are then none, or until ctx ends. text tells
// what is not known; with noWait, the list is read once.
func (from *Source) await(
	ctx context.Context, in models.ListID, text string, noWait bool,
) (all keys.Decided, decided bool) {
	c := &from.pending
	defer from.hide()
	for told := false; ; told = true {
		list, err := from.readList(ctx, in)
		if err == nil {
			d := c.Decide(list)
			all.Gone, all.Absent = append(all.Gone, d.Gone...), append(all.Absent, d.Absent...)
			all.Found, all.Records = append(all.Found, d.Found...), append(all.Records, d.Records...)
			all.Err = cmp.Or(d.Err, all.Err)
		}
		now := from.process.Clock()
		due := c.Due(in, now)
		late := now.Sub(c.Until(in)) > stubborn
		switch {
		case due.IsZero():
			return all, true
		case noWait, late, models.KindOf(err) == models.KindUnauthorized, ctx.Err() != nil:
			return all, false
		}
		if !told {
			from.say("%s; a list tells in %s at the latest", text, style.Every(c.Until(in).Sub(now).Round(time.Second)))
		}
		from.progress(text + ". Checking again in " + style.Every(due.Sub(now).Round(time.Second)))
		if client.Sleep(ctx, due.Sub(now)) != nil {
			return all, false
		}
	}
}

// stubborn is how long a list is asked for that cannot be read, once it would tell what became of a change.
const stubborn = 30 * time.Second

// result prints what came of a change of a key as JSON, if that is asked for, with what else is known.
func (from *Source) result(change, outcome string, k *models.APIKey, more models.Fields) error {
	if !from.options.JSON {
		return nil
	}
	fields := k.Fields()
	fields["change"], fields["outcome"], fields["reach"] = change, outcome, from.Account.Names().Reach(k.Reach())
	maps.Copy(fields, more)
	out := newOutput(from.options, from.process.Stdout, layout[models.Fields]{
		fields: strings.Fields("change outcome id list org_id project_id name reach created_at last_used_at last_used_from_addr " +
			"replaces request_id handed known"),
		values: func(f models.Fields) models.Fields { return f },
	})
	out.write(fields)
	return out.Flush()
}

// The outcomes of changes that the journal does not have.
const (
	notSent = "dry-run"
	gone    = "gone"
)

// RevokeLine returns the line of a shell that revokes a key. It names the list, whose id comes from the service, only if
// the flag accepts that: without it, all lists are searched.
func RevokeLine(k models.KeyRef, name string) string {
	words := []string{"pgtower", "apikeys", "revoke", strconv.FormatInt(k.ID, 10)}
	switch {
	case k.List.Org == "":
		words = append(words, "--account")
	case models.IsOrgID(k.List.Org):
		words = append(words, "--org-id", k.List.Org)
	}
	return shell.Line(append(words, "--name", name)...)
}
