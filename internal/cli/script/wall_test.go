package script

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A command for scripts links no page, also not through others: of the dashboard it has only the formats of ui/style.
func TestCommandsForScriptsLinkNoPage(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	for _, expected := range []string{"pgtower/internal/cli/script", "pgtower/ui/style"} {
		if !slices.Contains(linked, expected) {
			t.Errorf("%s is not listed: this test looks for other names", expected)
		}
	}
	for _, name := range linked {
		if name == "pgtower/ui" || strings.HasPrefix(name, "pgtower/ui/") && name != "pgtower/ui/style" {
			t.Errorf("a command for scripts links %s", name)
		}
	}
}
