package mock

import (
	"encoding/hex"
	"errors"
	"fmt"
	"time"
)

// add puts the key back into a keyring whose last id is known.
func (k *stateKey) add(to *keyring) error {
	switch {
	case k.ID < 1 || k.ID > to.lastID:
		return fmt.Errorf("id %d is not from 1 to last_key_id", k.ID)
	case to.byID[k.ID] != nil:
		return fmt.Errorf("id %d is there twice", k.ID)
	case k.CreatedAt.IsZero():
		return errors.New("created_at is missing")
	case len(k.LastUsedFromAddr) > 100:
		return errors.New("last_used_from_addr is longer than 100 bytes")
	}
	if trouble := checkName(k.Name); trouble != nil {
		return errors.New(trouble.message)
	}
	key := &apiKey{id: k.ID, name: k.Name, created: k.CreatedAt, lastAddr: k.LastUsedFromAddr}
	if k.LastUsedAt != nil {
		key.lastUsed = *k.LastUsedAt
	}
	if k.SHA256 != "" {
		raw, err := hex.DecodeString(k.SHA256)
		if err != nil || len(raw) != len(key.secret) {
			return errors.New("sha256 is not 64 hexadecimal digits")
		}
		key.secret = digest(raw)
		if to.bySecret[key.secret] != nil {
			return errors.New("sha256 is that of another key")
		}
	}
	to.add(key)
	return nil
}

// maxBeyond is how far beyond the present an operation can have been created that was
// started while time stood: more than a minute's microseconds are not held in memory.
const maxBeyond = time.Minute

// add puts the operation back after those of the project that were started before it.
func (t *stateTask) add(to *platform, now time.Time) error {
	p, ok := to.byID[t.ProjectID]
	if !ok {
		return fmt.Errorf("there is no project %q in this platform", t.ProjectID)
	}
	started := to.started[p.id]
	switch {
	case t.CreatedAt.After(now.Add(maxBeyond)) || t.CreatedAt.Year() < 1000 || !onMicrosecond(t.CreatedAt):
		return errors.New("created_at is not a time up to now, to the microsecond")
	case !p.freeTime(started, t.CreatedAt).Equal(t.CreatedAt):
		return errors.New("created_at is that of another operation, or not after the one before it")
	case !validID(t.BranchID) || t.EndpointID != "" && !validID(t.EndpointID):
		return errors.New("branch_id or endpoint_id is not an id")
	}
	op := operation{
		number: startedBias + int64(len(started)), created: t.CreatedAt.UTC(),
		action: t.Action, branch: t.BranchID, endpoint: t.EndpointID,
	}
	var err error
	if op.course, err = t.course(); err != nil {
		return err
	}
	to.started[p.id] = append(started, op)
	return nil
}

func (t *stateTask) course() (course, error) {
	c := course{tries: len(t.Attempts), failed: t.Failed}
	if c.tries < 1 || c.tries > maxAttempts {
		return c, fmt.Errorf("there are not 1 to %d attempts", maxAttempts)
	}
	if err := (&Task{Action: t.Action}).check(); err != nil {
		return c, err
	}
	left := maxAhead // Of all durations together.
	read := func(text string, into *time.Duration) error {
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 || d > left {
			return fmt.Errorf("%q is not a duration, or makes more than a hundred years", text)
		}
		*into = d
		left -= d
		return nil
	}
	if err := read(t.Wait, &c.wait); err != nil {
		return c, fmt.Errorf("wait: %w", err)
	}
	for i, text := range t.Attempts {
		if err := read(text, &c.attempts[i]); err != nil {
			return c, fmt.Errorf("attempts: %w", err)
		}
	}
	return c, nil
}

// add makes the operation fail as it did.
func (f *stateFailed) add(to *platform, now time.Time) error {
	p, ok := to.byID[f.ProjectID]
	if !ok {
		return fmt.Errorf("there is no project %q in this platform", f.ProjectID)
	}
	h := to.history(p, now)
	op, ok := h.find(f.OperationID)
	switch {
	case !ok:
		return fmt.Errorf("%w: %q", ErrNoOperation, f.OperationID)
	case f.At.Before(op.created) || f.At.After(h.horizon) || !onMicrosecond(f.At):
		return errors.New("at is not a time from its creation to now, to the microsecond")
	}
	return to.strike(p, op, f.At.UTC())
}

// add puts the fault back into a list whose last id is known.
func (f *wireFault) add(to *faultList) error {
	fault, err := parseFault(f.Fault)
	if err != nil {
		return err
	}
	last := int64(0)
	if n := len(to.active); n > 0 {
		last = to.active[n-1].ID
	}
	switch {
	case f.ID <= last || f.ID > to.lastID:
		return fmt.Errorf("id %d is not above the one before it and up to last_fault_id", f.ID)
	case f.Passed < 0 || f.Passed > fault.Skip:
		return errors.New("passed is not from 0 to skip")
	case f.Hits < 0 || fault.Count > 0 && f.Hits > fault.Count:
		return errors.New("hits is below 0 or above count")
	}
	added := &ActiveFault{Fault: fault, ID: f.ID, Passed: f.Passed, Hits: f.Hits}
	if f.Spent != added.Spent() {
		return errors.New("spent is not what hits and count say")
	}
	to.active = append(to.active, added)
	to.forget()
	return nil
}
