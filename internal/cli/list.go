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
	"pgtower/ui/style"
)

func (p Process) projectsCommand() *cobra.Command {
	s := newScript()
	pinned := func(project *models.Project) bool { return slices.Contains(s.current.Pinned, project.ID) }
	return listCommand(p, s, &cobra.Command{
		Use:   "projects",
		Short: "List the projects of the account, for people and programs",
		Long: "projects lists the projects of the account in the order of the service. --filter is\n" +
			"that of the Projects page without the health of projects, such as 'region:eu is:locked'." + formsHelp,
		Example: "  pgtower projects --filter 'pg:17 age:<7d'\n" +
			"  pgtower projects --json | jq -r 'select(.cpu_used_sec > 3600) | .id'",
	}, projectColumns, projects.Fields(pinned), func(ctx context.Context, from *source) ([]models.Project, error) {
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
		Long: "apikeys lists the API keys of the account, without their secrets. --filter is\n" +
			"that of the API keys page, such as 'never:used age:>30d'. A key without last_used_at was never\n" +
			"used, unless damage says that the service's time could not be read." + formsHelp,
		Example: "  pgtower apikeys --filter 'never:used age:>30d'\n" +
			"  pgtower apikeys --json | jq -r 'select(.last_used_from_addr == \"203.0.113.7\") | .name'",
	}, keyColumns, apikeys.Fields(), func(ctx context.Context, from *source) ([]models.APIKey, error) {
		return from.API.APIKeys(ctx)
	})
}

// listCommand completes a command that prints the records of a list that match --filter. Records that read returns with
// an error are printed, too.
func listCommand[T any](
	p Process, s *script, cmd *cobra.Command, columns func(moments) []column[*T], fields []query.Field[*T],
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
		out := newOutput(s, p.Stdout, columns(from.times))
		for i := range all {
			if filter.Match(&all[i], from.filterTime()) {
				out.write(&all[i])
			}
		}
		return errors.Join(out.Flush(), err)
	})
}

func projectColumns(times moments) []column[*models.Project] {
	type project = *models.Project
	return []column[project]{
		{name: "id", value: func(p project) any { return p.ID }, title: "ID", width: 24},
		{name: "name", value: func(p project) any { return p.Name }, title: "NAME", width: 18},
		{name: "platform_id", value: func(p project) any { return p.PlatformID }},
		{name: "region_id", value: func(p project) any { return p.RegionID }, title: "REGION", width: 18},
		{name: "provisioner", value: func(p project) any { return p.Provisioner }},
		{name: "pg_version", value: func(p project) any { return known(p.PgVersion) }, title: "PG"},
		{name: "locked", value: func(p project) any { return known(p.Locked) }},
		{name: "cpu_used_sec", value: func(p project) any { return known(p.CPUUsedSec) }},
		{name: "proxy_host", value: func(p project) any { return p.ProxyHost }, title: "PROXY HOST", width: 30, spare: true},
		{name: "branch_logical_size_limit", value: func(p project) any { return known(p.BranchLogicalSizeLimit) }},
		{
			name: "created_at", value: func(p project) any { return moment(p.CreatedAt) },
			title: times.title("CREATED"), width: style.MomentWidth,
			shown: func(p project) string { return times.cell(p.CreatedAt) },
		},
		{name: "updated_at", value: func(p project) any { return moment(p.UpdatedAt) }},
		{name: "compute_last_active_at", value: func(p project) any { return moment(p.ComputeLastActiveAt) }},
		{name: "damage", value: func(p project) any { return p.Damage }},
	}
}

func keyColumns(times moments) []column[*models.APIKey] {
	type key = *models.APIKey
	return []column[key]{
		{name: "id", value: func(k key) any { return k.ID }, title: "ID", width: 10},
		{name: "name", value: func(k key) any { return k.Name }, title: "NAME", width: 24},
		{
			name: "created_at", value: func(k key) any { return moment(k.CreatedAt) },
			title: times.title("CREATED"), width: style.MomentWidth,
			shown: func(k key) string { return times.cell(k.CreatedAt) },
		},
		{
			name: "last_used_at", value: func(k key) any { return moment(k.LastUsedAt.Value) },
			title: times.title("LAST USED"), width: style.MomentWidth, shown: func(k key) string {
				switch {
				case k.NeverUsed():
					return "never"
				case !k.LastUsedAt.Known:
					return "unknown"
				}
				return times.cell(k.LastUsedAt.Value)
			},
		},
		{name: "last_used_from_addr", value: func(k key) any { return k.LastUsedFromAddr }, title: "FROM"},
		{name: "damage", value: func(k key) any { return k.Damage }},
	}
}
