package cli

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"pgtower/client"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/control"
	"pgtower/models/poll"
	"pgtower/models/status"
)

// connections are the open connections of all accounts.
type connections struct {
	finding sync.WaitGroup // lookups of keys

	mu   sync.Mutex
	open map[*client.Client]bool
}

func newConnections() *connections {
	return &connections{open: map[*client.Client]bool{}}
}

// replace closes the previous connection, and keeps the next one as open. Each may be nil.
func (c *connections) replace(previous, next *client.Client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if next != nil {
		c.open[next] = true
	}
	if previous != nil {
		delete(c.open, previous)
		previous.Close()
	}
}

// redact removes the keys in use from a text.
func (c *connections) redact(text string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for api := range c.open {
		text = api.Redact(text)
	}
	return text
}

// close waits until no key is looked up any more, then closes all connections.
func (c *connections) close() {
	c.finding.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	for api := range c.open {
		api.Close()
	}
	clear(c.open)
}

// connector opens connections. Only the last one stays open.
type connector struct {
	connections *connections
	api         atomic.Pointer[client.Client]
	readOnly    string // why connections are read-only; empty: because of the flag
	// statusPage returns the public status page of a service, or nil if it has none; nil: none has one.
	statusPage func(o client.Options) *status.Source
}

// connect opens a connection with a key, and closes the previous one.
func (c *connector) connect(o client.Options, key models.Secret, store store) (control.Connection, error) {
	o.Key = key
	api, err := client.New(o)
	if err != nil {
		return control.Connection{}, err
	}
	c.replace(api)
	store.options, store.api = o, api
	open := control.Connection{
		API: api, Skew: api.Skew, Now: api.Now, Retry: api.Retry, BaseURL: o.BaseURL, KeyStore: &store,
	}
	if c.statusPage != nil {
		open.Status = c.statusPage(o)
	}
	if o.ReadOnly {
		open.ReadOnly = cmp.Or(c.readOnly, "pgtower was started with --read-only")
	}
	return open, nil
}

func (c *connector) replace(api *client.Client) {
	c.connections.replace(c.api.Swap(api), api)
}

// store saves a session's new keys, and makes the session use them.
type store struct {
	check func(ctx context.Context) error // returns why no key could be saved, or nil
	save  func(ctx context.Context, key models.CreatedAPIKey) (control.Saved, error)

	options client.Options
	key     account.Options
	api     *client.Client
}

// Verify asks whether the service accepts a key. It makes more than one request only if the first answer is no proof.
func (s *store) Verify(ctx context.Context, key models.Secret) error {
	err := accepts(ctx, s.options, key)
	if err == nil || models.KindOf(err) == models.KindUnauthorized {
		return models.Doing(err, "verify the key")
	}
	_, err = verify(ctx, s.options, s.key, key)
	if errors.Is(err, account.ErrNoProject) {
		return nil // the service accepts it
	}
	return err
}

func (s *store) Check(ctx context.Context) error { return s.check(ctx) }

// Pipe runs a command with a key as its input.
func (s *store) Pipe(ctx context.Context, command string, key models.Secret) error {
	return keystore.Pipe(ctx, command, key)
}

// Save saves a key. The session uses it from then on.
func (s *store) Save(ctx context.Context, key models.CreatedAPIKey) (control.Saved, error) {
	saved, err := s.save(ctx, key)
	if err == nil {
		err = s.api.UseKey(key.Key)
	}
	return saved, err
}

// accepts asks a service about a key, or for its projects if the service cannot tell kinds of keys apart.
func accepts(ctx context.Context, o client.Options, key models.Secret) error {
	o.Key = key
	c, err := client.New(o)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Auth(ctx)
	if models.NoSuchEndpoint(err) {
		_, err = c.Projects(ctx, models.ListID{}, models.PageRequest{Limit: 1})
	}
	return err
}

// verify identifies a key. An answer proves that the service accepts it.
func verify(ctx context.Context, o client.Options, about account.Options, key models.Secret) (*account.Account, error) {
	o.Key = key
	c, err := client.New(o)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	keyAccount := account.New(about)
	err = keyAccount.Identify(ctx, c, loop(o))
	return keyAccount, models.Doing(err, "verify the key")
}

// loop sends the requests that are made before there is a session.
func loop(o client.Options) *poll.Loop { return poll.NewLoop(poll.New(poll.DefaultBudget), o.Clock) }

// listPatience is how long a sign-in waits for the lists that the key reaches. The key is saved without them.
const listPatience = 3 * time.Second

// readLists reads the lists of projects that a key reaches, for no longer than listPatience.
func readLists(ctx context.Context, o client.Options, key models.Secret, keyAccount *account.Account) {
	ctx, cancel := context.WithTimeout(ctx, listPatience)
	defer cancel()
	o.Key = key
	c, err := client.New(o)
	if err != nil {
		return // impossible: the verification had the same options
	}
	defer c.Close()
	_ = keyAccount.Load(ctx, c, loop(o)) // the account names the lists that are missing
}
