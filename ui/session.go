package ui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/apikeys"
	"pgtower/ui/dialog"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// session is the sign-in in force, or the one that ended last as long as its rows stay on the screen.
type session struct {
	page.Outbox // what the root asks for, and the pages by their session

	ctx     context.Context //nolint:containedctx // the program's lifetime: sessions are derived from it
	options *Options
	profile *Profile // the one of options that is in use
	demo    Config   // of the demo's profile, whose changes are for that alone

	current    *page.Session // nil while there is neither
	generation int
	first      int // the generation in which the pages began
	connection Connection
	project    string          // whose operations are shown first
	endedAt    time.Time       // when the key was refused, or zero
	held       []page.Delivery // came since then, for the pages if they go on
	skewed     bool            // that the clocks differ was said

	pages   [page.Count]page.Page
	active  page.ID
	signin  *dialog.SignIn // not nil while a key is asked for
	dialogs []page.Dialog  // the one on top last
	notices notices

	projects []models.Project // of the account, as far as they are known
	history  history
	filters  [page.Count]input.History
	failures dialog.Failures
	alerts   []alert     // the newest first
	named    page.Target // the operation that a notice named last
}

// live reports whether there is a session in force, and over whether the rows of an ended one stay.
func (s *session) live() bool { return s.current != nil && s.endedAt.IsZero() }
func (s *session) over() bool { return s.current != nil && !s.endedAt.IsZero() }

// config returns the configuration in use.
func (s *session) config() *Config {
	if s.profile.Demo {
		return &s.demo
	}
	return &s.options.Config
}

func (s *session) open(baseURL string) tea.Cmd {
	authenticator := s.profile.Authenticator
	return s.connect(false, func(ctx context.Context) (Connection, error) { return authenticator.Open(ctx, baseURL) })
}

// connect opens a session. given: the user typed the key.
func (s *session) connect(given bool, open func(context.Context) (Connection, error)) tea.Cmd {
	ctx, generation, over, baseURL, projects := s.ctx, s.generation, s.over(), s.profile.BaseURL, s.projects
	var keys []int64
	if p, ok := s.pages[page.APIKeys].(*apikeys.Page); ok {
		keys = p.IDs()
	}
	return func() tea.Msg {
		same := false // the key is of the account whose rows are on the screen
		c, err := open(ctx)
		if err == nil && over {
			same, err = c.isOf(ctx, baseURL, projects, keys)
		}
		return page.Result(func() tea.Cmd { //nolint:contextcheck // a session has its own context
			switch {
			case generation != s.generation, s.live():
			case err == nil:
				return s.begin(c, same)
			case given:
				s.signin.Refused(err)
			default:
				s.notOpened(c, err)
			}
			return nil
		})
	}
}

// notOpened asks for a key, and says why the one that was found does not open a session.
func (s *session) notOpened(c Connection, err error) {
	switch {
	case errors.Is(err, ErrNoKey) && s.over():
		s.ask("No other key was found in the environment or the keyring.")
	case errors.Is(err, ErrNoKey):
		s.ask("")
	case models.KindOf(err) == models.KindUnauthorized:
		s.ask("The " + c.Source + " was also refused (401). Enter another one.")
	default:
		s.ask(style.Sentence(err.Error()))
	}
}

func (s *session) ask(reason string) {
	if s.signin != nil {
		s.signin.Because(reason)
		return
	}
	authenticator := s.profile.Authenticator
	o := dialog.SignInSpec{
		BaseURL: s.profile.BaseURL, Profile: s.profile.Name, Reason: reason, Keeps: !s.profile.Demo, Over: s.over(),
		// The form stays while a key is looked for, so that what is typed meanwhile is not lost.
		LookAgain: s.open,
		Submit: func(url string, key models.Secret) tea.Cmd {
			return s.connect(true, func(ctx context.Context) (Connection, error) { return authenticator.SignIn(ctx, url, key) })
		},
	}
	if len(s.options.Others) > 0 {
		o.Profiles = s.chooseProfile
	}
	all := s.options.profiles()
	if i := slices.IndexFunc(all, func(p *Profile) bool { return p.Demo }); i >= 0 && !s.profile.Demo {
		o.Demo = func() tea.Cmd { return s.switchTo(all[i]) }
	}
	s.signin = dialog.NewSignIn(o)
}

// begin starts a session, or goes on with the one that ended. The profile now names the service of the connection.
func (s *session) begin(c Connection, same bool) tea.Cmd {
	s.signin = nil
	s.endDialogs() // one that was opened before may name another service
	s.generation++
	s.connection = c
	s.useBudget()
	if same && s.over() {
		return s.resume()
	}
	if s.over() && c.BaseURL == s.profile.BaseURL {
		s.connection.Warning = strings.TrimSpace(c.Warning + " Cleared the previous rows: this key may be of another account.")
	}
	if s.over() || s.profile.BaseURL != "" && c.BaseURL != s.profile.BaseURL {
		s.end()
		s.forget()
	}
	s.profile.BaseURL, s.profile.Host = c.BaseURL, c.Host
	s.first, s.skewed = s.generation, false
	s.current = page.NewSession(s.ctx, s.generation, s.profile.Clock)
	s.current.Outbox, s.current.Times, s.current.Filters = &s.Outbox, s.times(), &s.filters
	s.current.Console = s.profile.console()
	s.current.Layout = &s.config().Layout
	s.pages = s.newPages()
	var cmds []tea.Cmd
	for _, p := range s.pages {
		cmds = append(cmds, p.Start())
	}
	return tea.Batch(append(cmds, s.pages[s.active].Shown())...)
}

// resume goes on with the pages of the session that ended, which get what has come meanwhile.
func (s *session) resume() tea.Cmd {
	held := s.held
	s.endedAt, s.held = time.Time{}, nil
	s.current.Resume(s.generation)
	cmds := []tea.Cmd{s.reconnect()}
	for _, d := range held {
		cmds = append(cmds, s.deliver(d))
	}
	return tea.Batch(append(cmds, s.broadcast(page.Resumed{}), s.pages[s.active].Shown())...)
}

// failed remembers a request that failed, and ends a session whose key was refused.
func (s *session) failed(err error, now time.Time) {
	kind := models.KindOf(err)
	if kind != models.KindCanceled { // which only the end of a session does
		s.failures.Add(err, now)
	}
	if kind == models.KindUnauthorized {
		origin := "It was the " + s.connection.Source
		if from, ok := strings.CutPrefix(s.connection.Source, "key from "); ok {
			origin = "It came from " + from
		}
		s.signOut("The service refused the API key (401). " + origin + ". Enter a valid key to continue where you were.")
	}
}

// signOut ends the session and asks for another key. Its rows stay on the screen, if any were read.
func (s *session) signOut(reason string) {
	if !s.live() {
		return // another request was refused before
	}
	s.profile.Authenticator.Forget(s.profile.BaseURL)
	current, pages := s.current, s.pages
	s.end()
	if slices.ContainsFunc(pages[:], func(p page.Page) bool { return !p.AsOf().IsZero() }) {
		s.current, s.pages, s.endedAt = current, pages, current.Now()
	}
	s.ask(reason)
	if s.over() {
		s.signin.Guard(s.options.Clock())
	}
}

// end leaves the session, cancels what is under way and forgets what was read.
func (s *session) end() {
	if s.current == nil {
		return
	}
	s.current.End()
	s.Effects() // are dropped
	s.current, s.endedAt, s.held = nil, time.Time{}, nil
	s.generation++
	s.pages = [page.Count]page.Page{}
	s.endDialogs()
	s.notices.clear()
}

// endDialogs closes the dialogs that mean nothing without the session that they were opened in.
func (s *session) endDialogs() {
	s.dialogs = slices.DeleteFunc(s.dialogs, func(d page.Dialog) bool { return !d.OnSessionEnd() })
}

// front is the dialog or form that gets the keys in place of the page, or nil.
func (s *session) front() page.Dialog {
	switch {
	case len(s.dialogs) > 0:
		return s.dialogs[len(s.dialogs)-1]
	case s.signin != nil:
		return s.signin
	}
	return nil
}

// forget forgets what was seen of an account: another one's is not to be taken for it.
func (s *session) forget() {
	s.project = ""
	s.projects, s.failures, s.alerts, s.named, s.history = nil, nil, nil, page.Target{}, history{}
}

// switchTo leaves the session, of which nothing stays, and opens one of another profile.
func (s *session) switchTo(p *Profile) tea.Cmd {
	s.end()
	s.generation++
	s.dialogs, s.signin = nil, nil
	s.notices.clear()
	s.forget()
	s.profile, s.project = p, p.Project
	return s.open(p.BaseURL)
}

// delivered brings an answer to its page. After the end of the session, it waits for the next key.
func (s *session) delivered(d page.Delivery) tea.Cmd {
	ours := d.Generation >= s.first
	switch {
	case d.Msg == nil:
	case ours && s.live():
		s.compareClocks()
		return s.deliver(d)
	case d.Late != nil:
		d.Late()
	case ours && s.over():
		s.held = append(s.held, d)
	}
	return nil
}

// afterwards runs f to its end, also after that of the session, and carries out the effect if the session goes on.
func (s *session) afterwards(f func(context.Context) page.Effect) tea.Cmd {
	return s.current.DoAnyway(s.active, func(ctx context.Context) (msg tea.Msg, late func()) {
		effect := f(ctx)
		return page.Result(func() tea.Cmd {
			s.Emit(effect)
			return nil
		}), nil
	})
}

// deliver brings a page what it asked for. That a key before this one was refused is no news.
func (s *session) deliver(d page.Delivery) tea.Cmd {
	cmd := s.pages[d.To].Update(d.Msg)
	if d.Generation != s.generation {
		for _, e := range s.Effects() {
			if f, ok := e.(page.Failed); !ok || models.KindOf(f.Err) != models.KindUnauthorized {
				s.Emit(e)
			}
		}
	}
	return cmd
}

const (
	// drift is by how much the difference of the clocks must change to count: ages must not waver with it.
	drift     = 3 * time.Second
	skewToSay = time.Minute // the difference of the clocks that the user is told of
)

// compareClocks learns how far the service's clock is ahead, and says once when that is much.
func (s *session) compareClocks() {
	if s.connection.Skew == nil {
		return
	}
	skew := s.connection.Skew()
	if !skew.Known || (skew.Value-s.current.Skew).Abs() < drift {
		return
	}
	s.current.Skew = skew.Value.Round(time.Second)
	off := s.current.Skew.Abs()
	if off <= skewToSay || s.skewed {
		return
	}
	s.skewed = true
	side := "ahead of"
	if s.current.Skew > 0 {
		side = "behind"
	}
	said := style.DurationWords(off.Round(time.Minute)) + " " + side + " the service's"
	s.Emit(page.Notice{Tone: style.Waiting, Waits: true, Text: "This computer's clock is " + said +
		": ages are reckoned from the service's clock."})
}
