package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"pgtower/keystore/profile"
)

// The manual page is that of the commands, flags and settings there are; PGTOWER_UPDATE=1 writes it.
func TestManualPage(t *testing.T) {
	t.Parallel()
	root := Process{}.rootCommand()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	// One page for all commands: with its subcommands, cobra would refer to a page of each.
	page := &cobra.Command{
		Use: root.Name() + " [command]", Short: "a" + root.Short[1:], Long: manualText(t, root), Example: root.Example,
		Run: func(*cobra.Command, []string) {}, DisableAutoGenTag: true,
	}
	page.Flags().AddFlagSet(root.LocalNonPersistentFlags())
	date, err := time.Parse(manualDate, manualDate)
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	header := &doc.GenManHeader{Date: &date, Source: root.Name() + " " + manualVersion}
	if err := doc.GenMan(page, header, &want); err != nil {
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

// manualText is what the page says between its description and its flags, as Markdown.
func manualText(t *testing.T, root *cobra.Command) string {
	t.Helper()
	var b strings.Builder
	sentence := func(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }
	page, err := template.New("manual.md").Funcs(template.FuncMap{"sentence": sentence, "join": strings.Join}).
		ParseFiles(filepath.Join("testdata", "manual.md"))
	if err == nil {
		err = page.Execute(&b, map[string]any{
			"Root": root, "Settings": new(settings).table(), "Example": profile.Example(), "Bindings": new(settings).bindings(),
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
