package script

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/style"
)

// CreateOptions are the settings of a command that creates a key.
type CreateOptions struct {
	Delivery

	Name       string
	Everything bool   // what the key shall reach: one of the three
	Org        string // the id of an organization
	Project    string // the id of a project
	Unrecorded bool   // even if the journal cannot be written
}

// Create returns the command that creates a key.
func Create(o CreateOptions) (Run, error) {
	given := 0
	for _, is := range []bool{o.Everything, o.Org != "", o.Project != ""} {
		if is {
			given++
		}
	}
	if given != 1 {
		return nil, exit.Usagef("give one of --everything, --org-id and --project: what shall the key reach?")
	}
	if err := cmp.Or(checkKeyName(o.Name), o.check()); err != nil {
		return nil, err
	}
	return func(ctx context.Context, from *Source) error {
		send, err := from.changes(o.Unrecorded)
		if err != nil {
			return err
		}
		reach, err := from.reachOf(ctx, &o)
		if err != nil {
			return err
		}
		list, err := from.listFor(ctx, reach)
		if err != nil {
			return err
		}
		return from.create(ctx, &creation{send: send, name: o.Name, reach: reach, list: list, to: o.Delivery})
	}, nil
}

// checkKeyName returns what is wrong with the name of a key, as an error in the way pgtower was called.
func checkKeyName(name string) error {
	problem := keys.NameProblem(name)
	if problem == "" {
		return nil
	}
	return exit.Usagef("%s", style.Clause(problem))
}

// reachOf returns what the key shall reach. A key of a project is of the organization of the project.
func (from *Source) reachOf(ctx context.Context, o *CreateOptions) (models.Reach, error) {
	if o.Project == "" {
		return models.Reach{Org: o.Org}, nil
	}
	project, err := from.API.Project(ctx, o.Project)
	switch {
	case err != nil:
		return models.Reach{}, err
	case project.OrgID == "":
		return models.Reach{}, errors.New("this project is of no organization, so no key can reach it alone")
	}
	return models.Reach{Org: project.OrgID, Project: o.Project}, nil
}

// listFor reads the list that a key of a reach is for.
func (from *Source) listFor(ctx context.Context, reach models.Reach) (*keys.Listed, error) {
	lists, missing, err := from.readLists(ctx)
	if err != nil {
		return nil, err
	}
	wanted := func(l keys.Listed) bool { return l.Of == reach.List() && l.Number > 0 }
	i := slices.IndexFunc(lists, wanted)
	switch {
	case from.Account.KeysFixed() != "":
		return nil, errors.New(from.Account.KeysFixed())
	case i < 0 && len(missing) > 0:
		return nil, joined(missing)
	case i < 0:
		return nil, fmt.Errorf("this key does not reach %s", from.Account.KeyListName(reach.List()))
	}
	return &lists[i], nil
}

// creation is a key that is created, and whose secret is handed over.
type creation struct {
	send  keys.Send
	name  string
	reach models.Reach
	list  *keys.Listed   // as it was before
	old   *models.APIKey // the key that it is the successor of, or nil
	quiet time.Duration  // how long the old key must be quiet
	to    Delivery
}

// create creates the key, verifies it, and hands its secret over. From the request on it is not interrupted, as nothing
// else ever has the secret; nothing is repeated.
func (from *Source) create(ctx context.Context, c *creation) error {
	if keys.Named(c.list.Keys, c.name) != nil {
		return fmt.Errorf("a key with the name %s already exists: choose another one", c.name)
	}
	to, err := c.to.prepare(from)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		to.cancel()
		return err
	}
	ctx = context.WithoutCancel(ctx)
	replaces := int64(0)
	if c.old != nil {
		replaces = c.old.ID
	}
	made, record, err := c.send.Create(ctx, c.name, c.reach, replaces)
	if err != nil {
		to.cancel()
		return from.notCreated(ctx, c, record, err)
	}
	switch {
	case made.Key.IsZero():
		to.cancel()
		return from.undelivered(&made, c, "its secret cannot be used: "+made.Damage)
	case made.Reach() != c.reach:
		to.cancel()
		return from.undelivered(&made, c, "it "+from.Account.ReachWords(made.Reach())+", which was not asked for")
	}
	m := c.memory(&made, from.now())
	if err := from.verify(ctx, &made, m); err != nil {
		to.cancel()
		return from.undelivered(&made, c, "the service refuses it: "+err.Error())
	}
	where, err := to.hand(ctx, made.Key)
	if err != nil {
		return from.undelivered(&made, c, "its secret could not be delivered: "+err.Error())
	}
	from.say("created %s (id %d), which %s; %s", c.name, made.ID, from.Account.ReachWords(c.reach), where)
	return nil
}

// memory returns what to remember of a rotation, or nil.
func (c *creation) memory(made *models.CreatedAPIKey, now time.Time) *keys.Memory {
	if c.old == nil {
		return nil
	}
	return &keys.Memory{
		Old: c.old.Ref(), OldCreated: c.old.CreatedAt, Successor: made.Ref(), Began: now,
		Quiet: c.quiet,
	}
}

// notCreated reports a creation that failed. If the key may exist, its list is read: it tells.
func (from *Source) notCreated(ctx context.Context, c *creation, record keys.Record, err error) error {
	if !models.MaybeDone(err) {
		return err
	}
	from.say("%v", err)
	listed, failed := from.API.APIKeys(ctx, c.reach.List())
	if failed != nil {
		from.say("%s may exist, without its secret: if pgtower apikeys lists it, revoke it", c.name)
		return exit.ErrSaid
	}
	changes := keys.NewChanges()
	changes.Unanswered(c.reach.List(), record, 1)
	decided := changes.Decide(keys.Listed{Of: c.reach.List(), Keys: listed, Number: 2})
	c.send.Decided(decided.Records)
	switch len(decided.Found) {
	case 0:
		from.say("no key was created: %s is not listed", c.name)
	case 1:
		from.say("%s exists, and its secret is lost. Revoke it: %s", c.name, RevokeLine(decided.Found[0], c.name))
	default:
		from.say("%d keys with the name %s were created just now, and this command does not know the secret of any",
			len(decided.Found), c.name)
	}
	return exit.ErrSaid
}

// undelivered reports a key whose secret nobody has.
func (from *Source) undelivered(made *models.CreatedAPIKey, c *creation, why string) error {
	from.say("created %s (id %d), but %s", c.name, made.ID, why)
	from.say("revoke it: %s", RevokeLine(made.Ref(), c.name))
	return exit.ErrSaid
}

// verify verifies a key, and returns an error if the service refuses it. What is remembered of the rotation covers these
// uses before they are made, and ends with the last one that the list shows.
func (from *Source) verify(ctx context.Context, made *models.CreatedAPIKey, m *keys.Memory) error {
	from.remember(m)
	if from.secrets == nil {
		return nil
	}
	err := from.secrets.Verify(ctx, made.Key)
	switch {
	case models.KindOf(err) == models.KindUnauthorized:
		return err
	case err != nil:
		from.say("could not verify the new key: %v", err)
		return nil
	case m == nil:
		return nil
	}
	verified := from.now()
	listed, err := from.API.APIKeys(ctx, made.List)
	i := slices.IndexFunc(listed, func(k models.APIKey) bool { return k.ID == made.ID })
	if err == nil && i >= 0 {
		m.Mark = keys.Mark(verified, &listed[i])
		from.remember(m)
	}
	return nil
}

// remember remembers a rotation. Without that, its names tell.
func (from *Source) remember(m *keys.Memory) {
	if m == nil || from.Rotations == nil {
		return
	}
	if err := from.Rotations.Save(*m); err != nil {
		from.sayOnce("the rotation is not remembered: " + err.Error())
	}
}
