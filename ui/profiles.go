package ui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/dialog"
	"pgtower/ui/page"
)

// Profile is an account of a service, and how that is asked.
type Profile struct {
	Name string
	// BaseURL is the address of the service, and Host its name: those of the connection
	// once there is one, and what the program asks for until then.
	BaseURL, Host string
	// Note says what else there is to know when choosing, such as the organisation.
	Note string
	// Interval is the time between polls of the operations feed.
	Interval time.Duration
	// Window is the time that the strip of the feed counts, the page's own choice if it is 0.
	Window time.Duration
	// SearchBack is how far back failures and sorted rows are loaded, the page's own choice if it
	// is 0.
	SearchBack time.Duration
	// PageSize is how many operations are asked for at once.
	PageSize int
	// Pinned are the ids of the projects that are asked at every poll.
	Pinned []string
	// Theme is one of [style.ThemeNames].
	Theme string
	// Times is how times are shown, one of [style.TimesNames].
	Times string
	// Knobs are what the service can be told besides its API.
	Knobs []Knob
	// Clock is the service's own time, where that is not the program's; it may be nil.
	Clock func() time.Time
	// Demo says that the service is the built-in mock.
	Demo bool
	// Gateway finds, tries and keeps the API keys.
	Gateway Gateway
}

// clock is that of the profile.
func (m *Model) clock() func() time.Time {
	if m.profile.Clock != nil {
		return m.profile.Clock
	}
	return m.options.Clock
}

// unnamed is the profile of those who have no need for profiles.
const unnamed = "default"

// label is what the header calls the profile.
func (p *Profile) label() string {
	if p.Name == "" || p.Name == unnamed || p.Demo {
		return p.Host
	}
	return p.Name + " · " + p.Host
}

// account is the label where nothing says that it is a profile's.
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

// short is the label where there is little room.
func (p *Profile) short() string {
	if p.label() == p.Host {
		return p.Host
	}
	return p.Name
}

// switchTo is the choice of a profile.
type switchTo struct{ profile *Profile }

func (m *Model) allProfiles() []*Profile {
	all := []*Profile{&m.options.Profile}
	for i := range m.options.Others {
		all = append(all, &m.options.Others[i])
	}
	return all
}

// chooseProfile lets the person choose another profile.
func (m *Model) chooseProfile() {
	var items []dialog.PickerItem
	for _, p := range m.allProfiles() {
		about := []string{p.Host}
		if p.Demo {
			about = nil
		}
		switch {
		case p.Name == m.profile.Name && m.signedIn() && !p.Demo:
			about = append(about, m.session.source, "in use")
		case p.Name == m.profile.Name:
			about = append(about, p.Note, "in use")
		case p.Note != "":
			about = append(about, p.Note)
		}
		items = append(items, dialog.PickerItem{ID: p.Name, Title: p.Name, Note: strings.Join(about, " · "), Then: switchTo{p}})
	}
	m.dialogs = append(m.dialogs, dialog.NewPicker("Switch to which profile?", items, m.profile.Name))
}

// demo is the profile of the built-in mock, or nil.
func (m *Model) demo() *Profile {
	all := m.allProfiles()
	if i := slices.IndexFunc(all, func(p *Profile) bool { return p.Demo }); i >= 0 {
		return all[i]
	}
	return nil
}

func (m *Model) turnToDemo() tea.Cmd {
	if p := m.demo(); p != nil {
		return m.turnToProfile(p)
	}
	return nil
}

// turnToProfile leaves the session, of which nothing stays, and opens one of the profile.
func (m *Model) turnToProfile(p *Profile) tea.Cmd {
	m.end()
	m.session = session{generation: m.session.generation + 1}
	m.dialogs, m.signin, m.toast.Notice = nil, nil, page.Notice{}
	m.forgetAccount()
	m.profile = p
	m.now = m.clock()()
	m.chooseTheme()
	return m.openSession(p.BaseURL)
}
