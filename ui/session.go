package ui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/control"
	"pgtower/models/feed"
	"pgtower/models/poll"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// session is the current sign-in, or the one that ended last as long as its rows stay on the screen.
type session struct {
	page.Outbox // of the root and, through their session, of the pages

	ctx     context.Context //nolint:containedctx // the program's lifetime: sessions are derived from it
	options *Options
	profile *Profile // the one in use
	demo    Config   // of the demo's profile, which no file keeps

	current     *page.Session // nil before the first one
	generation  int
	first       int // the generation in which the pages were created
	connection  control.Connection
	project     string          // the id or the name of the project whose operations are shown first
	endedAt     time.Time       // when the key was refused, or zero
	undelivered []page.Delivery // results since then, for the pages if they continue
	toldSkew    time.Duration   // what the user knows of the difference of the clocks

	pages   pages
	signin  *dialog.SignIn // nil unless a key is needed
	dialogs dialogs
	notices notices
	filters [page.Count]input.History
	seen    seen
}

// seen is what the program has learned of an account. It is dropped before another account is shown.
type seen struct {
	projects []models.Project
	failures dialog.Events
	alerts   alerts // and whether they are muted: the demo has its own clock
	back     backStack
}

// live reports whether there is a session, and over whether only the rows of one that ended are left.
func (s *session) live() bool { return s.current != nil && s.endedAt.IsZero() }
func (s *session) over() bool { return s.current != nil && !s.endedAt.IsZero() }

// config returns the configuration in use.
func (s *session) config() *Config {
	if s.profile.Demo {
		return &s.demo
	}
	return &s.options.Config
}

// remember saves what is known of the key in use, for later runs of the program, and forgets what was known of a refused key.
func (s *session) remember() {
	switch c := &s.connection; {
	case s.live():
		c.Remember(s.options.Clock())
		s.rememberNames()
	case s.over() && c.Known != nil:
		c.Known.Forget()
	}
}

// keepSeen remembers for other runs of the program when the operations were last read. It is nil if they were not.
func (s *session) keepSeen() tea.Cmd {
	if !s.live() || s.profile.KeepSeen == nil || s.current.Undated {
		return nil
	}
	read := s.pages.all[page.Operations].AsOf()
	if read.IsZero() {
		return nil
	}
	save, at := s.profile.KeepSeen, s.service(read)
	return func() tea.Msg {
		save(at)
		return nil
	}
}

// rememberNames remembers the names of branches and computes.
func (s *session) rememberNames() {
	if s.connection.Names == nil {
		return
	}
	for _, keeper := range having[keepingNames](&s.pages) {
		if names := keeper.KeptNames(); len(names) > 0 {
			s.connection.Names.KeepNames(names)
		}
	}
}

func (s *session) open(baseURL string) tea.Cmd {
	authenticator := s.profile.Authenticator
	return s.connect(false, func(ctx context.Context) (control.Connection, error) {
		return authenticator.Open(ctx, baseURL)
	})
}

// connect opens a session, with a key that the user gave or one that was found.
func (s *session) connect(given bool, open func(context.Context) (control.Connection, error)) tea.Cmd {
	ctx, over, baseURL, now := s.ctx, s.over(), s.profile.BaseURL, s.options.Clock
	answer := connected{generation: s.generation, given: given}
	key := s.profile.Key // copied: another connection may change that of the profile meanwhile
	onScreen := control.Shown{Projects: s.seen.projects, Keys: s.pages.keys()}
	if over {
		onScreen.Identity = s.connection.Account.Identity()
	}
	return func() tea.Msg {
		answer.connection, answer.err = open(ctx)
		answer.connection.Complete(key)
		if answer.err == nil && over {
			answer.same, answer.err = answer.connection.IsOf(ctx, baseURL, onScreen, now)
		}
		return answer
	}
}

// connected is the answer to a key.
type connected struct {
	generation int // in which it was asked for
	given      bool
	connection control.Connection
	same       bool // the key belongs to the account whose rows are on the screen
	err        error
}

// connected handles an answer, unless another one came before.
func (s *session) connected(a connected) tea.Cmd {
	switch {
	case a.generation != s.generation, s.live():
	case a.err == nil:
		if a.given {
			warning := a.connection.Identified() + " " + a.connection.Warning
			a.connection.Warning = strings.TrimSpace(warning)
		}
		return s.start(a.connection, a.same)
	case a.given:
		s.signin.Refused(a.err)
	default:
		s.ask(a.refusal(s.over()))
	}
	return nil
}

// refusal returns why the key that was found opens no session, or "" if there is no key. refused reports whether another key
// was refused before.
func (a *connected) refusal(refused bool) string {
	none, isNone := errors.AsType[*control.NoKeyError](a.err)
	switch {
	case isNone && refused:
		return strings.TrimSpace("No other key was found in the environment or the keyring. " + unused(none))
	case isNone:
		return unused(none)
	case models.KindOf(a.err) == models.KindUnauthorized:
		return "The " + a.connection.Source + " was also refused (401). Enter another one."
	default:
		return style.Sentence(a.err.Error())
	}
}

// unused returns which variables for a key are not used, as a sentence, or "".
func unused(none *control.NoKeyError) string {
	if none.Unused == "" {
		return ""
	}
	return none.Unused + "."
}

func (s *session) ask(reason string) {
	if s.signin != nil {
		s.signin.Because(reason)
		return
	}
	o := dialog.SignInSpec{
		BaseURL: s.profile.BaseURL, KeysURL: s.profile.KeysURL, Profile: s.profile.Name, Reason: reason, Keeps: !s.profile.Demo,
		Over: s.over(),
		// The form stays meanwhile, so that typed text is not lost.
		LookAgain: s.open,
		Submit:    s.submit,
	}
	if len(s.options.Others) > 0 {
		o.Profiles = s.chooseProfile
	}
	profiles := s.options.profiles()
	if i := slices.IndexFunc(profiles, func(p *Profile) bool { return p.Demo }); i >= 0 {
		o.Demo = action.With(s.switchTo, profiles[i])
	}
	s.signin = dialog.NewSignIn(o)
}

// submit tries a key that the user gave.
func (s *session) submit(url string, key models.Secret, project string) tea.Cmd {
	authenticator := s.profile.Authenticator
	return s.connect(true, func(ctx context.Context) (control.Connection, error) {
		return authenticator.SignIn(ctx, url, key, project)
	})
}

// start starts a session, or continues the one that ended. The profile gets the address of the connection.
func (s *session) start(c control.Connection, same bool) tea.Cmd {
	s.signin = nil
	s.dialogs.endSession() // they may name another service
	s.generation++
	c.Complete(s.profile.Key)
	s.connection = c
	s.profile.Key = c.Account.Options()
	if same && s.over() {
		s.current.Retry = c.Retry
		return s.resume()
	}
	if s.over() && c.BaseURL == s.profile.BaseURL {
		cleared := " Cleared the previous rows: this key may not reach them."
		s.connection.Warning = strings.TrimSpace(c.Warning + cleared)
	}
	if s.over() || s.profile.BaseURL != "" && c.BaseURL != s.profile.BaseURL {
		s.leave()
	}
	s.profile.BaseURL, s.profile.Host = c.BaseURL, c.Host
	s.first, s.toldSkew = s.generation, 0
	s.current = page.NewSession(s.ctx, s.generation, s.profile.Clock)
	s.current.Shown, s.current.Retry = s.pages.id, c.Retry
	s.current.Outbox, s.current.Times, s.current.Filters = &s.Outbox, s.times(), &s.filters
	s.current.Profile, s.current.Console = s.profile.Name, s.profile.console()
	s.current.Layout, s.current.Files = &s.config().Layout, s.options.Files
	s.current.Polls.Poller = poll.New(s.profile.Budget)
	s.pages.all = s.newPages()
	s.profile.LastSeen = time.Time{} // the notice about the time since then appears once
	return s.pages.start()
}

// resume continues with the pages of the session that ended, and passes them the results since then.
func (s *session) resume() tea.Cmd {
	kept := s.undelivered
	s.endedAt, s.undelivered = time.Time{}, nil
	s.current.Resume(s.generation)
	s.current.Polls.Drop() // the answers went to the session before
	s.pages.reconnect(&s.connection)
	var cmds []tea.Cmd
	for _, d := range kept {
		cmds = append(cmds, s.deliver(d))
	}
	return tea.Batch(append(cmds, s.broadcast(page.Resumed{}), s.pages.front().Shown())...)
}

// failed records a failed request, and ends the session if its key was refused.
func (s *session) failed(f page.Failed, now time.Time) {
	kind := models.KindOf(f.Err)
	// Only the end of a session cancels requests, and a request that was not sent again did not fail again.
	if kind != models.KindCanceled && !models.Repeated(f.Err) {
		s.seen.failures.Add(newFailure(s.connection.Account.Named(f.Err), s.profile.BaseURL).event(s, now))
	}
	if kind == models.KindUnauthorized && !f.Change {
		origin := "It was the " + s.connection.Source
		if from, ok := strings.CutPrefix(s.connection.Source, "key from "); ok {
			origin = "It came from " + from
		}
		s.signOut("The service refused the API key (401). " + origin +
			". Enter a valid key to continue where you were.")
	}
}

// signOut ends the session and asks for another key. Its rows stay on the screen, if there are any.
func (s *session) signOut(reason string) {
	if !s.live() {
		return // another request was refused before
	}
	s.profile.Authenticator.Forget(s.profile.BaseURL)
	current, pages, rows := s.current, s.pages.all, s.pages.haveRows()
	s.end()
	if rows {
		s.current, s.pages.all, s.endedAt = current, pages, current.Now()
	}
	s.ask(reason)
	if s.over() {
		s.signin.Guard(s.options.Clock())
	}
}

// askProject ends the session of a key of one unknown project, and asks for its id. The key stays.
func (s *session) askProject(reason string) {
	if !s.live() {
		return
	}
	s.end()
	s.ask(reason)
	s.signin.NeedProject()
}

// end ends the session, cancels its requests and drops its pages.
func (s *session) end() {
	if s.current == nil {
		return
	}
	s.current.End()
	s.Effects() // drops them
	s.current, s.endedAt, s.undelivered = nil, time.Time{}, nil
	s.generation++
	s.pages.all = [page.Count]page.Page{}
	s.dialogs.endSession()
	s.notices.clear()
}

// front returns the dialog that gets the keys, or nil if the page does.
func (s *session) front() page.Dialog {
	switch {
	case len(s.dialogs) > 0:
		return s.dialogs.top()
	case s.signin != nil:
		return s.signin
	}
	return nil
}

// unmeant reports whether the sign-in form appeared so recently that a key or click is not meant for it.
func (s *session) unmeant() bool {
	return s.signin != nil && len(s.dialogs) == 0 && s.signin.Unmeant(s.options.Clock())
}

// leave ends the session and drops everything of its account. It names the changes whose answers will not arrive.
func (s *session) leave() {
	open := s.pages.exitWarning()
	s.end()
	s.project, s.seen, s.notices.named = "", seen{}, feed.Key{}
	if open != "" {
		s.Emit(page.Notice{Tone: style.Waiting, Waits: true, Text: open})
	}
}

// switchTo drops the session, and opens one of another profile.
func (s *session) switchTo(p *Profile) tea.Cmd {
	s.leave()
	s.generation++
	s.dialogs, s.signin = nil, nil
	s.notices.clear()
	s.profile, s.project = p, p.Project
	return s.open(p.BaseURL)
}

// delivered passes a result to its page, or after the end of the session holds it until the session continues.
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
		s.undelivered = append(s.undelivered, d)
	}
	return nil
}

// afterwards runs f, also beyond the end of the session, and emits its effect unless the session has ended.
func (s *session) afterwards(f func(context.Context) page.Effect) tea.Cmd {
	return s.current.DoAnyway(s.pages.active, func(ctx context.Context) (msg tea.Msg, late func()) {
		return afterwards{f(ctx)}, nil
	})
}

type afterwards struct{ effect page.Effect }

// deliver passes a result to its page, or to the root. It ignores the refusal of an earlier key.
func (s *session) deliver(d page.Delivery) (cmd tea.Cmd) {
	switch msg := d.Msg.(type) {
	case afterwards:
		s.Emit(msg.effect)
	case page.Batch:
		answers, rest := s.current.Polls.Take(msg)
		cmd = tea.Batch(rest, s.broadcast(answers))
	case viewRunEnded:
		return s.seen.alerts.ended(msg, s)
	default:
		cmd = s.pages.all[d.To].Update(msg)
	}
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
	// drift is the smallest change of the clocks' difference that counts, so that ages do not waver.
	drift     = 3 * time.Second
	skewToSay = time.Minute // the smallest difference of the clocks to notify the user of
)

// compareClocks updates how far the service's clock is ahead, and tells the user when that becomes much, or is twice or half of what
// they were told: a clock that drifts is not told each minute.
func (s *session) compareClocks() {
	if s.connection.Skew == nil {
		return
	}
	skew := s.connection.Skew()
	s.current.Undated = !skew.Known
	if !skew.Known || (skew.Value-s.current.Skew).Abs() < drift {
		return
	}
	s.current.Skew = skew.Value.Round(time.Second)
	off := s.current.Skew.Abs()
	if (s.current.Skew - s.toldSkew).Abs() <= max(skewToSay, min(off, s.toldSkew.Abs())) {
		return
	}
	s.toldSkew = s.current.Skew
	if off <= skewToSay {
		s.Emit(page.Notice{Tone: style.Waiting, Waits: true, Text: "The service's clock and this computer's differ by at most " +
			style.DurationWords(skewToSay) + "."})
		return
	}
	side := "behind"
	if s.current.Skew > 0 {
		side = "ahead of"
	}
	s.Emit(page.Notice{Tone: style.Waiting, Waits: true, Text: "The service's clock is " +
		style.DurationWords(off.Round(time.Minute)) + " " + side + " this computer's: ages use it."})
}
