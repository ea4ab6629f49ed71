package ui

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/apikeys"
	"pgtower/ui/operations"
	"pgtower/ui/page"
	"pgtower/ui/projects"
	"pgtower/ui/signin"
	"pgtower/ui/text"
	"pgtower/ui/theme"
)

// API is what the pages ask of the control API.
type API interface {
	operations.Service
	projects.Service
	apikeys.Service
}

// Connection is a way to the API with a key.
type Connection struct {
	API API
	// Holder tries new keys, and keeps one in place of that which the API is asked with.
	Holder apikeys.Holder
	// KeyID is the id of that key, or 0 where it is not known.
	KeyID int64
	// ReadOnly says why nothing may be changed, or is empty.
	ReadOnly string
	// Source says where the key came from, such as "key of the keyring".
	Source string
	// Warning is something that the person should know, such as that the key could not
	// be kept; or empty.
	Warning string
}

// ErrNoKey is what a [Gateway] returns where no key was ever given.
var ErrNoKey = errors.New("no API key")

// Gateway finds, tries and keeps API keys.
type Gateway interface {
	// Open connects with the key that is there already, without trying it. It returns
	// ErrNoKey if there is none.
	Open(ctx context.Context) (Connection, error)
	// SignIn tries the key with a request, and keeps it if the service accepts it.
	SignIn(ctx context.Context, key models.Secret) (Connection, error)
}

// session is the sign-in that the program is in.
type session struct {
	*page.Session // nil while there is none

	generation int
	cancel     context.CancelFunc
	source     string
	readOnly   bool
	places     [page.Count]page.Place // where to come back to
}

// opened is what became of opening with the key that was there already.
type opened struct {
	connection Connection
	err        error
}

// signedIn is what became of a key that the person gave.
type signedIn struct {
	connection Connection
	err        error
}

func (m *Model) signedIn() bool { return m.session.Session != nil }

func (m *Model) openSession() tea.Cmd {
	ctx, gateway := m.ctx, m.options.Gateway
	return func() tea.Msg {
		c, err := gateway.Open(ctx)
		return opened{c, err}
	}
}

// aboutSession does the bookkeeping of signing in and of losing the sign-in.
func (m *Model) aboutSession(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case opened:
		switch {
		case errors.Is(msg.err, ErrNoKey):
			m.ask("", true)
		case msg.err != nil:
			m.ask(text.Sentence(msg.err.Error()), false)
		default:
			return m.begin(msg.connection)
		}
	case signin.Submitted:
		ctx, gateway, key := m.ctx, m.options.Gateway, msg.Key
		return func() tea.Msg {
			c, err := gateway.SignIn(ctx, key)
			return signedIn{c, err}
		}
	case signedIn:
		if msg.err != nil {
			m.signin.Refused(msg.err)
			return nil
		}
		return m.begin(msg.connection)
	case page.Failed:
		if models.KindOf(msg.Err) == models.KindUnauthorized && m.signedIn() {
			source := m.session.source
			m.end()
			m.ask("The service refused the API key: it is invalid, or it was revoked. It was the "+source+". Give one that is valid to go on where you were.", true)
		}
	case page.SignedOut:
		m.end()
		m.ask(msg.Reason+" Give another one to go on where you were.", true)
	case page.KeyChanged:
		m.session.source = msg.Source
	}
	return nil
}

// ask shows the sign-in page.
func (m *Model) ask(reason string, kept bool) {
	m.signin = signin.New(m.options.BaseURL, reason, kept)
}

// begin starts a session: new pages, at the places that the last one ended.
func (m *Model) begin(c Connection) tea.Cmd {
	m.signin = nil
	ctx, cancel := context.WithCancel(m.ctx)
	m.session.generation++
	m.session.cancel, m.session.source, m.session.readOnly = cancel, c.Source, c.ReadOnly != ""
	s := page.NewSession(ctx, m.session.generation, m.options.Clock)
	m.session.Session = s
	places := m.session.places
	m.pages = [page.Count]page.Page{
		page.Operations: operations.New(s, c.API, operations.Options{
			Interval: m.options.Interval, PageSize: m.options.PageSize, Budget: m.options.Budget, Place: places[page.Operations],
		}),
		page.Projects: projects.New(s, c.API, places[page.Projects]),
		page.APIKeys: apikeys.New(s, c.API, apikeys.Options{
			Holder: c.Holder, Own: c.KeyID, ReadOnly: c.ReadOnly, Place: places[page.APIKeys],
		}),
	}
	var cmds []tea.Cmd
	for _, p := range m.pages {
		cmds = append(cmds, p.Start())
	}
	cmds = append(cmds, m.shown())
	if c.Warning != "" {
		cmds = append(cmds, m.notify(page.Notice{Tone: theme.Waiting, Text: c.Warning}))
	}
	return tea.Batch(cmds...)
}

// end leaves the session: what is under way is cancelled, what was read is forgotten,
// and only where the person was is remembered.
func (m *Model) end() {
	m.session.cancel()
	m.session.Session = nil
	for id, p := range m.pages {
		m.session.places[id] = p.Place()
	}
	m.pages = [page.Count]page.Page{}
	m.dialogs = slices.DeleteFunc(m.dialogs, func(d page.Dialog) bool {
		lasting, ok := d.(page.Lasting)
		return !ok || !lasting.Outlive()
	})
	m.toast.Notice = page.Notice{}
}
