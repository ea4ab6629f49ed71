package cli

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"pgtower/models"
	"pgtower/models/query"
	"pgtower/models/settings"
	"pgtower/ui"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// warnFaults prints the parts of the configuration file that are ignored.
func (p Process) warnFaults(c settings.Config) {
	for _, fault := range c.Faults {
		p.warn("ignored: %v", fault)
	}
}

// keyMap returns the keys that a configuration file gives to actions, and the first fault in them, or nil.
func keyMap(list []*settings.KeySetting, commands []settings.Command) (action.Map, *settings.KeyFault) {
	customs := make([]settings.KeySetting, len(list))
	for i, entry := range list {
		customs[i] = *entry
	}
	return action.NewMap(ui.Catalogue(commands...), customs)
}

func checkKeys(list []*settings.KeySetting, commands []settings.Command) *settings.KeyFault {
	_, fault := keyMap(list, commands)
	return fault
}

func checkTable(table any) (setting string, err error) {
	switch t := table.(type) {
	case settings.Profile:
		return checkProfile(t)
	case settings.Layout:
		return checkLayout(t)
	case query.SavedView:
		return checkView(t)
	case settings.Command:
		return checkCommand(t)
	}
	return "", nil
}

func checkLayout(l settings.Layout) (setting string, err error) {
	for id := range page.Count {
		if err := checkColumns(id, l.Columns[id.Name()]); err != nil {
			return id.Name(), err
		}
	}
	return "", nil
}

func checkColumns(id page.ID, columns []string) error {
	names := ui.Columns(id)
	for i, name := range columns {
		switch {
		case slices.Contains(columns[:i], name):
			return &settings.ItemError{Index: i, Err: errors.New("duplicate column")}
		case !slices.Contains(names, name):
			return &settings.ItemError{Index: i, Err: models.Unknown("column", name, names)}
		}
	}
	return nil
}

func checkProfile(p settings.Profile) (key string, err error) {
	if p.Color != "" {
		if err := style.CheckAccent(p.Color); err != nil {
			return "color", err
		}
	}
	if p.ConsoleURL != "" {
		var names []string
		for id := range page.Count {
			names = append(names, ui.Placeholders(id)...)
		}
		template, err := models.ParseTemplate(p.ConsoleURL, names)
		if err == nil {
			err = template.CheckURL()
		}
		if err != nil {
			return "console_url", err
		}
	}
	if p.StatusURL != nil && *p.StatusURL != "" {
		if _, err := models.ParseBaseURL(*p.StatusURL); err != nil {
			return "status_url", errors.New(`must be an address with https and without a query, or "" for none`)
		}
	}
	_, key, err = new(setup).withProfile(p)
	return key, err
}

// checkProgram checks the placeholders in a command line. The program itself must not come from the service.
func checkProgram(args, names []string) error {
	for i, arg := range args {
		template, err := models.ParseTemplate(arg, names)
		if err == nil && i == 0 && len(template.Names()) > 0 {
			err = errors.New("the program must not depend on a field; only its arguments may")
		}
		if err != nil {
			return &settings.ItemError{Index: i, Err: err}
		}
	}
	return nil
}

func checkView(v query.SavedView) (setting string, err error) {
	id, found := page.Named(cmp.Or(v.Page, query.OperationsPage))
	if !found {
		return "page", models.Unknown("page", v.Page, pageNames())
	}
	if err := query.CheckViewName(v.Name); err != nil {
		return "name", err
	}
	if err := ui.CheckFilter(id, v.Filter); err != nil {
		return "filter", err
	}
	if column := strings.TrimPrefix(v.Sort, "-"); column != "" {
		if err := checkColumns(id, []string{column}); err != nil {
			return "sort", err
		}
	}
	if err := checkColumns(id, v.Columns); err != nil {
		return "columns", err
	}
	if id != page.Operations {
		if setting, err := notOf(id, &v); err != nil {
			return setting, err
		}
	}
	return "run", checkProgram(v.Run, append(ui.Placeholders(id), ui.AlertPlaceholders(id)...))
}

// notOf returns a setting of the view that views of its page cannot have. Only operations and API keys have alerts.
func notOf(id page.ID, v *query.SavedView) (setting string, err error) {
	wrong := errors.New("only a view of the page operations or apikeys can have it")
	switch {
	case query.ViewIndex(query.Views(nil), v.Name) >= 0:
		return "name", errors.New("is that of a view of the operations")
	case v.Project != "":
		return "project", errors.New("only a view of the page operations can have it")
	case id == page.APIKeys:
	case v.Alert:
		return "alert", wrong
	case len(v.Run) > 0:
		return "run", wrong
	case len(v.Profiles) > 0:
		return "profiles", wrong
	}
	return "", nil
}

func pageNames() (names []string) {
	for id := range page.Count {
		names = append(names, id.Name())
	}
	return names
}

func checkCommand(c settings.Command) (setting string, err error) {
	id, found := page.Named(c.Page)
	if !found {
		return "page", models.Unknown("page", c.Page, pageNames())
	}
	_, taken := action.ByID(ui.Catalogue()[id].Groups, c.Name)
	if taken || c.Name != models.Clean(c.Name) {
		return "name", errors.New("must be plain text, and not the name of an action of pgtower")
	}
	fields := ui.Placeholders(id)
	if _, err := models.ParseTemplate(c.Confirm, fields); err != nil {
		return "confirm", err
	}
	return "run", checkProgram(c.Run, fields)
}
