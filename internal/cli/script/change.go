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

// ParseTarget returns the key with an id. The error is an [exit.UsageError].
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

// list returns the list that the command line names.
func (t Target) list() models.ListID { return models.ListID{Org: t.Org} }

// in reports whether a list may have the key.
func (t Target) in(list models.ListID) bool { return !t.named() || list.Org == t.Org }

// find returns a key, with its list.
func (from *Source) find(ctx context.Context, target Target) (models.APIKey, *keys.Listed, error) {
	lists, missing, err := from.readListsOf(ctx, target)
	if err != nil {
		return models.APIKey{}, nil, err
	}
	return from.pick(lists, missing, target)
}

// readListsOf reads the lists that may have some keys: those that are named, or all if the list of one key is not named.
func (from *Source) readListsOf(ctx context.Context, targets ...Target) (lists []keys.Listed, missing []error, err error) {
	var named []models.ListID
	for _, target := range targets {
		switch list := target.list(); {
		case !target.named():
			return from.again(ctx, from.readLists)
		case !slices.Contains(named, list):
			named = append(named, list)
		}
	}
	return from.again(ctx, func(ctx context.Context) ([]keys.Listed, []error, error) { return from.readNamed(ctx, named) })
}

// pick returns a key of some lists, with its list. Without the name of the list, all lists must have been read, and only one
// may have the id.
func (from *Source) pick(
	lists []keys.Listed, missing []error, target Target,
) (models.APIKey, *keys.Listed, error) {
	var found []models.APIKey
	var list *keys.Listed
	var where []string
	lists = slices.DeleteFunc(slices.Clone(lists), func(l keys.Listed) bool { return !target.in(l.Of) })
	if target.named() && len(lists) > 0 {
		missing = nil // only other lists are missing
	}
	unread := len(missing) > 0 || slices.ContainsFunc(lists, isUnread)
	for i := range lists {
		for _, k := range lists[i].Keys {
			if k.ID == target.ID {
				found, list = append(found, k), &lists[i]
				where = append(where, from.Account.KeyListName(lists[i].Of)+" ("+k.Name+")")
			}
		}
	}
	switch {
	case len(found) > 1 && !target.named() && len(slices.Compact(where)) > 1:
		const several = "%d is the id of several keys, in %s: name the list with --org-id or --account"
		return models.APIKey{}, nil, exit.Usagef(several, target.ID, strings.Join(where, " and "))
	case len(found) > 1:
		return models.APIKey{}, nil, fmt.Errorf("several keys of one list have the id %d", target.ID)
	case len(found) == 0 && len(missing) > 0:
		return models.APIKey{}, nil, fmt.Errorf("no list that could be read has a key with the id %d: %w",
			target.ID, joined(missing))
	case unread && !target.named():
		text := fmt.Sprintf("another list may have a key with the id %d: name the list with --org-id or --account", target.ID)
		if len(missing) > 0 {
			return models.APIKey{}, nil, fmt.Errorf("%s; %w", text, missing[0])
		}
		return models.APIKey{}, nil, errors.New(text)
	case len(found) == 0 && (len(lists) == 0 || unread):
		return models.APIKey{}, nil, errors.New("this key cannot read that list of API keys")
	case len(found) == 0:
		return models.APIKey{}, nil, fmt.Errorf("no API key has the id %d", target.ID)
	}
	return found[0], list, nil
}

// checkChange returns why nothing can be changed, or nil.
func (from *Source) checkChange(unrecorded bool) error {
	if err := from.options.checkFields(changeFields()); err != nil {
		return err
	}
	switch {
	case from.ReadOnly != "":
		return errors.New("nothing can be changed: " + from.ReadOnly)
	case unrecorded, from.Journal == nil:
		return nil
	}
	if err := from.Journal.Check(); err != nil {
		err = &keys.ErrJournal{Err: err}
		return fmt.Errorf("nothing was requested: %w; --no-journal goes on without it", err)
	}
	return nil
}

// performer returns the performer of changes of keys.
func (from *Source) performer() *keys.Performer {
	p := &keys.Performer{
		Service: from.API, Journal: from.Journal, Store: from.Memory, Clock: from.process.Steady, Now: from.Now,
	}
	if from.secrets != nil {
		p.Verify = from.secrets.Verify
	}
	return p
}

// carryOut carries out a change as far as it goes without the user. From the request on, nothing interrupts it: only its answer
// has the secret. No request is repeated.
func (from *Source) carryOut(ctx context.Context, p *keys.Performer, c keys.Change) keys.Flow {
	anyway := context.WithoutCancel(ctx)
	_ = sleep(anyway, from.loop.Pace(from.process.Clock()))
	p.Held = from.loop.Change(from.process.Clock())
	f := p.Begin(c)
	from.changes.Began(&f)
	from.opened(&f)
	f = p.Perform(anyway, f)
	from.loop.Changed(f.Err, from.process.Clock())
	from.changes.Told(&f)
	for f.Task != keys.Resting {
		from.opened(&f)
		f = p.Perform(anyway, f)
		if f.Unverified != nil && f.Task == keys.Delivering {
			from.say("could not verify the new key: %v", f.Unverified)
		}
	}
	from.open.Store(nil)
	if f.Unremembered != nil {
		from.sayOnce("the rotation is not remembered: " + f.Unremembered.Error())
	}
	from.written(f.Unwritten)
	from.unrecorded = from.unrecorded && !f.Unrecorded
	return f
}

// opened keeps what a change leaves open if the program ends now.
func (from *Source) opened(f *keys.Flow) {
	text := from.changes.Claim(f).Words(&f.Key, "") + later(f)
	if f.Made.ID != 0 {
		text = fmt.Sprintf("created %s (id %d), and its secret may be lost: revoke it: %s",
			f.Key.Name, f.Made.ID, RevokeLine(f.Made.Ref(), f.Key.Name))
	}
	from.open.Store(&text)
}

// written reports why the outcome of a change is not in the journal. Then the command fails, although the change was made.
func (from *Source) written(err error) {
	if err != nil {
		from.sayOnce("the journal does not have what came of this: " + err.Error())
		from.unrecorded = true
	}
}

// ended returns the error of a command that changed a key.
func (from *Source) ended() error {
	if from.unrecorded {
		return exit.ErrSaid
	}
	return nil
}

// lost reports a change that may not have been carried out. Unless it was refused, its list shows the outcome in the end.
func (from *Source) lost(ctx context.Context, f *keys.Flow, noWait bool) error {
	key := f.Key
	if from.changes.Claim(f).State == keys.Refusal {
		return cmp.Or(from.result(f, keys.Failed, &key, nil), f.Err)
	}
	from.opened(f)
	defer from.open.Store(nil)
	from.say("%v", f.Err)
	claim := from.await(ctx, f, noWait)
	outcome, failed, further := keys.Undecided, exit.ErrUnknown, models.Fields{}
	text := claim.Words(&key, from.now().UTC().Format(time.TimeOnly))
	switch claim.State {
	case keys.NoLonger:
		text, outcome, failed = "revoked: "+text, gone, from.ended()
	case keys.Appeared:
		key.ID, further["handed"] = claim.Found[0], keys.Handover{}.String()
		text += ". Revoke it: " + RevokeLine(key.Ref(), key.Name)
		outcome, failed = keys.Done, exit.ErrSaid
	case keys.Absent, keys.StillListed:
		outcome, failed = keys.Failed, exit.ErrSaid
	case keys.Several:
		text += "; the secret of the one that this command created is lost"
	default:
		text += later(f)
	}
	from.say("%s", text)
	return cmp.Or(from.result(f, outcome, &key, further), failed)
}

// later returns what to do about a change whose outcome is unknown, as the end of a sentence.
func later(f *keys.Flow) string {
	if f.Revoke {
		return ": pgtower apikeys tells later whether it is listed"
	}
	return ": if pgtower apikeys lists it later, its secret is lost, and it is to be revoked"
}

// await reads the list of a change without an answer until it shows the outcome, or until ctx ends. With noWait, it reads the list
// once.
func (from *Source) await(ctx context.Context, f *keys.Flow, noWait bool) keys.Claim {
	id := f.Key.List
	defer from.hide()
	for repeated := false; ; repeated = true {
		_, err := from.readList(ctx, id)
		claim, now := from.changes.Claim(f), from.process.Steady()
		due, until := from.changes.Due(id, now), from.changes.Until(id)
		switch {
		case claim.State != keys.Unknown, due.IsZero():
			return claim
		case noWait, now.Sub(until) > stubborn, models.KindOf(err) == models.KindUnauthorized, ctx.Err() != nil:
			return claim
		}
		text := claim.Words(&f.Key, "")
		if !repeated {
			from.say("%s; the list tells, in %s for certain if it can be read", text, style.Every(until.Sub(now).Round(time.Second)))
		}
		from.progress(text + ". Checking again in " + style.Every(due.Sub(now).Round(time.Second)))
		if sleep(ctx, due.Sub(now)) != nil {
			return claim
		}
	}
}

// stubborn is how long to go on asking for a list that cannot be read, from when it would show the outcome of a change.
const stubborn = 30 * time.Second

// changeFields returns the fields of the outcome of a change.
func changeFields() []string {
	return strings.Fields("change outcome id list org_id org_name project_id name reach created_at last_used_at last_used_from_addr " +
		"replaces request_id handed known")
}

// result prints the outcome of a change of a key as JSON if that is asked for, with further fields.
func (from *Source) result(f *keys.Flow, outcome string, k *models.APIKey, further models.Fields) error {
	if !from.options.JSON {
		return nil
	}
	fields := keyValues(k, from.Account.Names())
	fields["change"], fields["outcome"], fields["reach"] = f.Record.Change, outcome, from.Account.Names().Reach(k.Reach())
	if f.Record.RequestID != "" {
		fields["request_id"] = f.Record.RequestID
	}
	if f.Old.ID != 0 {
		fields["replaces"] = f.Old.ID
	}
	maps.Copy(fields, further)
	out := newOutput(from.options, from.process.Stdout, layout[models.Fields]{
		fields: changeFields(),
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
