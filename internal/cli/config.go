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
	add := func(name, value, from string) {
		if value != "" && value != "0" {
			list = append(list, inForce{name, value, from, false})
		}
	}
	for _, name := range []string{"pinned", "color", "console_url", "status_url", "key_command", "key_store_command", "audit.fail_on", "audit.ignore"} {
		value, from := s.current.Text(name), fromProfile+s.current.Name
		address, found := map[string]string{"console_url": s.consoleURL(), "status_url": s.statusURL(s.BaseURL)}[name]
		if found && address != value {
			value, from = address, fromDefault
		}
		if name == "pinned" && s.file.own.Profiles[s.current.Name].Pinned == nil {
			from = fromState
		}
		add(name, value, from)
	}
	n := s.keyMap().Count()
	for _, c := range config.Commands {
		if c.Key != "" && s.keysFrom(c.Page, c.Name) == "[[commands]]" {
			n--
		}
	}
	if n > 0 {
		add("keys", fmt.Sprintf("%d actions have other keys; pgtower bindings lists them", n), "[keys]")
	}
	layout, written := config.Layout, s.file.own.Layout
	from := map[bool]string{true: "[layout]", false: fromState}
	if layout.Pane != nil {
		add("pane", strconv.FormatBool(*layout.Pane), from[written.Pane != nil])
	}
	add("pane_width", strconv.Itoa(layout.PaneWidth), from[written.PaneWidth > 0])
	for id := range page.Count {
		add("columns of "+id.Name(), strings.Join(layout.Columns[id.Name()], ", "), from[written.Columns[id.Name()] != nil])
	}
	add("views", strconv.Itoa(len(s.file.own.Views)), "[[views]]")
	add("saved views", strconv.Itoa(len(config.Views)-len(s.file.own.Views)), fromState)
	add("commands", strconv.Itoa(len(config.Commands)), "[[commands]]")
	return list
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
