package cli

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pgtower/internal/cli/exit"
	"pgtower/internal/cli/script"
	"pgtower/models/control"
	"pgtower/models/query"
)

// scriptSettings are the settings of a command for scripts.
type scriptSettings struct {
	setup

	options script.Options
	parse   parser
	command script.Run // as parse returned it
}

// parser checks the options of a command, and returns its work.
type parser func(*pflag.FlagSet) (script.Run, error)

const formsHelp = "\n\nIn a terminal it prints a table, otherwise tab-separated fields. --json prints\n" +
	"one object a line, with the field names of the API; --json=id,status prints these\n" +
	"fields alone."

func newScript() *scriptSettings { return &scriptSettings{setup: defaults()} }

// addFlags adds the flags for the connection, the demo and JSON, and others of the dashboard by their names.
func (s *scriptSettings) addFlags(f *pflag.FlagSet, names ...string) {
	common := []string{"demo", "demo-incidents", "demo-seed", "demo-time", "time"}
	s.setup.addFlags(f, slices.Concat(connectionFlags, names, common)...)
	s.addJSONLines(f)
}

func (s *scriptSettings) addJSONLines(f *pflag.FlagSet) {
	f.Var((*jsonFlag)(&s.options), "json", "print one JSON object a line, of all fields or of `FIELD,...`")
	f.Lookup("json").NoOptDefVal = allFields
}

// jsonFlag is the flag for JSON. Without a value, it prints all fields; with a value, these fields.
type jsonFlag script.Options

const allFields = "true" // of a jsonFlag

func (*jsonFlag) Type() string { return "fields" }

func (j *jsonFlag) String() string { return strings.Join(j.Fields, ",") }

func (j *jsonFlag) Set(text string) error {
	j.JSON, j.Fields = text != "false", nil
	if text == "" {
		return errors.New("no field")
	}
	if text != allFields && j.JSON {
		j.Fields = strings.Split(text, ",")
	}
	return nil
}

// documentFlag is the flag for one document of JSON, which has no fields to choose: the help shows no value.
type documentFlag struct{ *jsonFlag }

// Type returns that of a flag without a value.
func (documentFlag) Type() string { return "bool" }

// jsonForm returns a hint for an argument that may be meant for --json, or "".
func jsonForm(cmd *cobra.Command, arg string) string {
	flag := cmd.Flags().Lookup("json")
	if flag == nil || !flag.Changed || flag.Value.Type() != new(jsonFlag).Type() {
		return ""
	}
	return "; --json takes fields after a =, as in --json=" + arg
}

func (s *scriptSettings) addCSV(f *pflag.FlagSet) {
	f.BoolVar(&s.options.CSV, "csv", false, "print CSV")
}

// addOperationsFlags adds the flags of a command that reads operations, and others of the dashboard by their names.
func (s *scriptSettings) addOperationsFlags(f *pflag.FlagSet, names ...string) {
	s.addFlags(f, append(names, "interval", "page-size", "budget")...)
	const usage = "id or name of a `PROJECT` to read; repeat it for several"
	f.StringArrayVar(&s.options.Projects, "project", nil, usage)
}

// addFormFlags adds the flags for the filter and the form of the output.
func (s *scriptSettings) addFormFlags(f *pflag.FlagSet) {
	f.StringVar(&s.options.Filter, "filter", "", "print only what matches this filter, such as status:failed")
	s.addCSV(f)
}

// scriptCommand completes a command that reads the service.
func (p Process) scriptCommand(cmd *cobra.Command, s *scriptSettings, parse parser) *cobra.Command {
	s.parse = parse
	return p.withSettings(cmd, s.load, s.run)
}

// load resolves the settings, then the options that depend on them.
func (s *scriptSettings) load(f *pflag.FlagSet, p Process) (err error) {
	if err := s.resolve(f, p); err != nil {
		return err
	}
	o := &s.options
	o.Pinned, o.Interval, o.Since = s.current.Pinned, s.Interval, s.Since
	o.PageSize, o.Budget, o.Times, o.Key = s.PageSize, s.Budget, s.Time, s.accountOptions()
	s.command, err = s.parse(f)
	return err
}

// run connects with the key that the dashboard would use, and runs the command.
func (s *scriptSettings) run(ctx context.Context, p Process) error {
	clock := s.clock(p.Clock)
	accounts, err := newAccounts(&s.setup, clock, p.LookupEnv)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer accounts.close()
	defer cancel()
	accounts.authenticators[0].sources.Terminal = p.terminal()
	profile := accounts.profiles[0]
	connection, err := profile.Authenticator.Open(ctx, profile.BaseURL)
	none, isNone := errors.AsType[*control.NoKeyError](err)
	switch {
	case isNone && none.Unused != "":
		return exit.Usagef("no API key for %s: %s; run pgtower login, or set PGTOWER_API_KEY", profile.Host, none.Unused)
	case isNone:
		return exit.Usagef("no API key for %s: run pgtower login, or set PGTOWER_API_KEY", profile.Host)
	case err != nil:
		return exit.NewUsageError(err)
	}
	now := profile.Clock
	if now == nil {
		now = func() time.Time { return clock().Add(connection.Skew().Value) }
	}
	for _, view := range s.file.config.Views {
		s.options.Views.All = append(s.options.Views.All, query.InProfile(view, profile.Name))
	}
	if !s.demo {
		s.options.Views.Run = (&programs{redact: accounts.redact}).Run
	}
	process := script.Process{Stdin: p.Stdin, Stdout: p.Stdout, Stderr: p.Stderr, Clock: p.Clock, Steady: p.Steady}
	source := script.NewSource(process, &s.options, connection, now)
	defer source.Close()
	defer atSecondSignal(source.TellOpen)()
	err = s.command(ctx, source)
	source.Remember(err)
	return err
}
