package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Loaded is what the dashboard takes from the configuration.
type Loaded struct {
	Config

	Profiles []Profile // the one of the start first
	Keys     action.Map
}

// reload reads the configuration again, off the UI's goroutine.
func (m *Model) reload() tea.Cmd {
	load := m.session.options.Reload
	return func() tea.Msg {
		loaded, err := load()
		return reloaded{loaded, err}
	}
}

type reloaded struct {
	Loaded

	err error
}

// reloaded takes over a configuration. The rows stay unless the settings of the profile's connection or pages changed.
func (m *Model) reloaded(l reloaded) tea.Cmd {
	if l.err != nil {
		m.session.Notify(style.Bad, "Could not reload: "+l.err.Error())
		return nil
	}
	before, own, demo := *m.session.profile, m.session.options.Config, m.session.demo
	changed := l.Layout.Changed(m.layout.saved)
	m.layout.saved = l.Layout
	m.session.options.Config, m.session.options.Keys = l.Config, l.Keys
	m.session.options.Profile = l.Profiles[0]
	m.session.options.Others = slices.Clone(l.Profiles[1:])
	m.session.options.complete()
	m.session.demo = m.session.options.forDemo()
	m.session.options.keepUnsaved(&own, changed)
	m.session.demo.keepUnsaved(&demo, changed)
	m.declared.programs = m.session.options.actions(&m.session)
	m.labels = labelsOf(m.session.options)
	all := m.session.options.profiles()
	at := slices.IndexFunc(all, func(p *Profile) bool { return p.Name == before.Name })
	if at < 0 { // it is in use, and stays until the end
		m.session.options.Others = append(m.session.options.Others, before)
		all, at = m.session.options.profiles(), len(m.session.options.Others)
	}
	if all[at].Settings != before.Settings {
		cmd := m.session.switchTo(all[at])
		done := "Reloaded; settings of the profile " + before.Name + " changed, so it was opened again"
		m.session.Emit(l.notice(done))
		return cmd
	}
	m.session.Emit(l.notice("Reloaded the configuration"))
	return m.continueWith(all[at], &before)
}

// keepUnsaved brings into a configuration that was read again what is not saved of the one before. changed is what was
// changed in the saved layout.
func (c *Config) keepUnsaved(before *Config, changed page.Layout) {
	c.Layout = before.Layout
	c.Layout.Apply(changed)
	c.Views = query.ReloadedViews(before.Views, before.savedViews, c.Views)
}

// notice returns what was done, or what is wrong with the configuration.
func (l *Loaded) notice(done string) page.Notice {
	if l.Warning != "" {
		return page.Notice{Tone: style.Waiting, Text: l.Warning, Waits: true}
	}
	return page.Notice{Tone: style.Good, Text: "✓ " + done}
}

// continueWith continues the session with a profile that needs no other one.
func (m *Model) continueWith(p, before *Profile) tea.Cmd {
	m.session.profile, p.BaseURL, p.Host = p, before.BaseURL, before.Host
	p.Budget = before.Budget // the connection and the pages have it until the end
	m.applyTheme()
	if m.session.current == nil {
		return nil
	}
	m.session.current.Times, m.session.current.Console = m.session.times(), p.console()
	m.session.current.Layout = &m.session.config().Layout
	if !slices.Equal(p.Pinned, before.Pinned) {
		return m.session.toPage(page.Projects, page.Pins(p.Pinned))
	}
	return nil
}
