package ui

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/apikeys"
	"pgtower/ui/dialog"
	"pgtower/ui/message"
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
	// BaseURL is the address that the API is asked at, and Host its name.
	BaseURL, Host string
	// Skew returns how far the service's clock is ahead of the program's, as far as that is
	// known; nil where they are one.
	Skew func() models.Opt[time.Duration]
	// Warning is something that the person should know, such as that the key could not
	// be kept; or empty.
	Warning string
}

// ErrNoKey is what a [Gateway] returns where no key was ever given.
var ErrNoKey = errors.New("no API key")

// Gateway finds, tries and keeps the API keys of a profile. It asks the service at the
// address that it is given, and no other.
type Gateway interface {
	// Open connects to the service at baseURL with the key that is there already, without
	// trying it. It returns ErrNoKey if there is none.
	Open(ctx context.Context, baseURL string) (Connection, error)
	// SignIn tries the key with a request to the service at baseURL, and keeps it if the
	// service accepts it.
	SignIn(ctx context.Context, baseURL string, key models.Secret) (Connection, error)
	// Forget drops the key that the gateway holds in memory for the service at baseURL,
	// because it was refused: Open then looks for a key anew.
	Forget(baseURL string)
}

// session is the sign-in that the program is in.
type session struct {
	*page.Session // nil while there is none

	generation int
	source     string
	places     [page.Count]page.Place // where to come back to
}

// opened is what became of opening with the key that was there already. The generation
// is the one that it was asked for in: what comes after a switch is dropped.
type opened struct {
	generation int
	connection Connection
	err        error
}

// signedIn is what became of a key that the person gave.
type signedIn opened

func (m *Model) signedIn() bool { return m.session.Session != nil }

func (m *Model) openSession(baseURL string) tea.Cmd {
	ctx, gateway, generation := m.ctx, m.profile.Gateway, m.session.generation
	return func() tea.Msg {
		c, err := gateway.Open(ctx, baseURL)
		return opened{generation, c, err}
	}
}

// aboutSession does the bookkeeping of signing in and of losing the sign-in.
func (m *Model) aboutSession(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case opened:
		return m.tookOpened(msg)
	case signin.Submitted:
		ctx, gateway, generation := m.ctx, m.profile.Gateway, m.session.generation
		return func() tea.Msg {
			c, err := gateway.SignIn(ctx, msg.BaseURL, msg.Key)
			return signedIn{generation, c, err}
		}
	case signedIn:
		switch {
		case msg.generation != m.session.generation || m.signin == nil:
		case msg.err != nil:
			m.signin.Refused(msg.err)
		default:
			return m.begin(msg.connection)
		}
	case signin.Elsewhere:
		if msg.Demo {
			return m.turnToDemo()
		}
		m.chooseProfile()
	case signin.Again:
		// The page stays, so that what is typed meanwhile is not lost.
		return m.openSession(msg.BaseURL)
	case switchTo:
		return m.turnToProfile(msg.profile)
	case page.Failed:
		m.remember(msg.Err)
		if models.KindOf(msg.Err) == models.KindUnauthorized && m.signedIn() {
			m.signOut("The service refused the API key: it is invalid, or it was revoked. It was the " + m.session.source +
				". Give one that is valid to go on where you were.")
		}
	case page.SignedOut:
		m.signOut(msg.Reason + " Give another one to go on where you were.")
	case page.KeyChanged:
		m.session.source = msg.Source
	}
	return nil
}

// tookOpened goes on with the key that was found, or asks for one.
func (m *Model) tookOpened(msg opened) tea.Cmd {
	switch {
	case msg.generation != m.session.generation, m.signedIn():
	case errors.Is(msg.err, ErrNoKey):
		m.ask("")
	case msg.err != nil:
		m.ask(text.Sentence(msg.err.Error()))
	default:
		return m.begin(msg.connection)
	}
	return nil
}

// signOut ends the session, whose key is no longer good, and asks for another one.
func (m *Model) signOut(reason string) {
	m.end()
	m.profile.Gateway.Forget(m.profile.BaseURL)
	m.ask(reason)
}

// ask shows the sign-in page, for a reason or for none.
func (m *Model) ask(reason string) {
	if m.signin != nil {
		m.signin.Because(reason)
		return
	}
	m.signin = signin.New(signin.Options{
		BaseURL: m.profile.BaseURL, Profile: m.profile.Name, Reason: reason, Keeps: !m.profile.Demo,
		Demo: m.demo() != nil && !m.profile.Demo, Others: len(m.options.Others) > 0,
	})
}

// begin starts a session: new pages, at the places that the last one ended. From now on
// the profile names the service of the connection, here and wherever it is shown.
func (m *Model) begin(c Connection) tea.Cmd {
	m.signin = nil
	m.closeDialogs() // one that was opened before may name another service
	if m.profile.BaseURL != "" && c.BaseURL != m.profile.BaseURL {
		m.forgetAccount()
	}
	m.profile.BaseURL, m.profile.Host = c.BaseURL, c.Host
	m.beginHesitating()
	m.session.generation++
	m.session.source = c.Source
	s := page.NewSession(m.ctx, m.session.generation, m.clock())
	s.Times = m.times()
	m.session.Session = s
	places := m.session.places
	m.pages = [page.Count]page.Page{
		page.Operations: operations.New(s, c.API, operations.Options{
			Interval: m.profile.Interval, PageSize: m.profile.PageSize, Window: m.profile.Window,
			Budget: m.options.Budget, Still: m.options.Still, Place: places[page.Operations],
		}),
		page.Projects: projects.New(s, c.API, places[page.Projects]),
		page.APIKeys: apikeys.New(s, c.API, apikeys.Options{
			Holder: c.Holder, Own: c.KeyID, ReadOnly: c.ReadOnly, Account: m.profile.account(), Place: places[page.APIKeys],
		}),
	}
	var cmds []tea.Cmd
	for _, p := range m.pages {
		cmds = append(cmds, p.Start())
	}
	cmds = append(cmds, m.shown())
	switch {
	case c.Warning == "":
	case !m.voice.on && text.Width(c.Warning) > m.width-noticeMargin:
		m.dialogs = append(m.dialogs, message.New("Signed in", []dialog.Line{{Tone: theme.Waiting, Text: c.Warning}}))
	default:
		cmds = append(cmds, m.notify(page.Notice{Tone: theme.Waiting, Text: c.Warning}))
	}
	return tea.Batch(cmds...)
}

// end leaves the session: what is under way is cancelled, what was read is forgotten,
// and only where the person was is remembered.
func (m *Model) end() {
	m.session.End()
	m.session.Session = nil
	m.session.generation++
	for id, p := range m.pages {
		m.session.places[id] = p.Place()
	}
	m.pages = [page.Count]page.Page{}
	m.closeDialogs()
	m.toast.Notice = page.Notice{}
}

// closeDialogs closes the dialogs that mean nothing in the session that comes.
func (m *Model) closeDialogs() {
	m.dialogs = slices.DeleteFunc(m.dialogs, func(d page.Dialog) bool {
		lasting, ok := d.(page.Lasting)
		if ok {
			lasting.Outlive()
		}
		return !ok
	})
}

// forgetAccount forgets what was seen of an account: another one's is not to be taken for it.
func (m *Model) forgetAccount() {
	m.session.places = [page.Count]page.Place{}
	m.projects, m.failures, m.alerts, m.trail = nil, nil, nil, trail{}
}
