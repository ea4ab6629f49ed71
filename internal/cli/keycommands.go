package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pgtower/internal/cli/exit"
	"pgtower/internal/cli/script"
	"pgtower/internal/state"
	"pgtower/models/keys"
	"pgtower/models/moment"
)

func (p Process) auditCommand() *cobra.Command {
	s, o := newScript(), script.AuditOptions{Limits: keys.DefaultLimits()}
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "List each API key with what is wrong with it",
		Long: "audit lists every API key that the key may see, with what it reaches, who created it, its age,\n" +
			"its last use, and findings:\n\n" + findingsHelp() + "\n\n" +
			"Every finding is printed. --fail-on and --ignore, or [profiles.NAME.audit] in the configuration\n" +
			"file, decide with which ones the audit fails. --filter takes the filter of the API keys page,\n" +
			"such as by:ada or age:>30d.\n\n" +
			"Exit codes: 0 without findings with which it fails, 1 with one, 5 if a list, a date or the\n" +
			"members of an organization could not be read. A date counts unless unreadable is ignored, and\n" +
			"members where it fails on owner-gone." + formsHelp,
		Example: "  pgtower apikeys audit --fail-on can-go,idle,owner-gone\n" +
			"  pgtower apikeys audit --max-age 180d --markdown >>\"$GITHUB_STEP_SUMMARY\"\n" +
			"  pgtower apikeys audit --json=name,findings |\n" +
			"    jq -r 'select(.findings | index(\"can-go\")) | .name'",
	}
	f := cmd.Flags()
	s.addFlags(f, "budget", "quiet-for", "fail-on", "ignore", "no-history")
	s.addFormFlags(f)
	f.BoolVar(&o.Markdown, "markdown", false, "print a table in Markdown")
	f.Var((*duration)(&o.Age), "max-age", "age from which a key is old, such as 365d")
	f.Var((*duration)(&o.Idle), "max-idle", "how long a key may be unused, such as 90d")
	return p.scriptCommand(cmd, s, func(f *pflag.FlagSet) (script.Run, error) { return s.parseAudit(f, o) })
}

func (s *scriptSettings) parseAudit(f *pflag.FlagSet, o script.AuditOptions) (script.Run, error) {
	if f.Changed("quiet-for") { // otherwise the remembered time counts
		o.Quiet = s.QuietFor
	}
	o.FailOn, o.Ignore = s.Audit.FailOn, s.Audit.Ignore
	return script.Audit(&s.options, o)
}

// findingsHelp returns the findings of an audit with their meanings, as lines that keep their breaks.
func findingsHelp() string {
	const name = 21 // with the indent
	var lines []string
	for _, kind := range keys.Kinds() {
		means := fill(kind.Means(), columns-name, strings.Repeat(" ", name), 0)
		lines = append(lines, fmt.Sprintf("  %-*s%s", name-2, kind, means))
	}
	return strings.Join(lines, "\n")
}

// changeFlags are those of a command that changes keys.
type changeFlags struct {
	*scriptSettings

	account, unrecorded, noWait, dryRun bool
	delivery                            script.Delivery
}

// add adds the flags for the connection. The list and the reach of a key come from the command line alone.
func (c *changeFlags) add(f *pflag.FlagSet, names ...string) {
	c.setup.addFlags(f, slices.Concat(connectionFlags, names, []string{"demo", "demo-seed", "demo-time", "read-only", "no-history"})...)
	f.BoolVar(&c.unrecorded, "no-journal", false, "go on if the journal cannot be written")
	c.addJSONLines(f)
	f.BoolVar(&c.dryRun, "dry-run", false, "check everything, and change nothing")
	f.BoolVar(&c.noWait, "no-wait", false, "if an answer was lost, do not wait for a list that tells; exit with 6")
}

func (c *changeFlags) addTarget(f *pflag.FlagSet) {
	f.Lookup("org-id").Usage = "`ID` of the organization whose list has the key"
	f.BoolVar(&c.account, "account", false, "the key is in the account's own list")
}

func (c *changeFlags) addDelivery(f *pflag.FlagSet) {
	f.StringVar(&c.delivery.Command, "to-command", "", "line of the shell that reads the secret from its standard input")
	f.Var((*duration)(&c.delivery.Within), "within", "how long the command of --to-command may take, such as 5m")
	f.StringVar(&c.delivery.File, "to-file", "", "new file for the secret, which only you can read")
	f.BoolVar(&c.delivery.Print, "print", false, "print the secret, and nothing else, on the standard output")
}

// narrow returns the organization and the project of the command line, and lets no others narrow the lists.
func (c *changeFlags) narrow(f *pflag.FlagSet) (org, project string) {
	if f.Changed("org-id") {
		org = c.OrgID
	}
	if f.Changed("project") {
		project = c.Project
	}
	c.options.Key.Org, c.options.Key.Project = org, ""
	return org, project
}

const deliveryHelp = "\n\nThe secret goes to one place: a command, a new file, or the standard output. If it could not be\n" +
	"delivered, the id to revoke is on standard error, and the exit code is 1. Nothing is repeated.\n" +
	"If the answer was lost, the list of keys is read until it tells, for up to 75 seconds."

func (p Process) createKeyCommand() *cobra.Command {
	c, o := changeFlags{scriptSettings: newScript()}, script.CreateOptions{}
	cmd := &cobra.Command{
		Use:   "create NAME (--everything | --org-id ID | --project PROJECT) (--to-command LINE | --to-file PATH | --print)",
		Short: "Create an API key and hand its secret over",
		Long: "create creates an API key that reaches everything, one organization or one project, verifies it,\n" +
			"and hands its secret over. What it reaches comes from the command line alone." + deliveryHelp,
		Example: "  pgtower apikeys create ci-deploy --project billing \\\n" +
			"    --to-command 'gh secret set PLATFORM_KEY'\n" +
			"  pgtower apikeys create backup --org-id org-cool-breeze-12345678 \\\n" +
			"    --to-file ~/backup.key",
		Args: oneName,
	}
	f := cmd.Flags()
	c.add(f, "project")
	c.addDelivery(f)
	f.Lookup("org-id").Usage = "the key reaches all projects of the organization with this `ID`"
	f.Lookup("project").Usage = "the key reaches this `PROJECT` alone, by its id or its name"
	f.BoolVar(&o.Everything, "everything", false, "the key reaches everything that its user reaches")
	return p.scriptCommand(cmd, c.scriptSettings, func(f *pflag.FlagSet) (script.Run, error) { return c.parseCreate(f, o) })
}

func (c *changeFlags) parseCreate(f *pflag.FlagSet, o script.CreateOptions) (script.Run, error) {
	o.Name, o.Delivery, o.Unrecorded = f.Arg(0), c.delivery, c.unrecorded
	o.NoWait, o.DryRun = c.noWait, c.dryRun
	o.Org, o.Project = c.narrow(f)
	return script.Create(o)
}

func (p Process) revokeKeyCommand() *cobra.Command {
	c, o := changeFlags{scriptSettings: newScript()}, script.RevokeOptions{}
	cmd := &cobra.Command{
		Use:   "revoke (ID --name NAME | ID… --if-can-go | -)",
		Short: "Revoke an API key by its id and its name",
		Long: "revoke revokes the API key with an id, immediately and permanently, if it has the name. Without\n" +
			"--name it shows the key and asks for the name, on a terminal only. An id that is in two lists\n" +
			"needs --org-id or --account.\n\n" +
			"Several ids need --if-can-go and a terminal, where the name of each is asked for.\n\n" +
			"--if-can-go revokes only what a rotation of this computer proves to be unused. On another computer,\n" +
			"--replaced-by names the successor: the last uses of both keys are compared in the same way. What is\n" +
			"not proved is not revoked, and the exit code is 1. With -, it reads lines of pgtower apikeys audit\n" +
			"--json, and checks all before it revokes the first. If the answer was lost, the list is read until it\n" +
			"tells; the exit code is 6 if it does not.",
		Example: "  pgtower apikeys revoke 165142 --name demo-for-sales\n" +
			"  pgtower apikeys revoke 165099 --name ci-deploy --if-can-go\n" +
			"  pgtower apikeys revoke 165099 --name ci-deploy --replaced-by 165378\n" +
			"  pgtower apikeys audit --json | jq -c 'select(.findings | index(\"can-go\"))' |\n" +
			"    pgtower apikeys revoke - --if-can-go",
		Args: someKeys,
	}
	f := cmd.Flags()
	c.add(f, "quiet-for")
	c.addTarget(f)
	f.StringVar(&o.Name, "name", "", "name of the key")
	f.BoolVar(&o.IfCanGo, "if-can-go", false, "revoke it only if it is proved that nothing needs it")
	f.Int64Var(&o.ReplacedBy, "replaced-by", 0, "`ID` of the key that replaces it: revoke it only if their uses prove that")
	return p.scriptCommand(cmd, c.scriptSettings, func(f *pflag.FlagSet) (script.Run, error) { return c.parseRevoke(f, o) })
}

func (c *changeFlags) parseRevoke(f *pflag.FlagSet, o script.RevokeOptions) (script.Run, error) {
	o.Unrecorded, o.NoWait, o.DryRun = c.unrecorded, c.noWait, c.dryRun
	if o.ReplacedBy != 0 || f.Changed("quiet-for") {
		o.Quiet = c.QuietFor
	}
	switch {
	case o.ReplacedBy < 0, f.Changed("replaced-by") && o.ReplacedBy == 0:
		return nil, exit.Usagef("--replaced-by must be the id of a key")
	case f.Changed("quiet-for") && !o.IfCanGo && o.ReplacedBy == 0:
		return nil, exit.Usagef("--quiet-for needs --if-can-go or --replaced-by")
	}
	org, _ := c.narrow(f)
	if o.Lines = f.NArg() == 1 && f.Arg(0) == "-"; o.Lines && (org != "" || c.account) {
		return nil, exit.Usagef("the lines of the standard input have the lists: omit --org-id and --account")
	}
	if o.Lines {
		return script.Revoke(o)
	}
	for _, id := range f.Args() {
		target, err := script.ParseTarget(id, org, c.account)
		if err != nil {
			return nil, err
		}
		o.Targets = append(o.Targets, target)
	}
	return script.Revoke(o)
}

func (p Process) rotateKeyCommand() *cobra.Command {
	c, o := changeFlags{scriptSettings: newScript()}, script.RotateOptions{}
	cmd := &cobra.Command{
		Use:   "rotate ID (--to-command LINE | --to-file PATH | --print)",
		Short: "Create the successor of an API key and hand its secret over",
		Long: "rotate creates a key with the same reach as another one, and a name that tells whose successor it\n" +
			"is, such as ci-deploy-20261123. It verifies it, and hands its secret over. Nothing happens to the\n" +
			"old key: pgtower apikeys audit and the dashboard tell when it has not been used for --quiet-for\n" +
			"while its successor was, and can be revoked." + deliveryHelp,
		Example: "  pgtower apikeys rotate 165099 --to-command 'vault kv put secret/ci key=-'",
		Args:    oneKey,
	}
	f := cmd.Flags()
	c.add(f, "quiet-for")
	c.addTarget(f)
	c.addDelivery(f)
	f.StringVar(&o.Name, "name", "", "name of the new key")
	return p.scriptCommand(cmd, c.scriptSettings, func(f *pflag.FlagSet) (script.Run, error) { return c.parseRotate(f, o) })
}

func (c *changeFlags) parseRotate(f *pflag.FlagSet, o script.RotateOptions) (_ script.Run, err error) {
	o.Delivery, o.Unrecorded, o.NoWait, o.DryRun = c.delivery, c.unrecorded, c.noWait, c.dryRun
	o.Quiet, o.Computer, o.Asked = c.QuietFor, computer(), f.Changed("quiet-for")
	org, _ := c.narrow(f)
	o.Target, err = script.ParseTarget(f.Arg(0), org, c.account)
	if err != nil {
		return nil, err
	}
	return script.Rotate(o)
}

// someKeys checks that a command has the ids of keys.
func someKeys(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return exit.Usagef("give the id of the key")
	}
	return nil
}

// oneKey checks that a command has the id of one key.
func oneKey(_ *cobra.Command, args []string) error { return oneArg(args, "the id of the key") }

// oneName checks that a command has the name of a key.
func oneName(_ *cobra.Command, args []string) error { return oneArg(args, "the name of the key") }

func oneArg(args []string, what string) error {
	if len(args) != 1 {
		return exit.Usagef("give %s, as the only argument", what)
	}
	return nil
}

func (p Process) watchCommand() *cobra.Command {
	s, interval := newScript(), script.WatchInterval
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Watch what API keys are used for, and tell what changes",
		Long: "watch reads each list of API keys once an --interval, until it is interrupted, and writes down what\n" +
			"they show of the use of keys. It prints a line for each event, once, also if other pgtowers run:\n" +
			"can-go of a key that was replaced, used-again of one that could go, new-address of a key that was\n" +
			"never seen to be used from there, new-key of one that pgtower did not create on this computer, and\n" +
			"owner-gone. For each, it runs the programs of the views of the page apikeys whose filter matches.\n\n" +
			"It goes on after outages, and tells on standard error which list it cannot read, and when it can\n" +
			"again. The exit code is 3 if the API key is refused." + formsHelp,
		Example: "  pgtower apikeys watch --json >>keys.ndjson\n" +
			"  pgtower apikeys watch --interval 5m",
	}
	f := cmd.Flags()
	s.addFlags(f, "budget", "no-history")
	f.Var((*duration)(&interval), "interval", "time between two reads of a list, from 10s to 1h")
	_ = f.SetAnnotation("interval", notASetting, []string{}) // there is such a flag
	return p.scriptCommand(cmd, s, func(*pflag.FlagSet) (script.Run, error) { return script.Watch(&s.options, interval) })
}

func (p Process) usesCommand() *cobra.Command {
	s, o, since := newScript(), script.UsesOptions{}, moment.Time{}
	cmd := &cobra.Command{
		Use:   "uses [ID]",
		Short: "List the uses of API keys that pgtower has seen on this computer",
		Long: "uses lists the uses of API keys, or of the one with an id, that pgtower has seen on this computer,\n" +
			"oldest first, with the address of each. It reads no service: --since is by this computer's clock.\n" +
			"The service tells the last use only, so there may have been others." + formsHelp,
		Example: "  pgtower apikeys uses 165099 --since 30d\n" +
			"  pgtower apikeys uses --json |\n" +
			"    jq -r 'select(.from_addr == \"203.0.113.7\") | .name'",
		Args: cobra.MaximumNArgs(1),
	}
	f := cmd.Flags()
	s.setup.addFlags(f, "demo", "demo-seed", "demo-time")
	s.addJSONLines(f)
	s.addCSV(f)
	f.Var((*givenTime)(&since), "since", "list the uses since this time, such as 30d or yesterday")
	load := func(f *pflag.FlagSet, p Process) error { return s.loadUses(f, p, since, &o) }
	return p.withSettings(cmd, load, func(ctx context.Context, p Process) error { return s.listUses(ctx, p, o) })
}

// loadUses reads the state, and sets the options of uses.
func (s *scriptSettings) loadUses(f *pflag.FlagSet, p Process, since moment.Time, o *script.UsesOptions) (err error) {
	s.memory.load(p)
	if f.NArg() > 0 {
		if o.ID, err = strconv.ParseInt(f.Arg(0), 10, 64); err != nil || o.ID <= 0 {
			return exit.Usagef("the id must be a number above 0, not %q", f.Arg(0))
		}
	}
	if !since.IsZero() {
		o.Since = since.At(moment.ByComputer(s.clock(p.Clock)()))
	}
	return nil
}

// listUses prints the uses in the file, or those of the demo.
func (s *scriptSettings) listUses(ctx context.Context, p Process, o script.UsesOptions) error {
	watcher, file := keys.NewWatcher(keys.Forgetful{}), (*state.Uses)(nil)
	if s.demo {
		d := &demo{options: s.clientOptions(s.clock(p.Clock)), seed: s.demoSeed}
		d.connections = newConnections()
		defer d.close()
		connection, err := d.Open(ctx, "")
		if err != nil {
			return err
		}
		watcher = connection.Watcher
	} else if path := s.memory.usesFile(); path != "" {
		file = state.NewUses(path)
		watcher = keys.NewWatcher(file)
	}
	found, err := watcher.History()
	if err != nil {
		err = fmt.Errorf("cannot read the uses: %w", err)
	}
	err = cmp.Or(script.Uses(&s.options, o, p.Stdout, found, s.memory.state.OrgNames(p.Clock())), err)
	if file != nil && file.Damaged > 0 {
		p.warn("%d damaged lines of the uses were skipped", file.Damaged)
	}
	if file != nil && file.Newer > 0 {
		p.warn("%d lines of a newer pgtower were skipped", file.Newer)
	}
	return err
}

func (p Process) journalCommand() *cobra.Command {
	s := newScript()
	cmd := &cobra.Command{
		Use:   "journal",
		Short: "List what pgtower changed of API keys on this computer",
		Long: "journal lists the API keys that pgtower created, rotated or revoked on this computer, oldest first,\n" +
			"with what came of it. A change without an answer is unknown. It never has a secret, and reads no\n" +
			"service." + formsHelp,
		Example: "  pgtower apikeys journal --json | jq -r 'select(.outcome == \"unknown\") | .name'",
	}
	s.addJSONLines(cmd.Flags())
	s.addCSV(cmd.Flags())
	return p.withSettings(cmd, s.loadState, s.printJournal)
}

// loadState reads the state alone.
func (s *setup) loadState(_ *pflag.FlagSet, p Process) error {
	s.memory.load(p)
	return nil
}

func (s *scriptSettings) printJournal(_ context.Context, p Process) error {
	file := s.memory.journalFile()
	if file.Path == "" {
		return errors.New("there is no journal, as there is no folder for it: set HOME")
	}
	records, damaged, err := file.Read()
	if err != nil {
		err = fmt.Errorf("cannot read the journal: %w", err)
	}
	err = cmp.Or(script.Journal(&s.options, p.Stdout, records, s.memory.state.OrgNames(p.Clock())), err)
	if damaged > 0 {
		p.warn("%d damaged lines of the journal were skipped", damaged)
	}
	return err
}
