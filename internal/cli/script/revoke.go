package script

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
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

// RevokeOptions are the settings of a command that revokes keys.
type RevokeOptions struct {
	Targets    []Target      // those of the command line
	Lines      bool          // the keys are lines of an audit in JSON on the standard input
	Name       string        // of the only key; empty: it is asked for on a terminal
	Unrecorded bool          // even if the journal cannot be written
	NoWait     bool          // for the outcome of a revocation without an answer
	IfCanGo    bool          // only if it is proved that nothing needs the key
	ReplacedBy int64         // the id of the key that replaces it, which is compared with it; 0: none
	Quiet      time.Duration // how long the key must be quiet at least
	DryRun     bool          // only check
}

// proves reports whether a key is revoked only if it is proved that nothing needs it.
func (o *RevokeOptions) proves() bool { return o.IfCanGo || o.ReplacedBy != 0 }

// wanted is a key that is to be revoked.
type wanted struct {
	Target

	name string // empty: it is asked for
}

// doomed is a key that was checked, and what is known of it.
type doomed struct {
	models.APIKey

	known string
	list  *keys.Listed // that proves it
}

// Revoke returns the command that revokes keys. All are checked before the first is, and again once that is too long ago.
func Revoke(o RevokeOptions) (Run, error) {
	several := o.Lines || len(o.Targets) > 1
	switch {
	case o.Lines && (!o.IfCanGo || o.Name != "" || o.ReplacedBy != 0):
		return nil, exit.Usagef("keys on the standard input need --if-can-go, without --name and --replaced-by")
	case several && !o.IfCanGo:
		return nil, exit.Usagef("several keys need --if-can-go; without it, revoke one key a call")
	case len(o.Targets) == 1 && o.ReplacedBy != 0 && o.Targets[0].ID == o.ReplacedBy:
		return nil, exit.Usagef("--replaced-by: a key cannot replace itself")
	case several && (o.Name != "" || o.ReplacedBy != 0):
		return nil, exit.Usagef("--name and --replaced-by are for one key; the names of several are asked for")
	}
	return o.run, nil
}

// run finds and checks all keys, and revokes them then.
func (o *RevokeOptions) run(ctx context.Context, from *Source) error {
	wishes, err := from.wanted(o)
	if err != nil {
		return err
	}
	if err := from.checkChange(o.Unrecorded); err != nil {
		return err
	}
	targets, err := from.checkAll(ctx, o, wishes)
	if err != nil {
		return err
	}
	return from.revokeAll(ctx, targets, o)
}

// wanted returns the keys that are to be revoked. Without a terminal, each has its name.
func (from *Source) wanted(o *RevokeOptions) (wishes []wanted, err error) {
	switch {
	case o.Lines:
		return readWanted(from.process.Stdin)
	case len(o.Targets) > 1 && !from.asks():
		return nil, exit.Usagef("several keys need a terminal, where the name of each is asked for; - reads lines of an audit")
	case o.Name == "" && !from.asks():
		return nil, exit.Usagef("give the name of the key with --name: it must be that of the id")
	}
	for _, target := range o.Targets {
		if wish := (wanted{target, o.Name}); !slices.Contains(wishes, wish) {
			wishes = append(wishes, wish)
		}
	}
	return wishes, nil
}

// maxLines is how many keys are revoked together.
const maxLines = 1000

// readWanted reads the keys of an audit in JSON, one a line. Each must have its list, its id and its name.
func readWanted(stdin io.Reader) (wishes []wanted, err error) {
	lines := bufio.NewScanner(io.LimitReader(models.NewTextReader(stdin), 16<<20))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var line struct {
			List  string `json:"list"`
			OrgID string `json:"org_id"`
			ID    int64  `json:"id"`
			Name  string `json:"name"`
		}
		err := json.Unmarshal(lines.Bytes(), &line)
		account := line.List == "account" && line.OrgID == ""
		organization := line.List == "organization" && line.OrgID != ""
		switch {
		case err != nil:
			return nil, exit.Usagef("line %d of the standard input is no JSON object: %v", n, err)
		case !account && !organization, line.ID <= 0, line.Name == "":
			return nil, exit.Usagef("line %d of the standard input must have list, id and name, as pgtower apikeys audit --json prints", n)
		case len(wishes) == maxLines:
			return nil, exit.Usagef("the standard input has more than %d keys", maxLines)
		}
		wish := wanted{Target{line.ID, line.OrgID, account}, line.Name}
		if !slices.Contains(wishes, wish) {
			wishes = append(wishes, wish)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read the standard input: %w", err)
	}
	return wishes, nil
}

// checkAll finds and checks all keys. It returns none if one of them has another name, or may still be needed.
func (from *Source) checkAll(ctx context.Context, o *RevokeOptions, wishes []wanted) (targets []doomed, err error) {
	var asked []Target
	for _, wish := range wishes {
		asked = append(asked, wish.Target)
	}
	lists, missing, err := from.readListsOf(ctx, asked...)
	if err != nil {
		return nil, err
	}
	for _, wish := range wishes {
		k, list, err := from.pick(lists, missing, wish.Target)
		if err != nil {
			return nil, err
		}
		if wish.name == "" || from.options.JSON {
			from.learnName(ctx, k.ProjectID)
		}
		if wish.name == "" {
			wish.name, err = from.askName(ctx, &k)
			if err != nil {
				return nil, err
			}
		}
		if wish.name != k.Name {
			return nil, fmt.Errorf("nothing was revoked: the key with the id %d is %s, not %s", k.ID, k.Name, wish.name)
		}
		proof, err := from.checkProof(o, &k, list)
		if err != nil {
			return nil, fmt.Errorf("nothing was revoked: %w", err)
		}
		targets = append(targets, doomed{k, proof, list})
	}
	return targets, nil
}

// checkProof returns what is proved of a key, or why it cannot go, if the command asks for a proof.
func (from *Source) checkProof(o *RevokeOptions, k *models.APIKey, list *keys.Listed) (proof string, err error) {
	if !o.proves() {
		return "", nil
	}
	old := keyOf(list, k.ID)
	pair, phase, ok := from.auditOf([]keys.Listed{*list}, nil, AuditOptions{Quiet: o.Quiet}).Replaced(old)
	if o.ReplacedBy != 0 {
		successor := keyOf(list, o.ReplacedBy)
		if successor == nil {
			return "", fmt.Errorf("%s: none has the id %d", from.Account.KeyListName(k.List), o.ReplacedBy)
		}
		pair, phase, err = from.asked(list, old, successor, o.Quiet)
		if err != nil {
			return "", err
		}
		ok = true
	}
	if !ok {
		return "", fmt.Errorf("nothing that is remembered on this computer replaces %s; --replaced-by names its successor", k.Name)
	}
	proof = pair.Words(phase, from.own().ID != 0 && from.own() == old.Ref(), from.ago)
	if phase != keys.CanGo {
		return "", fmt.Errorf("%s cannot go: %s", k.Name, proof)
	}
	return proof, nil
}

// keyOf returns the key of a list with an id, or nil.
func keyOf(list *keys.Listed, id int64) *models.APIKey {
	i := slices.IndexFunc(list.Keys, func(k models.APIKey) bool { return k.ID == id })
	if i < 0 {
		return nil
	}
	return &list.Keys[i]
}

// revokeAll revokes keys one after the other, also if one of them fails.
func (from *Source) revokeAll(ctx context.Context, targets []doomed, o *RevokeOptions) (failed error) {
	lists := map[models.ListID]*keys.Listed{}
	for i := range targets {
		target := &targets[i]
		if o.DryRun {
			from.sayKnown(target)
			from.say("would revoke %s (id %d)", target.Name, target.ID)
			f := keys.Begin(keys.Change{Revoke: true, Key: target.APIKey}, "")
			failed = cmp.Or(failed, from.result(&f, notSent, &target.APIKey, models.Fields{"known": target.known}))
			continue
		}
		from.awaitLimit(ctx)
		if ctx.Err() != nil {
			return cmp.Or(failed, exit.ErrInterrupted)
		}
		err := from.proveAgain(ctx, o, target, lists)
		if err == nil {
			err = from.revoke(ctx, target, o)
		}
		if len(targets) > 1 && err != nil && !errors.Is(err, exit.ErrSaid) {
			from.say("%s: %v", target.Name, err)
		}
		failed = cmp.Or(failed, err)
		if models.KindOf(err) == models.KindUnauthorized {
			break
		}
	}
	return failed
}

// awaitLimit waits for the end of a rate limit, unless that is long: then the next change is not sent.
func (from *Source) awaitLimit(ctx context.Context) {
	if left := from.loop.Paused().Sub(from.process.Clock()); left > 0 && left <= maxWait {
		_ = sleep(ctx, left)
	}
}

// sayKnown tells what is proved of a key.
func (from *Source) sayKnown(target *doomed) {
	if target.known != "" {
		from.say("%s %s", target.Name, target.known)
	}
}

// lastingProof is how old a list may be that proves that a key can go: the revocations before it may have waited for long.
const lastingProof = time.Minute

// proveAgain checks a key again. It reads the list of the key again if that is too old; lists has those that were read again.
func (from *Source) proveAgain(
	ctx context.Context, o *RevokeOptions, target *doomed, lists map[models.ListID]*keys.Listed,
) error {
	target.list = cmp.Or(lists[target.List], target.list)
	old := keys.Age(target.list.Asked, from.process.Steady()) > lastingProof
	if !o.proves() || !old && lists[target.List] == nil {
		return nil
	}
	var err error
	if old {
		var list keys.Listed
		list, err = from.readList(ctx, target.List)
		target.list = &list
	}
	if err == nil {
		lists[target.List] = target.list
		err = from.checkAgain(o, target)
	}
	if err != nil {
		f := keys.Begin(keys.Change{Revoke: true, Key: target.APIKey}, "")
		return cmp.Or(from.result(&f, keys.Failed, &target.APIKey, nil), fmt.Errorf("not revoked: %w", err))
	}
	return nil
}

// checkAgain returns why a key is another one by now, or cannot go any more, or nil.
func (from *Source) checkAgain(o *RevokeOptions, target *doomed) error {
	k, list, err := from.pick([]keys.Listed{*target.list}, nil, Target{target.ID, target.List.Org, target.List.Org == ""})
	switch {
	case err != nil:
		return err
	case k.Name != target.Name:
		return fmt.Errorf("the key with the id %d is %s, not %s", k.ID, k.Name, target.Name)
	}
	target.APIKey = k
	target.known, err = from.checkProof(o, &k, list)
	return err
}

// ago returns how long ago a time was.
func (from *Source) ago(t time.Time) string { return from.times.Ago(t, from.now()) }

// asked compares two keys that a command names. If the command's own key is not known, the command itself may be
// what used the successor since it began.
func (from *Source) asked(
	list *keys.Listed, old, next *models.APIKey, quiet time.Duration,
) (keys.Pair, keys.Phase, error) {
	open := keys.OpenKeys(list.Open)
	pair := keys.Asked(old, next, &list.Memory, quiet)
	pair.Unclear = pair.Unclear || open[old.Ref()] || open[next.Ref()]
	key := from.own()
	began := old.AsOf.Early.Add(-keys.Age(from.began, from.process.Steady())).Add(-keys.Slack)
	if key.ID == 0 && from.Account.MayListOwn(old.List) && !next.LastUsedAt.Value.Before(began) {
		return pair, 0, fmt.Errorf("%s may be the key of this command, which used it just now: try again with another key", next.Name)
	}
	return pair, pair.Phase(key), nil
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
	input := bufio.NewReader(io.LimitReader(from.process.Stdin, 4<<10))
	line, _ := interruptible(ctx, func() (string, error) { return input.ReadString('\n') })
	if ctx.Err() != nil {
		return "", exit.ErrInterrupted
	}
	return strings.TrimSpace(line), nil
}

// revoke revokes a key. Without an answer, the list of the key shows the outcome in the end.
func (from *Source) revoke(ctx context.Context, target *doomed, o *RevokeOptions) error {
	from.sayKnown(target)
	k := target.APIKey
	f := from.carryOut(ctx, from.performer(), keys.Change{Revoke: true, Key: k, Unrecorded: o.Unrecorded})
	if f.Err != nil {
		return from.lost(ctx, &f, o.NoWait)
	}
	from.say("revoked %s (id %d)", k.Name, k.ID)
	return cmp.Or(from.result(&f, keys.Done, &k, models.Fields{"known": target.known}), from.ended())
}
