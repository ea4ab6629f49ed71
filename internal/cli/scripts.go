package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pgtower/internal/cli/exit"
	"pgtower/internal/cli/script"
)

func (p Process) operationsCommand() *cobra.Command {
	s, h := newScript(), script.Listing{}
	cmd := &cobra.Command{
		Use:     "operations",
		Aliases: []string{"operation"},
		Short:   "List or follow the operations of all projects, for people and programs",
		Long: "operations lists the newest 100 operations of all projects, newest first.\n" +
			"--limit sets how many, and --since lists all since a time of the zone of --time\n" +
			"(UTC unless it is local) or a duration before now, by the service's clock. With\n" +
			"--filter alone, it lists all matches of the period in the filter (age:<1h), or\n" +
			"of the last 24 hours (the setting since).\n\n" +
			"With --follow it prints operations as they begin and each of their changes,\n" +
			"until it is interrupted; with --since or --limit it prints that history first,\n" +
			"oldest first. Nothing is left out after outages, rate limits and sleep, or it is\n" +
			"reported as a gap.\n\n" +
			"The exit code is 1 if the list is incomplete." + formsHelp,
		Example: "  pgtower operations --since 24h --filter 'is:failed'\n" +
			"  pgtower operations --follow --json | jq -r 'select(.status == \"failed\") | .id'",
	}
	f := cmd.Flags()
	s.addOperationsFlags(f)
	s.addFormFlags(f)
	f.Var((*givenTime)(&h.Since), "since", "list the operations since this time, such as 24h, 09:00 or yesterday")
	f.IntVar(&h.Limit, "limit", script.Newest, "maximum number of operations to list")
	f.BoolVar(&h.Follow, "follow", false, "continue with new operations until interrupted")
	return p.scriptCommand(cmd, s, func(f *pflag.FlagSet) (script.Run, error) { return s.parseOperations(f, h) })
}

func (s *scriptSettings) parseOperations(f *pflag.FlagSet, h script.Listing) (script.Run, error) {
	switch {
	case h.Limit < 1:
		return nil, exit.Usagef("--limit must be at least 1, not %d", h.Limit)
	case !f.Changed("limit"):
		h.Limit = 0
	}
	return script.Operations(&s.options, h)
}

func (p Process) reportCommand() *cobra.Command {
	s, r := newScript(), script.ReportOptions{}
	since := (*givenTime)(&r.Since)
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Print what happened in a span of time, for a ticket",
		Long: "report prints what failed and what is unfinished in a span of time, in groups,\n" +
			"then counts, a timeline, what recovered, and what could not be read. --since and\n" +
			"--until take a time of the zone of --time (UTC unless it is local) or a duration\n" +
			"before now, by the service's clock; --until is now by default.\n\n" +
			"The exit code is 1 if something could not be read, which the report names.",
		Example: "  pgtower report --since 14:00 --until 15:00 --markdown\n" +
			"  pgtower report --since 2h --filter 'project:storefront'",
	}
	f := cmd.Flags()
	s.addOperationsFlags(f)
	f.StringVar(&s.options.Filter, "filter", "", "report only what matches this filter, such as project:storefront")
	_ = since.Set("1h")
	f.Var(since, "since", "when the span begins, such as 14:00, yesterday, '2026-11-20 09:00' or 2h")
	f.Var((*givenTime)(&r.Until), "until", "when the span ends; now by default")
	f.BoolVar(&r.Markdown, "markdown", false, "print Markdown")
	f.BoolVar(&r.Summary, "summary", false, "print at most 12 lines, for a chat")
	asJSON := f.Lookup("json")
	asJSON.Value, asJSON.Usage = documentFlag{(*jsonFlag)(&s.options)}, "print one JSON document"
	return p.scriptCommand(cmd, s, func(*pflag.FlagSet) (script.Run, error) { return s.parseReport(r) })
}

func (s *scriptSettings) parseReport(r script.ReportOptions) (script.Run, error) {
	if len(s.options.Fields) > 0 {
		return nil, exit.Usagef("--json prints one document here, and takes no fields")
	}
	if s.options.JSON && (r.Markdown || r.Summary) || r.Markdown && r.Summary {
		return nil, exit.Usagef("--json, --markdown and --summary cannot be combined")
	}
	return script.Report(&s.options, r)
}

func (p Process) metricsCommand() *cobra.Command {
	s, o := newScript(), script.MetricsOptions{}
	cmd := &cobra.Command{
		Use:   "metrics",
		Short: "Serve metrics of operations for Prometheus, until interrupted",
		Long: "metrics follows the operations of all projects, or of those that --project names,\n" +
			"and serves metrics of them at /metrics, as OpenMetrics: what ended by project,\n" +
			"action and status, how long it took, what runs, what failed lately, when each\n" +
			"project was last read, gaps, requests, and the API keys that are being replaced.\n\n" +
			"Only this computer can read them, unless --allow-remote allows more: they have\n" +
			"the names of projects and organizations, and no secrets. It goes on after\n" +
			"outages. The exit code is 3 if the API key is refused.",
		Example: "  pgtower metrics\n  pgtower metrics --listen 127.0.0.1:0 --project floral-king-961888",
	}
	f := cmd.Flags()
	s.addOperationsFlags(f, "window")
	hide(f, "json")
	f.StringVar(&o.Listen, "listen", "127.0.0.1:9187", "host:port; port 0 takes any free one, no host is 127.0.0.1")
	f.BoolVar(&o.AllowRemote, "allow-remote", false, "allow an address that other machines can reach")
	return p.scriptCommand(cmd, s, func(*pflag.FlagSet) (script.Run, error) { return s.parseMetrics(o) })
}

func (s *scriptSettings) parseMetrics(o script.MetricsOptions) (script.Run, error) {
	if s.options.JSON {
		return nil, exit.Usagef("metrics serves OpenMetrics: --json is for operations")
	}
	o.Window = s.Window
	return script.Metrics(&s.options, o)
}

func (p Process) waitCommand() *cobra.Command {
	s, linked := newScript(), false
	o := script.WaitOptions{Timeout: script.WaitTimeout}
	cmd := &cobra.Command{
		Use:   "wait [OPERATION_ID... | -]",
		Short: "Wait until operations have ended",
		Long: "wait prints a line for each operation when it ends, and exits when all have\n" +
			"ended. It waits for operations by their ids; for those of the standard input (-),\n" +
			"which has answers of the service, lines of pgtower operations --json, or ids; for those that --branch, --endpoint and\n" +
			"--action name; or for the unfinished ones of --project. With --idle, it waits\n" +
			"until the projects have had nothing unfinished for some time.\n\n" +
			"--project and --branch take an id or a name. A branch that is not listed is\n" +
			"looked for again within --appear-within. --linked takes both from the file .neon\n" +
			"of the folder, which nothing else narrows to.\n\n" +
			"A failed operation has ended, unless its retry_at lies ahead: then 15 seconds\n" +
			"after that. --retry-within waits longer for the service to try it again.\n\n" +
			"Exit codes: 0 if all finished or were skipped, 1 if one failed, was cancelled,\n" +
			"is gone or never came, 3 if the API key was refused, 4 if it took longer than\n" +
			"--timeout." + formsHelp,
		Example: "  curl … | pgtower wait -\n" +
			"  pgtower wait --project billing --branch preview/pr-481 --action start_compute\n" +
			"  pgtower wait --project floral-king-961888 --idle 5s --timeout 5m\n" +
			"  pgtower wait 5dfaa84f-1a6b-4d4c-8c8d-0f8f3f3c0a51 && echo done",
		Args: operationArgs,
	}
	f := cmd.Flags()
	s.addOperationsFlags(f)
	f.StringSliceVar(&o.Branches, "branch", nil, "wait for operations of this `BRANCH`, by its id or its name")
	f.StringSliceVar(&o.Endpoints, "endpoint", nil, "wait for operations of this endpoint `ID`")
	f.StringSliceVar(&o.Actions, "action", nil, "wait for operations of these actions, `NAME,...`; each must come")
	f.BoolVar(&linked, "linked", false, "take the project and the branch from the nearest file .neon")
	f.Var((*duration)(&o.AppearWithin), "appear-within",
		"how long to wait for operations that are not there yet; 30s with --branch, --endpoint or --action")
	f.Var((*duration)(&o.Idle), "idle", "wait until the projects had nothing unfinished for so long")
	f.Var((*duration)(&o.RetryWithin), "retry-within", "how long after a failure to wait for the service to try again")
	f.BoolVar(&o.FailFast, "fail-fast", false, "exit with 1 at the first failure, even if it may be tried again")
	f.Var((*duration)(&o.Timeout), "timeout", "maximum time to wait; 0: no limit")
	return p.scriptCommand(cmd, s, func(f *pflag.FlagSet) (script.Run, error) { return s.parseWait(f, o, linked) })
}

func (s *scriptSettings) parseWait(f *pflag.FlagSet, o script.WaitOptions, linked bool) (script.Run, error) {
	o.IDs = f.Args()
	if linked {
		if err := s.followLink(f, &o); err != nil {
			return nil, err
		}
	}
	if o.Named() && !f.Changed("appear-within") {
		o.AppearWithin = script.AppearWithin
	}
	if f.Changed("idle") && o.Idle == 0 {
		return nil, exit.Usagef("--idle must be longer than 0, such as 5s")
	}
	return script.Wait(&s.options, o)
}

// operationArgs refuses arguments that are meant for --json. Others are checked with the settings.
func operationArgs(cmd *cobra.Command, args []string) error {
	for _, arg := range args {
		if form := jsonForm(cmd, arg); form != "" && !script.IsOperation(arg) {
			return exit.Usagef("must be an operation id, not %q%s", arg, form)
		}
	}
	return nil
}

// followLink sets the project and the branch of a wait from the link of the folder.
func (s *scriptSettings) followLink(f *pflag.FlagSet, o *script.WaitOptions) error {
	if f.Changed("project") || f.Changed("branch") {
		return exit.Usagef("--linked cannot be combined with --project and --branch")
	}
	link := &s.linked
	if err := link.usable(); err != nil {
		return exit.Usagef("--linked: %w", err)
	}
	s.options.Projects, o.Linked = []string{link.ProjectID}, link.path
	if link.Branch != "" {
		o.Branches = []string{link.Branch}
	}
	return nil
}

func (p Process) projectsCommand() *cobra.Command {
	return p.listCommand(&cobra.Command{
		Use:     "projects",
		Aliases: []string{"project"},
		Short:   "List the projects that the key reaches, for people and programs",
		Long: "projects lists all projects that the key reaches, in the order of the service.\n" +
			"--filter takes the filter of the Projects page, such as 'region:eu is:locked',\n" +
			"except for the health of projects." + formsHelp,
		Example: "  pgtower projects --filter 'pg:17 age:<7d'\n" +
			"  pgtower projects --json | jq -r 'select(.cpu_used_sec > 3600) | .id'",
	}, script.Projects)
}

func (p Process) apikeysCommand() *cobra.Command {
	cmd := p.listCommand(&cobra.Command{
		Use:        "apikeys",
		Aliases:    []string{"apikey"},
		SuggestFor: []string{"keys"},
		Short:      "List the API keys that the key may see without their secrets, for people and programs",
		Long: "apikeys lists the API keys of the account and of its organizations, without\n" +
			"their secrets; --org-id narrows to one organization. An id belongs to its list.\n" +
			"--filter takes the filter of the API keys page, such as 'never:used age:>30d'. A\n" +
			"key without last_used_at was never used, unless its JSON has damage: then the\n" +
			"time could not be read.\n\n" +
			"The exit code is 1 if a list that the key should reach could not be read. A list\n" +
			"that this kind of key never has is named on the standard error, and the exit\n" +
			"code is 0." + formsHelp,
		Example: "  pgtower apikeys --filter 'never:used age:>30d'\n" +
			"  pgtower apikeys --json=name,last_used_from_addr |\n" +
			"    jq -r 'select(.last_used_from_addr == \"203.0.113.7\") | .name'",
	}, script.APIKeys)
	cmd.AddCommand(
		p.auditCommand(), p.createKeyCommand(), p.rotateKeyCommand(), p.revokeKeyCommand(),
		p.watchCommand(), p.usesCommand(), p.journalCommand(),
	)
	return cmd
}

// listCommand completes a command that prints the records of a list.
func (p Process) listCommand(cmd *cobra.Command, run func(*script.Options) (script.Run, error)) *cobra.Command {
	s := newScript()
	f := cmd.Flags()
	s.addFlags(f, "budget", "project", "no-history")
	f.Lookup("project").Usage = "`ID` of the project of a key of one project"
	s.addFormFlags(f)
	return p.scriptCommand(cmd, s, func(*pflag.FlagSet) (script.Run, error) { return run(&s.options) })
}
