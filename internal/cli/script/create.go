package script

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/style"
)

// CreateOptions are the settings of a command that creates a key.
type CreateOptions struct {
	Delivery

	Name       string
	Everything bool   // the reach of the key: one of the three
	Org        string // the id of an organization
	Project    string // the id or the name of a project
	Unrecorded bool   // even if the journal cannot be written
	NoWait     bool   // for the outcome of a creation without an answer
	DryRun     bool   // only check
}

// Create returns the command that creates a key.
func Create(o CreateOptions) (Run, error) {
	if count(o.Everything, o.Org != "", o.Project != "") != 1 {
		return nil, exit.Usagef("give one of --everything, --org-id and --project: what shall the key reach?")
	}
	if err := cmp.Or(checkKeyName(o.Name), o.check()); err != nil {
		return nil, err
	}
	return o.run, nil
}

// run creates the key in the list that its reach is for.
func (o *CreateOptions) run(ctx context.Context, from *Source) error {
	if err := from.checkChange(o.Unrecorded); err != nil {
		return err
	}
	reach, err := from.reachOf(ctx, o)
	if err != nil {
		return err
	}
	list, err := from.listFor(ctx, reach)
	if err != nil {
		return err
	}
	c := keys.Change{Key: keys.Wanted(o.Name, reach), Before: list.Keys, Unrecorded: o.Unrecorded}
	return from.create(ctx, &creation{c, o.Delivery, o.NoWait, o.DryRun})
}

// checkKeyName returns why a key may not have a name, as an [exit.UsageError].
func checkKeyName(name string) error {
	problem := keys.NameProblem(name)
	if problem == "" {
		return nil
	}
	return exit.Usagef("%s", style.Clause(problem))
}

// reachOf returns the reach of the key. A key of a project belongs to the organization of the project.
func (from *Source) reachOf(ctx context.Context, o *CreateOptions) (models.Reach, error) {
	if o.Project == "" {
		return models.Reach{Org: o.Org}, nil
	}
	from.recall()
	project, err := from.readProject(ctx, o.Project)
	switch {
	case err != nil:
		return models.Reach{}, err
	case project.OrgID == "":
		return models.Reach{}, errors.New("this project is of no organization, so no key can reach it alone")
	}
	from.Account.Note(from.process.Clock(), project)
	return models.Reach{Org: project.OrgID, Project: project.ID}, nil
}

// readProject reads the project of an id, or of a name that exactly one listed project has. It uses nothing that is remembered.
func (from *Source) readProject(ctx context.Context, text string) (project models.Project, err error) {
	err = errNoID
	if models.IsID(text) {
		project, err = from.API.Project(ctx, text)
	}
	if err == nil || models.IsID(text) && models.KindOf(err) != models.KindNotFound {
		return project, err
	}
	_, unlisted := retry(ctx, from, maxTries, from.readProjects)
	if models.KindOf(unlisted) == models.KindUnauthorized || ctx.Err() != nil {
		return models.Project{}, cmp.Or(ctx.Err(), unlisted)
	}
	project, wrong := models.FindProject(from.Account.Projects(), text)
	switch {
	case unlisted != nil && (wrong != nil || project.ID != text):
		return models.Project{}, fmt.Errorf("cannot tell which project %s is: %w", text, unlisted)
	case wrong != nil:
		return models.Project{}, exit.Usagef("--project: %w", wrong)
	}
	return project, nil
}

// listFor reads the list that a new key with a reach is added to.
func (from *Source) listFor(ctx context.Context, reach models.Reach) (*keys.Listed, error) {
	lists, missing, err := from.readNamed(ctx, []models.ListID{reach.List()})
	if err != nil {
		return nil, err
	}
	match := func(l keys.Listed) bool { return l.Of == reach.List() && !isUnread(l) }
	i := slices.IndexFunc(lists, match)
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

// creation is a key that is wanted, and where its secret goes.
type creation struct {
	keys.Change

	to             Delivery
	noWait, dryRun bool
}

// create creates the key, and hands its secret over once it is verified.
func (from *Source) create(ctx context.Context, c *creation) error {
	switch {
	case keys.Named(c.Before, c.Key.Name) != nil:
		return fmt.Errorf("a key with the name %s already exists: choose another one", c.Key.Name)
	case from.options.JSON && c.to.Print:
		return exit.Usagef("--json and --print cannot be combined: both are for the standard output")
	}
	from.learnName(ctx, c.Key.ProjectID)
	if c.dryRun {
		from.say("would create %s, which %s", c.Key.Name, from.Account.ReachWords(c.Key.Reach()))
		f := keys.Begin(c.Change, "")
		return from.result(&f, notSent, &c.Key, nil)
	}
	delivery, err := c.to.prepare(from)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		delivery.cancel()
		return err
	}
	c.Asked, c.Verify, c.To = from.now(), from.secrets != nil, delivery.place()
	p := from.performer()
	p.HandOver = delivery.hand
	f := from.carryOut(ctx, p, c.Change)
	if !delivery.tried {
		delivery.cancel()
	}
	if f.Err != nil {
		return from.lost(ctx, &f, c.noWait)
	}
	return from.created(&f, delivery)
}

// created reports a key that was created, and where its secret is.
func (from *Source) created(f *keys.Flow, to *delivery) error {
	reach := from.Account.ReachWords(f.Made.Reach())
	key, why := f.Key, ""
	key.ID = f.Made.ID
	switch {
	case f.Made.Key.IsZero():
		why = "its secret cannot be used: " + f.Made.Damage
	case f.OtherReach():
		why = "it " + reach + ", which was not asked for"
	case f.Unusable():
		why = "the service refuses it: " + f.Unverified.Error()
	case f.Undelivered != nil && f.Maybe:
		why = "its secret may have been delivered: " + f.Undelivered.Error()
	case f.Undelivered != nil:
		why = "its secret could not be delivered: " + f.Undelivered.Error()
	}
	if why != "" {
		from.say("created %s (id %d), but %s", key.Name, key.ID, why)
		from.say("revoke it: %s", RevokeLine(key.Ref(), key.Name))
		return cmp.Or(from.result(f, keys.Done, &key, models.Fields{"known": why}), exit.ErrSaid)
	}
	from.say("created %s (id %d), which %s; %s", key.Name, key.ID, reach, to.where)
	if f.Old.ID != 0 && f.Unremembered == nil {
		from.say("%s (id %d) still works: pgtower apikeys audit tells when it can go", f.Old.Name, f.Old.ID)
	}
	return cmp.Or(from.result(f, keys.Done, &key, models.Fields{"handed": f.To}), from.ended())
}
