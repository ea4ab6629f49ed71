// Package apikeys lists the account's API keys, creates and revokes them.
package apikeys

import (
	"context"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/browse"
	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/secret"
	"pgtower/ui/theme"
	"pgtower/ui/when"
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

// staleAfter is how old the list may be when the page is turned to.
const staleAfter = time.Minute

// Page is the state of the list.
type Page struct {
	session *page.Session
	service Service

	rows   *rows
	table  *browse.Model[*models.APIKey, int64]
	busy   bool
	again  bool      // what is being read was asked for before something changed
	loaded time.Time // when the list was last read
	err    error     // of the last load or change, if it failed
	resume int64     // the key to select once it is there, or 0
}

// New makes the page for a session, beginning at a row.
func New(session *page.Session, service Service, place page.Place) *Page {
	p := &Page{session: session, service: service, rows: &rows{fate: map[int64]fate{}}}
	p.resume, _ = strconv.ParseInt(place.Row, 10, 64)
	p.table = p.newTable()
	return p
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
	if k, ok := p.table.List().Selected(); ok {
		return page.Place{Row: strconv.FormatInt(k.ID, 10)}
	}
	return page.Place{Row: strconv.FormatInt(p.resume, 10)}
}

// Title is empty: keys are nobody else's business.
func (p *Page) Title() string { return "" }

// Editing says that keys are text for the filter.
func (p *Page) Editing() bool { return p.table.Editing() }

// Update does the bookkeeping of a message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case loaded:
		return p.took(msg)
	case createWanted:
		return p.create(msg.name)
	case created:
		return p.tookCreated(msg)
	case revokeWanted:
		p.rows.fate[msg.id] = fate{state: revoking}
		return p.revoke(msg)
	case revoked:
		return p.tookRevoked(msg)
	case tea.KeyPressMsg:
		return p.key(msg)
	default:
		return p.toTable(msg)
	}
}

func (p *Page) toTable(msg tea.Msg) tea.Cmd {
	cmd, _ := p.table.Update(msg)
	return cmd
}

func (p *Page) key(k tea.KeyPressMsg) tea.Cmd {
	// Whoever goes on has no wish to be brought back to where they were.
	p.resume = 0
	if !p.Editing() {
		switch {
		case createKey().Pressed(k):
			p.session.Tell(page.Open{Dialog: nameForm(p.rows.all)})
			return nil
		case revokeKey().Pressed(k):
			if target, ok := p.table.List().Selected(); ok {
				p.session.Tell(page.Open{Dialog: revokeQuestion(*target, p.session.Now())})
				return nil
			}
		case refreshKey().Pressed(k):
			return p.load()
		}
	}
	return p.toTable(k)
}

func (p *Page) load() tea.Cmd {
	if p.busy {
		p.again = true
		return nil
	}
	p.busy = true
	return p.list()
}

func (p *Page) took(msg loaded) tea.Cmd {
	p.busy = false
	if msg.err != nil {
		p.again = false
		return p.failed(msg.err)
	}
	if p.again {
		p.again = false
		return p.load()
	}
	p.err, p.loaded = nil, p.session.Now()
	p.rows.set(msg.keys)
	cmd := p.table.Refresh()
	if p.resume != 0 && p.table.List().Select(p.resume) {
		p.resume = 0
	}
	return cmd
}

func (p *Page) failed(err error) tea.Cmd {
	p.err = err
	return page.Say(page.Failed{Err: err})
}

// tookCreated shows the new key, whose list is then read again. An answer that did not
// come does not mean that no key was made, so the list is read in that case too.
func (p *Page) tookCreated(msg created) tea.Cmd {
	if msg.err != nil {
		p.session.Tell(page.Open{Dialog: createFailed(msg.name, msg.err)})
		return tea.Batch(p.failed(msg.err), p.load())
	}
	p.resume = msg.key.ID
	p.session.Tell(page.Open{Dialog: secret.New(msg.name, msg.key)})
	return p.load()
}

func (p *Page) tookRevoked(msg revoked) tea.Cmd {
	switch {
	case msg.err == nil:
		p.rows.fate[msg.id] = fate{state: gone}
		p.err = nil
		return page.Say(page.Notice{Tone: theme.Good, Text: "✓ revoked " + msg.name})
	case models.KindOf(msg.err) == models.KindNotFound:
		delete(p.rows.fate, msg.id)
		return tea.Batch(p.load(), page.Say(page.Notice{Tone: theme.Waiting, Text: msg.name + " was gone already"}))
	}
	p.rows.fate[msg.id] = fate{failed, msg.err}
	return p.failed(msg.err)
}

func createKey() keys.Action  { return keys.New("n", "new key", "n").InFooter() }
func revokeKey() keys.Action  { return keys.New("x", "revoke", "x", "delete").InFooter() }
func refreshKey() keys.Action { return keys.New("r", "refresh", "r").InFooter() }

// Keys declares what can be done on the page now.
func (p *Page) Keys() []keys.Group {
	if p.Editing() {
		return p.table.Keys()
	}
	revoke, refresh := revokeKey(), refreshKey()
	if target, ok := p.table.List().Selected(); ok {
		revoke = revoke.Unless(p.rows.notRevocable(target))
	} else {
		revoke = revoke.Unless("there is no key")
	}
	if p.busy {
		refresh = refresh.Unless("it is loading")
	}
	group := keys.Group{Title: "API keys", Actions: []keys.Action{createKey(), revoke, refresh}}
	return append([]keys.Group{group}, p.table.Keys()...)
}

// Status says how old the list is.
func (p *Page) Status(now time.Time) page.Status {
	switch {
	case p.busy:
		return page.Status{Tone: theme.Waiting, Text: "◌ loading"}
	case p.err != nil:
		return page.Status{Tone: theme.Bad, Text: "✗ error"}
	case p.loaded.IsZero():
		return page.Status{}
	}
	return page.Status{Tone: theme.Muted, Text: "read " + when.Ago(p.loaded, now)}
}
