package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pgtower/keystore"
	"pgtower/ui"
	"pgtower/ui/action"
)

// fileCheck is what configuration files are held to.
func fileCheck() keystore.Check { return keystore.Check{Profile: checkProfile, Keys: checkKeys} }

// checkKeys holds the keys of a configuration file to the actions that there are.
func checkKeys(all []keystore.KeySetting) []keystore.KeyFault {
	var wrong []keystore.KeyFault
	_, faults := action.NewMap(ui.Catalogue(), customs(all))
	for _, f := range faults {
		wrong = append(wrong, keystore.KeyFault(f))
	}
	return wrong
}

// keyMap are the keys that the configuration file gives actions, which is not wrong.
func (s *settings) keyMap() action.Map {
	m, _ := action.NewMap(ui.Catalogue(), customs(s.file.config.Keys))
	return m
}

func customs(all []keystore.KeySetting) []action.Custom {
	out := make([]action.Custom, len(all))
	for i, one := range all {
		out[i] = action.Custom(one)
	}
	return out
}

// everyPage stands for all pages where an action is the same on all of them.
const everyPage = "every page"

// keyReport is what keys prints of an action.
type keyReport struct {
	Page   string   `json:"page"`
	Action string   `json:"action"`
	Keys   []string `json:"keys"`
	Does   string   `json:"does"`
	From   string   `json:"from"`
}

func (p Process) keysCommand() *cobra.Command {
	var s settings
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "List the keys of the dashboard, and the names by which they can be changed",
		Long: "keys lists every action of the dashboard that has a key, page by page, with the name\n" +
			"by which [keys] in the configuration file gives it other keys. The keys of dialogs,\n" +
			"ctrl+c and ctrl+z are always the same.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.loadFile(cmd.Flags(), p); err != nil {
				return err
			}
			reports := s.reportKeys()
			if asJSON {
				return p.printJSON(reports)
			}
			rows := [][]string{{"PAGE", "ACTION", "KEYS", "DOES", "FROM"}}
			for _, r := range reports {
				names := strings.Join(r.Keys, " ")
				if names == "" {
					names = "–"
				}
				rows = append(rows, []string{r.Page, r.Action, names, r.Does, r.From})
			}
			return p.printTable(rows)
		},
	}
	s.addFileFlag(cmd.Flags())
	addJSONFlag(cmd, &asJSON)
	p.completeFlags(cmd)
	return cmd
}

// reportKeys lists what is the same on every page, then the rest of each page.
func (s *settings) reportKeys() []keyReport {
	custom, all := s.keyMap(), ui.Catalogue()
	pages := make([][]keyReport, len(all))
	for i, page := range all {
		for _, a := range page.Actions() {
			is := custom.On(page.Name).Of(a)
			pages[i] = append(pages[i], keyReport{
				Page: page.Name, Action: a.Name, Keys: append([]string{}, is.Keys()...), Does: a.Help().Desc, From: s.whoGave(page.Name, a.Name),
			})
		}
	}
	onAll := func(r keyReport) bool {
		return !slices.ContainsFunc(pages, func(page []keyReport) bool {
			return !slices.ContainsFunc(page, func(other keyReport) bool { return r.sameAs(other) })
		})
	}
	var shared, own []keyReport
	for i, page := range pages {
		for _, r := range page {
			switch {
			case !onAll(r):
				own = append(own, r)
			case i == 0:
				r.Page = everyPage
				shared = append(shared, r)
			}
		}
	}
	return append(shared, own...)
}

// sameAs says that nothing but the page tells two reports apart.
func (r keyReport) sameAs(other keyReport) bool {
	return r.Action == other.Action && r.Does == other.Does && r.From == other.From && slices.Equal(r.Keys, other.Keys)
}

// whoGave is where an action of a page has its keys from.
func (s *settings) whoGave(page, name string) string {
	for _, of := range []string{page, ""} {
		if slices.ContainsFunc(s.file.config.Keys, func(k keystore.KeySetting) bool { return k.Page == of && k.Action == name }) {
			return action.Section(of)
		}
	}
	return fromDefault
}
