package script

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"golang.org/x/term"

	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/keys"
)

// RevokeOptions are the settings of a command that revokes a key.
type RevokeOptions struct {
	Target     Target
	Name       string // of the key; empty: it is asked for on a terminal
	Unrecorded bool   // even if the journal cannot be written
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
		return from.revoke(ctx, send, k)
	}
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

// revoke revokes a key. If nothing tells whether it was carried out, the next list does.
func (from *Source) revoke(ctx context.Context, send keys.Send, k models.APIKey) error {
	changes := keys.NewChanges()
	changes.Begin(k)
	record, err := send.Revoke(context.WithoutCancel(ctx), k)
	r := changes.Answered(k, record, err, 1)
	if r.State == keys.Unknown {
		listed, failed := from.API.APIKeys(ctx, k.List)
		if failed != nil {
			from.say("%v", err)
			return fmt.Errorf("%s (id %d) may be revoked: its list could not be read (%w)", k.Name, k.ID, failed)
		}
		decided := changes.Decide(keys.Listed{Of: k.List, Keys: listed, Number: 2})
		send.Decided(decided.Records)
		if len(decided.Gone) == 0 {
			return fmt.Errorf("%s (id %d) is still listed: %w", k.Name, k.ID, err)
		}
	} else if err != nil {
		return err
	}
	from.say("revoked %s (id %d)", k.Name, k.ID)
	return nil
}
