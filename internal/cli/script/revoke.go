package script

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/keys"
)

// RevokeOptions are the settings of a command that revokes a key.
type RevokeOptions struct {
	Target     Target
	Name       string        // of the key; empty: it is asked for on a terminal
	Unrecorded bool          // even if the journal cannot be written
	NoWait     bool          // for what became of a revocation without an answer
	IfCanGo    bool          // only if it is proved that nothing needs the key
	ReplacedBy int64         // the id of the key that replaces it, which is compared with it; 0: none
	Quiet      time.Duration // how long the key must be quiet at least
}

// Revoke returns the command that revokes a key.
func Revoke(o RevokeOptions) Run {
	return func(ctx context.Context, from *Source) error {
		if o.Name == "" && !from.asks() {
			return exit.Usagef("give the name of the key with --name: it must be that of the id")
		}
		send, err := from.changes(o.Unrecorded)
		if err != nil {
			return err
		}
		k, _, err := from.find(ctx, o.Target)
		if err != nil {
			return err
		}
		name := o.Name
		if name == "" {
			name, err = from.askName(ctx, &k)
			if err != nil {
				return err
			}
		}
		if name != k.Name {
			return fmt.Errorf("nothing was revoked: the key with the id %d is %s, not %s", k.ID, k.Name, name)
		}
		if err := from.checkProof(ctx, &o, &k); err != nil {
			return fmt.Errorf("nothing was revoked: %w", err)
		}
		return from.revoke(ctx, send, k, o.NoWait)
	}
}

// checkProof returns why it is not proved that a key can go, if the command asks for that.
func (from *Source) checkProof(ctx context.Context, o *RevokeOptions, k *models.APIKey) error {
	if !o.IfCanGo && o.ReplacedBy == 0 {
		return nil
	}
	list, err := from.readList(ctx, k.List)
	if err != nil {
		return err
	}
	find := func(id int64) int {
		return slices.IndexFunc(list.Keys, func(one models.APIKey) bool { return one.ID == id })
	}
	at := find(k.ID)
	if at < 0 {
		return fmt.Errorf("%s is no longer listed", k.Name)
	}
	old := &list.Keys[at]
	pair, phase, ok := from.auditOf([]keys.Listed{list}, AuditOptions{Quiet: o.Quiet}).Replaced(old)
	if o.ReplacedBy != 0 {
		next := find(o.ReplacedBy)
		if next < 0 {
			return fmt.Errorf("%s has no key with the id %d", from.Account.KeyListName(k.List), o.ReplacedBy)
		}
		pair, phase, err = from.asked(old, &list.Keys[next], o.Quiet)
		if err != nil {
			return err
		}
		ok = true
	}
	switch {
	case !ok:
		return fmt.Errorf("nothing that is remembered on this computer replaces %s; --replaced-by names its successor", k.Name)
	case phase != keys.CanGo:
		text := pair.Words(phase, from.own() == old.Ref(), from.ago)
		return fmt.Errorf("%s cannot go: %s", k.Name, text)
	}
	from.say("%s %s", k.Name, pair.Words(phase, false, from.ago))
	return nil
}

// ago returns how long ago a time was.
func (from *Source) ago(t time.Time) string { return from.times.Ago(t, from.now()) }

// asked compares two keys that a command names. Where the command's own key is not known, a use of the successor since
// the command began may be that of the command.
func (from *Source) asked(old, next *models.APIKey, quiet time.Duration) (keys.Pair, keys.Phase, error) {
	known, open := from.remembered(), from.openKeys()
	pair := keys.Asked(old, next, &known, quiet)
	pair.Unclear = pair.Unclear || open[old.Ref()] || open[next.Ref()]
	own := from.own()
	began := old.AsOf.Early.Add(-from.process.Clock().Sub(from.began)).Add(-keys.Slack)
	if own.ID == 0 && from.Account.MayListOwn(old.List) && !next.LastUsedAt.Value.Before(began) {
		return pair, 0, fmt.Errorf("%s may be the key of this command, which used it just now: try again with another key", next.Name)
	}
	return pair, pair.Phase(own), nil
}

// asks reports whether the user can be asked.
func (from *Source) asks() bool {
	p := &from.process
	return term.IsTerminal(int(p.Stdin.Fd())) && term.IsTerminal(int(p.Stderr.Fd()))
}

// about returns what a key is, in a line.
func (from *Source) about(k *models.APIKey) string {
	now := from.times.now()
	used := "last use unknown"
	switch {
	case k.NeverUsed():
		used = "never used"
	case k.LastUsedAt.Known:
		used = "last used " + from.times.Ago(k.LastUsedAt.Value, now)
		if k.LastUsedFromAddr != "" {
			used += " from " + k.LastUsedFromAddr
		}
	}
	return fmt.Sprintf("%s · id %d · %s · created %s · %s",
		k.Name, k.ID, from.Account.ReachWords(k.Reach()), from.times.Ago(k.CreatedAt, now), used)
}

// askName shows what a key is, and returns what the user types as its name. If ctx ends first, the read goes on until the
// process ends.
func (from *Source) askName(ctx context.Context, k *models.APIKey) (string, error) {
	from.say("%s", from.about(k))
	_, err := fmt.Fprint(from.process.Stderr,
		"Everything that uses it stops working immediately. This cannot be undone.\nType the key's name to confirm: ")
	if err != nil {
		return "", err
	}
	typed := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(io.LimitReader(from.process.Stdin, 4<<10)).ReadString('\n')
		typed <- strings.TrimSpace(line)
	}()
	select {
	case name := <-typed:
		return name, nil
	case <-ctx.Done():
		return "", exit.ErrInterrupted
	}
}

// revoke revokes a key. If nothing tells whether it was carried out, its list does, in the end.
func (from *Source) revoke(ctx context.Context, send keys.Send, k models.APIKey, noWait bool) error {
	from.pending.Begin(k)
	record, err := send.Revoke(context.WithoutCancel(ctx), k)
	r := from.pending.Answered(k, record, err, from.process.Clock())
	switch r.State {
	case keys.Revoked:
		from.say("revoked %s (id %d)", k.Name, k.ID)
		return from.ended()
	case keys.Unknown:
	default:
		return err
	}
	from.say("%v", err)
	text := fmt.Sprintf("%s (id %d) is listed; it may still be revoked", k.Name, k.ID)
	got, decided := from.await(ctx, k.List, text, noWait)
	send.Decided(got.Records)
	switch {
	case len(got.Gone) > 0:
		from.say("revoked %s (id %d): it is no longer listed", k.Name, k.ID)
		return from.ended()
	case decided:
		return fmt.Errorf("%s (id %d) is still listed as of %s: not revoked", k.Name, k.ID,
			from.now().UTC().Format(time.TimeOnly))
	}
	from.say("%s (id %d) may be revoked: pgtower apikeys tells later whether it is listed", k.Name, k.ID)
	return exit.ErrUnknown
}
