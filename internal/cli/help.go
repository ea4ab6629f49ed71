package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pgtower/ui/style"
)

// columns is the width of a terminal that every help fits into.
const columns = 80

// usage is the part of a help that shows how a command is called. No line is wider than 80 columns.
type usage struct{ text strings.Builder }

// printUsage prints how a command is called.
func printUsage(cmd *cobra.Command) error {
	var u usage
	u.calls(cmd)
	if cmd.HasExample() {
		u.section("Examples", cmd.Example)
	}
	u.commands(cmd)
	if cmd.HasAvailableLocalFlags() {
		u.section("Flags", flagUsages(cmd.LocalFlags()))
	}
	if cmd.HasAvailableSubCommands() {
		u.text.WriteString("\n\nUse \"" + cmd.CommandPath() + " [command] --help\" for more information about a command.")
	}
	_, err := fmt.Fprintln(cmd.OutOrStderr(), strings.TrimLeft(u.text.String(), "\n"))
	return err
}

func (u *usage) section(title, text string) {
	u.text.WriteString("\n\n" + title + ":\n" + strings.TrimRight(text, "\n"))
}

// calls adds the lines that call the command.
func (u *usage) calls(cmd *cobra.Command) {
	var lines []string
	if cmd.Runnable() {
		lines = append(lines, cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		lines = append(lines, cmd.CommandPath()+" [command]")
	}
	for i, line := range lines {
		lines[i] = "  " + fill(line, columns-len("  "), "    ", 2)
	}
	u.section("Usage", strings.Join(lines, "\n"))
	if len(cmd.Aliases) > 0 {
		u.section("Aliases", "  "+cmd.NameAndAliases())
	}
}

// commands adds the commands below the command.
func (u *usage) commands(cmd *cobra.Command) {
	var rows [][2]string
	for _, command := range cmd.Commands() {
		if command.IsAvailableCommand() || command.Name() == "help" {
			rows = append(rows, [2]string{"  " + command.Name(), command.Short})
		}
	}
	if len(rows) > 0 {
		u.section("Available Commands", twoColumns(rows))
	}
}

// widestTerm is the widest term that has its text on the same line.
const widestTerm = 26

// twoColumns returns terms with their texts beside them.
func twoColumns(rows [][2]string) string {
	width := 0
	for _, row := range rows {
		if w := style.Width(row[0]); w <= widestTerm {
			width = max(width, w)
		}
	}
	width += len("  ")
	indent := strings.Repeat(" ", width)
	var lines []string
	for _, row := range rows {
		term := row[0] + indent[min(style.Width(row[0]), width):]
		if style.Width(row[0]) >= width {
			term += "\n" + indent
		}
		lines = append(lines, strings.TrimRight(term+fill(row[1], columns-width, indent, 0), " "))
	}
	return strings.Join(lines, "\n")
}

// flagUsages returns the flags with their texts. A switch has no value, as in --demo.
func flagUsages(flags *pflag.FlagSet) string {
	var rows [][2]string
	for _, f := range flagsOf(flags) {
		if f.Hidden {
			continue
		}
		value, text := pflag.UnquoteUsage(f)
		term := "      --" + f.Name
		if f.Shorthand != "" {
			term = "  -" + f.Shorthand + ", --" + f.Name
		}
		switch {
		case f.Value.Type() == "bool":
		case f.NoOptDefVal != "":
			term += "[=" + value + "]"
		case value != "":
			term += " " + value
		}
		if preset := shownDefault(f); preset != "" {
			text += " (default " + preset + ")"
		}
		rows = append(rows, [2]string{term, text})
	}
	return twoColumns(rows)
}

// shownDefault returns the default of a flag as users write it, or "" if it is the zero of its type.
func shownDefault(f *pflag.Flag) string {
	switch value := f.DefValue; f.Value.Type() {
	case "bool":
		return strings.TrimPrefix(value, "false")
	case "duration":
		return shortDuration(value)
	case "time":
		if _, ok := f.Value.(*givenTime); ok {
			return shortDuration(value)
		}
		return ""
	case "string":
		return value
	case "int", "int64", "uint64", "float64":
		return strings.TrimPrefix(value, "0")
	default:
		return ""
	}
}

// shortDuration returns a duration without its zeros: 24h instead of 24h0m0s.
func shortDuration(text string) string {
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// filled returns paragraphs with new line breaks, so that each line fits into a terminal of 80 columns. Indented ones stay
// as they are.
func filled(text string) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, paragraph := range paragraphs {
		if !strings.HasPrefix(paragraph, "\t") && !strings.HasPrefix(paragraph, "  ") {
			paragraphs[i] = fill(paragraph, columns, "", 0)
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// fill returns words with line breaks, so that no line is wider than width. Each line but the first begins with indent; counted
// is how many cells of it belong to the width.
func fill(text string, width int, indent string, counted int) string {
	var out strings.Builder
	left, begins := width, true
	for word := range strings.FieldsSeq(text) {
		switch {
		case begins:
		case left <= style.Width(word):
			out.WriteString("\n" + indent)
			left = width - counted
		default:
			out.WriteByte(' ')
			left--
		}
		begins = false
		out.WriteString(word)
		left -= style.Width(word)
	}
	return out.String()
}
