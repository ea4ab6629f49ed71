package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pgtower/models"
	"pgtower/ui/apikeys"
	"pgtower/ui/projects"
	"pgtower/ui/query"
)

func (p Process) projectsCommand() *cobra.Command {
	s := newScript()
	pinned := func(project *models.Project) bool { return slices.Contains(s.current.Pinned, project.ID) }
	return listCommand(p, s, &cobra.Command{
		Use:   "projects",
		Short: "List the projects of the account, for people and programs",
		Long: "projects lists the projects of the account in the order of the service. --filter takes the\n" +
			"filter of the Projects page, such as 'region:eu is:locked', except for the health of projects." + formsHelp,
		Example: "  pgtower projects --filter 'pg:17 age:<7d'\n" +
			"  pgtower projects --json | jq -r 'select(.cpu_used_sec > 3600) | .id'",
	}, projectLayout, projects.Fields(pinned), func(ctx context.Context, from *source) ([]models.Project, error) {
		all, partial, err := projects.Read(ctx, from.API)
		if err == nil && partial != "" {
			err = errors.New("incomplete: there may be more projects: " + partial)
		}
		return all, err
	})
}

func (p Process) apikeysCommand() *cobra.Command {
	return listCommand(p, newScript(), &cobra.Command{
		Use:        "apikeys",
		SuggestFor: []string{"keys"},
		Short:      "List the API keys of the account without their secrets, for people and programs",
		Long: "apikeys lists the API keys of the account, without their secrets. --filter takes the filter\n" +
			"of the API keys page, such as 'never:used age:>30d'. A key without last_used_at was never used,\n" +
			"unless it has damage: then the time could not be read." + formsHelp,
		Example: "  pgtower apikeys --filter 'never:used age:>30d'\n" +
			"  pgtower apikeys --json | jq -r 'select(.last_used_from_addr == \"203.0.113.7\") | .name'",
	}, keyLayout, apikeys.Fields(), func(ctx context.Context, from *source) ([]models.APIKey, error) {
		return from.API.APIKeys(ctx)
	})
}

// listCommand completes a command that prints the records of a list that match --filter. Records that read returns with
// an error are printed, too.
func listCommand[T any](
	p Process, s *script, cmd *cobra.Command, printed func(moments) layout[*T], fields []query.Field[*T],
	read func(context.Context, *source) ([]T, error),
) *cobra.Command {
	var filter query.Query[*T]
	return p.scriptCommand(cmd, s, func(f *pflag.FlagSet) {
		s.addScriptFlags(f, "budget", "time")
		s.addFormFlags(f)
	}, func(f *pflag.FlagSet, p Process) error {
		if err := s.load(f, p); err != nil {
			return err
		}
		q, wrong := query.Parse(s.filter, fields)
		if wrong = cmp.Or(wrong, q.Hint()); wrong != nil {
			return usagef("--filter: %w", wrong)
		}
		filter = q
		return nil
	}, func(ctx context.Context, from *source) error {
		all, err := retry(ctx, from, maxTries, func() ([]T, error) { return read(ctx, from) })
		if err != nil && all == nil {
			return err
		}
		out := newOutput(s, p.Stdout, printed(from.times))
		for i := range all {
			if filter.Match(&all[i], from.filterTime()) {
				out.write(&all[i])
			}
		}
		return errors.Join(out.Flush(), err)
	})
}
