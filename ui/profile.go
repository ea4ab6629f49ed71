package ui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/dialog"
)

// Profile is an account of a service, and how that is asked.
type Profile struct {
	Name string
	// BaseURL is the address of the service, and Host its name, as the connection has them once there is one.
	BaseURL, Host string
	// Note says what else there is to know when choosing, such as the organisation.
	Note string
	// Interval is the time between polls of the operations feed.
	Interval time.Duration
	// Window is the time that the strip of the feed counts, the page's own choice if it is 0.
	Window time.Duration
	// SearchBack is how far back failures and sorted rows are loaded, the page's own choice if it is 0.
	SearchBack time.Duration
	// PageSize is how many operations are asked for at once.
	PageSize int
	// Pinned are the ids of the projects that are asked at every poll.
	Pinned []string
	// Theme is one of [style.ThemeNames].
	Theme string
	// Times is how times are shown, one of [style.TimesNames].
	Times string
	// DemoCommands are what the service can be told besides its API.
	DemoCommands []DemoCommand
	// Clock is the service's own time, where that is not the program's; it may be nil.
	Clock func() time.Time
	// Demo reports that the service is the built-in mock.
	Demo bool
	// Authenticator finds, tries and keeps the API keys.
	Authenticator Authenticator
}

// clock is that of the profile, or the program's.
func (p *Profile) clock(program func() time.Time) func() time.Time {
	if p.Clock != nil {
		return p.Clock
	}
	return program
}

// unnamed is the profile of those who have no need for profiles.
const unnamed = "default"

// short returns the label where there is little room: the name, if the user gave one.
func (p *Profile) short() string {
	if p.Name == unnamed || p.Demo {
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

// chooseProfile lets the user choose another profile.
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
	s.Open(dialog.NewPicker("Switch to which profile?", items, s.profile.Name))
}
