package ui_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A page never knows another page: the root alone makes them. A page is what shows its records by ui/listpage.
func TestPagesDoNotKnowEachOther(t *testing.T) {
	t.Parallel()
	const imports = `{{.ImportPath}} {{join .Imports " "}}`
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", imports, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var packages [][]string // each with what it imports
	var pages []string
	for line := range strings.Lines(string(out)) {
		names := strings.Fields(line)
		packages = append(packages, names)
		if names[0] != "pgtower/ui" && slices.Contains(names[1:], "pgtower/ui/listpage") {
			pages = append(pages, names[0])
		}
	}
	if len(pages) < 3 {
		t.Errorf("the pages are %q: this test looks for other names", pages)
	}
	for _, names := range packages {
		for _, page := range pages {
			if names[0] != "pgtower/ui" && slices.Contains(names[1:], page) {
				t.Errorf("%s imports the page %s", names[0], page)
			}
		}
	}
}
