package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// Without a terminal, the first line of the input is the key, in the encodings of Windows, too.
func TestLoginKeyOfTheStandardInput(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		"s3cret": "s3cret", "s3cret\r\nmore\n": "s3cret", "\uFEFFs3cret\n": "s3cret", "\xFF\xFEs\x00": "", "\n": "",
	} {
		path := filepath.Join(t.TempDir(), "input")
		if err := os.WriteFile(path, []byte(input), 0o600); err != nil {
			t.Fatal(err)
		}
		stdin, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		key, err := Process{Stdin: stdin}.readKey(t.Context(), "")
		if key.Reveal() != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", input, key.Reveal(), err)
		}
		_ = stdin.Close()
	}
}
