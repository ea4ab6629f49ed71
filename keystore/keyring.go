// Package keystore keeps API keys in the keyring of the operating system and nowhere else. [Sources] finds the key of a
// profile.
//
// A keyring can hang: a locked one waits for an invisible prompt, a bus accepts a connection and never responds. So
// every call has a deadline, and every error says what a user can do next.
package keystore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"pgtower/models"

	"github.com/zalando/go-keyring"
)

const (
	// Service is the service name of pgtower's items in the keyring.
	Service  = "pgtower"
	deadline = 2 * time.Second // of a call: a working keyring responds in milliseconds
)

// Account names a saved key. It includes the host, so that a key is never sent to a host that it was not saved for.
type Account struct {
	Profile string
	Host    string // the base URL's, with the port if it is not the scheme's default
}

// String returns the account as shown in errors and in the keyring's own window.
func (a Account) String() string { return a.Profile + "@" + strings.ToLower(a.Host) }

// user returns the account's user name in the keyring, which is unique because a host contains no @.
func (a Account) user() (string, error) {
	foreign := func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("@/?#", r) }
	if a.Profile == "" || models.Clean(a.Profile) != a.Profile || a.Host == "" || strings.ContainsFunc(a.Host, foreign) {
		return "", errors.New("invalid profile name or host")
	}
	return a.String(), nil
}

// Key is an API key in the keyring.
type Key struct {
	Secret models.Secret
	ID     int64 // the service's, or 0 if unknown
}

// item returns the keyring's value for the key: "id secret", or just the secret, which has no space.
func (k Key) item() string {
	if k.ID <= 0 {
		return k.Secret.Reveal()
	}
	return strconv.FormatInt(k.ID, 10) + " " + k.Secret.Reveal()
}

// parseItem parses both forms. Anything else is returned as a secret for the caller to check.
func parseItem(item string) Key {
	id, secret, _ := strings.Cut(strings.TrimSpace(item), " ")
	if n, err := strconv.ParseInt(id, 10, 64); err == nil && n > 0 && secret != "" {
		return Key{Secret: models.NewSecret(secret), ID: n}
	}
	return Key{Secret: models.NewSecret(item)}
}

// Ring is the part of go-keyring that is used.
type Ring interface {
	Get(service, user string) (string, error)
	Set(service, user, secret string) error
	Delete(service, user string) error
}

// Keyring keeps API keys in Keychain, Credential Manager or the Secret Service. It is safe for concurrent use.
type Keyring struct {
	deadline time.Duration
	probe    func(context.Context) error
	ring     Ring
	// mutex holds one token. A hanging call keeps it, so at most one goroutine is leaked.
	mutex chan struct{}
}

// New returns a keyring over ring. If ring is nil, it uses the session's own one, and does not touch that before the first call.
func New(ring Ring) *Keyring {
	k := &Keyring{deadline: deadline, probe: probe, ring: osRing{}, mutex: make(chan struct{}, 1)}
	if ring != nil {
		k.ring, k.probe = ring, func(context.Context) error { return nil }
	}
	return k
}

// Get returns the key that was saved for the account, or [ErrNotFound]. Any other error is an [*Error].
func (k *Keyring) Get(ctx context.Context, a Account) (Key, error) {
	return k.do(ctx, "read", a, k.get)
}

func (k *Keyring) get(user string) (Key, error) {
	item, err := k.ring.Get(Service, user)
	key := parseItem(item)
	if err == nil && key.Secret.IsZero() {
		err = keyring.ErrNotFound
	}
	return key, err
}

// Set saves the key for the account, and verifies that it can be read. After an [*Error] for [ReasonTimeout], answering
// the prompt may still save it.
func (k *Keyring) Set(ctx context.Context, a Account, key Key) error {
	if err := key.Secret.Check(); err != nil {
		return &Error{Doing: "save", Account: a, Err: err}
	}
	_, err := k.do(ctx, "save", a, func(user string) (Key, error) { return Key{}, k.set(user, key) })
	return err
}

// set saves an item, and reads it again. For a dismissed prompt, go-keyring returns no error and stores nothing. If there are
// several items of the user, go-keyring reads any of them.
func (k *Keyring) set(user string, key Key) error {
	if err := k.ring.Set(Service, user, key.item()); err != nil {
		return err
	}
	kept, err := k.ring.Get(Service, user)
	switch {
	case errors.Is(err, keyring.ErrNotFound):
		return ReasonDenied
	case err == nil && parseItem(kept) != parseItem(key.item()):
		return ReasonLeft
	}
	return err
}

// Delete deletes every key that was saved for the account, or returns [ErrNotFound]. Any other error is an [*Error]. There may
// be several items, of other programs or in other collections: the next command would use one that is left.
func (k *Keyring) Delete(ctx context.Context, a Account) error {
	_, err := k.do(ctx, "delete", a, func(user string) (Key, error) { return Key{}, k.deleteAll(ctx, user) })
	return err
}

// maxSame is how often an item is deleted that still reads the same. A second item may have the same key. But an item that
// cannot be deleted must not open prompt after prompt.
const maxSame = 2

func (k *Keyring) deleteAll(ctx context.Context, user string) error {
	secret, err := k.ring.Get(Service, user)
	for same := 0; err == nil && ctx.Err() == nil; {
		if same == maxSame {
			return ReasonLeft
		}
		if err := k.ring.Delete(Service, user); err != nil {
			return err
		}
		var left string
		left, err = k.ring.Get(Service, user)
		if errors.Is(err, keyring.ErrNotFound) {
			return nil
		}
		same++
		if left != secret {
			secret, same = left, 0
		}
	}
	return cmp.Or(err, ctx.Err())
}

// RoundTrip saves, reads and deletes a test item.
func (k *Keyring) RoundTrip(ctx context.Context) error {
	a := Account{Profile: "doctor", Host: "pgtower.invalid"}
	if err := k.Set(ctx, a, Key{Secret: models.NewSecret("round-trip"), ID: 1}); err != nil {
		return err
	}
	return k.Delete(ctx, a)
}

// do makes one call at a time, within the deadline. A call that exceeds it is left to end by itself.
func (k *Keyring) do(ctx context.Context, doing string, a Account, call func(user string) (Key, error)) (Key, error) {
	user, err := a.user()
	if err != nil {
		return Key{}, &Error{Doing: doing, Account: a, Err: err}
	}
	ctx, cancel := context.WithTimeout(ctx, k.deadline)
	defer cancel()
	var key Key
	var failed error // like key, read only after done is closed
	done := make(chan struct{})
	go func() {
		defer close(done)
		key, failed = k.inTurn(ctx, user, call)
	}()
	select {
	case <-done:
		err = failed
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		return Key{}, failure(ctx, doing, a, err)
	}
	return key, nil
}

// inTurn makes the call once no other one is made.
func (k *Keyring) inTurn(ctx context.Context, user string, call func(string) (Key, error)) (Key, error) {
	select {
	case k.mutex <- struct{}{}:
		defer k.unlock()
		return k.ready(ctx, user, call)
	case <-ctx.Done():
		return Key{}, ctx.Err()
	}
}

func (k *Keyring) unlock() { <-k.mutex }

// recovered turns a panic into an error. go-keyring asserts the types of a service's values: its panic would leave the terminal
// in disorder.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("unexpected response of the keyring: %v", r)
	}
}

// ready makes the call if a keyring can answer it without a prompt.
func (k *Keyring) ready(ctx context.Context, user string, call func(string) (Key, error)) (key Key, err error) {
	defer recovered(&err)
	if err := cmp.Or(k.probe(ctx), ctx.Err()); err != nil {
		return Key{}, err
	}
	return call(user)
}

type osRing struct{}

func (osRing) Get(service, user string) (string, error) { return keyring.Get(service, user) }
func (osRing) Set(service, user, secret string) error   { return keyring.Set(service, user, secret) }
func (osRing) Delete(service, user string) error        { return keyring.Delete(service, user) }
