package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pgtower/keystore"
)

func (p Process) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "Print the manual page",
		Example: "  pgtower man > ~/.local/share/man/man1/pgtower.1",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var m manual
			m.page(cmd.Root())
			_, err := fmt.Fprintln(p.Stdout, strings.Join(m.lines, "\n"))
			return err
		},
	}
}

// manual is a page in the man macros of roff.
type manual struct{ lines []string }

// escaped is a text that is printed as it is: roff reads lines that begin with a dot or an
// apostrophe, and everything after a backslash.
func escaped(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

func (m *manual) section(name string) { m.macro(".SH", name) }

func (m *manual) macro(name string, args ...string) {
	for _, a := range args {
		name += ` "` + strings.ReplaceAll(escaped(a), `"`, `\(dq`) + `"`
	}
	m.lines = append(m.lines, name)
}

// text writes paragraphs as they are, with their blank lines between them.
func (m *manual) text(s string) {
	for line := range strings.SplitSeq(strings.TrimSpace(s), "\n") {
		if line == "" {
			m.macro(".PP")
			continue
		}
		m.lines = append(m.lines, escaped(line))
	}
}

// item writes a term and what it means.
func (m *manual) item(term, meaning string) {
	m.macro(".TP")
	m.macro(".B", term)
	m.text(meaning)
}

func (m *manual) page(root *cobra.Command) {
	m.macro(".TH", strings.ToUpper(root.Name()), "1", "", root.Name()+" "+version())
	m.section("NAME")
	m.text(root.Name() + " - " + lowerFirst(root.Short))
	m.section("SYNOPSIS")
	m.macro(".B", root.Name())
	m.text("[flags] [command]")
	m.section("DESCRIPTION")
	m.text(root.Long)
	m.section("OPTIONS")
	m.flags(root.LocalFlags())
	m.section("COMMANDS")
	for _, c := range root.Commands() {
		if c.Hidden || c.Name() == "help" {
			continue
		}
		m.macro(".SS", c.CommandPath())
		if c.Long == "" || c.Name() == "completion" {
			m.text(c.Short + ".")
		} else {
			m.text(c.Long)
		}
		m.flags(c.LocalFlags())
	}
	m.section("ENVIRONMENT")
	for _, v := range environment() {
		m.item(v.name, v.meaning)
	}
	m.section("FILES")
	m.item("pgtower/config.toml", "The profiles and your own keys, in $XDG_CONFIG_HOME or ~/.config, or the system's own folder for configuration files. It holds no key.")
	m.example(configExample)
	m.section("EXIT STATUS")
	for _, e := range exitStatuses() {
		m.item(fmt.Sprint(e.code), e.meaning)
	}
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

# Other keys for actions, whose names pgtower keys lists: on every page
# that has the action, and on one page.
[keys]
refresh = "ctrl+r"
quit = ["Q", "ctrl+q"]
statistics = []

[keys.apikeys]
revoke = "D"`

// example prints lines as they are.
func (m *manual) example(lines string) {
	m.macro(".PP")
	m.macro(".EX")
	m.text(lines)
	m.macro(".EE")
}

func (m *manual) flags(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		placeholder, usage := pflag.UnquoteUsage(f)
		term := "--" + f.Name
		if placeholder != "" {
			term += " " + placeholder
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" {
			usage += "; " + f.DefValue + " by default"
		}
		m.item(term, usage)
	})
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

type variable struct{ name, meaning string }

func environment() []variable {
	return []variable{
		{keystore.EnvKey, "The API key. It is sent to the base URL in force, whichever that is."},
		{keystore.EnvLiveKey, "The API key of the live service's own tools. It is sent to the live service only."},
		{envConfig, "The configuration file."},
		{envProfile, "The profile."},
		{envBaseURL, "The address of the control API."},
		{envOrgID, "The organisation whose projects are listed."},
		{envInterval, "The time between polls."},
		{envPageSize, "The operations asked for at once."},
		{envWindow, "The time whose operations are counted."},
		{envSearchBack, "How far back failures and sorted rows are loaded."},
		{envTheme, "The colours."},
		{envTime, "How times are shown."},
		{envMockKey, "The API key that the mock accepts."},
		{"NO_COLOR", "Any value: no colours."},
	}
}

type exitStatus struct {
	code    int
	meaning string
}

func exitStatuses() []exitStatus {
	return []exitStatus{
		{ExitOK, "It did what it was asked."},
		{ExitFailed, "Something failed."},
		{ExitUsage, "The flags, the environment, the configuration file or the surroundings are such that it cannot run."},
		{ExitRefused, "The service refused the API key."},
		{ExitInterrupted, "It was interrupted."},
	}
}
