package script

import (
	"context"
	"errors"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
)

// RotateOptions are the settings of a command that creates the successor of a key.
type RotateOptions struct {
	Delivery

	Target     Target
	Name       string // of the successor; empty: one that tells whose successor it is
	Computer   string // the name of this one, for that of pgtower's own key
	Quiet      time.Duration
	Asked      bool // the user asked for this quiet time: else it is longer if the key has paused for longer
	Unrecorded bool // even if the journal cannot be written
	NoWait     bool // for the outcome of a creation without an answer
	DryRun     bool // only check
}

// Rotate returns the command that creates the successor of a key. Nothing happens to the key itself.
func Rotate(o RotateOptions) (Run, error) {
	if o.Name != "" {
		if err := checkKeyName(o.Name); err != nil {
			return nil, err
		}
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	return o.run, nil
}

// run creates the successor in the list of the old key, with the same reach.
func (o *RotateOptions) run(ctx context.Context, from *Source) error {
	if err := from.checkChange(o.Unrecorded); err != nil {
		return err
	}
	old, list, err := from.find(ctx, o.Target)
	if err != nil {
		return err
	}
	if fixed := from.Account.KeysFixed(); fixed != "" {
		return errors.New(fixed)
	}
	quiet := o.Quiet
	if !o.Asked {
		quiet = from.quiet(&old, o.Quiet)
	}
	c := keys.Change{
		Key: keys.Wanted(o.successorName(from, &old, list), old.Reach()), Before: list.Keys, Old: old, Quiet: quiet,
		Unrecorded: o.Unrecorded,
	}
	return from.create(ctx, &creation{c, o.Delivery, o.NoWait, o.DryRun})
}

// successorName returns the name of the successor: the one that was given, or one that no key of the list has.
func (o *RotateOptions) successorName(from *Source, old *models.APIKey, list *keys.Listed) string {
	if o.Name != "" {
		return o.Name
	}
	name := old.Name
	if from.own().ID != 0 && old.Ref() == from.own() {
		name = keys.OwnName(name, o.Computer)
	}
	return keys.SuccessorName(name, from.now(), list.Lacks)
}

// quiet returns how long a key must be quiet: as long as usual, or longer if it has paused for longer, which it then reports.
func (from *Source) quiet(old *models.APIKey, usual time.Duration) time.Duration {
	usage := from.seen.usages[old.List].Of(old)
	quiet := usage.Proposed(usual)
	if quiet > usual {
		const text = "the quiet time is %s: the longest pause of %s that was seen is %s"
		from.say(text, keys.Long(quiet), old.Name, keys.Exactly(usage.Paused()))
	}
	return quiet
}
