package script

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"pgtower/internal/cli/exit"
	"pgtower/keystore"
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
	NoWait     bool   // for what became of a creation without an answer
	DryRun     bool   // only check
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
		return from.create(ctx, &creation{
			send: send, name: o.Name, reach: reach, list: list, to: o.Delivery, noWait: o.NoWait, dryRun: o.DryRun,
		})
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
	wanted := func(l keys.Listed) bool { return l.Of == reach.List() && !l.Asked.IsZero() }
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
	send   keys.Send
	name   string
	reach  models.Reach
	list   *keys.Listed   // as it was before
	old    *models.APIKey // the key that it is the successor of, or nil
	quiet  time.Duration  // how long the old key must be quiet
	to     Delivery
	noWait bool
	dryRun bool
}

// create creates the key, verifies it, and hands its secret over. From the request on it is not interrupted, as nothing
// else ever has the secret; nothing is repeated.
func (from *Source) create(ctx context.Context, c *creation) error {
	if keys.Named(c.list.Keys, c.name) != nil {
		return fmt.Errorf("a key with the name %s already exists: choose another one", c.name)
	}
	if from.options.JSON && c.to.Print {
		return exit.Usagef("--json and --print cannot be combined: both are for the standard output")
	}
	if c.dryRun {
		from.say("would create %s, which %s", c.name, from.Account.ReachWords(c.reach))
		return from.result(c.change(), notSent, c.key(0), nil)
	}
	to, err := c.to.prepare(from)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		to.cancel()
		return err
	}
	anyway := context.WithoutCancel(ctx)
	replaces := int64(0)
	if c.old != nil {
		replaces = c.old.ID
	}
	c.send.Before = c.list.Keys
	made, record, err := c.send.Create(anyway, c.name, c.reach, replaces)
	if err != nil {
		to.cancel()
		return from.notCreated(ctx, c, record, err)
	}
	remembered := from.change(func(m *keys.Memory) { c.remember(m, &made, from.now()) }) == nil
	switch {
	case made.Key.IsZero():
		to.cancel()
		return from.undelivered(&made, c, "its secret cannot be used: "+made.Damage)
	case made.Reach() != c.reach:
		to.cancel()
		return from.undelivered(&made, c, "it "+from.Account.ReachWords(made.Reach())+", which was not asked for")
	}
	if err := from.verify(anyway, &made); err != nil {
		to.cancel()
		return from.undelivered(&made, c, "the service refuses it: "+err.Error())
	}
	where, err := from.hand(anyway, to, &made, c, record)
	if err != nil {
		return from.undelivered(&made, c, notDelivered(err))
	}
	from.say("created %s (id %d), which %s; %s", c.name, made.ID, from.Account.ReachWords(c.reach), where)
	if c.old != nil && remembered {
		from.say("%s (id %d) still works: pgtower apikeys audit tells when it can go", c.old.Name, c.old.ID)
	}
	more := models.Fields{"request_id": record.RequestID, "handed": to.place()}
	if c.old != nil {
		more["replaces"] = c.old.ID
	}
	return cmp.Or(from.result(c.change(), keys.Done, c.key(made.ID), more), from.ended())
}

// change returns what the journal calls the change.
func (c *creation) change() string {
	if c.old != nil {
		return keys.Rotated
	}
	return keys.Created
}

// key returns what is known of the new key.
func (c *creation) key(id int64) *models.APIKey {
	return &models.APIKey{List: c.reach.List(), ID: id, Name: c.name, ProjectID: c.reach.Project}
}

// remember adds what is known of the new key. Nobody has its secret yet, and it is verified next.
func (c *creation) remember(m *keys.Memory, made *models.CreatedAPIKey, now time.Time) {
	m.Add(keys.Made{Key: made.Ref(), Created: made.CreatedAt, Print: m.Print(made.Key), Took: keys.Killed})
	if c.old != nil {
		m.Begin(keys.Rotation{
			Old: c.old.Ref(), OldCreated: c.old.CreatedAt, New: made.Ref(), Began: now.Truncate(time.Second), Quiet: c.quiet,
		})
	}
}

// hand hands the secret over. What becomes of it is written before and after: the program may be killed between.
func (from *Source) hand(
	ctx context.Context, to *delivery, made *models.CreatedAPIKey, c *creation, record keys.Record,
) (where string, err error) {
	for _, stage := range []keys.Stage{keys.Handing, keys.Handed} {
		_ = from.change(func(m *keys.Memory) { m.Hand(made.Ref(), keys.Handover{Stage: stage, To: to.place()}) })
		c.send.Handed(record, keys.Handover{Stage: stage, To: to.place()})
		if stage == keys.Handing {
			if where, err = to.hand(ctx, made.Key); err != nil {
				return "", err
			}
		}
	}
	return where, nil
}

// notCreated reports a creation that failed. If the key may exist, its list is read: it tells, in the end.
func (from *Source) notCreated(ctx context.Context, c *creation, record keys.Record, err error) error {
	more := models.Fields{"request_id": record.RequestID}
	if keys.Refused(err) {
		return cmp.Or(from.result(c.change(), keys.Failed, c.key(0), more), err)
	}
	from.say("%v", err)
	from.pending.Unanswered(c.reach.List(), record, c.list.Keys, from.process.Clock())
	text := c.name + " is not listed yet; it may still appear"
	got, decided := from.await(ctx, c.reach.List(), text, c.noWait)
	c.send.Decided(got.Records)
	switch n := len(got.Found); {
	case n == 1:
		more["handed"] = keys.Handover{}.String()
		failed := from.result(c.change(), keys.Done, c.key(got.Found[0].ID), more)
		from.say("%s exists (id %d), and its secret is lost. Revoke it: %s", c.name, got.Found[0].ID,
			RevokeLine(got.Found[0], c.name))
		return cmp.Or(failed, exit.ErrSaid)
	case n > 1:
		from.say("%d keys with the name %s were created just now, and this command does not know the secret of any", n, c.name)
	case decided:
		from.say("%s is not listed as of %s, and can no longer appear", c.name, from.now().UTC().Format(time.TimeOnly))
		return cmp.Or(from.result(c.change(), keys.Failed, c.key(0), more), exit.ErrSaid)
	default:
		from.say("%s: if pgtower apikeys lists it later, its secret is lost, and it is to be revoked", text)
	}
	return cmp.Or(from.result(c.change(), keys.Undecided, c.key(0), more), exit.ErrUnknown)
}

// notDelivered returns why a secret was not delivered, or may have been: a command may fail after it has read it.
func notDelivered(err error) string {
	if command, ok := errors.AsType[*keystore.CommandError](err); ok && command.Changed {
		return "its secret may have been delivered: " + err.Error()
	}
	return "its secret could not be delivered: " + err.Error()
}

// undelivered reports a key whose secret is not known to be anywhere.
func (from *Source) undelivered(made *models.CreatedAPIKey, c *creation, why string) error {
	from.say("created %s (id %d), but %s", c.name, made.ID, why)
	from.say("revoke it: %s", RevokeLine(made.Ref(), c.name))
	more := models.Fields{"known": why}
	return cmp.Or(from.result(c.change(), keys.Done, c.key(made.ID), more), exit.ErrSaid)
}

// verify verifies a key, and returns an error if the service refuses it. The first use of the key that any list shows is
// pgtower's own, and as much more as the verification took.
func (from *Source) verify(ctx context.Context, made *models.CreatedAPIKey) error {
	began := from.process.Clock()
	var err error
	if from.secrets != nil {
		err = from.secrets.Verify(ctx, made.Key)
	}
	took := max(time.Second, from.process.Clock().Sub(began))
	_ = from.change(func(m *keys.Memory) { m.Verified(made.Ref(), took, err != nil) })
	switch {
	case models.KindOf(err) == models.KindUnauthorized:
		return err
	case err != nil:
		from.say("could not verify the new key: %v", err)
	}
	return nil
}
