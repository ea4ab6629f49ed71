package operations

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/style"
)

// ring turns the bell of the view in force on or off. If no view is in force, it makes one that has the filter as its name.
func (v *views) ring(word string) tea.Cmd {
	view, current := v.current()
	if !current || view.Filter == "" {
		view = v.screen()
		view.Name = query.ViewName(view.Filter, v.every())
	}
	err := v.check(view)
	switch {
	case view.Filter == "" && word == "off":
		v.session.Notify(style.Waiting, "Nothing rings here: go to the view or the filter that does (:view)")
		return nil
	case view.Filter == "":
		v.session.Notify(style.Waiting, "Set a filter first (/): without one, every operation would ring")
		return nil
	case err != nil:
		v.session.Notify(style.Bad, "The alert was not changed: "+err.Error())
		return nil
	case word == "on":
		return v.store(query.Ring(view, v.session.Profile), v.rings)
	}
	index := query.ViewIndex(*v.own, view.Name)
	if index < 0 || !query.InProfile((*v.own)[index], v.session.Profile).Alert {
		v.session.Notify(style.Waiting, view.Name+" does not ring")
		return nil
	}
	silent := query.Silence(view, v.session.Profile)
	if !silent.Alert && (view.Name == query.ViewName(view.Filter, v.every()) || builtIn(&view)) {
		return v.delete(view.Name)
	}
	return v.store(silent, v.rings)
}

// builtIn reports whether a view is a built-in one but for its alert.
func builtIn(view *query.SavedView) bool {
	views := query.Views(nil)
	index := query.ViewIndex(views, view.Name)
	onlyRings := len(view.Run)+len(view.Columns) == 0 && view.Sort == ""
	return onlyRings && index >= 0 && views[index].Filter == view.Filter
}

// bell is the control that makes a saved view ring.
func (v *views) bell(view query.SavedView) dialog.Switch {
	return dialog.Switch{
		Label: "Ring when an operation first matches", Title: "ring", Key: "r",
		On: func() bool { return v.ringing(view) }, Turn: action.With(v.turnBell, view),
	}
}

// ringing reports whether the user's view of the same name rings now.
func (v *views) ringing(view query.SavedView) bool {
	return query.InProfile(v.named(view), v.session.Profile).Alert
}

func (v *views) turnBell(view query.SavedView) tea.Cmd {
	if v.ringing(view) {
		return v.store(query.Silence(v.named(view), v.session.Profile), v.rings)
	}
	return v.store(query.Ring(v.named(view), v.session.Profile), v.rings)
}

// rings uses a view that was saved with another alert, and tells the user.
func (v *views) rings(view query.SavedView, err error) tea.Cmd {
	notice := "✓ The view " + view.Name + " rings when an operation first matches; : alert off ends it"
	if !query.InProfile(view, v.session.Profile).Alert {
		notice = "✓ The view " + view.Name + " no longer rings"
	}
	tone := style.Good
	if err != nil {
		tone, notice = style.Waiting, notice+". Until you quit: "+err.Error()
	}
	v.session.Notify(tone, notice)
	return v.use(view)
}
