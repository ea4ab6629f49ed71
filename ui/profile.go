package ui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/control"
	"pgtower/models/settings"
	"pgtower/ui/action"
	"pgtower/ui/desktop"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Profile is an account of a service, with its settings in force. The address is replaced by that of the connection.
type Profile struct {
	settings.Profile

	Host    string // of the address, also replaced
	Note    string // shown when choosing, such as the organization
	KeysURL string // where the service's console makes API keys, or empty
	// SavePin remembers whether a project is pinned: the answer of pinned at the time of writing. It runs off the UI's
	// goroutine, and is nil if nothing is remembered.
	SavePin func(id string, pinned func() bool) error
	// LastSeen is when its operations were last read in an earlier run, by the service's clock; zero: unknown. KeepSeen
	// remembers it for the next one; it may be nil.
	LastSeen      time.Time
	KeepSeen      func(time.Time)
	Linked        string                // the id of the project that the current folder is linked to, or empty
	Key           account.Options       // the user's settings about the key
	Computer      string                // the name of this computer, for that of its own key, or empty
	Clock         func() time.Time      // the service's time: by default, the program's
	Demo          bool                  // the service is the built-in mock
	Authenticator control.Authenticator // finds, verifies and saves the API keys
}

const unnamed = settings.Default // the profile of a configuration without profiles

// console returns the address of a row in the service's console, or zero.
func (p *Profile) console() models.Template {
	if p.ConsoleURL == "" {
		return models.Template{}
	}
	var names []string
	for id := range page.Count {
		names = append(names, Placeholders(id)...)
	}
	t, _ := models.ParseTemplate(p.ConsoleURL, names) // an invalid one is ignored
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
	return s.openAddress(browser, address)
}

// opened is the effect of opening an address, which may come when no session is open.
type opened struct{ effect page.Effect }

// openAddress opens an address in the browser, or shows it if there is no browser.
func (s *session) openAddress(browser desktop.Browser, address string) tea.Cmd {
	text := func() string { return address }
	copied := page.Copy{Label: "the address", Text: models.NewSecret(address)}
	show := page.Open{Dialog: dialog.NewText("Open in your browser", "", text, func() { s.Emit(copied) })}
	if !browser.Known() {
		s.Emit(show)
		return nil
	}
	ctx := s.ctx
	return func() tea.Msg { return openIn(ctx, browser, address, show) }
}

// openIn opens an address in the browser. If that fails, instead is the effect.
func openIn(ctx context.Context, browser desktop.Browser, address string, instead page.Effect) opened {
	if browser.Open(ctx, address) != nil {
		return opened{instead}
	}
	return opened{page.Notice{Tone: style.Good, Text: "✓ opened in the browser: " + address}}
}

// label returns the profile's name, if the user chose one, and the host.
func (p *Profile) label() string {
	if !p.named() {
		return p.Host
	}
	return p.Name + " · " + p.Host
}

// named reports whether the user chose the profile's name.
func (p *Profile) named() bool {
	return !p.Demo && p.Name != "" && (p.Name != unnamed || p.Color != "")
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
	profiles := []*Profile{&o.Profile}
	for i := range o.Others {
		profiles = append(profiles, &o.Others[i])
	}
	return profiles
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
		items = append(items, &dialog.PickerItem{
			ID: p.Name, Title: p.Name, Note: joined(use, host, note),
			Choose: action.With(s.switchTo, p),
		})
	}
	s.Open(dialog.NewPicker("Switch profile", items, s.profile.Name))
}
