package cli

import (
	"strings"
	"testing"

	"pgtower/ui"
)

// Each command line that the palette names for a shell exists.
func TestShellCommandsAreThere(t *testing.T) {
	t.Parallel()
	for command := range ui.ShellCommands() {
		words := strings.Fields(command)[1:]
		found, rest, err := Process{}.rootCommand().Find(words)
		if err != nil || len(rest) > 0 || found.Name() != words[len(words)-1] {
			t.Errorf("%s: %v %v", command, rest, err)
		}
	}
}
