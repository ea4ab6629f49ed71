package cli

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"pgtower/client"
	"pgtower/client/mock"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/control"
	"pgtower/models/keys"
	"pgtower/models/settings"
	"pgtower/models/status"
)

// demo connects to its own mock backend, over loopback and with the real client.
type demo struct {
	connector

	options   client.Options // without the base URL
	key       account.Options
	seed      uint64
	incidents bool // see [mock.Options.DemoIncidents]
	noHistory bool // no uses of keys are known from the month before the start
	starting  sync.Mutex
	server    atomic.Pointer[demoServer] // nil until it listens
}

// demoServer is a listening mock.
type demoServer struct {
	mock     *mock.Server
	listener *mock.Listener
	started  time.Time // by the mock's clock
	watcher  *keys.Watcher
}

const demoSource = "demo key"

// Open connects to the mock. The first call starts it, and so does the first one after its key was revoked. It stops with ctx.
// All faults are removed: a user who was signed out by one has no command for that.
func (d *demo) Open(ctx context.Context, baseURL string) (control.Connection, error) {
	previous := d.server.Load()
	server, err := d.start(ctx)
	if err != nil {
		return control.Connection{}, err
	}
	server.mock.Faults.Clear()
	if previous != nil && previous.listener.BaseURL() == baseURL { // it may be closed now
		baseURL = ""
	}
	return d.SignIn(ctx, cmp.Or(baseURL, server.listener.BaseURL()), models.NewSecret(server.mock.APIKey()), "")
}

// Forget does nothing: no key is held.
func (d *demo) Forget(string) {}

func (d *demo) start(ctx context.Context) (*demoServer, error) {
	d.starting.Lock()
	defer d.starting.Unlock()
	if running := d.server.Load(); running != nil {
		if running.mock.KeyID(running.mock.APIKey()) != 0 {
			return running, nil
		}
		_ = running.listener.Close() // nothing can be done about an error
	}
	server, err := mock.New(mock.Options{
		Seed: d.seed, Clock: d.options.Clock, Organizations: 2, DemoIncidents: d.incidents,
	})
	if err != nil {
		return nil, err
	}
	server.StatusPage = true
	listener, err := mock.Listen(ctx, server, mock.ListenOptions{})
	if err == nil {
		d.server.Store(&demoServer{server, listener, server.Now(), nil})
	}
	return d.server.Load(), err
}

// close closes the connections, then the mock.
func (d *demo) close() {
	d.replace(nil)
	if server := d.server.Load(); server != nil {
		_ = server.listener.Close() // nothing can be done about an error
	}
}

// SignIn verifies the key. Nothing is saved: the mock forgets its keys when it ends.
func (d *demo) SignIn(
	ctx context.Context, baseURL string, key models.Secret, project string,
) (control.Connection, error) {
	server, options := d.server.Load(), d.options
	if server == nil || baseURL != server.listener.BaseURL() {
		return control.Connection{}, errors.New("the demo has its own address: for another service, choose its profile")
	}
	options.BaseURL = baseURL
	about := d.key
	about.Project = project
	account, err := verify(ctx, options, about, key)
	if err != nil {
		return control.Connection{}, err
	}
	c, err := d.connect(options, key, store{check: canSaveNothing, save: saveNothing})
	c.Status = mockStatus(options)
	c.Source, c.Host, c.Skew = demoSource, settings.Demo, nil // the demo's clock is the mock's
	d.starting.Lock()
	c.Account, c.Watcher = account, server.uses(account, d.noHistory)
	d.starting.Unlock()
	if key.Reveal() == server.mock.APIKey() {
		c.KeyID, c.KeyList = server.mock.KeyID(key.Reveal()), models.Opt[models.ListID]{Known: true}
	}
	return c, err
}

func canSaveNothing(context.Context) error { return nil }

func saveNothing(context.Context, models.CreatedAPIKey) (control.Saved, error) {
	return control.Saved{Source: demoSource, Warning: "The demo saves nothing: the key is used until you quit."}, nil
}

// mockStatus returns the status page of the demo's mock.
func mockStatus(o client.Options) *status.Source {
	page := statusSource(o, strings.TrimSuffix(o.BaseURL, mock.BasePath)+mock.StatusPath)
	if page != nil {
		page.Name = "demo status"
	}
	return page
}

// now returns the simulated time. The screen computes ages with it.
func (d *demo) now() time.Time {
	if server := d.server.Load(); server != nil {
		return server.mock.Now()
	}
	return d.options.Clock()
}
