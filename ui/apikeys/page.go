// Package apikeys lists the API keys of the account and its organizations, creates, rotates and revokes them.
package apikeys

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/control"
	"pgtower/models/keys"
	"pgtower/models/record"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/listpage"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Service is the part of the control API that the page uses.
type Service interface {
	keys.Service
	keys.MemberService
	// APIKeys reads a list of keys (section 4.2).
	APIKeys(ctx context.Context, of models.ListID) ([]models.APIKey, error)
}

// Options are the options of the page.
type Options struct {
	KeyStore control.KeyStore
	Journal  keys.Journal // of what is changed; nil: none
	Memory   keys.Store   // remembers keys; nil: only the session does
	// Moment bounds the present by the service's clock; nil: the session's estimate does.
	Moment func() models.Moment
	// Steady is this computer's clock that only goes on, for what is claimed of changes; nil: the session's.
	Steady   func() time.Time
	QuietFor time.Duration             // how long an old key must be quiet; 0: [keys.QuietFor]
	OwnID    int64                     // the id of the session's key, or 0 if unknown
	OwnList  models.Opt[models.ListID] // its list, as remembered
	ReadOnly string                    // why keys cannot be changed, or empty
	Account  string                    // the label of the account
	Computer string                    // the name of this computer, or empty
}

// With returns the options with what is known of a connection.
func (o Options) With(c *control.Connection) Options {
	o.KeyStore, o.Journal, o.Memory, o.Moment = c.KeyStore, c.Journal, c.Memory, c.Now
	o.OwnID, o.OwnList, o.ReadOnly = c.KeyID, c.KeyList, c.ReadOnly
	return o
}

type list = listpage.Page[models.APIKey]

// Page is the page with the API keys.
type Page struct {
	*list

	session *page.Session
	service Service
	account *account.Account // tells which lists there are; the Projects page asks
	options Options

	fields []record.Field[*models.APIKey]

	keys      *shownKeys
	rotations *rotations
	recorder  recorder
	members   members
	names     atomic.Pointer[models.Names] // of the account, for filters on other goroutines
	shown     bool                         // the page was shown: the lists are read
	asked     bool                         // the user asked for the lists that are being read
	failed    failedChange                 // the last change that failed
	asking    *asking                      // the last question about keys; or nil
	report    *batch                       // the last batch, whose result the next lists may complete; or nil
	// unanswered is the last creation without an answer, until the list is read; or nil.
	unanswered *creation
}

// New returns the page of a session.
func New(session *page.Session, service Service, key *account.Account, o Options) *Page {
	p := &Page{session: session, keys: &shownKeys{Changes: keys.NewChanges()}, rotations: newRotations()}
	p.names.Store(&models.Names{})
	p.fields = models.APIKeyFields(func() models.Names { return *p.names.Load() })
	p.list = p.newList()
	p.connect(service, key, o)
	return p
}

func (p *Page) connect(service Service, key *account.Account, o Options) {
	o.QuietFor = cmp.Or(o.QuietFor, keys.QuietFor)
	if o.Steady == nil {
		o.Steady = p.session.Now
	}
	p.service, p.account, p.options = service, key, o
	p.keys.own, p.keys.maybeSaved = models.APIKey{}, models.KeyRef{}
	if o.Memory != nil {
		p.rotations.store, p.rotations.memory = o.Memory, keys.Memory{}
	}
	p.recorder, p.members = recorder{journal: o.Journal}, members{}
	p.learn()
}

// learn takes in what is known of the account by now. It returns the lists of keys that are new.
func (p *Page) learn() (added []models.ListID) {
	names := p.account.Names()
	p.names.Store(&names)
	if p.keys.own.ID == 0 {
		own := p.account.OwnKey(p.options.OwnList, p.options.OwnID)
		p.keys.own = models.APIKey{List: own.List, ID: own.ID}
	}
	return p.keys.set(p.account.KeyLists())
}

// Reconnect continues with another connection, and reads the lists again.
func (p *Page) Reconnect(c *control.Connection) { p.reconnect(c.API, c.Account, p.options.With(c)) }

func (p *Page) reconnect(service Service, key *account.Account, o Options) {
	p.connect(service, key, o)
	if p.shown {
		p.load()
	}
}

// Shown reads the lists unless they are recent.
func (p *Page) Shown() tea.Cmd {
	p.shown = true
	p.learn()
	for _, of := range p.keys.all {
		of.wanted = of.wanted || p.session.Now().Sub(of.good) > staleAfter
	}
	p.put()
	return nil
}

// Refs returns what identifies the keys.
func (p *Page) Refs() (refs []models.KeyRef) {
	for _, of := range p.keys.all {
		for i := range of.All {
			refs = append(refs, of.All[i].Ref())
		}
	}
	return refs
}

// Status returns how old the oldest list is, and which one that is if others are newer.
func (p *Page) Status(now time.Time) page.Status {
	r := p.reading()
	status, oldest := r.Status(now), p.keys.oldest()
	if oldest != nil && !r.Loading() && r.Err == nil {
		status.Long = status.Text + " (" + p.account.KeyListName(oldest.id) + ")"
	}
	return status
}

// off returns what tells why something cannot be done now, or "".
func (p *Page) off(why func(changes) string) func() string {
	return func() string {
		selected, _ := p.List().Selected()
		return why(changes{
			keys: p.keys, selected: selected, marked: p.List().CountMarked(),
			unread: p.AsOf().IsZero(), readOnly: p.options.ReadOnly, fixed: p.account.KeysFixed(),
			unsaved: p.options.KeyStore == nil,
		})
	}
}

func (p *Page) declare() []*action.Action {
	return []*action.Action{
		{
			ID: "new", Title: "create a key", Short: "new", Keys: []string{"n"},
			Footer: action.Shown, Disabled: p.off(changes.create), Run: action.Do(p.askReach),
		},
		{
			ID: "revoke", Title: "revoke", Keys: []string{"x", "delete"}, Footer: action.Shown,
			Disabled: p.off(changes.revoke), Run: action.Do(p.askToRevoke),
		},
		{
			ID: "rotate", Title: "rotate", Keys: []string{"R"}, Footer: action.Shown, Vary: p.lookOfRotate,
			Disabled: p.off(changes.rotate), Run: action.Do(p.askRotation),
		},
		{
			ID: "rotate-own", Title: "rotate this session's key",
			Disabled: p.off(changes.rotateOwn), Run: action.Do(p.askOwnRotation),
		},
		{
			ID: "copy", Title: "copy", Keys: []string{"y"}, Footer: action.LowPriority,
			Disabled: p.off(changes.copy), Run: action.Do(p.copy),
		},
	}
}

// lookOfRotate names the key of the session where that is what is rotated.
func (p *Page) lookOfRotate(l action.Look) action.Look {
	selected, ok := p.List().Selected()
	if ok && p.List().CountMarked() == 0 && p.keys.isOwn(selected) {
		l.Title = "rotate this session's key"
	}
	return l
}

// copy offers the id and the name of a key.
func (p *Page) copy() {
	k, ok := p.Choose()
	if !ok {
		return
	}
	item := func(what, text string) *dialog.PickerItem {
		return &dialog.PickerItem{ID: what, Title: what, Note: text, Choose: action.Do(func() {
			p.session.Emit(page.Copy{Label: "the " + what + " of " + k.Name, Text: models.NewSecret(text)})
		})}
	}
	items := []*dialog.PickerItem{item("id", strconv.FormatInt(k.ID, 10)), item("name", k.Name)}
	p.session.Open(dialog.NewPicker("Copy: "+k.Name, items, ""))
}

// Update handles a message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case page.Answered:
		return p.answered(msg)
	case page.ProjectList:
		added := p.learn()
		p.reaudit()
		switch {
		case p.shown:
			p.read(added...)
			return p.Refresh()
		case len(added) > 0:
			return p.begin()
		}
		return nil
	}
	return p.list.Update(msg)
}

// refresh reads all lists, and asks which organizations there are, whose lists then come or go.
func (p *Page) refresh() tea.Cmd {
	p.session.Emit(page.RefreshProjects{})
	p.load()
	return nil
}

// tell tells what a list decided, and what is news of rotations.
func (p *Page) tell(of *keyList, decided *keys.Decided) {
	if decided.Err != nil || p.failed.list == of.id {
		p.failed = failedChange{of.id, decided.Err}
	}
	if len(decided.Gone) > 0 {
		p.session.Notify(style.Good, "✓ revoked (no longer listed): "+strings.Join(decided.Gone, ", "))
	}
	if p.report != nil {
		p.report.compare(of)
	}
	if p.unanswered != nil && p.unanswered.Key.List == of.id && p.unanswered.decide(of) {
		p.unanswered = nil
	}
	if len(decided.Found) > 0 {
		p.Restore(rowOf(decided.Found[0]), false)
	}
	for _, ref := range p.rotations.compare(of.found) {
		tone, text := p.words().news(p.keys.key(ref), p.session.ServiceNow())
		p.session.Notify(tone, text)
	}
}

// reaudit takes in what changed in the lists, in the session's key or in what happens to keys.
func (p *Page) reaudit() {
	var lists []*keys.Together
	for _, of := range p.keys.all {
		if of.found != nil {
			lists = append(lists, of.found)
		}
	}
	p.rotations.audit.Store(keys.NewAudit(lists, keys.AuditOptions{
		Limits: keys.DefaultLimits(), Reaches: !p.words().oneReach(), Own: p.keys.own.Ref(),
		Revocations: p.keys.Revocations, Open: p.rotations.openKeys(), Members: p.members.known(),
	}))
}

func (p *Page) audited() *keys.Audit { return p.rotations.audit.Load() }

// CanGo returns how many keys were replaced and can go, as of the last lists.
func (p *Page) CanGo() int {
	_, n := p.audited().Rotations()
	return n
}

// lost tells of keys that a process created which was killed before it handed over the secret.
func (p *Page) lost(left []models.APIKey) {
	for i := range left {
		k := &left[i]
		p.session.Notify(style.Bad, k.Name+" exists (id "+idOf(k)+"), and its secret is lost: revoke it")
	}
}

// failedChange is the error of a change of a list, until that is read again.
type failedChange struct {
	list models.ListID
	err  error
}

// changeFailed reports an error of a change. What refused the key may not be what carries it out: a read tells whether
// the key is refused.
func (p *Page) changeFailed(of models.ListID, err error) {
	p.failed = failedChange{of, err}
	p.session.Emit(page.Failed{Err: err, Change: true})
}

// ExitWarning names the keys that may have been revoked or created, for the end of the session; or "".
func (p *Page) ExitWarning() string {
	warn := func(names []string, done string) string {
		switch len(names) {
		case 0:
			return ""
		case 1:
			return "The API key " + names[0] + " may have been " + done + "."
		}
		return "These API keys may have been " + done + ": " + strings.Join(names, ", ") + "."
	}
	created := warn(p.keys.OpenNames(), "created, with the secret lost")
	return strings.TrimSpace(warn(p.keys.openNames(), "revoked") + " " + created)
}
