package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pgtower/keystore/profile"
	"pgtower/ui"
	"pgtower/ui/action"
)

// fileCheck is what configuration files are held to.
func fileCheck() profile.Check { return profile.Check{Profile: checkProfile, Keys: checkKeys} }

// checkKeys holds the keys of a configuration file to the actions that there are.
func checkKeys(all []profile.KeySetting) []profile.KeyFault {
	var wrong []profile.KeyFault
	_, faults := action.NewMap(ui.Catalogue(), customs(all))
	for _, f := range faults {
		wrong = append(wrong, profile.KeyFault(f))
	}
	return wrong
}

// keyMap are the keys that the configuration file gives actions, which is not wrong.
func (s *settings) keyMap() action.Map {
	m, _ := action.NewMap(ui.Catalogue(), customs(s.file.config.Keys))
	return m
}

func customs(all []profile.KeySetting) []action.Custom {
	out := make([]action.Custom, len(all))
	for i, one := range all {
		out[i] = action.Custom(one)
	}
	return out
}

// everyPage stands for all pages where an action is the same on all of them.
const everyPage = "every page"

// binding is an action with its keys.
type binding struct {
	Page   string   `json:"page"`
	Action string   `json:"action"`
	Keys   []string `json:"keys"`
	Does   string   `json:"does"`
	From   string   `json:"from"`
}

func (p Process) bindingsCommand() *cobra.Command {
	s := defaults()
	cmd := &cobra.Command{
		Use:     "bindings",
		Aliases: []string{"keys"}, // its name in earlier versions
		Short:   "List the keys of the dashboard, and the names by which they can be changed",
		Long: "bindings lists every action of the dashboard that has a key, page by page, with the name\n" +
			"by which [keys] in the configuration file gives it other keys. The keys of dialogs,\n" +
			"ctrl+c and ctrl+z are always the same.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.loadFile(cmd.Flags(), p); err != nil {
				return err
			}
			all := s.bindings()
			rows := [][]string{{"PAGE", "ACTION", "KEYS", "DOES", "FROM"}}
			for _, b := range all {
				rows = append(rows, []string{b.Page, b.Action, cmp.Or(strings.Join(b.Keys, " "), "–"), b.Does, b.From})
			}
			return p.print(cmd, all, rows)
		},
	}
	s.addFileFlag(cmd.Flags())
	addJSONFlag(cmd)
	return cmd
}

// bindings lists what is the same on every page, then the rest of each page.
func (s *settings) bindings() []binding {
	custom, pages := s.keyMap(), ui.Catalogue()
	id := func(b binding) string { return fmt.Sprintf("%s %q %s %s", b.Action, b.Keys, b.Does, b.From) }
	var all, shared, own []binding
	on := map[string]int{} // how many pages
	for _, page := range pages {
		page.Groups = custom.On(page.Name).Apply(page.Groups)
		for _, a := range page.Actions() {
			b := binding{page.Name, a.ID, append([]string{}, a.Keys...), a.Title, s.whoGave(page.Name, a.ID)}
			all = append(all, b)
			on[id(b)]++
		}
	}
	for _, b := range all {
		switch {
		case on[id(b)] < len(pages):
			own = append(own, b)
		case b.Page == pages[0].Name:
			b.Page = everyPage
			shared = append(shared, b)
		}
	}
	return append(shared, own...)
}

// whoGave is where an action of a page has its keys from.
func (s *settings) whoGave(page, name string) string {
	for _, of := range []string{page, ""} {
		isOf := func(k profile.KeySetting) bool { return k.Page == of && k.Action == name }
		if slices.ContainsFunc(s.file.config.Keys, isOf) {
			return action.Section(of)
		}
	}
	return fromDefault
}
