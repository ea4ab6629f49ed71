package ui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/apikeys"
	"pgtower/ui/dialog"
	"pgtower/ui/operations"
	"pgtower/ui/page"
	"pgtower/ui/projects"
	"pgtower/ui/signin"
	"pgtower/ui/style"
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

// session is the sign-in that the program is in, or the one that ended last, as long as its
// rows stay on the screen.
type session struct {
	*page.Session // nil while there is neither

	generation int
	first      int // the generation in which the pages began
	source     string
	project    string                           // whose operations are shown first
	ended      time.Time                        // when the key was refused, or zero
	held       []page.Delivery                  // came since then, for the pages if they go on
	skew       func() models.Opt[time.Duration] // of the connection, or nil
	skewed     bool                             // that the clocks differ was said
}

// opened is what became of opening a session. The generation is the one that it was asked
// for in: what comes after a switch is dropped.
type opened struct {
	generation int
	given      bool // the user typed the key
	connection Connection
	same       bool // the key is of the account whose rows are on the screen
	err        error
}

// signedIn reports whether there is a session in force, and signedOut whether there are the
// rows of one that ended, below the form that asks for another key.
func (m *Model) signedIn() bool  { return m.session.Session != nil && m.session.ended.IsZero() }
func (m *Model) signedOut() bool { return m.session.Session != nil && !m.session.ended.IsZero() }

// asOf is when what is on the screen of a session that ended was read.
func (m *Model) asOf() time.Time {
	if t := m.pages[m.active].AsOf(); !t.IsZero() {
		return t
	}
	return m.session.ended
}

func (m *Model) openSession(baseURL string) tea.Cmd {
	gateway := m.profile.Gateway
	return m.connect(false, func(ctx context.Context) (Connection, error) { return gateway.Open(ctx, baseURL) })
}

// connect opens a session. Where rows of another one are on the screen, it looks whether
// they are of the same account, before anything is shown as the new key's.
func (m *Model) connect(given bool, open func(context.Context) (Connection, error)) tea.Cmd {
	ctx, generation, before := m.ctx, m.session.generation, m.shownAccount()
	return func() tea.Msg {
		o := opened{generation: generation, given: given}
		if o.connection, o.err = open(ctx); o.err == nil && before != nil {
			o.same, o.err = before.isOf(ctx, o.connection)
		}
		return o
	}
}

// aboutSession does the bookkeeping of signing in and of losing the sign-in.
func (m *Model) aboutSession(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case opened:
		return m.tookOpened(msg)
	case signin.Submitted:
		gateway := m.profile.Gateway
		return m.connect(true, func(ctx context.Context) (Connection, error) { return gateway.SignIn(ctx, msg.BaseURL, msg.Key) })
	case signin.Elsewhere:
		if msg.Demo {
			return m.turnToDemo()
		}
		m.chooseProfile()
	case signin.Again:
		// The form stays, so that what is typed meanwhile is not lost.
		return m.openSession(msg.BaseURL)
	case switchTo:
		return m.turnToProfile(msg.profile)
	case page.Failed:
		kind := models.KindOf(msg.Err)
		if kind != models.KindCanceled { // which only the end of a session does
			m.remember(msg.Err)
		}
		if kind == models.KindUnauthorized && m.signedIn() {
			m.signOut("The service refused the API key (401). " + origin(m.session.source) + " Enter a valid key to continue where you were.")
		}
	case page.SignedOut:
		m.signOut(msg.Reason + " Enter another one to continue where you were.")
	case page.KeyChanged:
		m.session.source = msg.Source
	}
	return nil
}

// origin says where a key came from, as a sentence.
func origin(source string) string {
	if from, ok := strings.CutPrefix(source, "key of "); ok {
		return "It came from " + from + "."
	}
	return "It was the " + source + "."
}

// tookOpened goes on with the key that was found or given, or asks for one.
func (m *Model) tookOpened(msg opened) tea.Cmd {
	switch {
	case msg.generation != m.session.generation, m.signedIn():
	case msg.err == nil:
		return m.begin(msg.connection, msg.same)
	case msg.given:
		m.signin.Refused(msg.err)
	case errors.Is(msg.err, ErrNoKey) && m.signedOut():
		m.ask("There is no other key in the environment or the keyring.")
	case errors.Is(msg.err, ErrNoKey):
		m.ask("")
	case models.KindOf(msg.err) == models.KindUnauthorized:
		m.ask("The " + msg.connection.Source + " was refused as well (401). Enter another one.")
	default:
		m.ask(style.Sentence(msg.err.Error()))
	}
	return nil
}

// signOut ends the session, whose key is no longer good, and asks for another one. Its pages
// stay on the screen as they are, if anything was read.
func (m *Model) signOut(reason string) {
	m.profile.Gateway.Forget(m.profile.BaseURL)
	if !slices.ContainsFunc(m.pages[:], func(p page.Page) bool { return !p.AsOf().IsZero() }) {
		m.end()
		m.ask(reason)
		return
	}
	m.session.End()
	m.session.ended = m.now
	m.session.generation++
	m.closeDialogs()
	m.toast.Notice = page.Notice{}
	m.unmeant = m.options.Clock()
	m.ask(reason)
}

// ask shows the form that asks for a key, for a reason or for none.
func (m *Model) ask(reason string) {
	if m.signin != nil {
		m.signin.Because(reason)
		return
	}
	m.signin = signin.New(signin.Options{
		BaseURL: m.profile.BaseURL, Profile: m.profile.Name, Reason: reason, Keeps: !m.profile.Demo, Over: m.signedOut(),
		Demo: m.demo() != nil && !m.profile.Demo, Others: len(m.options.Others) > 0,
	})
}

// unmeantFor is how long keys that follow each other were meant for the page on which the
// form has appeared, and not for the form.
const unmeantFor = 500 * time.Millisecond

// toSignin gives the form what is meant for it. What is pressed when it appears, and what
// follows that without a pause, is dropped; what is pasted was meant.
func (m *Model) toSignin(msg tea.Msg) tea.Cmd {
	now := m.options.Clock()
	since := now.Sub(m.unmeant)
	if _, pasted := msg.(tea.PasteMsg); !pasted && since >= 0 && since < unmeantFor {
		m.unmeant = now
		return nil
	}
	m.unmeant = time.Time{}
	return m.signin.Update(msg)
}

// begin starts a session, or goes on with the one that ended where the account is the same.
// From now on the profile names the service of the connection, here and wherever it is shown.
func (m *Model) begin(c Connection, same bool) tea.Cmd {
	m.signin = nil
	m.closeDialogs() // one that was opened before may name another service
	m.session.generation++
	m.session.source, m.session.skew = c.Source, c.Skew
	if same && m.signedOut() {
		return m.resume(c)
	}
	said := c.Warning
	if m.signedOut() || m.profile.BaseURL != "" && c.BaseURL != m.profile.BaseURL {
		if m.signedOut() && c.BaseURL == m.profile.BaseURL {
			said = strings.TrimSpace(said + " Cleared the previous rows: this key may be of another account.")
		}
		m.end()
		m.forgetAccount()
	}
	m.profile.BaseURL, m.profile.Host = c.BaseURL, c.Host
	m.beginHesitating()
	m.session.first, m.session.skewed = m.session.generation, false
	s := page.NewSession(m.ctx, m.session.generation, m.clock())
	s.Times = m.times()
	m.session.Session = s
	m.pages = [page.Count]page.Page{
		page.Operations: operations.New(s, c.API, operations.Options{
			Interval: m.profile.Interval, PageSize: m.profile.PageSize, Window: m.profile.Window, SearchBack: m.profile.SearchBack,
			Budget: m.options.Budget, Still: m.options.Still, Project: m.session.project,
		}),
		page.Projects: projects.New(s, c.API, projects.Options{
			Feed: feed.Options{Interval: m.profile.Interval, Budget: m.options.Budget}, Pinned: m.profile.Pinned,
			Profile: m.profile.inConfig(),
		}),
		page.APIKeys: apikeys.New(s, c.API, m.keyOptions(c)),
	}
	var cmds []tea.Cmd
	for _, p := range m.pages {
		cmds = append(cmds, p.Start())
	}
	return tea.Batch(append(cmds, m.shown(), m.warn(said))...)
}

func (m *Model) keyOptions(c Connection) apikeys.Options {
	return apikeys.Options{Holder: c.Holder, Own: c.KeyID, ReadOnly: c.ReadOnly, Account: m.profile.account()}
}

// resume goes on with the session that ended: the same pages, with another key. They get
// what came of their requests meanwhile, and then ask again.
func (m *Model) resume(c Connection) tea.Cmd {
	held := m.session.held
	m.session.ended, m.session.held = time.Time{}, nil
	m.session.Resume(m.session.generation)
	cmds := []tea.Cmd{
		m.pages[page.Operations].Update(operations.Resumed{Service: c.API}),
		m.pages[page.Projects].Update(projects.Resumed{Service: c.API}),
		m.pages[page.APIKeys].Update(apikeys.Resumed{Service: c.API, Options: m.keyOptions(c)}),
	}
	for _, d := range held {
		cmds = append(cmds, m.deliver(d))
	}
	return tea.Batch(append(cmds, m.broadcast(page.Woke{}), m.shown(), m.warn(c.Warning))...)
}

// warn says what the user should know of a sign-in: in a dialog where a line is too short.
func (m *Model) warn(said string) tea.Cmd {
	switch {
	case said == "":
		return nil
	case !m.voice.on && style.Width(said) > m.width-noticeMargin:
		m.dialogs = append(m.dialogs, dialog.NewMessage("Signed in", []dialog.Line{{Tone: style.Waiting, Text: said}}))
		return nil
	}
	return m.notify(page.Notice{Tone: style.Waiting, Text: said})
}

// delivered brings what a session's work has come to where it belongs. Of a session that
// ended it waits until it is known whether the pages go on.
func (m *Model) delivered(d page.Delivery) tea.Cmd {
	ours := d.Generation >= m.session.first
	switch {
	case d.Msg == nil:
	case ours && m.signedIn():
		return tea.Batch(m.compareClocks(), m.deliver(d))
	case d.Late != nil:
		d.Late(d.Msg)
	case ours && m.signedOut():
		m.session.held = append(m.session.held, d)
	}
	return nil
}

// deliver brings a page what it asked for. That a key before this one was refused is no news.
func (m *Model) deliver(d page.Delivery) tea.Cmd {
	cmd := m.pages[d.To].Update(d.Msg)
	if d.Generation != m.session.generation {
		for _, msg := range m.session.Told() {
			if f, ok := msg.(page.Failed); !ok || models.KindOf(f.Err) != models.KindUnauthorized {
				m.session.Tell(msg)
			}
		}
	}
	return cmd
}

// end leaves the session, of which nothing stays: what is under way is cancelled, and what
// was read is forgotten.
func (m *Model) end() {
	if m.session.Session == nil {
		return
	}
	m.session.End()
	m.session.Session, m.session.ended, m.session.held = nil, time.Time{}, nil
	m.session.generation++
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
	m.session.project = ""
	m.projects, m.failures, m.alerts, m.trail = nil, nil, nil, trail{}
}
