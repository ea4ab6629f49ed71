package cli

import (
	"github.com/spf13/cobra"

	"pgtower/models/query"
)

// completeFlags completes the values of a command's flags, with no file names for those that take none.
func (p Process) completeFlags(cmd *cobra.Command) {
	complete := map[string]cobra.CompletionFunc{
		"profile": p.completion(func(s *setup) []string { return profileNames(s.file.config) }),
		// The other projects would take a request.
		"project": p.completion(func(s *setup) []string { return s.current.Pinned }),
		"view": p.completion(func(s *setup) (names []string) {
			for _, view := range query.Views(s.file.config.Views) {
				names = append(names, view.Name)
			}
			return names
		}),
	}
	for _, one := range new(setup).Settings() {
		if complete[one.Flag] == nil {
			complete[one.Flag] = cobra.FixedCompletions(one.Names, cobra.ShellCompDirectiveNoFileComp)
		}
	}
	for name, f := range complete {
		if cmd.Flags().Lookup(name) != nil {
			_ = cmd.RegisterFlagCompletionFunc(name, f) // fails only for flags that are not there
		}
	}
}

// completion completes a flag with values from the configuration file and its profile; with none if the file is wrong.
func (p Process) completion(values func(*setup) []string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		s := defaults()
		s.configPath, _ = cmd.Flags().GetString("config") // empty for a command without it
		s.profile, _ = cmd.Flags().GetString("profile")
		if read, err := p.stateFile().Read(); err == nil {
			s.memory.use(read)
		}
		if s.readFiles(p) != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		_ = s.chooseProfile(cmd.Flags(), p.Getenv) // an unknown profile has nothing pinned
		return values(&s), cobra.ShellCompDirectiveNoFileComp
	}
}
