package ui_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	"pgtower/models/query"
	"pgtower/ui/page"
)

// reloads makes a reload return l, or err.
func reloads(l *ui.Loaded, err *error) func(*play.Backend, *ui.Options) {
	return func(_ *play.Backend, o *ui.Options) {
		o.ViewText = func(query.SavedView) string { return "" }
		o.SaveLayout = func(page.Layout) error { return errors.New("the disk is full") }
		l.Config, l.Profiles = o.Config, []ui.Profile{o.Profile}
		o.Reload = func() (ui.Loaded, error) { return *l, *err }
	}
}

func reload(p *play.Program) {
	p.Press(":")
	p.Type("reload")
	p.Press("enter")
	p.Wait(time.Second)
}

// Views, commands, layout and looks are taken over in place; the selection and what lasts until the end stay.
func TestReloadInPlace(t *testing.T) {
	t.Parallel()
	var l ui.Loaded
	var err error
	play.Run(t, 160, 30, reloads(&l, &err), func(p *play.Program) {
		p.Sees("failures_count")
		p.Press("down", "down", "d")
		before, generation := p.Model.Page(page.Operations).ViewState().Row, p.Model.Generation()
		l.Views = []query.SavedView{{Name: "Mine", Filter: "is:failed"}}
		l.Commands = []ui.Command{{Name: "tell", Page: "operations", Run: []string{"tell"}}}
		l.Layout.Operations = []string{"action", "created"}
		l.Profiles[0].Times = "utc"
		reload(p)
		p.Sees("Reloaded the configuration", " Mine", "CREATED UTC")
		p.SeesNot("STATUS")
		if got := p.Model.Page(page.Operations).ViewState().Row; got != before || p.Model.Generation() != generation {
			t.Errorf("%v instead of %v, session %d after %d", got, before, p.Model.Generation(), generation)
		}
		p.SeesNot("failures_count") // the pane stays closed
		p.Press(":")
		p.Type("tell")
		p.Sees("tell")
		p.Press("esc")
		l.Warning = "Ignored config.toml:1:1: something"
		reload(p)
		p.Sees("Ignored config.toml:1:1: something")
	})
}

// The budget that the user chose is the connection's and the pages' until the end.
func TestReloadKeepsTheBudget(t *testing.T) {
	t.Parallel()
	var l ui.Loaded
	var err error
	play.Run(t, 120, 30, reloads(&l, &err), func(p *play.Program) {
		p.Command("budget 7")
		reload(p)
		p.Press(":")
		p.Type("budget")
		p.Sees("change the request budget, now 7 a second")
	})
}

// Views and layout that could not be saved last until the end, also in the demo; what is new in the file wins.
func TestReloadKeepsWhatIsNotSaved(t *testing.T) {
	t.Parallel()
	var l ui.Loaded
	var err error
	begin := func(b *play.Backend, o *ui.Options) {
		play.WithOthers(b, o)
		reloads(&l, &err)(b, o)
		l.Profiles = append(l.Profiles, o.Others...)
		o.SaveView = func(v query.SavedView) error {
			if v.Name == "Kept" {
				return nil
			}
			return errors.New("the disk is full")
		}
		l.SaveView = o.SaveView
	}
	command := func(p *play.Program, typed string) {
		p.Press(":")
		p.Type(typed)
		p.Press("enter")
		p.Wait(time.Second)
	}
	play.Run(t, 160, 40, begin, func(p *play.Program) {
		for _, name := range []string{"Mine", "Other", "Kept"} {
			command(p, "save view "+name)
			p.Press("esc")
		}
		l.Views = []query.SavedView{{Name: "Other", Filter: "is:failed"}} // another program deleted Kept
		reload(p)
		p.Sees("Reloaded the configuration", " Mine ", " Other ")
		p.SeesNot(" Kept ")
		command(p, "view Other")
		p.Sees("/ is:failed")
		command(p, "profile demo")
		p.Sees(" Other ")
		p.SeesNot(" Mine ")
		command(p, "save view Ours")
		p.Press("esc")
		command(p, "delete view Other")
		reload(p)
		p.Sees("Reloaded the configuration", " Ours ")
		p.SeesNot(" Other ")
	})
}

// What a view runs changes, too.
func TestReloadOfAProgram(t *testing.T) {
	t.Parallel()
	var l ui.Loaded
	var err error
	r := &runner{}
	view := query.SavedView{Name: "Trouble", Filter: "is:failed", Run: []string{"tell", "before"}}
	play.Run(t, 160, 30, func(b *play.Backend, o *ui.Options) {
		alerting(r, view)(b, o)
		reloads(&l, &err)(b, o)
	}, func(p *play.Program) {
		p.Fail(1)
		p.Wait(10 * time.Second)
		view.Run = []string{"tell", "after"}
		l.Views = []query.SavedView{view}
		reload(p)
		p.Fail(1)
		p.Wait(10 * time.Second)
		if want := []string{"[tell before]", "[tell after]"}; !slices.Equal(r.args, want) {
			t.Errorf("%q", r.args)
		}
	})
}

// Settings of the connection begin another session of the same profile. An error changes nothing.
func TestReloadOfTheConnection(t *testing.T) {
	t.Parallel()
	var l ui.Loaded
	var err error
	play.Run(t, 160, 30, reloads(&l, &err), func(p *play.Program) {
		generation := p.Model.Generation()
		err = errors.New("config.toml:1:1: what: unknown setting")
		reload(p)
		p.Sees("Could not reload: config.toml:1:1: what: unknown setting")
		if p.Model.Generation() != generation {
			t.Error("the session ended")
		}
		err, l.Profiles[0].Interval, l.Profiles[0].Settings = nil, time.Minute, "others"
		reload(p)
		p.Sees("live, every 1m", "settings of the profile default changed")
	})
}
