package cli

import (
	"cmp"
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
	s := defaults()
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
				// Its text may be confidential.
				report.Settings = append(report.Settings, inForce{"key_command", "(set)", "profile " + s.current.Name})
			}
			if n := s.keyMap().Count(); n > 0 {
				changed := fmt.Sprintf("%d actions have other keys; pgtower bindings lists them", n)
				report.Settings = append(report.Settings, inForce{"keys", changed, "[keys]"})
			}
			file := cmp.Or(report.File, "none: this user has no folder for configuration files")
			if report.File != "" && !report.Exists {
				file += " (not there)"
			}
			rows := [][]string{{"configuration file: " + file}, {}, {"SETTING", "VALUE", "FROM"}}
			for _, one := range report.Settings {
				rows = append(rows, []string{one.Name, cmp.Or(one.Value, "–"), one.From})
			}
			return p.print(cmd, report, rows)
		},
	}
	s.addFlags(cmd.Flags())
	hideFlags(cmd.Flags(), "demo", "project")
	addJSONFlag(cmd)
	return cmd
}
