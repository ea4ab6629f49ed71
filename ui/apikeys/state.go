package apikeys

import (
	"cmp"
	"context"
	"sync/atomic"
	"time"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/control"
	"pgtower/models/keys"
	"pgtower/models/query"
	"pgtower/models/record"
	"pgtower/ui/listpage"
	"pgtower/ui/page"
)

// Service is the part of the control API that the page uses.
type Service interface {
	keys.Service
	keys.MemberService
	// APIKeys reads a list of keys (section 4.2).
	APIKeys(ctx context.Context, id models.ListID) ([]models.APIKey, error)
}

// Options are the options of the page.
type Options struct {
	KeyStore control.KeyStore
	Journal  keys.Journal // of the changes; nil: none
	Memory   keys.Store   // remembers keys; nil: only the session does
	// Watcher keeps the uses that lists show; nil: only the session does. Host is that of the service.
	Watcher *keys.Watcher
	Host    string
	Views   *[]query.SavedView // of the user, of all pages; nil: none
	// Moment bounds the present by the service's clock; nil: the session's estimate does.
	Moment func() models.Moment
	// Steady is this computer's clock that never goes back, to prove what became of changes; nil: the session's clock.
	Steady   func() time.Time
	QuietFor time.Duration             // how long an old key must be quiet; 0: [keys.QuietFor]
	OwnID    int64                     // the id of the session's key, or 0 if unknown
	OwnList  models.Opt[models.ListID] // its list, as remembered
	ReadOnly string                    // why keys cannot be changed, or empty
	Account  string                    // the label of the account
	Computer string                    // the name of this computer, or empty
}

// With returns the options with the values of a connection.
func (o Options) With(c *control.Connection) Options {
	o.KeyStore, o.Journal, o.Memory, o.Moment = c.KeyStore, c.Journal, c.Memory, c.Now
	o.Watcher, o.Host = c.Watcher, c.Host
	o.OwnID, o.OwnList, o.ReadOnly = c.KeyID, c.KeyList, c.ReadOnly
	return o
}

type listPage = listpage.Page[models.APIKey]

// Page is the page with the API keys.
type Page struct {
	*listPage

	session *page.Session
	service Service
	account *account.Account // knows which lists there are; the Projects page reads it
	options Options

	fields []record.Field[*models.APIKey]

	keys      *shownKeys
	rotations *rotations
	recorder  recorder
	members   members
	names     atomic.Pointer[models.Names] // of the account, for filters on other goroutines
	shown     bool                         // the page was shown, so the lists are read
	asked     bool                         // the user asked for the lists that are being read
	failed    failedChange                 // the last change that failed
	unkept    bool                         // the user knows that the file does not have the uses that were seen
	asking    *asking                      // the last question about keys; or nil
	report    *batch                       // the last batch, whose results the next lists may complete; or nil
	// unanswered is the last creation without an answer, until a list decides it; or nil.
	unanswered *creation
}

// connect takes over a connection, its account and the options.
func (p *Page) connect(service Service, key *account.Account, o Options) {
	o.QuietFor = cmp.Or(o.QuietFor, keys.QuietFor)
	if o.Steady == nil {
		o.Steady = p.session.Now
	}
	if o.Watcher == nil {
		o.Watcher = keys.NewWatcher(keys.Forgetful{})
	}
	p.service, p.account, p.options = service, key, o
	p.keys.own, p.keys.maybeSaved = models.APIKey{}, models.KeyRef{}
	if o.Memory != nil {
		p.rotations.store, p.rotations.memory = o.Memory, keys.Memory{}
	}
	p.recorder, p.members = recorder{journal: o.Journal}, members{}
	p.learn()
}

// learn updates the names, the session's key and the lists from the account. It returns the lists that are new.
func (p *Page) learn() (added []models.ListID) {
	names := p.account.Names()
	p.names.Store(&names)
	if p.keys.own.ID == 0 {
		ref := p.account.OwnKey(p.options.OwnList, p.options.OwnID)
		p.keys.own = models.APIKey{List: ref.List, ID: ref.ID}
	}
	return p.keys.set(p.account.KeyLists())
}

// words returns the words as of now.
func (p *Page) words() words {
	return words{
		times: p.session.Times, account: p.account, label: p.options.Account,
		names: *p.names.Load(), fields: p.fields, keys: p.keys, audit: p.audited(),
	}
}

// audited returns the last audit, see [Page.reaudit].
func (p *Page) audited() *keys.Audit { return p.rotations.audit.Load() }

// reaudit makes the audit anew. Call it after a change of the lists, the session's key, the members or the revocations.
func (p *Page) reaudit() {
	var lists []*keys.Together
	for _, list := range p.keys.all {
		if list.found != nil {
			lists = append(lists, list.found)
		}
	}
	p.rotations.audit.Store(keys.NewAudit(lists, p.auditOptions()))
}

// auditOptions returns what an audit needs to know apart from the keys.
func (p *Page) auditOptions() keys.AuditOptions {
	return keys.AuditOptions{
		Limits: keys.DefaultLimits(), Reaches: !p.words().oneReach(), Own: p.keys.own.Ref(),
		Revocations: p.keys.Revocations, Open: p.rotations.openKeys(), Members: p.members.known(),
	}
}

// failedChange is the error of a change of a list, until the list is read again.
type failedChange struct {
	list models.ListID
	err  error
}

// changeFailed reports an error of a change. It does not prove that the service refuses the session's key; only a read does.
func (p *Page) changeFailed(id models.ListID, err error) {
	p.failed = failedChange{id, err}
	p.session.Emit(page.Failed{Err: err, Change: true})
}

// zone is the time zone of the days on the screen.
func (p *Page) zone() *time.Location { return p.session.Times.In(time.Time{}).Location() }
