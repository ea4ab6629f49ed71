package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pgtower/internal/cli/exit"
	"pgtower/models/query"
	"pgtower/models/settings"
	"pgtower/ui"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

type configReport struct {
	File     string    `json:"file"`
	Exists   bool      `json:"exists"`
	State    string    `json:"state"`
	Settings []inForce `json:"settings"`
	Ignored  []string  `json:"ignored,omitempty"` // parts of the file, with the reasons
}

func (p Process) configCommand() *cobra.Command {
	s := new(defaults())
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print the path of the configuration file and the settings in force",
		Long: "config prints the path of the configuration file, the settings in force, and\n" +
			"where each comes from: a flag, the environment, the profile or the default. It\n" +
			"takes the flags of the dashboard. --example prints a file with every setting,\n" +
			"--schema its JSON schema.",
		Example: "  pgtower config\n  pgtower config --example",
	}
	f := cmd.Flags()
	s.addCheckFlags(f)
	f.BoolVar(&s.example, "example", false, "print a commented configuration file with every setting")
	f.BoolVar(&s.schema, "schema", false, "print the JSON schema of the configuration file, for editors")
	return p.withSettings(cmd, s.loadConfig, s.printConfig)
}

// loadConfig resolves the settings, unless only an example or the schema is printed.
func (s *setup) loadConfig(f *pflag.FlagSet, p Process) error {
	switch {
	case s.example && s.schema:
		return exit.Usagef("--example and --schema cannot be combined")
	case s.example || s.schema:
		return nil
	}
	return s.resolve(f, p)
}

// printConfig prints an example, the schema or the settings in force.
func (s *setup) printConfig(_ context.Context, p Process) error {
	switch {
	case s.example:
		_, err := p.Stdout.WriteString(settings.Example())
		return err
	case s.schema:
		text, err := settings.Schema()
		if err == nil {
			_, err = p.Stdout.Write(text)
		}
		return err
	}
	p.warnFaults(s.file.config)
	s.memory.tell(p)
	return s.printInForce(p) //nolint:contextcheck // No action of the catalogue is run.
}

// printInForce prints the settings in force.
func (s *setup) printInForce(p Process) error {
	report := configReport{
		File: s.file.path, Exists: s.file.exists, State: s.memory.file.Path, Settings: s.withFile(),
	}
	for _, fault := range s.file.config.Faults {
		report.Ignored = append(report.Ignored, fault.Error())
	}
	file := cmp.Or(report.File, "none: there is no configuration folder")
	if report.File != "" && !report.Exists {
		file += " (does not exist)"
	}
	rows := [][]string{
		{"configuration file: " + file},
		{"state: " + cmp.Or(report.State, "none: there is no folder for it")},
		{},
		{"SETTING", "VALUE", "FROM"},
	}
	for _, entry := range report.Settings {
		rows = append(rows, []string{entry.Name, cmp.Or(entry.Value, "–"), entry.From})
	}
	return p.print(s.json, report, rows)
}

// withFile returns the settings in force with those that have no flag.
func (s *setup) withFile() []inForce {
	list, config := slices.Clone(s.inForce), s.file.config
	if entry, err := query.FindView(config.Views, config.View); err == nil && s.View == "" {
		view := slices.IndexFunc(list, func(entry inForce) bool { return entry.Name == "view" })
		list[view].Value, list[view].From = entry.Name, "default_view"
	}
	more := s.profileInForce()
	if n := s.customKeys(); n > 0 {
		more = append(more, inForce{"keys", fmt.Sprintf("%d actions have other keys; pgtower bindings lists them", n), "[keys]", false})
	}
	layout, written := config.Layout, s.file.own.Layout
	from := map[bool]string{true: "[layout]", false: fromState}
	if layout.Pane != nil {
		more = append(more, inForce{"pane", strconv.FormatBool(*layout.Pane), from[written.Pane != nil], false})
	}
	more = append(more, inForce{"pane_width", strconv.Itoa(layout.PaneWidth), from[written.PaneWidth > 0], false})
	for id := range page.Count {
		columns := strings.Join(layout.Columns[id.Name()], ", ")
		more = append(more, inForce{"columns of " + id.Name(), columns, from[written.Columns[id.Name()] != nil], false})
	}
	saved := len(config.Views) - len(s.file.own.Views)
	more = append(
		more,
		inForce{"views", strconv.Itoa(len(s.file.own.Views)), "[[views]]", false},
		inForce{"saved views", strconv.Itoa(saved), fromState, false},
		inForce{"commands", strconv.Itoa(len(config.Commands)), "[[commands]]", false},
	)
	return append(list, slices.DeleteFunc(more, inForce.isUnset)...)
}

// profileInForce returns the settings of the profile that have no flag.
func (s *setup) profileInForce() (list []inForce) {
	addresses := map[string]string{"console_url": s.consoleURL(), "status_url": s.statusURL(s.BaseURL)}
	for _, name := range []string{"pinned", "color", "console_url", "status_url", "key_command", "key_store_command", "audit.fail_on", "audit.ignore"} {
		value, from := s.current.Text(name), fromProfile+s.current.Name
		if address, ok := addresses[name]; ok && address != value {
			value, from = address, fromDefault
		}
		if name == "pinned" && s.file.own.Profiles[s.current.Name].Pinned == nil {
			from = fromState
		}
		list = append(list, inForce{name, value, from, false})
	}
	return list
}

// customKeys returns how many actions have keys of [keys]. The keys of commands are their own settings.
func (s *setup) customKeys() int {
	n := s.keyMap().Count()
	for _, c := range s.file.config.Commands {
		if c.Key != "" && s.keysFrom(c.Page, c.Name) == "[[commands]]" {
			n--
		}
	}
	return n
}

// uiConfig returns the settings that are not of one profile.
func (s *setup) uiConfig() ui.Config {
	config := s.file.config
	out := ui.Config{
		Layout: config.Layout, View: cmp.Or(s.View, config.View),
		Views:    config.Views,
		Commands: config.Commands,
	}
	lines := append([]string{s.file.note, ignored(config.Faults)}, s.memory.notes...)
	out.Warning = style.Sentence(strings.Join(slices.DeleteFunc(lines, isEmpty), "; "))
	out.SaveLayout = s.memory.saveLayout
	out.SaveView, out.DeleteView = s.memory.saveView, s.memory.deleteView
	out.ViewText = settings.ViewTOML
	return out
}

func isEmpty(s string) bool { return s == "" }

// maxLines is the most lines of the file that a notice names.
const maxLines = 5

// ignored names the ignored parts of the file in a notice, or is empty.
func ignored(faults []*settings.FileError) string {
	switch len(faults) {
	case 0:
		return ""
	case 1:
		return "ignored " + faults[0].Brief()
	}
	var lines []string
	for _, fault := range faults {
		lines = append(lines, strconv.Itoa(fault.Line))
	}
	what, lines := "lines", slices.Compact(lines)
	if len(lines) == 1 {
		what = "line"
	}
	if len(lines) > maxLines {
		lines = append(lines[:maxLines], "…")
	}
	return fmt.Sprintf("ignored %d parts of %s (%s %s): pgtower doctor lists them",
		len(faults), filepath.Base(faults[0].Path), what, strings.Join(lines, ", "))
}
