// Package apikeys lists the account's API keys, creates, rotates and revokes them.
package apikeys

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// Service is what the page asks the control API for.
type Service interface {
	APIKeys(ctx context.Context) ([]models.APIKey, error)                        // lists the keys (section 4.2)
	CreateAPIKey(ctx context.Context, name string) (models.CreatedAPIKey, error) // makes a key (section 4.1)
	// RevokeAPIKey revokes a key, immediately and for good (section 4.3).
	RevokeAPIKey(ctx context.Context, id int64) (models.APIKey, error)
}

// KeyStore has the key that the session's requests are made with.
type KeyStore interface {
	Verify(ctx context.Context, key models.Secret) error // tries a key with a request
	Check(ctx context.Context) error                     // returns why a key could not be saved now, or nil
	// Save saves a key as this profile's own, and uses it. An error but [ErrMaybeSaved] means that nothing has changed.
	Save(ctx context.Context, key models.CreatedAPIKey) (Saved, error)
	// Pipe gives a key to the standard input of a line of the system's shell.
	Pipe(ctx context.Context, line string, key models.Secret) error
}

// ErrMaybeSaved is the error of [KeyStore.Save] where the key may be saved all the same.
var ErrMaybeSaved = errors.New("saving was not confirmed")

// Saved is where a key was saved.
type Saved struct {
	Source  string // such as "key from the keyring"
	Warning string // why it will not be used the next time, or empty
}

// Options are what the page begins with.
type Options struct {
	KeyStore   KeyStore
	Own        int64  // the id of the key that the session's requests are made with, or 0 if unknown
	ReadOnly   string // why nothing may be changed, or empty
	Account    string // whose keys these are
	AlwaysType bool   // every revocation is confirmed by typing
}

const staleAfter = time.Minute // how old the list may be when the page is shown

type list = table.Model[*models.APIKey, int64]

// Page is the state of the list.
type Page struct {
	*list
	table.Reading

	session   *page.Session
	service   Service
	options   Options
	keys      *keys
	changeErr error  // of the last change, if it failed and the list was not read since
	report    *batch // the last one, to which the list may add; or nil
}

// New makes the page for a session.
func New(session *page.Session, service Service, o Options) *Page {
	p := &Page{session: session, keys: &keys{revocations: map[int64]revocation{}, orphans: map[string]int64{}}}
	p.list = p.newTable()
	p.connect(service, o)
	return p
}

func (p *Page) connect(service Service, o Options) {
	p.service, p.options, p.Busy = service, o, false // what was under way was cancelled
	p.keys.own, p.keys.maybeSaved = models.APIKey{ID: o.Own}, 0
}

// Reconnect goes on with another key, and reads the list again.
func (p *Page) Reconnect(service Service, o Options) tea.Cmd {
	p.connect(service, o)
	if p.Last.IsZero() {
		return nil
	}
	return p.load()
}

// Start does nothing: the keys are read when the page is shown.
func (p *Page) Start() tea.Cmd { return nil }

// Shown reads the list, unless that was done a moment ago.
func (p *Page) Shown() tea.Cmd {
	if !p.Busy && p.session.Now().Sub(p.Last) > staleAfter {
		return p.load()
	}
	return nil
}

// IDs returns the ids of the keys.
func (p *Page) IDs() (ids []int64) {
	for i := range p.keys.All {
		ids = append(ids, p.keys.All[i].ID)
	}
	return ids
}

// Actions declares what can be done on the page. Without the list it is not known which names are taken.
func (p *Page) Actions() []action.Group {
	if p.Editing() {
		return p.list.Actions()
	}
	create, revoke, copyID := "", "no key is selected", ""
	if p.Last.IsZero() {
		create = "the keys have not been loaded"
	}
	create = cmp.Or(p.options.ReadOnly, create)
	rotate := create
	if p.options.KeyStore == nil {
		rotate = "there is nowhere to save a key"
	}
	if k, ok := p.Selected(); ok {
		revoke = p.keys.notRevocable(k)
		if p.CountMarked() > 0 {
			revoke = ""
		}
		if k.ID == 0 {
			copyID = noID
		}
	}
	revoke = cmp.Or(p.options.ReadOnly, revoke)
	group := action.Group{Title: "API keys", Actions: []action.Action{
		{
			ID: "new", Title: "create a key", Short: "new", Keys: []string{"n"}, Disabled: create, Footer: action.Shown,
			Run: action.Do(p.askName),
		},
		{
			ID: "revoke", Title: "revoke", Keys: []string{"x", "delete"}, Footer: action.Shown,
			Disabled: revoke, Run: action.Do(p.askToRevoke),
		},
		{ID: "rotate", Title: "rotate", Keys: []string{"R"}, Footer: action.LowPriority, Disabled: rotate, Run: action.Do(p.askRotation)},
		{ID: "copy", Title: "copy the id", Keys: []string{"y"}, Footer: action.LowPriority, Disabled: copyID, Run: action.Do(p.copyID)},
		{ID: "refresh", Title: "refresh", Keys: []string{"r"}, Disabled: p.RefreshDisabled(), Run: p.load},
	}}
	return append([]action.Group{group}, p.list.Actions()...)
}

func (p *Page) copyID() {
	if k, ok := p.Choose(); ok {
		p.session.Emit(page.Copy{Label: "the id of " + k.Name, Text: models.NewSecret(strconv.FormatInt(k.ID, 10))})
	}
}

// Update does the bookkeeping of a message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	if then, ok := msg.(page.Result); ok {
		return then()
	}
	return p.list.Update(msg)
}

// load reads the list. What was asked for before is then out of date.
func (p *Page) load() tea.Cmd {
	p.Busy, p.Asked = true, true
	p.keys.reads++
	service, now, number := p.service, p.session.Now, p.keys.reads
	return page.Call(p.session, page.APIKeys, func(ctx context.Context) (listing, error) {
		got, err := service.APIKeys(ctx)
		return newListing(got, now(), number), err
	}, p.loaded)
}

func (p *Page) loaded(list listing, err error) tea.Cmd {
	if list.number < p.keys.reads {
		return nil
	}
	if p.Busy, p.Err = false, err; err != nil {
		p.session.Emit(page.Failed{Err: err})
		return nil
	}
	p.Last = p.session.Now()
	var gone []string
	if gone, p.changeErr = p.keys.set(list); len(gone) > 0 {
		p.session.Report(style.Good, "✓ revoked (no longer listed): "+strings.Join(gone, ", "))
	}
	if p.report != nil {
		p.report.compare(&p.keys.listing)
	}
	if id := p.keys.findOrphan(); id != 0 {
		p.Restore(id, false)
	}
	return p.Refresh()
}

func (p *Page) changeFailed(err error) {
	p.changeErr = err
	p.session.Emit(page.Failed{Err: err})
}
