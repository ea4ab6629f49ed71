package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// configReport is what config prints.
type configReport struct {
	File     string    `json:"file"`
	Exists   bool      `json:"exists"`
	Settings []inForce `json:"settings"`
}

func (p Process) configCommand() *cobra.Command {
	var s settings
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print where the configuration file is, and which settings are in force",
		Long: "config prints where the configuration file is, which settings are in force, and\n" +
			"where each of them comes from: a flag, the environment, the profile or the default.\n" +
			"It takes the flags of the dashboard.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.resolve(cmd.Flags(), p); err != nil {
				return err
			}
			report := configReport{s.file.path, s.file.exists, s.inForce}
			if !s.current.KeyCommand.IsZero() {
				// It may have in it what is nobody's business.
				report.Settings = append(report.Settings, inForce{"key_command", "(set)", "profile " + s.current.Name})
			}
			if n := s.keyMap().Count(); n > 0 {
				report.Settings = append(report.Settings, inForce{"keys", fmt.Sprintf("those of %d actions changed; pgtower keys lists them", n), "[keys]"})
			}
			if asJSON {
				return p.printJSON(report)
			}
			return p.printConfig(report)
		},
	}
	s.addFlags(cmd.Flags())
	hideDashboardFlags(cmd)
	addJSONFlag(cmd, &asJSON)
	p.completeFlags(cmd)
	return cmd
}

// hideDashboardFlags hides what is for the start of the dashboard and is no setting.
func hideDashboardFlags(cmd *cobra.Command) {
	for _, name := range []string{"demo", "project"} {
		_ = cmd.Flags().MarkHidden(name)
	}
}

func (p Process) printConfig(r configReport) error {
	file := r.File
	switch {
	case file == "":
		file = "none: this user has no folder for configuration files"
	case !r.Exists:
		file += " (not there)"
	}
	if err := p.say("configuration file: %s", file); err != nil {
		return err
	}
	rows := [][]string{{}, {"SETTING", "VALUE", "FROM"}}
	for _, one := range r.Settings {
		value := one.Value
		if value == "" {
			value = "–"
		}
		rows = append(rows, []string{one.Name, value, one.From})
	}
	return p.printTable(rows)
}
