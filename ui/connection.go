package ui

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/apikeys"
	"pgtower/ui/desktop"
	"pgtower/ui/dialog"
	"pgtower/ui/operations"
	"pgtower/ui/page"
	"pgtower/ui/projects"
	"pgtower/ui/style"
)

// API is what the pages ask of the control API.
type API interface {
	operations.Service
	projects.Service
	apikeys.Service
}

// Connection is a way to the API with a key.
type Connection struct {
	API           API
	KeyStore      apikeys.KeyStore // tries new keys, and saves one in place of that which the API is asked with
	KeyID         int64            // the id of that key, or 0 where it is not known
	ReadOnly      string           // why nothing may be changed, or is empty
	Source        string           // where the key came from, such as "key from the keyring"
	BaseURL, Host string           // BaseURL is the address that the API is asked at, and Host its name
	// Skew returns how far the service's clock is ahead, as far as that is known; it may be nil.
	Skew func() models.Opt[time.Duration]
	// SetBudget changes how many requests start in any second at most; it may be nil.
	SetBudget func(perSecond int)
	Warning   string // something that the user should know, such as that the key could not be kept; or empty
}

// ErrNoKey is what a [Authenticator] returns where no key was ever given.
var ErrNoKey = errors.New("no API key")

// Authenticator finds, tries and keeps API keys, and asks only the service at the address it is given.
type Authenticator interface {
	// Open connects with the key that is there already, untried. It returns ErrNoKey if there is none.
	Open(ctx context.Context, baseURL string) (Connection, error)
	// SignIn tries the key with a request to the service at baseURL, and keeps it if the service accepts it.
	SignIn(ctx context.Context, baseURL string, key models.Secret) (Connection, error)
	// Forget drops a refused key from memory, so that Open looks for one anew.
	Forget(baseURL string)
}

// isOf reports whether a connection is to the account of the projects and keys: it has at least half of the projects
// that are listed for the connection, as one may be shared or deleted, or else, without projects, one of the keys.
func (c *Connection) isOf(ctx context.Context, baseURL string, projects []models.Project, keys []int64) (bool, error) {
	const compared = 100 // projects tell accounts apart
	if c.BaseURL != baseURL {
		return false, nil
	}
	list, err := c.API.Projects(ctx, models.PageRequest{Limit: compared})
	if err != nil {
		return false, err
	}
	known := 0
	for _, listed := range list.Items {
		if slices.ContainsFunc(projects, func(p models.Project) bool { return p.ID == listed.ID }) {
			known++
		}
	}
	if len(list.Items)+len(projects) > 0 {
		return known > 0 && 2*known >= len(list.Items), nil
	}
	if len(keys) == 0 {
		return true, nil
	}
	listed, err := c.API.APIKeys(ctx)
	return slices.ContainsFunc(listed, func(k models.APIKey) bool { return slices.Contains(keys, k.ID) }), err
}

// Profile is an account of a service, and how that is asked.
type Profile struct {
	Name string
	// BaseURL is the address of the service, and Host its name, as the connection has them once there is one.
	BaseURL, Host string
	Note          string           // what else there is to know when choosing, such as the organisation
	Interval      time.Duration    // the time between polls of the operations feed
	Window        time.Duration    // the time that the strip of the feed counts, the page's own choice if it is 0
	SearchBack    time.Duration    // how far back failures and sorted rows are loaded, the page's own choice if it is 0
	PageSize      int              // how many operations are asked for at once
	Pinned        []string         // the ids of the projects that are asked at every poll
	Project       string           // the id of the project to begin with, or empty
	Budget        int              // how many requests a second polling may make
	Color         string           // marks the header: a name such as red, or #rrggbb, or empty
	AlwaysType    bool             // every revocation wants the name or the number typed
	ConsoleURL    string           // template of the address of a row in the service's console, or empty
	Theme         string           // one of [style.ThemeNames]
	Times         string           // how times are shown, one of [style.TimesNames]
	DemoCommands  []DemoCommand    // what the service can be told besides its API
	Clock         func() time.Time // the service's own time, that of the program if it is left out
	Demo          bool             // the service is the built-in mock
	Authenticator Authenticator    // finds, tries and keeps the API keys
}

const unnamed = "default" // the profile of those who have no need for profiles

// console is the address of a row in the service's console, or zero.
func (p *Profile) console() models.Template {
	if p.ConsoleURL == "" {
		return models.Template{}
	}
	var known []string
	for id := range page.Count {
		known = append(known, Placeholders(id)...)
	}
	t, _ := models.ParseTemplate(p.ConsoleURL, known) // one that is wrong is none
	return t
}

// openConsole opens the selected row in the browser. Where there is none, it shows the address.
func (s *session) openConsole(browser desktop.Browser) tea.Cmd {
	values := s.pages[s.active].ChosenValues()
	if values == nil {
		s.Notify(style.Waiting, "Nothing to open: no row is selected")
		return nil
	}
	address, err := s.current.Console.URL(values)
	if err != nil {
		s.Notify(style.Waiting, "Can't open the console: "+err.Error())
		return nil
	}
	show := page.Open{Dialog: dialog.NewText("Open in your browser", address, func() {
		s.Emit(page.Copy{Label: "the address", Text: models.NewSecret(address)})
	})}
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

// short returns the label where there is little room: the name, if the user gave one.
func (p *Profile) short() string {
	if p.Name == unnamed && p.Color == "" || p.Demo {
		return p.Host
	}
	return cmp.Or(p.Name, p.Host)
}

// label returns what the header calls the profile.
func (p *Profile) label() string {
	if p.short() == p.Host {
		return p.Host
	}
	return p.Name + " · " + p.Host
}

// account returns the label where nothing says that it is a profile's.
func (p *Profile) account() string {
	if p.Demo || p.label() != p.Host {
		return "profile " + p.label()
	}
	return p.Host
}

// inConfig is what the configuration calls the profile, empty where it has none.
func (p *Profile) inConfig() string {
	if p.Demo {
		return ""
	}
	return cmp.Or(p.Name, unnamed)
}

// profiles are those that can be switched to, the first one being that of the start.
func (o *Options) profiles() []*Profile {
	all := []*Profile{&o.Profile}
	for i := range o.Others {
		all = append(all, &o.Others[i])
	}
	return all
}

func (s *session) chooseProfile() {
	var items []dialog.PickerItem
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
		about := slices.DeleteFunc([]string{host, note, use}, func(s string) bool { return s == "" })
		items = append(items, dialog.PickerItem{
			ID: p.Name, Title: p.Name, Note: strings.Join(about, " · "), Choose: func() tea.Cmd { return s.switchTo(p) },
		})
	}
	s.Open(dialog.NewPicker("Switch profile", items, s.profile.Name))
}
