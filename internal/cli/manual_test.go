package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"pgtower/ui/style"
)

// The manual page has every command, flag, setting and filter.
func TestManualPage(t *testing.T) {
	t.Parallel()
	root := Process{}.rootCommand()
	page := strings.ReplaceAll(manualPage(root, time.Now()), `\-`, "-")
	want := []string{
		`.TH PGTOWER 1 "`, `"pgtower ` + version() + `"`, ".SH NAME\npgtower - an unofficial terminal dashboard",
		".SH EXIT STATUS",
	}
	for _, cmd := range append(root.Commands(), root) {
		want = append(want, cmd.CommandPath())
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { want = append(want, "--"+f.Name) })
	}
	for _, setting := range new(setup).Settings() {
		want = append(want, setting.Env)
	}
	for _, terms := range filterTerms() {
		want = append(want, terms.Page+": "+strings.Join(terms.Terms, ", "))
	}
	for _, text := range want {
		if !strings.Contains(page, text) {
			t.Errorf("the manual page has no %q", text)
		}
	}
}

// The text of each help fits into 80 columns and fills them: a line ends where the next word has no room.
func TestHelpFitsIntoATerminal(t *testing.T) {
	t.Parallel()
	root := Process{}.rootCommand()
	for _, cmd := range append(commandsOf(root), root) {
		for paragraph := range strings.SplitSeq(filled(cmd.Long), "\n\n") {
			width, list := 80, strings.HasPrefix(paragraph, "  ")
			for line := range strings.SplitSeq(paragraph, "\n") {
				first, _, _ := strings.Cut(line, " ")
				if style.Width(line) > 80 || !list && width+1+style.Width(first) <= 80 {
					t.Errorf("%s: %q", cmd.CommandPath(), line)
				}
				width = style.Width(line)
			}
		}
	}
}

// No line of a help is wider than a terminal, and a switch has no value.
func TestUsageFitsIntoATerminal(t *testing.T) {
	t.Parallel()
	root := Process{}.rootCommand()
	for _, cmd := range append(commandsOf(root), root) {
		var out strings.Builder
		cmd.SetOut(&out)
		if err := cmd.Usage(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(out.String(), "\n") {
			if style.Width(line) > 80 || strings.Contains(line, "=true") || strings.TrimRight(line, " ") != line {
				t.Errorf("%s: %q", cmd.CommandPath(), line)
			}
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(out.String(), "--"+f.Name) {
				t.Errorf("%s: --%s", cmd.CommandPath(), f.Name)
			}
		})
	}
}

// A help shows durations without their zeros.
func TestHelpShortDurations(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"24h0m0s": "24h", "10m0s": "10m", "5s": "5s", "1m30s": "1m30s", "1h10m0s": "1h10m", "10s": "10s", "": "", "0s": "0s",
	} {
		if got := shortDuration(text); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

// No character of a text acts as a command of man(7).
func TestManualTextIsNoCommand(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"**--interval** or **-i**": `\fB\-\-interval\fR or \fB\-i\fR`,
		"~/.config\n.profile":      "\\(ti/.config\n\\&.profile",
		`'a\nb' ^`:                 `\(aqa\enb\(aq \(ha`,
	} {
		if got := typeset(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The documentation lists each field of a filter, and no other.
func TestManualAndDocumentationHaveTheFilters(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "filter.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ = bytes.Cut(text, []byte("\n| page | fields |\n|---|---|\n"))
	lines := strings.Split(string(text), "\n")
	for i, terms := range filterTerms() {
		var documented []string
		field := ""
		for _, term := range regexp.MustCompile("`[a-z_:-]+`").FindAllString(lines[i], -1) {
			term = strings.Trim(term, "`")
			if name, ends := strings.CutSuffix(term, ":"); ends {
				field = name + ":"
				continue
			}
			documented = append(documented, field+term)
		}
		slices.Sort(documented)
		if want := slices.Sorted(slices.Values(terms.Terms)); !slices.Equal(documented, want) {
			t.Errorf("%s:\n got %q\nwant %q", terms.Page, documented, want)
		}
	}
}
