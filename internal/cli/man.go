package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"pgtower/keystore"
	"pgtower/keystore/profile"
)

func (p Process) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "Print the manual page",
		Example: "  pgtower man > ~/.local/share/man/man1/pgtower.1",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root := cmd.Root()
			// One page for all commands: with its subcommands, cobra would refer to a page of each.
			page := &cobra.Command{
				Use: root.Name() + " [command]", Short: lowerFirst(root.Short), Long: manual(root), Example: root.Example,
				Run: func(*cobra.Command, []string) {}, DisableAutoGenTag: true,
			}
			page.Flags().AddFlagSet(root.LocalNonPersistentFlags())
			date := thisBuild().committed
			if date.IsZero() {
				date = p.Clock()
			}
			return doc.GenMan(page, &doc.GenManHeader{Date: &date, Source: root.Name() + " " + version()}, p.Stdout)
		},
	}
}

// manual is the description of the program and of everything that belongs to it, in Markdown.
func manual(root *cobra.Command) string {
	var b strings.Builder
	item := func(term any, meaning string) { fmt.Fprintf(&b, "**%v**\n: %s\n\n", term, meaning) }
	b.WriteString(root.Long + "\n\n# COMMANDS\n")
	for _, c := range root.Commands() {
		if !c.IsAvailableCommand() || c.Name() == "help" {
			continue
		}
		description := c.Long
		if description == "" || c.Name() == "completion" {
			description = c.Short + "."
		}
		fmt.Fprintf(&b, "### %s\n%s\n\n", c.CommandPath(), description)
		if flags := c.LocalFlags(); flags.HasAvailableFlags() {
			fmt.Fprintf(&b, "```\n%s```\n\n", flags.FlagUsages())
		}
	}
	b.WriteString("# ENVIRONMENT\n")
	item(keystore.EnvKey, "The API key. It is sent to the base URL in force.")
	item(keystore.EnvLiveKey, "The API key of the live service's own tools. It is sent to the live service only.")
	item(envMockKey, "The API key that the mock accepts.")
	item(envConfig, "The configuration file.")
	item(envProfile, "The profile of the configuration file to use.")
	for _, one := range new(settings).table(profile.Profile{}) {
		if one.env != "" {
			item(one.env, strings.ToUpper(one.usage[:1])+one.usage[1:]+".")
		}
	}
	item("NO_COLOR", "Any value: no colours.")
	b.WriteString("# FILES\nThe configuration file **pgtower/config.toml** is in $XDG_CONFIG_HOME or ~/.config,\n" +
		"elsewhere in the system's own folder. It has your profiles and keys of actions, and no API key.\n\n" +
		"```\n" + configExample + "\n```\n\n# EXIT STATUS\n")
	item(ExitOK, "It did what it was asked.")
	item(ExitFailed, "Something failed.")
	item(ExitUsage, "Flags, environment, configuration file or surroundings with which it cannot run.")
	item(ExitRefused, "The service refused the API key.")
	item(ExitInterrupted, "It was interrupted.")
	return b.String()
}

// configExample is a configuration file with everything that may be in one.
const configExample = `default_profile = "work"

[profiles.work]
base_url = "https://console.neon.tech/api/v2"
org_id = "org-cool-breeze-12345678"
interval = "2s"
page_size = 200
window = "1h"
pinned = ["floral-king-961888"]
search_back = "48h"
theme = "dark"
# Prints the key in its first line, within 30 seconds. A list is run
# as it is, a text by the shell.
key_command = ["pass", "show", "console/api-key"]

# Other keys for actions, whose names pgtower bindings lists: on every page
# that has the action, and on one page.
[keys]
refresh = "ctrl+r"
quit = ["Q", "ctrl+q"]
statistics = []

[keys.apikeys]
revoke = "D"`

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
