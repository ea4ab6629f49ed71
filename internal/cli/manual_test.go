package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"pgtower/keystore/profile"
	"pgtower/ui"
	"pgtower/ui/action"
	"pgtower/ui/page"
)

// The manual page matches the commands, flags and settings; PGTOWER_UPDATE=1 updates it.
func TestManualPage(t *testing.T) {
	t.Parallel()
	root := Process{}.rootCommand()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	// One page for all commands: with subcommands, cobra would refer to separate pages.
	manpage := &cobra.Command{
		Use: root.Name() + " [command]", Short: "a" + root.Short[1:], Long: manualText(t, root), Example: root.Example,
		Run: func(*cobra.Command, []string) {}, DisableAutoGenTag: true,
	}
	manpage.Flags().AddFlagSet(root.LocalNonPersistentFlags())
	date, err := time.Parse(manualDate, manualDate)
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	header := &doc.GenManHeader{Date: &date, Source: root.Name() + " " + manualVersion}
	if err := doc.GenMan(manpage, header, &want); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("PGTOWER_UPDATE") != "" {
		if err := os.WriteFile("pgtower.1", want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if manual != want.String() {
		t.Errorf("PGTOWER_UPDATE=1 go test ./internal/cli accepts the manual page:\n%s", &want)
	}
}

// filterTerms are the terms that a page's filter supports.
type filterTerms struct {
	Page  string
	Terms []string
}

// filters returns what the pages suggest for an empty filter, and for the fields with fixed words.
func filters() (all []filterTerms) {
	for id, of := range ui.Catalogue() {
		one := filterTerms{Page: page.ID(id).Title()}
		actions := of.Actions()
		suggest := actions[slices.IndexFunc(actions, func(a action.Action) bool { return a.ID == "filter" })].Arg.Complete
		for _, field := range suggest("") {
			if field.Text != "is:" && field.Text != "never:" {
				one.Terms = append(one.Terms, strings.TrimSuffix(field.Text, ":"))
				continue
			}
			for _, word := range suggest(field.Text) {
				one.Terms = append(one.Terms, word.Text)
			}
		}
		all = append(all, one)
	}
	return all
}

// The documentation lists each field of a filter, and no other.
func TestTheDocumentationHasTheFilters(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "filter.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ = bytes.Cut(text, []byte("\n| page | fields |\n|---|---|\n"))
	lines := strings.Split(string(text), "\n")
	for i, one := range filters() {
		var said []string
		before := ""
		for _, term := range regexp.MustCompile("`[a-z_:]+`").FindAllString(lines[i], -1) {
			term = strings.Trim(term, "`")
			if name, ends := strings.CutSuffix(term, ":"); ends {
				before = name + ":"
				continue
			}
			said = append(said, before+term)
		}
		slices.Sort(said)
		if want := slices.Sorted(slices.Values(one.Terms)); !slices.Equal(said, want) {
			t.Errorf("%s:\n got %q\nwant %q", one.Page, said, want)
		}
	}
}

// manualText returns the page's text between its description and its flags, as Markdown.
func manualText(t *testing.T, root *cobra.Command) string {
	t.Helper()
	var b strings.Builder
	sentence := func(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }
	text, err := template.New("manual.md").Funcs(template.FuncMap{"sentence": sentence, "join": strings.Join}).
		ParseFiles(filepath.Join("testdata", "manual.md"))
	if err == nil {
		err = text.Execute(&b, map[string]any{
			"Root": root, "Settings": new(settings).table(), "Example": profile.Example(), "Bindings": new(settings).bindings(),
			"Filters": filters(),
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
