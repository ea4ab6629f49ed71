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

// Holder holds the key that the session's requests are made with.
type Holder interface {
	// Prove tries a key with a request.
	Prove(ctx context.Context, key models.Secret) error
	// Ready says why a key could not be kept now, or nil.
	Ready(ctx context.Context) error
	// Keep keeps a key as this profile's own, where it is found the next time, and goes
	// on with it in this session. Where that fails, nothing is changed, unless the error
	// is [ErrPerhapsKept].
	Keep(ctx context.Context, key models.CreatedAPIKey) (Kept, error)
}

// ErrPerhapsKept is the error of [Holder.Keep] where the key may be kept all the same.
var ErrPerhapsKept = errors.New("perhaps it was kept")

// Kept is where a key is kept.
type Kept struct {
	// Source says where, such as "key of the keyring".
	Source string
	// Warning is what stands in the way of its being used the next time, or empty.
	Warning string
}

// Options are what the page begins with.
type Options struct {
	Holder Holder
	// Own is the id of the key that the session's requests are made with, or 0 where that
	// is not known.
	Own int64
	// ReadOnly says why nothing may be changed, or is empty.
	ReadOnly string
	// Account says whose keys these are.
	Account string
}

// Resumed tells the page that its session goes on with another key. What was under way
// was cancelled.
type Resumed struct {
	Service Service
	Options Options
}

// staleAfter is how old the list may be when the page is turned to.
const staleAfter = time.Minute

// Page is the state of the list.
type Page struct {
	session  *page.Session
	service  Service
	holder   Holder
	readOnly string
	account  string

	rows      *rows
	table     *table.Model[*models.APIKey, int64]
	busy      bool
	again     bool      // what is being read was asked for before something changed
	loaded    time.Time // when the list was last read
	err       error     // of the last load, if it failed
	changeErr error     // of the last change, if it failed and the list was not read since
	report    *batch    // whose dialog may say what the list tells of it, or nil
	resume    int64     // the key to select once it is there, or 0
}

// New makes the page for a session.
func New(session *page.Session, service Service, o Options) *Page {
	p := &Page{session: session, rows: &rows{fate: map[int64]fate{}, lost: map[string]*lost{}}}
	p.connect(service, o)
	p.table = p.newTable()
	return p
}

// connect makes requests from now on with the key that the service is asked with.
func (p *Page) connect(service Service, o Options) {
	p.service, p.holder, p.readOnly, p.account = service, o.Holder, o.ReadOnly, o.Account
	p.rows.own, p.rows.perhapsKept = target{id: o.Own}, target{}
}

// Start does nothing: the keys are read when somebody looks at them.
func (p *Page) Start() tea.Cmd { return nil }

// Shown reads the list, unless that was done a moment ago.
func (p *Page) Shown() tea.Cmd {
	if p.loaded.IsZero() || p.session.Now().Sub(p.loaded) > staleAfter {
		return p.load()
	}
	return nil
}

// Place is the selected row.
func (p *Page) Place() page.Place {
	place := page.Place{Row: strconv.FormatInt(p.resume, 10), Query: p.table.Query(), Open: p.table.Opened()}
	if k, ok := p.table.List().Selected(); ok && p.resume == 0 {
		place.Row = strconv.FormatInt(k.ID, 10)
	}
	return place
}

// AsOf is when the list was last read.
func (p *Page) AsOf() time.Time { return p.loaded }

// IDs are those of the keys in the list.
func (p *Page) IDs() []int64 { return slices.Collect(maps.Keys(p.rows.byID)) }

// Title is empty: keys are nobody else's business.
func (p *Page) Title() string { return "" }

// Ticks reports that nothing on the page goes on with the seconds.
func (p *Page) Ticks() bool { return false }

// Commands are what the palette can do here.
func (p *Page) Commands() []page.Command { return p.table.Commands() }

// Editing says that keys are text for the filter.
func (p *Page) Editing() bool { return p.table.Editing() }

// Update does the bookkeeping of a message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case Resumed:
		return p.resumed(msg)
	case loaded:
		return p.took(msg)
	case createWanted:
		return p.startCreation(msg)
	case created:
		return p.tookCreated(msg)
	case keepWanted:
		return p.prove(msg)
	case proved:
		if msg.holder == p.holder { // or the session goes on with another key
			return p.tookProved(msg)
		}
	case kept:
		if msg.holder == p.holder {
			return p.tookKept(msg)
		}
	case abandoned:
		p.rows.lost[msg.name] = &lost{id: msg.id}
	case revokeWanted:
		return p.revoke(msg.target, nil)
	case batchWanted:
		return p.startBatch(msg)
	case batchNext:
		return p.nextOfBatch(msg.of)
	case batchStop:
		return p.stopBatch(msg.of)
	case revoked:
		return p.tookRevoked(msg)
	case tea.KeyPressMsg:
		return p.key(msg)
	default:
		return p.toTable(msg)
	}
	return nil
}

// resumed reads the list again, if it was there: it may have changed meanwhile.
func (p *Page) resumed(msg Resumed) tea.Cmd {
	p.connect(msg.Service, msg.Options)
	if p.loaded.IsZero() {
		return nil
	}
	return p.load()
}

func (p *Page) toTable(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case page.Click, page.Wheel:
		p.resume = 0
	}
	cmd, _ := p.table.Update(msg)
	if _, arranged := msg.(table.Filtered[*models.APIKey]); arranged {
		p.comeBack()
	}
	return cmd
}

func (p *Page) load() tea.Cmd {
	if p.busy {
		p.again = true
		return nil
	}
	p.busy = true
	p.rows.reads++
	return p.list(p.rows.reads)
}

func (p *Page) took(msg loaded) tea.Cmd {
	p.busy = false
	if msg.err != nil {
		again := p.again
		p.again = false
		p.failed(msg.err)
		if again {
			return p.load()
		}
		return nil
	}
	if p.again {
		p.again = false
		return p.load()
	}
	p.loaded, p.err = p.session.Now(), nil
	var cmd tea.Cmd
	var names []string
	if names, p.changeErr = p.rows.set(msg.listing); len(names) > 0 {
		cmd = page.Say(page.Notice{Tone: style.Good, Text: "✓ no longer listed, so revoked: " + strings.Join(names, ", ")})
	}
	p.settleReport()
	cmd = tea.Batch(cmd, p.table.Refresh())
	if id := p.rows.found(); id != 0 {
		p.resume = id
	}
	p.comeBack()
	return cmd
}

// comeBack selects the row that is to be selected once it is there.
func (p *Page) comeBack() {
	if p.resume != 0 && p.table.ComeBack(p.resume, false) {
		p.resume = 0
	}
}

func (p *Page) failed(err error) {
	p.err = err
	p.session.Tell(page.Failed{Err: err})
}

// changeFailed notes that something could not be created or revoked.
func (p *Page) changeFailed(err error) {
	p.changeErr = err
	p.session.Tell(page.Failed{Err: err})
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
