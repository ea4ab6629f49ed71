package ui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/keys"
	"pgtower/models/moment"
	"pgtower/ui/apikeys"
	"pgtower/ui/desktop"
	"pgtower/ui/dialog"
	"pgtower/ui/operations"
	"pgtower/ui/page"
	"pgtower/ui/projects"
	"pgtower/ui/style"
)

// API is the part of the control API that the pages use.
type API interface {
	operations.Service
	projects.Service
	apikeys.Service
	// Project reads one project, which only the live service can.
	Project(ctx context.Context, id string) (models.Project, error)
}

// Connection is a connection to the API with a key.
type Connection struct {
	API           API
	Account       *account.Account          // what is known of the key; nil: nothing
	KeyStore      apikeys.KeyStore          // verifies new keys, and replaces the key in use
	Journal       keys.Journal              // of what is changed; nil: none
	Memory        keys.Store                // remembers keys; nil: only the connection does
	KeyID         int64                     // the id of the key in use, or 0 if unknown
	KeyList       models.Opt[models.ListID] // the list of the key in use
	ReadOnly      string                    // why nothing may be changed, or empty
	Source        string                    // where the key came from, such as "key from the keyring"
	BaseURL, Host string                    // the address of the API, and its host name
	// Skew returns how far the service's clock is ahead, if known; may be nil.
	Skew func() models.Opt[time.Duration]
	// Now bounds the present by the service's clock; nil: nothing does.
	Now func() models.Moment
	// SetBudget sets the maximum number of requests a second; may be nil.
	SetBudget func(perSecond int)
	// Retry lets requests be sent again after a failure that only the user can end; may be nil.
	Retry   func()
	Warning string // shown to the user, such as that the key could not be saved; or empty
}

// ErrNoKey is the error of an [Authenticator] without any key.
var ErrNoKey = errors.New("no API key")

// Authenticator finds, verifies and saves API keys. It sends them only to the given address.
type Authenticator interface {
	// Open connects with the saved key without verifying it. It returns ErrNoKey if there is none.
	Open(ctx context.Context, baseURL string) (Connection, error)
	// SignIn verifies the key with requests to the service at baseURL, and saves it. A zero key is the one that Open would
	// find. The project is that of a key of one project, or empty.
	SignIn(ctx context.Context, baseURL string, key models.Secret, project string) (Connection, error)
	// Forget drops a refused key from memory, so that Open looks for another one.
	Forget(baseURL string)
}

// complete adds the account of a key that nothing is known of but what the user says.
func (c *Connection) complete(key account.Options) {
	if c.Account == nil {
		c.Account = account.New(key)
	}
}

// limit sets the maximum number of requests a second, unless it is 0.
func (c *Connection) limit(perSecond int) {
	if c.SetBudget != nil && perSecond > 0 {
		c.SetBudget(perSecond)
	}
}

// identified returns what the verified key is as a sentence, or "" if the service knows one kind only.
func (c *Connection) identified() string {
	switch c.Account.Kind() {
	case models.UnknownKey, models.AccountKey:
		return ""
	default:
		return "Signed in: " + c.Account.Describe() + "."
	}
}

// isOf reports whether the connection is to the account whose projects and keys are on the screen. The service tells, or
// else at least half of the projects must be the same, as some may be shared or deleted; without projects, one of the keys
// must be.
func (c *Connection) isOf(
	ctx context.Context, baseURL string, before shownAccount, clock func() time.Time,
) (bool, error) {
	const compared = 100 // projects are enough to distinguish accounts
	if c.BaseURL != baseURL {
		return false, nil
	}
	if c.Account.Kind() == models.UnknownKey {
		if err := c.Account.Identify(ctx, c.API, clock); err != nil {
			return false, err
		}
	}
	if now := c.Account.Identity(); now.ID != "" && before.identity.ID != "" {
		return now == before.identity, nil
	}
	lists := c.Account.Lists()
	if len(lists) == 0 {
		return false, nil
	}
	list, err := c.API.Projects(ctx, lists[0], models.PageRequest{Limit: compared})
	if err != nil {
		return false, err
	}
	shared := 0
	for _, listed := range list.Items {
		same := func(p models.Project) bool { return p.ID == listed.ID }
		if slices.ContainsFunc(before.projects, same) {
			shared++
		}
	}
	if len(list.Items)+len(before.projects) > 0 {
		return shared > 0 && 2*shared >= len(list.Items), nil
	}
	keyLists := c.Account.KeyLists()
	if len(before.keys) == 0 || len(keyLists) == 0 {
		return len(before.keys) == 0, nil
	}
	listed, err := c.API.APIKeys(ctx, keyLists[0])
	same := func(k models.APIKey) bool { return slices.Contains(before.keys, k.Ref()) }
	return slices.ContainsFunc(listed, same), err
}

// shownAccount is the account whose rows are on the screen.
type shownAccount struct {
	identity account.Identity
	projects []models.Project
	keys     []models.KeyRef
}

// Profile is an account of a service, with its settings.
type Profile struct {
	Name string
	// The address of the service and its host name, replaced by those of the connection.
	BaseURL, Host string
	Note          string        // shown when choosing, such as the organization
	Interval      time.Duration // the time between polls of the operations feed
	Window        time.Duration // the period of the feed's numbers; 0 is the page's default
	Since         moment.Time   // since when operations are loaded at first; zero is the page's default
	QuietFor      time.Duration // how long an old key must be quiet before it can go; 0: [keys.QuietFor]
	PageSize      int           // the number of operations per request
	Pinned        []string      // the ids of the projects polled in every cycle
	// SavePin remembers whether a project is pinned, as pinned returns when it is written. It runs off the UI's goroutine,
	// and is nil if nothing is remembered.
	SavePin       func(id string, pinned func() bool) error
	Project       string           // the id of the project to begin with, or empty
	Linked        string           // the id of the project that the current folder is linked to, or empty
	Key           account.Options  // what the user says about the key
	Budget        int              // the maximum number of requests a second for polling
	Color         string           // marks the header: a name such as red, or #rrggbb, or empty
	AlwaysType    bool             // every revocation must be confirmed by typing
	ConsoleURL    string           // template of the address of a row in the service's console, or empty
	Theme         string           // one of [style.ThemeNames]
	Times         string           // how times are shown, one of [style.TimesNames]
	Clock         func() time.Time // the service's time: by default, the program's
	Demo          bool             // the service is the built-in mock
	Settings      string           // of its connection and its pages, in a form to compare
	Authenticator Authenticator    // finds, verifies and saves the API keys
}

const unnamed = "default" // the profile of a configuration without profiles

// console returns the address of a row in the service's console, or zero.
func (p *Profile) console() models.Template {
	if p.ConsoleURL == "" {
		return models.Template{}
	}
	var known []string
	for id := range page.Count {
		known = append(known, Placeholders(id)...)
	}
	t, _ := models.ParseTemplate(p.ConsoleURL, known) // an invalid one is ignored
	return t
}

// openConsole opens the selected row in the browser, or shows its address if there is no browser.
func (s *session) openConsole(browser desktop.Browser) tea.Cmd {
	values := s.pages.front().ChosenValues()
	if values == nil {
		s.Notify(style.Waiting, "Nothing to open: no row is selected")
		return nil
	}
	address, err := s.current.Console.URL(values)
	if err != nil {
		s.Notify(style.Waiting, "Can't open the console: "+err.Error())
		return nil
	}
	text := func() string { return address }
	copied := page.Copy{Label: "the address", Text: models.NewSecret(address)}
	show := page.Open{Dialog: dialog.NewText("Open in your browser", "", text, func() { s.Emit(copied) })}
	if !browser.Known() {
		s.Emit(show)
		return nil
	}
	return s.afterwards(func(ctx context.Context) page.Effect {
		if browser.Open(ctx, address) != nil {
			return show
		}
		return page.Notice{Tone: style.Good, Text: "✓ opened in the browser: " + address}
	})
}

// label returns the profile's name in the header, if the user chose one, and the host.
func (p *Profile) label() string {
	if p.Demo || p.Name == "" || p.Name == unnamed && p.Color == "" {
		return p.Host
	}
	return p.Name + " · " + p.Host
}

// account returns the profile's name in a sentence.
func (p *Profile) account() string {
	if p.Demo || p.label() != p.Host {
		return "profile " + p.label()
	}
	return p.Host
}

// profiles returns all profiles, the one of the start first.
func (o *Options) profiles() []*Profile {
	all := []*Profile{&o.Profile}
	for i := range o.Others {
		all = append(all, &o.Others[i])
	}
	return all
}

func (o *Options) profileNames() (names []string) {
	for _, p := range o.profiles() {
		names = append(names, p.Name)
	}
	return names
}

// switchToName switches to the profile of a name.
func (s *session) switchToName(name string) tea.Cmd {
	return s.switchTo(s.options.profiles()[slices.Index(s.options.profileNames(), name)])
}

func (s *session) chooseProfile() {
	var items []*dialog.PickerItem
	for _, p := range s.options.profiles() {
		host, note, use := p.Host, p.Note, ""
		if p.Demo {
			host = ""
		}
		if p.Name == s.profile.Name {
			use = "in use"
			if s.live() && !p.Demo {
				note = s.connection.Source
			}
		}
		about := slices.DeleteFunc([]string{use, host, note}, func(part string) bool { return part == "" })
		items = append(items, &dialog.PickerItem{
			ID: p.Name, Title: p.Name, Note: strings.Join(about, " · "),
			Choose: func() tea.Cmd { return s.switchTo(p) },
		})
	}
	s.Open(dialog.NewPicker("Switch profile", items, s.profile.Name))
}
