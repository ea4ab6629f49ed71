package play

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgtower/client"
	"pgtower/client/mock"
	"pgtower/client/mock/sim"
	"pgtower/internal/faultserver"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/control"
	"pgtower/models/keys"
	"pgtower/models/settings"
	"pgtower/ui"
	"pgtower/ui/desktop"
	"pgtower/ui/style"
)

// Backend is the mock, which can be unreachable, and the keys of the user.
type Backend struct {
	T      *testing.T
	Server *mock.Server
	Saved  []string // the keys that SignIn accepted, newest last
	Forgot int      // how often Forget was called
	NoKey  bool
	Down   bool
	From   string           // the user's address, as the service sees it
	Clock  func() time.Time // of the service; nil: the time of the bubble
	Memory keys.Store       // of rotations; nil: only the session remembers
	Uses   keys.Log         // of observed uses of keys; nil: only the session remembers
	// Undated responses have no date.
	Undated bool
	Broken  error                                     // the error of every request; nil: none
	Watch   func(*http.Request)                       // called for every request; may be nil
	After   func(*http.Request)                       // called after every response; may be nil
	Spoil   func(r *http.Request, body []byte) []byte // changes every response body; may be nil

	ReadOnly   string
	UnknownKey bool  // the id of the session's key is unknown
	Kept       int64 // the id of the key saved last
	KeepErr    error // why keys cannot be saved
	NotReady   error // the same, if it is known in advance
	Board      Board
	Known      account.Store // remembers the kind of the key; may be nil
}

// Board is a clipboard.
type Board struct {
	Text string
	None error // why there is no clipboard
}

func (b *Board) clipboard() desktop.Board { return desktop.Board{Read: b.read, Write: b.write} }

func (b *Board) read() (string, error) { return b.Text, b.None }

func (b *Board) write(s string) error {
	if b.None == nil {
		b.Text = s
	}
	return b.None
}

// keyStore saves the keys of a connection.
type keyStore struct {
	*Backend

	api *client.Client
}

func (h keyStore) Verify(ctx context.Context, key models.Secret) error {
	c, err := h.Connect(key.Reveal())
	if err != nil {
		return err
	}
	_, err = c.API.Projects(ctx, models.ListID{}, models.PageRequest{Limit: 1})
	return err
}

func (h keyStore) Pipe(context.Context, string, models.Secret) error { return nil }

func (h keyStore) Check(context.Context) error { return h.NotReady }

func (h keyStore) Save(_ context.Context, key models.CreatedAPIKey) (control.Saved, error) {
	if h.KeepErr != nil {
		return control.Saved{}, h.KeepErr
	}
	h.Kept = key.ID
	return control.Saved{Source: "key from the keyring"}, h.api.UseKey(key.Key)
}

func (b *Backend) now() time.Time {
	if b.Clock == nil {
		return now()
	}
	return b.Clock()
}

// Connect connects with a key.
func (b *Backend) Connect(key string) (control.Connection, error) {
	api, err := client.New(client.Options{
		BaseURL: "https://console.example/api/v2", Key: models.NewSecret(key), Clock: b.now,
		Transport: b, ReadOnly: b.ReadOnly != "",
	})
	c := control.Connection{
		API: api, KeyStore: keyStore{b, api}, Source: "key from the keyring", ReadOnly: b.ReadOnly,
		Known: b.Known, Memory: b.Memory,
	}
	if b.Uses != nil {
		c.Watcher = keys.NewWatcher(b.Uses)
	}
	if err == nil {
		c.Skew, c.Retry = api.Skew, api.Retry
	}
	if key == b.Server.APIKey() && !b.UnknownKey {
		c.KeyID, c.KeyList = b.Server.KeyID(b.Server.APIKey()), models.Opt[models.ListID]{Known: true}
	}
	return c, err
}

// Open implements [control.Authenticator].
func (b *Backend) Open(_ context.Context, baseURL string) (control.Connection, error) {
	if b.NoKey {
		return control.Connection{}, &control.NoKeyError{}
	}
	c, err := b.Connect(b.Server.APIKey())
	return at(c, baseURL), err
}

// at returns a connection to the service at an address, or to the demo's.
func at(c control.Connection, baseURL string) control.Connection {
	c.BaseURL, c.Host = "http://127.0.0.1:4321/api/v2", "demo"
	if u, err := url.Parse(baseURL); err == nil && u.Host != "" {
		c.BaseURL, c.Host = baseURL, u.Host
	}
	return c
}

// Forget implements [control.Authenticator].
func (b *Backend) Forget(string) { b.Forgot++ }

// SignIn implements [control.Authenticator].
func (b *Backend) SignIn(ctx context.Context, baseURL string, key models.Secret, _ string) (control.Connection, error) {
	c, err := b.Connect(key.Reveal())
	if err != nil {
		return c, err
	}
	if _, err := c.API.Projects(ctx, models.ListID{}, models.PageRequest{Limit: 1}); err != nil {
		return control.Connection{}, err
	}
	b.Saved = append(b.Saved, key.Reveal())
	return at(c, baseURL), nil
}

// RoundTrip passes a request to the mock without a network, so that time can be faked.
func (b *Backend) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.Watch != nil {
		b.Watch(r)
	}
	if b.Broken != nil {
		return nil, b.Broken
	}
	if b.Down {
		return nil, &timeoutError{}
	}
	a, err := faultserver.InProcess{Handler: b.Server, From: cmp.Or(b.From, "203.0.113.9:4321")}.RoundTrip(r)
	if b.Spoil != nil && err == nil {
		err = b.spoil(r, a)
	}
	if b.Undated && err == nil {
		a.Header.Del("Date")
	}
	if b.After != nil {
		b.After(r)
	}
	return a, err
}

// spoil changes the body of the answer to a request.
func (b *Backend) spoil(r *http.Request, a *http.Response) error {
	body, err := io.ReadAll(a.Body)
	if err != nil {
		return err
	}
	body = b.Spoil(r, body)
	a.Body, a.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	a.Header.Del("Content-Length")
	return nil
}

type timeoutError struct{}

func (*timeoutError) Error() string   { return "connection timed out" }
func (*timeoutError) Timeout() bool   { return true }
func (*timeoutError) Temporary() bool { return true }

//go:embed testdata/platform.json
var platform []byte

// listed returns the default platform of the tests, which nothing changes.
//
//nolint:gochecknoglobals // decoding it for every test takes longer than most of them
var listed = sync.OnceValue(decodePlatform)

func decodePlatform() *sim.Fixture {
	f := new(sim.Fixture)
	if err := json.Unmarshal(platform, f); err != nil {
		panic(err)
	}
	return f
}

// Simulate uses another platform than the default.
func (b *Backend) Simulate(o mock.Options) {
	b.T.Helper()
	if o.Seed = 7; o.Clock == nil {
		o.Clock = b.now
	}
	var err error
	b.Server, err = mock.New(o)
	if err != nil {
		b.T.Fatal(err)
	}
}

// Inject adds a fault until it is removed.
func (b *Backend) Inject(f string) (remove func()) {
	b.T.Helper()
	remove, err := b.Server.Inject(f)
	if err != nil {
		b.T.Fatal(err)
	}
	return remove
}

// Refuse answers the operations of projects with a status.
func (b *Backend) Refuse(status int, retryAfter time.Duration, projects ...string) {
	b.T.Helper()
	for _, id := range projects {
		f := fmt.Sprintf("%d of /projects/%s/operations", status, id)
		if retryAfter > 0 {
			f += fmt.Sprintf(" retry-after=%s", retryAfter)
		}
		b.Inject(f)
	}
}

// Revoke revokes a key outside of the program.
func (b *Backend) Revoke(id int64) {
	b.T.Helper()
	if _, err := b.Server.RevokeKey("", id); err != nil {
		b.T.Fatal(err)
	}
}

// Begin starts an operation of a project, by default of the busiest one.
func (b *Backend) Begin(task mock.Task) {
	b.T.Helper()
	task.ProjectID = cmp.Or(task.ProjectID, b.Server.BusiestProject())
	if _, err := b.Server.Start(task); err != nil {
		b.T.Fatal(err)
	}
}

// BeginMany starts that many new branches of the busiest project, one after the other.
func (b *Backend) BeginMany(n int) {
	b.T.Helper()
	for range n {
		b.Begin(mock.Task{Action: "create_branch"})
		time.Sleep(time.Millisecond)
	}
}

// ProjectIDs lists the projects of the service.
func (b *Backend) ProjectIDs() (ids []string) {
	b.T.Helper()
	list, err := b.Server.Projects("", "", "", 400)
	if err != nil {
		b.T.Fatal(err)
	}
	for i := range list {
		ids = append(ids, list[i].ID)
	}
	return ids
}

// KeyNames lists the API keys of the service.
func (b *Backend) KeyNames() string {
	var names []string
	for _, k := range b.Server.Keys("") {
		names = append(names, k.Name)
	}
	return strings.Join(names, " ")
}

// CreateKey creates an API key outside of the program.
func (b *Backend) CreateKey() (secret string) {
	b.T.Helper()
	k, err := b.Server.CreateKey("", "", "other")
	if err != nil {
		b.T.Fatal(err)
	}
	return k.Secret
}

// RevokeOwn revokes the session's key, and waits until the screen shows it.
func (p *Program) RevokeOwn() {
	p.T.Helper()
	p.Server.RevokeSecret(p.Server.APIKey())
	for range 10 {
		p.Wait(time.Second)
		if strings.Contains(p.Screen(), "signed out") {
			return
		}
	}
	p.T.Fatalf("the refusal is not seen:\n%s", p.Screen())
}

// Counting counts the requests for lists of operations: of the initial project, or of all.
func (p *Program) Counting() *atomic.Int64 {
	var n atomic.Int64
	path := "/operations"
	if p.Options.Project != "" {
		path = "/projects/" + p.Options.Project + path
	}
	p.Watch = func(r *http.Request) {
		if strings.HasSuffix(r.URL.Path, path) {
			n.Add(1)
		}
	}
	return &n
}

// Asked returns the number of requests for lists of operations in a time.
func (p *Program) Asked(d time.Duration) int64 {
	n := p.Counting()
	p.Wait(d)
	return n.Load()
}

// InBusiest starts in the busiest project.
func InBusiest(b *Backend, o *ui.Options) { o.Project = b.Server.BusiestProject() }

// WithOthers adds a profile of another account, one without a key, and a demo.
func WithOthers(b *Backend, o *ui.Options) {
	o.Others = []ui.Profile{
		{
			Profile:       settings.Profile{Name: "staging", BaseURL: "https://staging.example/api/v2", Interval: 2 * time.Second, PageSize: 10, Theme: style.Monochrome},
			Host:          "staging.example",
			Note:          "org-blue",
			Authenticator: b.other(8, false),
		},
		{
			Profile:       settings.Profile{Name: "empty", BaseURL: "https://empty.example/api/v2", Interval: 5 * time.Second, PageSize: 50},
			Host:          "empty.example",
			Authenticator: b.other(9, true),
		},
		{
			Profile:       settings.Profile{Name: "demo", Interval: 5 * time.Second, PageSize: 50},
			Host:          "demo",
			Note:          "the built-in mock",
			Demo:          true,
			Authenticator: b.other(10, false),
		},
	}
	for i := range o.Others {
		o.Others[i].Budget = 20
	}
}

// other returns the backend of another account.
func (b *Backend) other(seed uint64, noKey bool) *Backend {
	server, err := mock.New(mock.Options{Seed: seed, Clock: now})
	if err != nil {
		b.T.Fatal(err)
	}
	return &Backend{T: b.T, Server: server, NoKey: noKey}
}
