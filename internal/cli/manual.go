package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pgtower/internal/cli/exit"
	"pgtower/models/settings"
	"pgtower/ui"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

func (p Process) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "Print the manual page",
		Example: "  pgtower man > ~/.local/share/man/man1/pgtower.1",
		Args:    noArgs,
		RunE:    p.printManual,
	}
}

func (p Process) printManual(cmd *cobra.Command, _ []string) error {
	date := thisBuild().committed
	if date.IsZero() {
		date = p.Clock()
	}
	_, err := p.Stdout.WriteString(manualPage(cmd.Root(), date))
	return err
}

func manualPage(root *cobra.Command, date time.Time) string {
	var m manual
	title := strings.ToUpper(root.Name())
	m.line(".TH %s 1 %q %q", title, date.Format(time.DateOnly), root.Name()+" "+version())
	m.about(root)
	m.language()
	m.surroundings()
	return m.String()
}

// manual is a manual page, in the language of man(7). Its texts may have **bold** words.
type manual struct{ strings.Builder }

func (m *manual) line(format string, args ...any) {
	_, _ = fmt.Fprintf(m, format+"\n", args...)
}

func (m *manual) section(title string) { m.line(".SH %s", title) }

func (m *manual) paragraphs(text string) {
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		m.line(".PP")
		m.line("%s", typeset(paragraph))
	}
}

// literal adds lines that keep their breaks and spaces.
func (m *manual) literal(text string) {
	m.line(".PP\n.RS 4\n.nf\n%s\n.fi\n.RE", typeset(strings.TrimRight(text, "\n")))
}

// item adds a term with its explanation.
func (m *manual) item(term, text string) {
	m.line(".TP\n%s\n%s", typeset("**"+term+"**"), typeset(text))
}

// typeset returns a text as man(7) has it: every character stands for itself, and no line is a command.
func typeset(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "~", `\(ti`, "^", `\(ha`, "`", `\(ga`, "'", `\(aq`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	var b strings.Builder
	for i, part := range strings.Split(strings.Join(lines, "\n"), "**") {
		if i > 0 {
			b.WriteString([]string{`\fR`, `\fB`}[i%2])
		}
		b.WriteString(part)
	}
	return b.String()
}

// about adds the descriptions of the program and its commands, with their flags.
func (m *manual) about(root *cobra.Command) {
	m.section("NAME")
	m.line("%s", typeset(root.Name()+" - "+strings.ToLower(root.Short[:1])+root.Short[1:]))
	m.section("SYNOPSIS")
	m.line("%s", typeset("**"+root.Name()+"** [command] [flags]"))
	m.section("DESCRIPTION")
	m.paragraphs(root.Long)
	m.section("OPTIONS")
	for _, flag := range flagsOf(root.LocalNonPersistentFlags()) {
		kind, usage := pflag.UnquoteUsage(flag)
		m.item(strings.TrimSpace("--"+flag.Name+" "+kind), style.Sentence(usage)+".")
	}
	m.section("COMMANDS")
	for _, cmd := range commandsOf(root) {
		if cmd.Parent().Name() == "completion" || !cmd.IsAvailableCommand() || cmd.Name() == "help" {
			continue
		}
		m.line(".SS %s", typeset(cmd.CommandPath()))
		if cmd.Long == "" || cmd.Name() == "completion" {
			m.paragraphs(cmd.Short + ".")
		} else {
			m.paragraphs(cmd.Long)
		}
		if cmd.LocalFlags().HasAvailableFlags() {
			m.literal(flagUsages(cmd.LocalFlags()))
		}
	}
	m.section("EXAMPLES")
	m.literal(root.Example)
}

// language adds the keys and the filter.
func (m *manual) language() {
	m.section("KEYS")
	m.paragraphs("In the dashboard, **?** shows the keys of a page and finds them. The configuration file can change these.")
	var keys strings.Builder
	for _, b := range new(setup).bindings() {
		_, _ = fmt.Fprintf(&keys, "%-20s  %-27s  %s\n", b.Page, strings.Join(b.Keys, " "), b.Does)
	}
	m.literal(keys.String())
	m.section("FILTER")
	m.paragraphs(`In the dashboard, **/** filters the rows of a page. **Tab** completes fields and values, **up** brings
back filters that you kept. A row must match every word, or all those on one side of an **or**. A word matches what
contains it.`)
	m.literal(`a b                both
a or (b c)         either; parentheses group
!a                 not
"a b"              exact text
field:a,b          a or b in a field
took:>=1m30s       a duration: < <= > >= and ms s m h d w
after:14:32        a clock time, or 2026-11-20, or 2026-11-20 09:00`)
	for _, terms := range filterTerms() {
		m.paragraphs(terms.Page + ": " + strings.Join(terms.Terms, ", ") + ".")
	}
}

// surroundings adds the variables, the files and the exit codes.
func (m *manual) surroundings() {
	m.section("ENVIRONMENT")
	m.item("PGTOWER_API_KEY", "The API key. It is sent to the base URL in force.")
	m.item("NEON_API_KEY", "The API key of the live service's own tools. It is sent to the live service only.")
	m.item("PGTOWER_MOCK_API_KEY", "The API key that the mock accepts.")
	m.item(envConfig, "The configuration file.")
	m.item(envProfile, "The profile of the configuration file to use.")
	for _, setting := range new(setup).Settings() {
		if setting.Env != "" {
			m.item(setting.Env, style.Sentence(setting.Usage)+".")
		}
	}
	m.item("NO_COLOR", "Any value: no colors.")
	m.section("FILES")
	m.paragraphs("The configuration file **pgtower/config.toml** is in $XDG_CONFIG_HOME or ~/.config, on macOS and\n" +
		"Windows without $XDG_CONFIG_HOME in the system's own folder. It has your profiles and keys of actions, and no API key.")
	m.literal(settings.Example())
	m.section("EXIT STATUS")
	m.item(fmt.Sprint(exit.OK), "Success.")
	m.item(fmt.Sprint(exit.Failed), "Something failed.")
	m.item(fmt.Sprint(exit.Usage), "Invalid flags, environment or configuration, or no API key.")
	m.item(fmt.Sprint(exit.Refused), "The service refused the API key.")
	m.item(fmt.Sprint(exit.Timeout), "**pgtower wait** took longer than **--timeout**.")
	m.item(fmt.Sprint(exit.Incomplete), "**pgtower apikeys audit** could not read a list.")
	m.item(fmt.Sprint(exit.Unknown), "Nothing tells yet whether a change of an API key was carried out.")
	m.item(fmt.Sprint(exit.Interrupted), "Interrupted.")
}

// pageTerms are the terms that a page's filter supports.
type pageTerms struct {
	Page  string
	Terms []string
}

// filterTerms returns the suggestions of the pages for an empty filter, and for the fields with fixed words.
func filterTerms() (list []pageTerms) {
	for id, actions := range ui.Catalogue() {
		terms := pageTerms{Page: page.ID(id).Title()}
		filter, _ := action.ByID(actions.Groups, "filter") // every page has one
		suggest := filter.Arg.Complete
		for _, field := range suggest("") {
			if field.Text != "is:" && field.Text != "never:" {
				terms.Terms = append(terms.Terms, strings.TrimSuffix(field.Text, ":"))
				continue
			}
			for _, word := range suggest(field.Text) {
				terms.Terms = append(terms.Terms, word.Text)
			}
		}
		list = append(list, terms)
	}
	return list
}
