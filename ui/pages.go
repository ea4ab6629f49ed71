package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/control"
	"pgtower/models/feed"
	"pgtower/models/naming"
	"pgtower/models/poll"
	"pgtower/models/settings"
	"pgtower/ui/action"
	"pgtower/ui/apikeys"
	"pgtower/ui/operations"
	"pgtower/ui/page"
	"pgtower/ui/projects"
	"pgtower/ui/style"
)

func (s *session) newPages() [page.Count]page.Page {
	api, p, config := s.connection.API, s.profile, s.config()
	polls := feed.Options{Interval: p.Interval, PageSize: p.PageSize, Budget: p.Budget}
	return [page.Count]page.Page{
		page.Operations: operations.New(s.current, api, operations.Options{
			Options: polls, Window: p.Window, Since: p.Since, ReduceMotion: s.options.ReduceMotion,
			Names: s.connection.Names, Project: s.project, Linked: p.Linked, Status: s.connection.Status, LastSeen: p.LastSeen,
			Views: &config.Views, View: config.View,
			SaveView: config.SaveView, DeleteView: config.DeleteView, ViewText: config.ViewText,
			Unsaved: config.unsaved,
		}),
		page.Projects: projects.New(s.current, api, s.connection.Account, projects.Options{
			Feed: polls, Pinned: p.Pinned, SavePin: p.SavePin,
		}),
		page.APIKeys: apikeys.New(s.current, api, s.connection.Account, apikeys.Options{
			Steady: s.options.Steady, QuietFor: p.QuietFor, Account: p.account(), Computer: p.Computer,
			Views: &config.Views,
		}.With(&s.connection)),
	}
}

// Abilities of some pages. The root asks each page for them, and knows no page by its type.
type (
	// reconnecting continues with another key of the account.
	reconnecting interface {
		Reconnect(c *control.Connection)
	}
	// reading reports whether answers about a subject are on the page.
	reading interface{ Shows(s poll.Subject) bool }
	// watching reports whether something runs that the user watches.
	watching interface{ Watching() bool }
	// keyed has the known API keys, and counts those that were replaced and can go.
	keyed interface {
		Refs() []models.KeyRef
		CanGo() int
	}
	// keepingNames has the names of branches and computes to remember.
	keepingNames interface{ KeptNames() []naming.Kept }
	// warning returns what is unknown if the program ends now, in a sentence, or "".
	warning interface{ ExitWarning() string }
	// declaring has the names of its columns, checks a filter, and has the names of a row's values in templates.
	declaring interface {
		ColumnNames() []string
		CheckFilter(text string) error
		Placeholders() []string
	}
)

// having returns the pages that have an ability.
func having[T any](p *pages) (list []T) {
	for _, current := range p.all {
		if has, ok := current.(T); ok {
			list = append(list, has)
		}
	}
	return list
}

// pages are the pages of a session, one of which is on the screen.
type pages struct {
	all    [page.Count]page.Page // nil without a session
	active page.ID
}

func (p *pages) id() page.ID { return p.active }

// front returns the page on the screen.
func (p *pages) front() page.Page { return p.all[p.active] }

// start starts the pages of a new session.
func (p *pages) start() tea.Cmd {
	var cmds []tea.Cmd
	for _, current := range p.all {
		cmds = append(cmds, current.Start())
	}
	return tea.Batch(append(cmds, p.front().Shown())...)
}

// reconnect continues the pages with another key.
func (p *pages) reconnect(c *control.Connection) {
	for _, current := range having[reconnecting](p) {
		current.Reconnect(c)
	}
}

// shows reports whether answers about a subject are on a page.
func (p *pages) shows(s poll.Subject) bool {
	return slices.ContainsFunc(having[reading](p), func(current reading) bool { return current.Shows(s) })
}

// show turns to a page.
func (p *pages) show(id page.ID) tea.Cmd {
	p.active = id
	return p.front().Shown()
}

// turn turns to a later page, or to an earlier one if steps is negative.
func (p *pages) turn(steps page.ID) tea.Cmd {
	return p.show((p.active + steps + page.Count) % page.Count)
}

// haveRows reports whether the rows of a page were read.
func (p *pages) haveRows() bool {
	return slices.ContainsFunc(p.all[:], func(current page.Page) bool { return !current.AsOf().IsZero() })
}

// does returns what can be done on another page that an action turns to, and not among the actions here.
func (p *pages) does(turn string, here []action.Group) (words []string) {
	for id := range page.Count {
		if showID(id) != turn || id == p.active {
			continue
		}
		for _, g := range p.all[id].Actions() {
			for _, a := range g.Actions {
				if !hasID(here, a.ID) {
					words = append(words, a.Title)
				}
			}
		}
	}
	return words
}

// troubled reports whether the status of the page on the screen is a warning.
func (p *pages) troubled(now time.Time) bool {
	warnings := []style.Tone{style.Waiting, style.Bad, style.Alarm}
	return slices.Contains(warnings, p.front().Status(now).Tone)
}

// watching reports whether an operation runs that the user watches.
func (p *pages) watching() bool { return slices.ContainsFunc(having[watching](p), watching.Watching) }

// keys returns the known API keys.
func (p *pages) keys() (refs []models.KeyRef) {
	for _, current := range having[keyed](p) {
		refs = append(refs, current.Refs()...)
	}
	return refs
}

// keysCanGo returns how many API keys were replaced and can go.
func (p *pages) keysCanGo() (n int) {
	for _, current := range having[keyed](p) {
		n += current.CanGo()
	}
	return n
}

// exitWarning names the changes without an answer, such as the revocation of a key, in sentences. It is "" without any.
func (p *pages) exitWarning() string {
	var texts []string
	for _, current := range having[warning](p) {
		if text := current.ExitWarning(); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, " ")
}

// Catalogue returns all actions of all pages, with those of the commands, for [action.NewMap].
func Catalogue(commands ...settings.Command) []action.Page {
	m := declaringProgram(&Options{Config: Config{Commands: commands}})
	m.setActions()
	out := make([]action.Page, page.Count)
	for id := range page.Count {
		m.session.pages.active = id
		out[id] = action.Page{Name: id.Name(), Groups: m.pageActions()}
	}
	return out
}

// declaringProgram returns a program whose pages are asked for their declarations only.
func declaringProgram(o *Options) *Model {
	m := &Model{session: session{
		options: o, profile: &Profile{}, current: &page.Session{Layout: &settings.Layout{}, Polls: &page.Polls{Poller: poll.New(1)}},
		connection: control.Connection{Account: account.New(account.Options{})},
	}}
	m.session.pages.all = m.session.newPages()
	return m
}

// declarations returns a page that is asked for its declarations only.
func declarations(id page.ID) declaring {
	return declaringProgram(&Options{}).session.pages.all[id].(declaring)
}

// Columns returns the names of the columns of a page.
func Columns(id page.ID) []string { return declarations(id).ColumnNames() }

// CheckFilter returns what is wrong with a text as a filter of a page, or nil.
func CheckFilter(id page.ID, text string) error { return declarations(id).CheckFilter(text) }

// Placeholders returns the names of a row's values in templates of addresses and commands.
func Placeholders(id page.ID) []string { return declarations(id).Placeholders() }

// toFront passes a message to the page on the screen while there is a session.
func (s *session) toFront(msg tea.Msg) tea.Cmd { return s.toPage(s.pages.active, msg) }

// toPage passes a message to a page while there is a session.
func (s *session) toPage(id page.ID, msg tea.Msg) tea.Cmd {
	if !s.live() {
		return nil
	}
	return s.pages.all[id].Update(msg)
}

func (s *session) broadcast(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for id := range page.Count {
		cmds = append(cmds, s.toPage(id, msg))
	}
	return tea.Batch(cmds...)
}

// goBack goes back to where the user was before.
func (s *session) goBack() tea.Cmd {
	if !s.live() {
		return nil
	}
	last, ok := s.seen.back.pop()
	switch {
	case !ok:
		s.Notify(style.Waiting, "nowhere to go back")
		return nil
	case last.page != page.Operations:
		return s.pages.show(last.page)
	}
	s.showOperations(last.at)
	return nil
}

func (s *session) showOperations(state page.ViewState) {
	project := models.Project{ID: state.Project}
	i := slices.IndexFunc(s.seen.projects, func(p models.Project) bool { return p.ID == state.Project })
	if i >= 0 {
		project = s.seen.projects[i]
	}
	s.Emit(page.ShowOperations{Project: project, Back: &state})
}

// follow goes to an operation, or to all operations of a project. From there, the user can go back.
func (s *session) follow(target feed.Key) {
	if !s.live() {
		return
	}
	now := s.pages.all[page.Operations].ViewState()
	state := page.ViewState{Step: now.Step + 1, Project: now.Project}
	if state.Project != "" || target.ID == "" {
		state.Project = target.Project
	}
	if target.ID != "" {
		state.Row = target
	}
	s.showOperations(state)
}

// atPage reports whether keys are for the page and the root, and not for text or a dialog.
func (s *session) atPage() bool {
	return len(s.dialogs) == 0 && s.live() && !s.pages.front().Editing()
}

// runs reports whether the screen changes every second.
func (s *session) runs(now time.Time) bool {
	return s.live() && (s.pages.front().Ticks() || s.pages.troubled(now))
}

// service converts the program's time to the service's, in which all times on the screen are.
func (s *session) service(t time.Time) time.Time {
	if s.current == nil {
		return t
	}
	return s.current.Service(t)
}

// asOf is when the rows of a session that ended were read, by the service's clock.
func (s *session) asOf() time.Time { return s.service(cmp.Or(s.pages.front().AsOf(), s.endedAt)) }

func (s *session) status(now, tick time.Time) page.Status {
	if !s.over() {
		return s.pages.front().Status(tick)
	}
	clock := s.times().Clock(s.asOf())
	if s.service(now).Sub(s.asOf()) >= 24*time.Hour {
		clock = s.times().At(s.asOf())
	}
	return page.Status{Tone: style.Alarm, Text: "signed out · as of " + clock, Word: "signed out"}
}

func (s *session) times() style.Times {
	return style.TimesOf(s.profile.Time, s.options.Zone, s.options.Accessible)
}

// showTimes changes the format of times everywhere, and names it.
func (s *session) showTimes(name string) tea.Cmd {
	s.profile.Time = name
	if s.live() {
		s.current.Times = s.times()
	}
	notice, now := "Times: relative, and UTC in details", s.times().At(s.service(s.profile.Clock()))
	switch name {
	case style.Local:
		notice = "Times: local, now " + now
	case style.UTC:
		notice = "Times: UTC, now " + now
	}
	s.Notify(style.Muted, notice)
	return nil
}

// budgetArg is the argument of the action that changes the budget.
func (s *session) budgetArg() *action.Arg {
	words := []string{"5", "10", "20", "40", strconv.Itoa(feed.MaxBudget)}
	return &action.Arg{
		Example:  "20",
		Complete: func(typed string) []action.Value { return action.Containing(words, typed) },
		Parse:    s.parseBudget,
	}
}

func (s *session) parseBudget(arg string) (func() tea.Cmd, error) {
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 || n > feed.MaxBudget {
		return nil, fmt.Errorf("must be a number from 1 to %d, not %q", feed.MaxBudget, arg)
	}
	return action.With(s.changeBudget, n), nil
}

func (s *session) changeBudget(perSecond int) tea.Cmd {
	s.profile.Budget = perSecond
	s.current.Polls.SetBudget(perSecond, s.current.Now())
	requests := style.Plural(perSecond, "request")
	s.Notify(style.Muted, "Budget: at most "+requests+" a second, until you quit")
	return s.broadcast(page.Budget(perSecond))
}

// saveFilter saves a filter of a page for later sessions, unless it is of the demo.
func (s *session) saveFilter(id page.ID, filter string) tea.Cmd {
	keep := s.options.KeepFilter
	if s.profile.Demo || keep == nil {
		return nil
	}
	return func() tea.Msg { keep(id, filter); return nil }
}

const maxHistory = 50 // the maximum number of entries

// entry is a page, and the user's last position on it.
type entry struct {
	page page.ID
	at   page.ViewState
}

// shows reports whether an entry shows the same page of the same project as another.
func (e *entry) shows(second entry) bool {
	return e.page == second.page && e.at.Project == second.at.Project
}

// backStack has the places where the user was, the oldest first. The last one is the current one.
type backStack []entry

// pop drops the last entry, and returns the one before.
func (b *backStack) pop() (popped entry, ok bool) {
	last := len(*b) - 1
	if last < 1 {
		return entry{}, false
	}
	*b = (*b)[:last]
	return (*b)[last-1], true
}

// visit records where the user is.
func (b *backStack) visit(current entry) {
	if n := len(*b); n > 0 {
		// Another project or step is a new entry, another filter or selection is not. A page goes back a step on its own if
		// the step led nowhere.
		last := &(*b)[n-1]
		if last.shows(current) && last.at.Step >= current.at.Step {
			undone := last.at.Query != current.at.Query || last.at.Step > current.at.Step
			*last = current
			if undone && n > 1 {
				b.forgetStep(current)
			}
			return
		}
	}
	*b = append(*b, current)
	*b = (*b)[max(0, len(*b)-maxHistory):]
}

// forgetStep drops the entry before the current one if it shows the same: the filter of the step was removed, or the step
// led nowhere.
func (b *backStack) forgetStep(current entry) {
	index := len(*b) - 2
	previous := (*b)[index]
	if previous.shows(current) && previous.at.Query == current.at.Query && !previous.at.Statistics {
		*b = slices.Delete(*b, index, index+1)
	}
}
