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

// Service is the part of the control API that the page uses.
type Service interface {
	APIKeys(ctx context.Context) ([]models.APIKey, error)                        // lists the keys (section 4.2)
	CreateAPIKey(ctx context.Context, name string) (models.CreatedAPIKey, error) // creates a key (section 4.1)
	// RevokeAPIKey revokes a key immediately and permanently (section 4.3).
	RevokeAPIKey(ctx context.Context, id int64) (models.APIKey, error)
}

// KeyStore holds the key of the session's requests.
type KeyStore interface {
	Verify(ctx context.Context, key models.Secret) error // verifies a key with one request
	Check(ctx context.Context) error                     // returns why a key could not be saved now, or nil
	// Save saves a key as the profile's, and uses it. After an error other than [ErrMaybeSaved], nothing has changed.
	Save(ctx context.Context, key models.CreatedAPIKey) (Saved, error)
	// Pipe runs a line in the system's shell with the key as its standard input.
	Pipe(ctx context.Context, line string, key models.Secret) error
}

// ErrMaybeSaved is the error of [KeyStore.Save] if the key may have been saved nevertheless.
var ErrMaybeSaved = errors.New("saving was not confirmed")

// Saved describes where a key was saved.
type Saved struct {
	Source  string // such as "key from the keyring"
	Warning string // why the next session will not use it, or empty
}

// Options are the options of the page.
type Options struct {
	KeyStore   KeyStore
	Own        int64  // the id of the session's key, or 0 if unknown
	ReadOnly   string // why keys cannot be changed, or empty
	Account    string // the label of the account
	AlwaysType bool   // every revocation is confirmed by typing
}

const staleAfter = time.Minute // the age of the list from which showing the page reads it again

type list = table.Model[*models.APIKey]

// Page is the page with the API keys.
type Page struct {
	*list
	table.Reading

	session   *page.Session
	service   Service
	options   Options
	keys      *keys
	changeErr error  // the error of the last change, until the list is read again
	report    *batch // the last batch, whose result the next list may complete; or nil
}

// New returns the page of a session.
func New(session *page.Session, service Service, o Options) *Page {
	p := &Page{session: session, keys: &keys{revocations: map[int64]revocation{}, orphans: map[string]int64{}}}
	p.list = p.newTable()
	p.connect(service, o)
	return p
}

func (p *Page) connect(service Service, o Options) {
	p.service, p.options, p.Busy = service, o, false // the requests in flight were cancelled
	p.keys.own, p.keys.maybeSaved = models.APIKey{ID: o.Own}, 0
}

// Reconnect continues with another connection, and reads the list again.
func (p *Page) Reconnect(service Service, o Options) tea.Cmd {
	p.connect(service, o)
	if p.Last.IsZero() {
		return nil
	}
	return p.load()
}

// Start does nothing: the keys are read when the page is shown.
func (p *Page) Start() tea.Cmd { return nil }

// Shown reads the list unless it is recent.
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

// Actions returns what can be done now. Without the list, no key can be created: the names in use are unknown.
func (p *Page) Actions() []action.Group {
	if p.Editing() {
		return p.list.Actions()
	}
	create, revoke, copyID := "", "no key is selected", "no key is selected"
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
		if copyID = ""; k.ID == 0 {
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

// Update handles a message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	if then, ok := msg.(page.Result); ok {
		return then()
	}
	return p.list.Update(msg)
}

// load reads the list. Responses to earlier requests are then ignored.
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
		p.Restore(rowOf(id), false)
	}
	return p.Refresh()
}

func (p *Page) changeFailed(err error) {
	p.changeErr = err
	p.session.Emit(page.Failed{Err: err})
}
