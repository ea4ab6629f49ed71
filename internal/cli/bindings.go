package cli

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pgtower/models/settings"
	"pgtower/ui"
	"pgtower/ui/action"
)

// keyMap returns the keys of the configuration file. They were checked when it was read.
func (s *setup) keyMap() action.Map {
	m, _ := keyMap(s.file.config.Keys, s.file.config.Commands)
	return m
}

type binding struct {
	Page   string   `json:"page"`
	Action string   `json:"action"`
	Keys   []string `json:"keys"`
	Does   string   `json:"does"`
	From   string   `json:"from"`
}

func (p Process) bindingsCommand() *cobra.Command {
	s := new(defaults())
	cmd := &cobra.Command{
		Use:        "bindings",
		SuggestFor: []string{"keys"},
		Short:      "List the dashboard's actions, their names and their keys",
		Long: "bindings lists every action of the dashboard that has a key, page by page, with the name\n" +
			"by which [keys] in the configuration file gives it other keys. The keys of dialogs,\n" +
			"ctrl+c and ctrl+z cannot be changed.",
	}
	s.addReportFlags(cmd.Flags())
	return p.withSettings(cmd, s.loadFile, s.printBindings)
}

func (s *setup) printBindings(_ context.Context, p Process) error {
	p.warnFaults(s.file.config)
	list := s.bindings() //nolint:contextcheck // No action of the catalogue is run.
	rows := [][]string{{"PAGE", "ACTION", "KEYS", "DOES", "FROM"}}
	for _, b := range list {
		rows = append(rows, []string{b.Page, b.Action, cmp.Or(strings.Join(b.Keys, " "), "–"), b.Does, b.From})
	}
	return p.print(s.json, list, rows)
}

// bindings returns the actions with their keys. An action that is the same on several pages is listed once, with these pages.
// Actions of every page come first.
func (s *setup) bindings() []binding {
	commands := s.file.config.Commands
	custom, pages := s.keyMap(), ui.Catalogue(commands...)
	var list []binding
	for _, page := range pages {
		page.Groups = custom.Apply(page.Name, page.Groups)
		for _, a := range page.Actions() {
			b := binding{page.Name, a.ID, append([]string{}, a.Keys...), a.Title, s.keysFrom(page.Name, a.ID)}
			isOf := func(c settings.Command) bool { return c.Page == page.Name && c.Name == a.ID }
			if i := slices.IndexFunc(commands, isOf); i >= 0 {
				b.Does = strings.Join(commands[i].Run, " ") // the title is only the name
			}
			if i := slices.IndexFunc(list, b.equals); i >= 0 {
				list[i].Page += ", " + page.Name
			} else {
				list = append(list, b)
			}
		}
	}
	var shared, ofPages []binding
	for _, b := range list {
		if strings.Count(b.Page, ", ") == len(pages)-1 {
			b.Page = "every page"
			shared = append(shared, b)
		} else {
			ofPages = append(ofPages, b)
		}
	}
	return append(shared, ofPages...)
}

// equals reports whether two bindings differ in their pages only.
func (b binding) equals(o binding) bool {
	return o.Action == b.Action && slices.Equal(o.Keys, b.Keys) && o.Does == b.Does && o.From == b.From
}

// keysFrom returns the source of an action's keys on a page.
func (s *setup) keysFrom(page, name string) string {
	for _, subject := range []string{page, ""} {
		for _, k := range s.file.config.Keys {
			if k.Page == subject && k.Action == name {
				return k.Section()
			}
		}
	}
	return fromDefault
}
