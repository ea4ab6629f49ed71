// Package cli is the command line. It connects the terminal program to client and keystore.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pgtower/internal/cli/exit"
	"pgtower/internal/cli/script"
	"pgtower/keystore"
	"pgtower/models"
)

// Run runs the command line and returns the exit code. Errors are written to Stderr.
func Run(ctx context.Context, p Process) int {
	// The log of the standard library has unsolicited responses and, with GODEBUG=http2debug=2, the key of each request.
	log.SetOutput(io.Discard)
	// A write to a pipe without a reader fails instead. Programs that pgtower runs still get the signal.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	root := p.rootCommand() //nolint:contextcheck // cobra passes it to the commands
	root.SetArgs(p.Args)
	var noHelp error // why no help can be shown
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) { noHelp = showHelp(help, cmd, args) })
	cmd, err := root, p.refuseKeys()
	if err == nil {
		cmd, err = root.ExecuteContextC(ctx)
		err = cmp.Or(err, noHelp)
	}
	switch {
	case err == nil, script.ReaderGone(err):
		return exit.OK
	case errors.Is(err, exit.ErrInterrupted):
		return exit.Interrupted
	}
	_, usage := errors.AsType[exit.UsageError](err)
	if !errors.Is(err, exit.ErrSaid) {
		p.warn("%s", p.withoutArguments(err.Error()))
		advice := adviceOn(err)
		if usage && advice == "" {
			advice = "See " + cmd.CommandPath() + " --help."
		}
		if advice != "" {
			_, _ = fmt.Fprintln(p.Stderr, advice)
		}
	}
	switch {
	case usage, isFileError(err):
		return exit.Usage
	case models.KindOf(err) == models.KindUnauthorized:
		return exit.Refused
	case errors.Is(err, exit.ErrTimeout):
		return exit.Timeout
	case errors.Is(err, exit.ErrUnknown):
		return exit.Unknown
	case errors.Is(err, exit.ErrIncomplete):
		return exit.Incomplete
	}
	return exit.Failed
}

// showHelp shows the help of a command, or returns why there is none.
func showHelp(help func(*cobra.Command, []string), cmd *cobra.Command, args []string) error {
	err := unknownCommand(cmd, cmd.Flags().Args())
	if err == nil {
		cmd.Long = filled(cmd.Long)
		help(cmd, args)
	}
	return err
}

// withoutArguments removes every argument and setting that may be an API key without a known form from an error.
func (p Process) withoutArguments(text string) string {
	given := slices.Clone(p.Args)
	for _, name := range settingVariables() {
		given = append(given, p.Getenv(name))
	}
	var doubtful models.Redactor
	for _, entry := range given {
		for word := range strings.FieldsFuncSeq(entry, isBetweenWords) {
			word = strings.Trim(word, ".") // within a word, it is the name of a file
			if models.MayBeKey(word) {
				doubtful = doubtful.With(models.NewSecret(word))
			}
		}
	}
	return doubtful.Text(text)
}

func isBetweenWords(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '.'
}

// settingVariables returns the environment variables of all settings.
func settingVariables() []string {
	variables := []string{envProfile, envConfig}
	for _, setting := range new(setup).Settings() {
		variables = append(variables, setting.Env)
	}
	return variables
}

// refuseKeys returns an error if an argument or a setting is an API key, before it is printed anywhere. The keys of the mock
// are no secrets.
func (p Process) refuseKeys() error {
	for i, arg := range p.Args {
		if i == 0 && arg == "mock" {
			break
		}
		if models.FindKey(arg) >= 0 {
			return exit.Usagef("argument %d looks like an API key: other users of this computer can read the arguments of its "+
				"programs, so revoke it and give pgtower login another one", i+1)
		}
	}
	for _, name := range settingVariables() {
		if models.FindKey(p.Getenv(name)) >= 0 {
			return exit.Usagef("%s looks like an API key: %s is the variable for that", name, keystore.EnvKey)
		}
	}
	return nil
}

func (p Process) rootCommand() *cobra.Command {
	s := defaults()
	root := &cobra.Command{
		Use:   "pgtower",
		Short: "An unofficial terminal dashboard for the control API of Neon",
		Long: "pgtower is an unofficial terminal dashboard for the control API of Neon, and of what\n" +
			"speaks the same API. It shows every operation of every project live, and rotates and\n" +
			"revokes API keys without breaking anything.\n\n" +
			"pgtower asks for the API key once and saves it in the keyring of the operating\n" +
			"system. These take precedence, in this order: PGTOWER_API_KEY; NEON_API_KEY, for\n" +
			"the live service only; the key_command of the profile. There is no flag for the key,\n" +
			"because other users of a computer can see the flags of its programs.",
		Example:                    "  pgtower --demo\n  pgtower --project floral-king-961888 --interval 2s",
		Args:                       noArgs,
		Version:                    version(),
		SuggestionsMinimumDistance: 2, // letters that may be wrong
		SilenceUsage:               true,
		SilenceErrors:              true,
		RunE:                       func(cmd *cobra.Command, _ []string) error { return p.dashboard(cmd.Context(), cmd.Flags(), &s) },
	}
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(printUsage)
	s.addFlags(root.Flags())
	root.AddCommand(
		p.loginCommand(), p.logoutCommand(), p.profilesCommand(), p.configCommand(),
		p.bindingsCommand(), p.doctorCommand(), p.mockCommand(), p.versionCommand(), p.manCommand(),
		p.operationsCommand(), p.reportCommand(), p.waitCommand(), p.metricsCommand(), p.projectsCommand(),
		p.apikeysCommand(),
	)
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	for _, cmd := range append(commandsOf(root), root) {
		p.completeFlags(cmd)
	}
	return root
}

// flagError explains an error in the flags of a command.
func flagError(cmd *cobra.Command, err error) error {
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		err = fmt.Errorf("--%s: %w", wrong.GetFlag().Name, wrongValue(wrong.GetFlag()))
	}
	if wrong, unknown := errors.AsType[*pflag.NotExistError](err); unknown {
		err = unknownFlag(cmd, wrong.GetSpecifiedName(), err)
	}
	return cmp.Or(unknownCommand(cmd, cmd.Flags().Args()), exit.NewUsageError(err))
}

// unknownFlag adds the commands that have the flag to an error, or a flag with a similar name.
func unknownFlag(cmd *cobra.Command, name string, err error) error {
	var names []string
	for _, flag := range flagsOf(cmd.Flags()) {
		names = append(names, flag.Name)
	}
	commands := map[string][]string{} // that have a flag
	for _, command := range commandsOf(cmd.Root()) {
		if command.Name() == "mock" {
			continue // its flags are for no other command
		}
		for _, flag := range flagsOf(command.Flags()) {
			commands[flag.Name] = append(commands[flag.Name], command.CommandPath())
		}
	}
	if owners := commands[name]; len(owners) > 0 {
		return fmt.Errorf("%w; this is a flag of %s", err, strings.Join(owners, ", "))
	}
	if near := models.Nearest(name, names); near != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	if near := models.Nearest(name, slices.Sorted(maps.Keys(commands))); near != "" {
		return fmt.Errorf("%w; did you mean --%s of %s?", err, near, strings.Join(commands[near], ", "))
	}
	return err
}

// unknownCommand returns an error for the first argument of a command that only has subcommands.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if cmd.HasSubCommands() {
		return noArgs(cmd, args)
	}
	return nil
}
