package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"pgtower/models/keys"
)

// The table of findings has each that is declared, in order, with what it means.
func TestTableOfTheFindings(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("scripting.md")
	if err != nil {
		t.Fatal(err)
	}
	want := "| finding | means |\n|---|---|\n"
	for _, kind := range keys.Kinds() {
		want += "| " + kind.String() + " | " + kind.Means() + " |\n"
	}
	link := regexp.MustCompile(`\[(.*?)\]\(.*?\)`)
	plain := strings.ReplaceAll(link.ReplaceAllString(string(page), "$1"), "`", "")
	if !strings.Contains(plain, want) {
		t.Errorf("the page lacks\n%s", want)
	}
}
