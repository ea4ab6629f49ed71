package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// View is a named combination of filter, project, order and columns. Empty fields leave the screen as it is.
type View struct {
	Name, Filter, Project string // Project is an id, or all
	Sort                  string // a column, with - before it to reverse the order; - alone reverses the order by time
	Columns               []string
	Alert                 bool     // the bell rings when an operation first matches, shown or not
	Run                   []string // a program to run then, and its arguments
}

const allProjects = "all" // the Project of a view of all projects

const failedView, unfinishedView = "Failed", "Unfinished"

// Views returns the built-in views and those of the user. A user's view replaces a built-in one with the same name.
func Views(own []View) []View {
	all := []View{
		{Name: "All"},
		{Name: failedView, Filter: failedQuery},
		{Name: unfinishedView, Filter: unfinishedQuery},
		{Name: "Slow", Filter: "is:slow"},
	}
	for _, v := range own {
		if at := viewOf(all, v.Name); at >= 0 {
			all[at] = v
		} else {
			all = append(all, v)
		}
	}
	return all
}

// viewOf returns the index of the view with a name, or -1.
func viewOf(views []View, name string) int {
	return slices.IndexFunc(views, func(v View) bool { return strings.EqualFold(v.Name, name) })
}

// FindView returns the view with a name, ignoring case, or an error with the known names.
func FindView(own []View, name string) (View, error) {
	all := Views(own)
	if at := viewOf(all, name); at >= 0 {
		return all[at], nil
	}
	var names []string
	for _, v := range all {
		names = append(names, v.Name)
	}
	return View{}, models.Unknown("view", name, names)
}

// views are the views and their counts of loaded operations. A view is in force while the screen matches it, however the
// user got there.
type views struct {
	*state

	own     *[]View            // the user's
	save    func(View) error   // saves a view; it may block. Nil if impossible
	forget  func(string) error // deletes a saved view by its name; it may block. Nil if none is saved
	text    func(View) string  // returns a view as a part of a configuration file
	unsaved string             // why save is nil
	last    string             // the name of the view chosen last; others may match, too

	counts map[string]int // by name, if known
	busy   bool           // a count is running
	again  bool           // something has changed since it began
	tabs   []viewTab      // as last drawn
}

// viewTab is a tab, and the cell that it ends before.
type viewTab struct {
	view View
	end  int
}

// viewCounts are the counts of a timeline.
type viewCounts struct {
	of     *feed.Timeline
	counts map[string]int
}

func (v *views) every() []View { return Views(*v.own) }

// filter returns the filter of the view with a name.
func (v *views) filter(name string) string {
	all := v.every()
	return all[viewOf(all, name)].Filter
}

// current returns the view in force, if any.
func (v *views) current() (view View, ok bool) {
	for _, one := range v.every() {
		project := one.Project == "" || one.Project == allProjects && v.all() || one.Project == v.project.ID
		agrees := project && one.Filter == v.table.Query() && (one.Sort == "" || one.Sort == v.order())
		if agrees && (!ok || one.Name == v.last) {
			view, ok = one, true
		}
	}
	return view, ok
}

// order returns the order of the rows in the form of [View.Sort].
func (v *views) order() string {
	column, reverse := v.table.Sorted()
	name := ""
	if column != table.DefaultOrder {
		name = v.table.ColumnNames()[column]
	}
	if reverse {
		return "-" + name
	}
	return name
}

func (v *views) sort(order string) tea.Cmd {
	name, reverse := strings.CutPrefix(order, "-")
	return v.table.SortBy(slices.Index(v.table.ColumnNames(), name), reverse) // the default order has no column
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

// turnToView applies a view. Settings of the previous view that this one leaves out return to their defaults.
func (p *Page) turnToView(to View) tea.Cmd {
	from, _ := p.views.current()
	project := p.project
	switch {
	case to.Project == allProjects, to.Project == "" && from.Project != "":
		project = models.Project{}
	case to.Project != "" && to.Project != project.ID:
		project = models.Project{ID: to.Project}
		if i := slices.IndexFunc(p.list.Projects, func(l models.Project) bool { return l.ID == to.Project }); i >= 0 {
			project = p.list.Projects[i]
		}
	}
	cmd := p.showOperations(page.ShowOperations{Project: project})
	p.statistics, p.views.last = nil, to.Name
	if to.Sort != "" || from.Sort != "" {
		cmd = tea.Batch(cmd, p.views.sort(to.Sort))
	}
	return tea.Batch(cmd, p.table.SetQuery(to.Filter))
}

// showView returns a function that goes to a view, from any page.
func (p *Page) showView(to View) func() tea.Cmd {
	return func() tea.Cmd {
		cmd := p.turnToView(to)
		p.session.Emit(page.ShowOperations{Project: p.project})
		return cmd
	}
}

// actions declares the actions that go to a view, by show, and the one that saves a view.
func (v *views) actions(show func(View) func() tea.Cmd) action.Group {
	complete := func(typed string) (out []action.Value) {
		for _, view := range v.every() {
			if strings.Contains(strings.ToLower(view.Name), strings.ToLower(typed)) {
				out = append(out, action.Value{Text: view.Name, Note: view.Filter})
			}
		}
		return out
	}
	choose := func(arg string) (func() tea.Cmd, error) {
		view, err := FindView(*v.own, arg)
		return show(view), err
	}
	return action.Group{Title: "Views", Actions: []action.Action{
		{ID: "view", Title: "go to a view", Arg: &action.Arg{Example: "name", Complete: complete, Parse: choose}},
		{
			ID: "save", Title: "save what is shown as a view", Arg: &action.Arg{Example: "view NAME", Parse: v.parseSave},
		},
		{
			ID: "delete", Title: "delete a saved view",
			Arg: &action.Arg{Example: "view NAME", Complete: v.completeDelete, Parse: v.parseDelete},
		},
	}}
}

const maxViewName = 40 // cells

// CheckViewName returns what is wrong with the name of a view, or nil.
func CheckViewName(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("the name must not be empty")
	case models.Clean(name) != name:
		return errors.New("the name contains invisible characters")
	case style.Width(name) > maxViewName:
		return fmt.Errorf("the name must not be longer than %d characters", maxViewName)
	}
	return nil
}

// parseSave takes "view NAME".
func (v *views) parseSave(arg string) (func() tea.Cmd, error) {
	name, ok := strings.CutPrefix(arg, "view ")
	if !ok {
		return nil, errors.New("write save view NAME")
	}
	name = strings.TrimSpace(name)
	return func() tea.Cmd { return v.keep(name) }, CheckViewName(name)
}

// keep saves the screen as a view. It asks before it replaces another one.
func (v *views) keep(name string) tea.Cmd {
	view := View{
		Name: name, Filter: v.table.Query(), Project: cmp.Or(v.project.ID, allProjects), Sort: v.order(),
		Columns: slices.Clone(v.table.Chosen()),
	}
	if _, err := ParseFilter(view.Filter, v.names, v.orgs, v.timeline()); err != nil {
		v.session.Notify(style.Bad, "The view was not saved: "+err.Error())
		return nil
	}
	all := v.every()
	at := viewOf(all, name)
	if at < 0 {
		return v.write(view, v.saved)
	}
	v.session.Open(dialog.NewConfirm(dialog.Question{
		Title: "Replace the view " + all[at].Name + "?", Lines: all[at].replaced(view), Verb: "Replace",
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
	if viewOf(*v.own, strings.TrimSpace(name)) < 0 {
		return nil, errors.New("no saved view has this name")
	}
	return func() tea.Cmd { return v.delete(strings.TrimSpace(name)) }, nil
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
	*v.own = slices.DeleteFunc(*v.own, func(view View) bool { return strings.EqualFold(view.Name, name) })
	v.session.Notify(style.Good, "✓ Deleted the view "+name)
	return v.count()
}

// replaced tells what changes when another view replaces this one, which keeps its alert and program.
func (v *View) replaced(by View) []dialog.Line {
	lines := []dialog.Line{
		{Tone: style.Muted, Text: "Current filter: " + cmp.Or(v.Filter, "none")},
		{Text: "New filter: " + cmp.Or(by.Filter, "none")},
	}
	does := when(v.alerts(), "alerts")
	if len(v.Run) > 0 {
		does += " and runs " + v.Run[0]
	}
	if does != "" {
		text := "This view " + does + ". It will do so for each new operation that matches the new filter."
		lines = append(lines, dialog.Line{}, dialog.Line{Tone: style.Waiting, Text: text})
	}
	if strings.EqualFold(v.Name, failedView) || strings.EqualFold(v.Name, unfinishedView) {
		text := "The action “show only " + strings.ToLower(v.Name) + "” will use the new filter."
		lines = append(lines, dialog.Line{}, dialog.Line{Tone: style.Waiting, Text: text})
	}
	return lines
}

// write saves a view off the UI's goroutine, and continues with then.
func (v *views) write(view View, then func(View, error) tea.Cmd) tea.Cmd {
	if at := viewOf(*v.own, view.Name); at >= 0 {
		view.Alert, view.Run = (*v.own)[at].Alert, (*v.own)[at].Run
	}
	save := v.save
	if save == nil {
		return then(view, errors.New(v.unsaved))
	}
	work := func(context.Context) (View, error) { return view, save(view) }
	return page.Call(v.session, page.Operations, work, then)
}

// saved takes over a view that the user saved, and shows it as a part of the configuration file. An error makes it last
// only until the end of the program.
func (v *views) saved(view View, err error) tea.Cmd {
	title, about := "Saved the view "+view.Name, "pgtower remembers it. As a part of config.toml, it would be:"
	if err != nil {
		title += " until you quit"
		about = style.Sentence(err.Error()) + ". To keep the view, write it into config.toml:"
	}
	text := v.text(view)
	v.session.Open(dialog.NewText(title, about, text, func() {
		v.session.Emit(page.Copy{Label: "the view " + view.Name, Text: models.NewSecret(text)})
	}))
	return v.use(view)
}

// columnsSaved takes over the columns of a view.
func (v *views) columnsSaved(view View, err error) tea.Cmd {
	if err != nil {
		v.session.Notify(style.Waiting, "The columns of "+view.Name+" last until you quit: "+err.Error())
	}
	return v.use(view)
}

// use makes a view one of the user's, and the one in force.
func (v *views) use(view View) tea.Cmd {
	if at := viewOf(*v.own, view.Name); at >= 0 {
		(*v.own)[at] = view
	} else {
		*v.own = append(*v.own, view)
	}
	v.last = view.Name
	return v.count()
}
