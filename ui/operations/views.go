package operations

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// views are the saved views and the built-in ones. A view is in force while the screen matches it, however the user got
// there.
type views struct {
	session *page.Session
	own     *[]query.SavedView            // the user's
	save    func(query.SavedView) error   // saves a view; it may block. Nil if impossible
	forget  func(string) error            // deletes a saved view by its name; it may block. Nil if none is saved
	text    func(query.SavedView) string  // returns a view as a part of a configuration file
	unsaved string                        // why save is nil
	last    string                        // the name of the view chosen last; others may match, too
	screen  func() query.SavedView        // what is shown, without name and columns
	show    func(query.SavedView) tea.Cmd // goes to a view
	chosen  func() []string               // the columns that are shown, if the user chose them
	check   func(query.SavedView) error   // what is wrong with its filter, or nil
	changed func() tea.Cmd                // called after each change of the views
}

// every returns the views of the operations.
func (v *views) every() []query.SavedView {
	return slices.DeleteFunc(query.Views(*v.own), func(view query.SavedView) bool { return !view.OfOperations() })
}

// inForce returns the views of the operations as they are in the profile of the session.
func (v *views) inForce() []query.SavedView {
	views := v.every()
	for i := range views {
		views[i] = query.InProfile(views[i], v.session.Profile)
	}
	return views
}

// filterOf returns the filter of the view with a name.
func (v *views) filterOf(name string) string {
	views := v.every()
	return views[query.ViewIndex(views, name)].Filter
}

// current returns the view in force, if any.
func (v *views) current() (view query.SavedView, ok bool) {
	now := v.screen()
	for _, candidate := range v.every() {
		agrees := (candidate.Project == "" || candidate.Project == now.Project) && candidate.Filter == now.Filter
		agrees = agrees && (candidate.Sort == "" || candidate.Sort == now.Sort)
		if agrees && (!ok || candidate.Name == v.last) {
			view, ok = candidate, true
		}
	}
	return view, ok
}

// columns returns the columns of the view in force, or none.
func (v *views) columns() []string {
	view, _ := v.current()
	return view.Columns
}

func (v *views) keepColumns(names []string) tea.Cmd {
	view, _ := v.current()
	view.Columns = names
	return v.write(view, v.columnsSaved)
}

// actions declares the actions that go to a view, save or delete one, or make one ring.
func (v *views) actions() action.Group {
	return action.Group{Title: "Views", Actions: []*action.Action{
		{
			ID: "alert", Title: "ring for what the filter matches", Keywords: []string{"bell", "sound", "notify"},
			Arg: action.Choice(onOrOff, v.ring),
		},
		{
			ID: "view", Title: "go to a view",
			Arg: &action.Arg{Example: "name", Complete: v.complete, Parse: v.parse},
		},
		{
			ID: "save", Title: "save what is shown as a view",
			Arg: &action.Arg{Example: "view NAME", Parse: v.parseSave},
		},
		{
			ID: "delete", Title: "delete a saved view",
			Arg: &action.Arg{Example: "view NAME", Complete: v.completeDelete, Parse: v.parseDelete},
		},
	}}
}

func onOrOff() []string { return []string{"on", "off"} }

// complete proposes views whose names contain what was typed.
func (v *views) complete(typed string) (out []action.Value) {
	for _, view := range query.Views(*v.own) {
		if strings.Contains(strings.ToLower(view.Name), strings.ToLower(typed)) {
			out = append(out, action.Value{Text: view.Name, Note: view.Filter})
		}
	}
	return out
}

// parse takes the name of a view, to show it.
func (v *views) parse(name string) (func() tea.Cmd, error) {
	view, err := query.FindView(*v.own, name)
	return action.With(v.show, view), err
}

// parseSave takes "view NAME".
func (v *views) parseSave(arg string) (func() tea.Cmd, error) {
	name, ok := strings.CutPrefix(arg, "view ")
	if !ok {
		return nil, errors.New("write save view NAME")
	}
	name = strings.TrimSpace(name)
	return action.With(v.keep, name), query.CheckViewName(name)
}

// keep saves the screen as a view. It asks before it replaces another one.
func (v *views) keep(name string) tea.Cmd {
	view := v.screen()
	view.Name, view.Columns = name, v.chosen()
	err := v.check(view)
	if err != nil {
		v.session.Notify(style.Bad, "The view was not saved: "+err.Error())
		return nil
	}
	views := query.Views(*v.own)
	index := query.ViewIndex(views, name)
	if index < 0 {
		return v.write(view, v.saved)
	}
	v.session.Open(dialog.NewConfirm(dialog.Question{
		Title: "Replace the view " + views[index].Name + "?", Lines: replaced(&views[index], &view),
		Verb:    "Replace",
		Confirm: func() tea.Cmd { return v.write(view, v.saved) },
	}))
	return nil
}

func (v *views) completeDelete(typed string) []action.Value {
	var names []string
	for _, view := range *v.own {
		names = append(names, "view "+view.Name)
	}
	return action.Containing(names, typed)
}

// parseDelete takes "view NAME".
func (v *views) parseDelete(arg string) (func() tea.Cmd, error) {
	name, ok := strings.CutPrefix(arg, "view ")
	if !ok {
		return nil, errors.New("write delete view NAME")
	}
	name = strings.TrimSpace(name)
	if query.ViewIndex(*v.own, name) < 0 {
		return nil, errors.New("no saved view has this name")
	}
	return action.With(v.delete, name), nil
}

// delete forgets a view. A built-in one that it replaced comes back.
func (v *views) delete(name string) tea.Cmd {
	forget := v.forget
	if forget == nil {
		return v.deleted(name, nil)
	}
	work := func(context.Context) (string, error) { return name, forget(name) }
	return page.Call(v.session, page.Operations, work, v.deleted)
}

func (v *views) deleted(name string, err error) tea.Cmd {
	if err != nil {
		v.session.Notify(style.Waiting, "Could not delete the view "+name+": "+err.Error())
		return nil
	}
	*v.own = slices.DeleteFunc(*v.own, func(view query.SavedView) bool { return view.Named(name) })
	v.session.Notify(style.Good, "✓ Deleted the view "+name)
	return v.changed()
}

// replaced describes what changes when next replaces a view. Its alert and program stay.
func replaced(v, next *query.SavedView) []dialog.Line {
	lines := []dialog.Line{
		{Tone: style.Muted, Text: "Current filter: " + cmp.Or(v.Filter, "none")},
		{Text: "New filter: " + cmp.Or(next.Filter, "none")},
	}
	effect := when(v.Alerts(), "alerts")
	if len(v.Run) > 0 {
		effect += " and runs " + v.Run[0]
	}
	if effect != "" {
		text := "This view " + effect + ". It will do so for each new operation that matches the new filter."
		lines = append(lines, dialog.Line{}, dialog.Line{Tone: style.Waiting, Text: text})
	}
	if v.Named(query.FailedView) || v.Named(query.UnfinishedView) {
		text := "The action “show only " + strings.ToLower(v.Name) + "” will use the new filter."
		lines = append(lines, dialog.Line{}, dialog.Line{Tone: style.Waiting, Text: text})
	}
	return lines
}

// write saves a view. Its alert and program stay those of the user's view of the same name.
func (v *views) write(view query.SavedView, done func(query.SavedView, error) tea.Cmd) tea.Cmd {
	saved := v.named(view)
	view.Alert, view.Run, view.Profiles = saved.Alert, saved.Run, saved.Profiles
	return v.store(view, done)
}

// named returns the user's view of the same name as it is now, or this one if it was deleted.
func (v *views) named(view query.SavedView) query.SavedView {
	index := query.ViewIndex(*v.own, view.Name)
	if index < 0 {
		return view
	}
	return (*v.own)[index]
}

// store saves a view as it is off the UI's goroutine, and continues with done.
func (v *views) store(view query.SavedView, done func(query.SavedView, error) tea.Cmd) tea.Cmd {
	save := v.save
	if save == nil {
		return done(view, errors.New(v.unsaved))
	}
	work := func(context.Context) (query.SavedView, error) { return view, save(view) }
	return page.Call(v.session, page.Operations, work, done)
}

// saved uses a view that the user saved, and shows it as a part of the configuration file. If it could not be saved, it lasts
// until the end of the program.
func (v *views) saved(view query.SavedView, err error) tea.Cmd {
	title, about := "Saved the view "+view.Name, "pgtower remembers it. As a part of config.toml, it would be:"
	if err != nil {
		title += " until you quit"
		about = style.Sentence(err.Error()) + ". To keep the view, write it into config.toml:"
	}
	text := func() string { return v.text(v.named(view)) }
	viewer := dialog.NewText(title, about, text, func() {
		v.session.Emit(page.Copy{Label: "the view " + view.Name, Text: models.NewSecret(text())})
	})
	if view.Filter != "" { // without one, it would ring for every operation
		viewer.Add(v.bell(view))
	}
	v.session.Open(viewer)
	return v.use(view)
}

// columnsSaved uses a view with other columns.
func (v *views) columnsSaved(view query.SavedView, err error) tea.Cmd {
	if err != nil {
		v.session.Notify(style.Waiting, "The columns of "+view.Name+" last until you quit: "+err.Error())
	}
	return v.use(view)
}

// use makes a view one of the user's, and the one in force.
func (v *views) use(view query.SavedView) tea.Cmd {
	*v.own = query.PutView(*v.own, view)
	v.last = view.Name
	return v.changed()
}
