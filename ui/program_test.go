package ui

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"pgtower/client"
	"pgtower/client/mock"
	"pgtower/client/mock/sim"
	"pgtower/internal/driver"
	"pgtower/models"
	"pgtower/ui/apikeys"
	"pgtower/ui/desktop"
)

// inProcess passes requests to a handler without a network, so that time can be faked.
type inProcess struct{ handler http.Handler }

func (i inProcess) RoundTrip(r *http.Request) (answer *http.Response, err error) {
	defer func() {
		// The ways in which a handler breaks the connection.
		if recover() != nil {
			answer, err = nil, io.ErrUnexpectedEOF
		}
	}()
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	sent := httptest.NewRequestWithContext(r.Context(), r.Method, r.URL.String(), r.Body)
	sent.Header = r.Header
	sent.RemoteAddr = "203.0.113.9:4321"
	rec := httptest.NewRecorder()
	i.handler.ServeHTTP(rec, sent)
	return rec.Result(), nil
}

// backend is the mock, which can be unreachable.
type backend struct {
	t      *testing.T
	server *mock.Server
	keys   []string // accepted by SignIn and saved, newest last
	forgot int      // how often a key in memory should be forgotten
	noKey  bool
	down   bool
	watch  func(*http.Request)                       // called for every request; may be nil
	after  func(*http.Request)                       // called after every response; may be nil
	spoil  func(r *http.Request, body []byte) []byte // changes every response body; may be nil
	budget int                                       // requests a second; zero: unlimited

	readOnly string
	unknown  bool  // the id of the session's key is unknown
	kept     int64 // the id of the key saved last
	keepErr  error // why keys cannot be saved
	notReady error // the same, if known in advance
	board    board
}

// board is a clipboard.
type board struct {
	text string
	none error // why there is no clipboard
}

func (b *board) clipboard() desktop.Board { return desktop.Board{Read: b.Read, Write: b.Write} }

func (b *board) Read() (string, error) { return b.text, b.none }

func (b *board) Write(s string) error {
	if b.none == nil {
		b.text = s
	}
	return b.none
}

// keyStore saves the keys of a connection.
type keyStore struct {
	*backend

	api *client.Client
}

func (h keyStore) Verify(ctx context.Context, key models.Secret) error {
	c, err := h.connect(key.Reveal())
	if err != nil {
		return err
	}
	_, err = c.API.Projects(ctx, models.ListID{}, models.PageRequest{Limit: 1})
	return err
}

func (h keyStore) Pipe(context.Context, string, models.Secret) error { return nil }

func (h keyStore) Check(context.Context) error { return h.notReady }

func (h keyStore) Save(_ context.Context, key models.CreatedAPIKey) (apikeys.Saved, error) {
	if h.keepErr != nil {
		return apikeys.Saved{}, h.keepErr
	}
	h.kept = key.ID
	return apikeys.Saved{Source: "key from the keyring"}, h.api.UseKey(key.Key)
}

func (b *backend) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.watch != nil {
		b.watch(r)
	}
	if b.down {
		return nil, &timeoutError{}
	}
	a, err := inProcess{b.server}.RoundTrip(r)
	if b.spoil != nil && err == nil {
		a, err = spoilt(a, func(body []byte) []byte { return b.spoil(r, body) })
	}
	if b.after != nil {
		b.after(r)
	}
	return a, err
}

type timeoutError struct{}

func (*timeoutError) Error() string   { return "connection timed out" }
func (*timeoutError) Timeout() bool   { return true }
func (*timeoutError) Temporary() bool { return true }

func (b *backend) connect(key string) (Connection, error) {
	api, err := client.New(client.Options{
		BaseURL: "https://console.example/api/v2", Key: models.NewSecret(key), Clock: time.Now, Transport: b, Budget: b.budget,
		ReadOnly: b.readOnly != "",
	})
	c := Connection{API: api, KeyStore: keyStore{b, api}, Source: "key from the keyring", ReadOnly: b.readOnly}
	if err == nil {
		c.Skew, c.SetBudget = api.Skew, api.SetBudget
	}
	if key == b.server.APIKey() && !b.unknown {
		c.KeyID, c.KeyList = b.server.KeyID(b.server.APIKey()), models.Opt[models.ListID]{Known: true}
	}
	return c, err
}

func (b *backend) Open(_ context.Context, baseURL string) (Connection, error) {
	if b.noKey {
		return Connection{}, ErrNoKey
	}
	c, err := b.connect(b.server.APIKey())
	return at(c, baseURL), err
}

// at returns a connection to the service at an address, or to the demo's.
func at(c Connection, baseURL string) Connection {
	c.BaseURL, c.Host = "http://127.0.0.1:4321/api/v2", "demo"
	if u, err := url.Parse(baseURL); err == nil && u.Host != "" {
		c.BaseURL, c.Host = baseURL, u.Host
	}
	return c
}

func (b *backend) Forget(string) { b.forgot++ }

func (b *backend) SignIn(ctx context.Context, baseURL string, key models.Secret, _ string) (Connection, error) {
	c, err := b.connect(key.Reveal())
	if err != nil {
		return c, err
	}
	if _, err := c.API.Projects(ctx, models.ListID{}, models.PageRequest{Limit: 1}); err != nil {
		return Connection{}, err
	}
	b.keys = append(b.keys, key.Reveal())
	return at(c, baseURL), nil
}

// program runs the root as Bubble Tea does, but one message at a time and in the fake time of a synctest bubble.
type program struct {
	*backend
	*driver.Driver

	model *Model
	ctx   context.Context //nolint:containedctx // ends with the program under test
	over  bool
	// drop reports whether to drop a message; it may be nil.
	drop func(tea.Msg) bool
	// alerts are the writes to the terminal outside of the screen.
	alerts []string
	// printed are the lines printed above the prompt that the test has not read.
	printed []string
}

//go:embed testdata/platform.json
var platform []byte

// listed returns the default platform of the tests, which nothing changes.
//
//nolint:gochecknoglobals // decoding it for every test takes longer than most of them
var listed = sync.OnceValue(func() *sim.Fixture {
	f := new(sim.Fixture)
	if err := json.Unmarshal(platform, f); err != nil {
		panic(err)
	}
	return f
})

// play runs f with a program on a screen of this size, signed in unless noKey.
func play(t *testing.T, width, height int, prepare func(*backend, *Options), f func(p *program)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		server, err := mock.New(mock.Options{Seed: 7, Clock: time.Now, Fixture: listed()})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		b := &backend{t: t, server: server}
		o := Options{
			Profile: Profile{
				Name: "default", Authenticator: b, BaseURL: "https://console.example/api/v2", Host: "console.example",
				Interval: 5 * time.Second, PageSize: 50, Budget: 20,
			},
			Clock: time.Now, Clipboard: b.board.clipboard(),
		}
		if prepare != nil {
			prepare(b, &o)
		}
		p := &program{backend: b, model: New(ctx, o), ctx: ctx}
		p.Driver = driver.New(p.model, p.handle)
		p.Start(width, height)
		f(p)
	})
}

// handle handles the messages that Bubble Tea keeps from the model.
func (p *program) handle(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.QuitMsg:
		p.over = true
	case tea.RawMsg:
		p.alerts = append(p.alerts, fmt.Sprint(msg.Msg))
	default:
		return p.prints(msg) || p.drop != nil && p.drop(msg)
	}
	return true
}

// screen returns the screen as text.
func (p *program) screen() string {
	w, h := p.model.terminal.width, p.model.terminal.height
	buf := uv.NewScreenBuffer(w, h)
	uv.NewStyledString(p.model.View().Content).Draw(buf, buf.Bounds())
	lines := make([]string, h)
	for y := range h {
		var b strings.Builder
		for x := range w {
			if c := buf.CellAt(x, y); c != nil {
				b.WriteString(c.Content)
			}
		}
		lines[y] = strings.TrimRight(b.String(), " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

func (p *program) sees(texts ...string) {
	p.t.Helper()
	screen := p.screen()
	for _, s := range texts {
		if !strings.Contains(screen, s) {
			p.t.Fatalf("%q is not on the screen:\n%s", s, screen)
		}
	}
}

// reads is sees for texts that may be wrapped.
func (p *program) reads(texts ...string) {
	p.t.Helper()
	screen := p.screen()
	var b strings.Builder
	for line := range strings.Lines(screen) {
		if parts := strings.Split(line, "│"); len(parts) > 1 {
			line = parts[1]
		}
		b.WriteString(line + " ")
	}
	flat := strings.Join(strings.Fields(b.String()), " ")
	for _, s := range texts {
		if !strings.Contains(flat, s) {
			p.t.Fatalf("%q cannot be read on the screen:\n%s", s, screen)
		}
	}
}

func (p *program) seesNot(texts ...string) {
	p.t.Helper()
	screen := p.screen()
	for _, s := range texts {
		if strings.Contains(screen, s) {
			p.t.Fatalf("%q is on the screen:\n%s", s, screen)
		}
	}
}

// golden compares the screen with testdata; PGTOWER_UPDATE=1 writes it there.
func (p *program) golden(name string) {
	p.t.Helper()
	path := filepath.Join("testdata", name+".golden")
	got := p.screen()
	if os.Getenv("PGTOWER_UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			p.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		p.t.Fatal(err)
	}
	if got != string(want) {
		p.t.Errorf("%s differs; PGTOWER_UPDATE=1 go test ./ui accepts it.\ngot:\n%s\nwant:\n%s", path, got, want)
	}
}
