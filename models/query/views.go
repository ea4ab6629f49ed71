package query

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"pgtower/models"
)

// SavedView is a named combination of filter, project, order and columns of a page, in the configuration file, in the
// state and on the screen. Empty fields leave the screen as it is.
type SavedView struct {
	Name    string `toml:"name,omitzero" json:"name" required:"yes"`
	Page    string `toml:"page,omitzero" json:"page,omitzero"` // the name of the page; empty: that of the operations
	Filter  string `toml:"filter,omitzero" json:"filter,omitzero" blank:"yes"`
	Project string `toml:"project,omitzero" json:"project,omitzero"` // an id, or [AllProjects]
	// Sort is a column, with - before it to reverse the order; - alone reverses the order by time.
	Sort    string   `toml:"sort,omitzero" json:"sort,omitzero" blank:"yes"`
	Columns []string `toml:"columns,omitzero" json:"columns,omitempty"`
	Alert   bool     `toml:"alert,omitzero" json:"alert,omitzero"` // the bell rings when an operation first matches, shown or not
	// Profiles are the profiles in which it alerts and runs its program; none stands for all.
	Profiles []string `toml:"profiles,omitzero" json:"profiles,omitempty" empty:"no"`
	// Run is a program to run then, and its arguments. Only the configuration file has it: the state makes nothing run.
	Run []string `toml:"run,omitzero" json:"-" empty:"no"`
}

// OperationsPage is the Page of a view of the operations, which is the default.
const OperationsPage = "operations"

// AllProjects is the Project of a view of all projects.
const AllProjects = "all"

// The built-in views that actions name, and their filters.
const (
	FailedView     = "Failed"
	UnfinishedView = "Unfinished"

	FailedQuery     = "is:failed"
	UnfinishedQuery = "is:unfinished"
)

// Views returns the built-in views and those of the user. A user's view of the operations replaces a built-in one with the
// same name.
func Views(saved []SavedView) []SavedView {
	views := []SavedView{
		{Name: "All"},
		{Name: FailedView, Filter: FailedQuery},
		{Name: UnfinishedView, Filter: UnfinishedQuery},
		{Name: "Slow", Filter: "is:slow"},
	}
	for _, v := range saved {
		if index := ViewIndex(views, v.Name); index >= 0 && v.OfOperations() {
			views[index] = v
		} else {
			views = append(views, v)
		}
	}
	return views
}

// ViewIndex returns the index of the view with a name, ignoring case, or -1.
func ViewIndex(views []SavedView, name string) int {
	return slices.IndexFunc(views, func(v SavedView) bool { return v.Named(name) })
}

// PutView replaces the view with the same name, ignoring case, or adds one.
func PutView(views []SavedView, view SavedView) []SavedView {
	index := ViewIndex(views, view.Name)
	if index < 0 {
		return append(views, view)
	}
	views[index] = view
	return views
}

// Named reports whether the view has a name, ignoring case.
func (v *SavedView) Named(name string) bool { return strings.EqualFold(v.Name, name) }

// OfOperations reports whether it is a view of the operations.
func (v *SavedView) OfOperations() bool { return v.Page == "" || v.Page == OperationsPage }

// Alerts reports whether the view watches the projects. That of the failures always does.
func (v *SavedView) Alerts() bool { return v.Alert || len(v.Run) > 0 || v.Named(FailedView) }

// InProfile returns a view as it is in a profile: outside of its own profiles, it neither alerts nor runs its program.
func InProfile(v SavedView, profile string) SavedView {
	if len(v.Profiles) > 0 && !slices.Contains(v.Profiles, profile) {
		v.Alert, v.Run = false, nil
	}
	return v
}

// Ring returns a view with its bell in a profile. In others, it stays as it is.
func Ring(v SavedView, profile string) SavedView {
	switch {
	case InProfile(v, profile).Alert:
		return v
	case len(v.Run) > 0 && len(v.Profiles) == 0:
		v.Alert = true // its program runs in all of them
		return v
	case !v.Alert && len(v.Run) == 0:
		v.Profiles = nil // nothing was in force there
	}
	v.Alert, v.Profiles = true, append(slices.Clone(v.Profiles), profile)
	return v
}

// Silence returns a view without its bell in a profile: in none if it had no profiles.
func Silence(v SavedView, profile string) SavedView {
	v.Profiles = slices.DeleteFunc(slices.Clone(v.Profiles), func(name string) bool { return name == profile })
	if len(v.Profiles) == 0 {
		v.Alert, v.Profiles = false, nil
	}
	return v
}

// Of reports whether the view shows a project. One without a project shows all.
func (v *SavedView) Of(project string) bool {
	return v.Project == "" || v.Project == AllProjects || v.Project == project
}

// FindView returns the view with a name, ignoring case, or an error with the known names.
func FindView(saved []SavedView, name string) (SavedView, error) {
	views := Views(saved)
	index := ViewIndex(views, name)
	if index >= 0 {
		return views[index], nil
	}
	var names []string
	for _, v := range views {
		names = append(names, v.Name)
	}
	return SavedView{}, models.Unknown("view", name, names)
}

const maxViewName = 40 // characters

const maxMadeName = 24 // characters: a tab with it leaves room for others

// ViewName returns a name for a view that is made for a filter: its values without the names of their fields. Another
// filter's view of the name makes it get a number.
func ViewName(filter string, others []SavedView) string {
	values := beforeValue.ReplaceAllString(models.Clean(filter), "$1$2")
	name := []rune(strings.Join(strings.Fields(values), " "))
	if len(name) > maxMadeName {
		name = append(name[:maxMadeName-1], '…')
	}
	first := strings.TrimSpace(string(name))
	for out, n := first, 2; ; out, n = fmt.Sprintf("%s %d", first, n), n+1 {
		index := ViewIndex(others, out)
		if index < 0 || others[index].Filter == filter {
			return out
		}
	}
}

// beforeValue is the name of a field before its value, or a quotation mark.
var beforeValue = regexp.MustCompile(`(^|\s)(-?)[a-z]+:|"`)

// CheckViewName returns what is wrong with the name of a view, or nil.
func CheckViewName(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("the name must not be empty")
	case models.Clean(name) != name:
		return errors.New("the name contains invisible characters")
	case utf8.RuneCountInString(name) > maxViewName:
		return fmt.Errorf("the name must not be longer than %d characters", maxViewName)
	}
	return nil
}
