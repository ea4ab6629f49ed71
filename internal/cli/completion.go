package cli

import (
	"github.com/spf13/cobra"

	"pgtower/ui/style"
)

// completeFlags lets the shell complete the values of the flags that a command has, and no
// file names after those that take none.
func (p Process) completeFlags(cmd *cobra.Command) {
	none := cobra.FixedCompletions(nil, cobra.ShellCompDirectiveNoFileComp)
	for name, complete := range map[string]cobra.CompletionFunc{
		"profile":  p.completeProfile,
		"theme":    cobra.FixedCompletions(style.ThemeNames(), cobra.ShellCompDirectiveNoFileComp),
		"time":     cobra.FixedCompletions(style.TimesNames(), cobra.ShellCompDirectiveNoFileComp),
		"base-url": none, "org-id": none, "project": none, "interval": none, "page-size": none, "window": none,
		"search-back": none, "budget": none,
	} {
		if cmd.Flags().Lookup(name) == nil {
			continue
		}
		// It fails for flags that are not there only.
		_ = cmd.RegisterFlagCompletionFunc(name, complete)
	}
}

// completeProfile names the profiles of the configuration file; none of one that is wrong.
func (p Process) completeProfile(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var s settings
	if flag := cmd.Flags().Lookup("config"); flag != nil {
		s.configPath = flag.Value.String()
	}
	if err := s.loadFile(cmd.Flags(), p); err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return profileNames(s.file.config), cobra.ShellCompDirectiveNoFileComp
}
