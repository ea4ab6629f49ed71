// Package apikeys lists the account's API keys, creates, rotates and revokes them.
package apikeys

import (
	"context"
	"errors"
	"maps"
	"slices"
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
	// APIKeys lists the keys (section 4.2).
	APIKeys(ctx context.Context) ([]models.APIKey, error)
	// CreateAPIKey makes a key (section 4.1).
	CreateAPIKey(ctx context.Context, name string) (models.CreatedAPIKey, error)
	// RevokeAPIKey revokes a key, at once and for good (section 4.3).
	RevokeAPIKey(ctx context.Context, id int64) (models.APIKey, error)
}

// KeyStore has the key that the session's requests are made with.
type KeyStore interface {
	// Verify tries a key with a request.
	Verify(ctx context.Context, key models.Secret) error
	// Check returns why a key could not be saved now, or nil.
	Check(ctx context.Context) error
	// Save saves a key as this profile's own, where it is found the next time, and goes
	// on with it in this session. Where that fails, nothing is changed, unless the error
	// is [ErrMaybeSaved].
	Save(ctx context.Context, key models.CreatedAPIKey) (Saved, error)
}

// ErrMaybeSaved is the error of [KeyStore.Save] where the key may be saved all the same.
var ErrMaybeSaved = errors.New("perhaps it was kept")

// Saved is where a key was saved.
type Saved struct {
	// Source is the place, such as "key of the keyring".
	Source string
	// Warning is what stands in the way of its being used the next time, or empty.
	Warning string
}

// Options are what the page begins with.
type Options struct {
	KeyStore KeyStore
	// Own is the id of the key that the session's requests are made with, or 0 where that
	// is not known.
	Own int64
	// ReadOnly says why nothing may be changed, or is empty.
	ReadOnly string
	// Account says whose keys these are.
	Account string
}

// staleAfter is how old the list may be when the page is turned to.
const staleAfter = time.Minute

// Page is the state of the list.
type Page struct {
	session   *page.Session
	service   Service
	options   Options
	keys      *keys
	table     *table.Model[*models.APIKey, int64]
	busy      bool
	again     bool      // what is being read was asked for before something changed
	loaded    time.Time // when the list was last read
	err       error     // of the last load, if it failed
	changeErr error     // of the last change, if it failed and the list was not read since
	report    *batch    // whose dialog may say what the list tells of it, or nil
}

// New makes the page for a session.
func New(session *page.Session, service Service, o Options) *Page {
	p := &Page{session: session, keys: newKeys()}
	p.table = p.newTable()
	p.connect(service, o)
	return p
}

func (p *Page) connect(service Service, o Options) {
	p.service, p.options = service, o
	p.keys.own, p.keys.maybeSaved = target{id: o.Own}, 0
}

// Reconnect goes on with another key. What was under way was cancelled. The list is read
// again, if it was there: it may have changed meanwhile.
func (p *Page) Reconnect(service Service, o Options) tea.Cmd {
	p.connect(service, o)
	if p.loaded.IsZero() {
		return nil
	}
	return p.load()
}

// Start does nothing: the keys are read when the page is shown.
func (p *Page) Start() tea.Cmd { return nil }

// Shown reads the list, unless that was done a moment ago.
func (p *Page) Shown() tea.Cmd {
	if p.loaded.IsZero() || p.session.Now().Sub(p.loaded) > staleAfter {
		return p.load()
	}
	return nil
}

// Place is the selected row, or the one that the page is about to come back to.
func (p *Page) Place() page.Place {
	place := page.Place{Query: p.table.Query(), Open: p.table.Opened()}
	if id, ok := p.table.Restoring(); ok {
		place.Row = strconv.FormatInt(id, 10)
	} else if k, ok := p.table.Selected(); ok {
		place.Row = strconv.FormatInt(k.ID, 10)
	}
	return place
}

// AsOf is when the list was last read.
func (p *Page) AsOf() time.Time { return p.loaded }

// IDs are those of the keys in the list.
func (p *Page) IDs() []int64 { return slices.Collect(maps.Keys(p.keys.byID)) }

// Title is empty: keys are not for everybody who sees the window.
func (p *Page) Title() string { return "" }

// Ticks reports that nothing on the page goes on with the seconds.
func (p *Page) Ticks() bool { return false }

// Editing reports whether keys are text for the filter.
func (p *Page) Editing() bool { return p.table.Editing() }

// Actions declares what can be done on the page.
func (p *Page) Actions() []action.Group {
	if p.Editing() {
		return p.table.Actions()
	}
	create, rotate, revoke, copyID := p.disabled()
	refresh := ""
	if p.busy {
		refresh = "it is loading"
	}
	group := action.Group{Title: "API keys", Actions: []action.Action{
		{ID: "new", Title: "new", Keys: []string{"n"}, Disabled: create, Footer: action.Shown, Run: action.Do(p.askName)},
		{
			ID: "revoke", Title: "revoke", Keys: []string{"x", "delete"}, Footer: action.Shown,
			Disabled: revoke, Run: action.Do(p.askToRevoke),
		},
		{ID: "rotate", Title: "rotate", Keys: []string{"R"}, Disabled: rotate, Run: action.Do(p.askRotation)},
		{ID: "copy", Title: "copy the id", Keys: []string{"y"}, Disabled: copyID, Run: action.Do(p.copyID)},
		{ID: "refresh", Title: "refresh", Keys: []string{"r"}, Disabled: refresh, Run: p.load},
	}}
	return append([]action.Group{group}, p.table.Actions()...)
}

// disabled returns why keys cannot be created, rotated, revoked and copied now, each empty if they
// can. Without the list it is not known which names are taken.
func (p *Page) disabled() (create, rotate, revoke, copyID string) {
	create, revoke = p.options.ReadOnly, p.options.ReadOnly
	if create == "" && p.loaded.IsZero() {
		create = "the keys are not read yet"
	}
	rotate = create
	if p.options.KeyStore == nil {
		rotate = "there is no place to keep a key"
	}
	k, ok := p.table.Selected()
	switch {
	case revoke != "":
	case !ok:
		revoke = "there is no key"
	case p.table.CountMarked() == 0:
		revoke = p.keys.notRevocable(k)
	}
	if ok && k.ID == 0 {
		copyID = noID
	}
	return create, rotate, revoke, copyID
}

func (p *Page) copyID() {
	if k, ok := p.table.Choose(); ok {
		p.session.Emit(page.Copy{Label: "the id of " + k.Name, Text: models.NewSecret(strconv.FormatInt(k.ID, 10))})
	}
}

func (p *Page) open(d page.Dialog) { p.session.Emit(page.Open{Dialog: d}) }

func (p *Page) notice(tone style.Tone, text string) {
	p.session.Emit(page.Notice{Tone: tone, Text: text})
}

// Update does the bookkeeping of a message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case loaded:
		return p.took(msg)
	case created:
		return msg.of.answered(msg)
	case verified:
		return msg.of.verified(msg.err)
	case saved:
		return msg.of.saved(msg.place, msg.err)
	case answer:
		return p.revocationAnswered(msg)
	case waited:
		return msg.of.step()
	}
	return p.table.Update(msg)
}

// loaded is the answer to reading the list.
type loaded struct {
	listing

	err error
}

// load reads the list. If it is being read already, it is read once more: something has
// changed since.
func (p *Page) load() tea.Cmd {
	if p.busy {
		p.again = true
		return nil
	}
	p.busy = true
	p.keys.reads++
	service, now, number := p.service, p.session.Now, p.keys.reads
	return p.session.Do(page.APIKeys, func(ctx context.Context) tea.Msg {
		got, err := service.APIKeys(ctx)
		return loaded{newListing(got, now(), number), err}
	})
}

func (p *Page) took(msg loaded) tea.Cmd {
	again := p.again
	p.busy, p.again = false, false
	if msg.err != nil {
		p.err = msg.err
		p.session.Emit(page.Failed{Err: msg.err})
	}
	switch {
	case again:
		return p.load()
	case msg.err != nil:
		return nil
	}
	p.loaded, p.err = p.session.Now(), nil
	var gone []string
	if gone, p.changeErr = p.keys.set(msg.listing); len(gone) > 0 {
		p.notice(style.Good, "✓ no longer listed, so revoked: "+strings.Join(gone, ", "))
	}
	if p.report != nil {
		p.report.compare(&p.keys.listing)
	}
	if id := p.keys.findOrphans(); id != 0 {
		p.table.Restore(id, false)
	}
	return p.table.Refresh()
}

// changeFailed notes that something could not be created or revoked.
func (p *Page) changeFailed(err error) {
	p.changeErr = err
	p.session.Emit(page.Failed{Err: err})
}

// Status says how old the list is.
func (p *Page) Status(now time.Time) page.Status {
	switch {
	case p.busy:
		return page.Status{Tone: style.Waiting, Text: "◌ loading"}
	case p.err != nil:
		return page.Status{Tone: style.Bad, Text: "✗ not refreshed"}
	case p.loaded.IsZero():
		return page.Status{}
	}
	return page.Status{Tone: style.Muted, Text: "read " + style.Ago(p.loaded, now)}
}
