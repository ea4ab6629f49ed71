package ui

import (
	"errors"
	"testing"
	"time"

	"pgtower/models/query"
	"pgtower/ui/page"
)

// reloads makes a reload return l, or err.
func reloads(l *Loaded, err *error) func(*backend, *Options) {
	return func(_ *backend, o *Options) {
		o.ViewText = func(query.SavedView) string { return "" }
		o.SaveLayout = func(page.Layout) error { return errors.New("the disk is full") }
		l.Config, l.Profiles = o.Config, []Profile{o.Profile}
		o.Reload = func() (Loaded, error) { return *l, *err }
	}
}

func (p *program) reload() {
	p.Press(":")
	p.Type("reload")
	p.Press("enter")
	p.Wait(time.Second)
}

// Views, commands, layout and looks are taken over in place; the selection and what lasts until the end stay.
func TestReloadInPlace(t *testing.T) {
	t.Parallel()
	var l Loaded
	var err error
	play(t, 160, 30, reloads(&l, &err), func(p *program) {
		p.Press("down", "down", "d")
		before, generation := p.model.session.pages.all[page.Operations].ViewState().Row, p.model.session.generation
		pane := p.model.session.options.Layout.Pane
		l.Views = []query.SavedView{{Name: "Mine", Filter: "is:failed"}}
		l.Commands = []Command{{Name: "tell", Page: "operations", Run: []string{"tell"}}}
		l.Layout.Operations = []string{"action", "created"}
		l.Profiles[0].Times = "utc"
		p.reload()
		p.sees("Reloaded the configuration", " Mine", "CREATED UTC")
		p.seesNot("STATUS")
		if got := p.model.session.pages.all[page.Operations].ViewState().Row; got != before || p.model.session.generation != generation {
			t.Errorf("%v instead of %v, session %d after %d", got, before, p.model.session.generation, generation)
		}
		if p.model.session.options.Layout.Pane != pane || p.model.session.current.Layout != &p.model.session.options.Layout {
			t.Error("the pane is forgotten")
		}
		p.Press(":")
		p.Type("tell")
		p.sees("tell")
		p.Press("esc")
		l.Warning = "Ignored config.toml:1:1: something"
		p.reload()
		p.sees("Ignored config.toml:1:1: something")
	})
}

// Settings of the connection begin another session of the same profile. An error changes nothing.
func TestReloadOfTheConnection(t *testing.T) {
	t.Parallel()
	var l Loaded
	var err error
	play(t, 160, 30, reloads(&l, &err), func(p *program) {
		generation := p.model.session.generation
		err = errors.New("config.toml:1:1: what: unknown setting")
		p.reload()
		p.sees("Could not reload: config.toml:1:1: what: unknown setting")
		if p.model.session.generation != generation {
			t.Error("the session ended")
		}
		err, l.Profiles[0].Interval, l.Profiles[0].Settings = nil, time.Minute, "others"
		p.reload()
		p.sees("live, every 1m", "settings of the profile default changed")
	})
}
