package shell

import (
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A shell reads each word as it was, whatever it contains.
func TestLineInAShell(t *testing.T) {
	t.Parallel()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	for _, word := range []string{
		"", " ", "org-x;touch${IFS}PWN", "$(touch PWN)", "`touch PWN`", "a b", "it's", "''", `\`, `a\'b`, "!!", "~", "*", "?", "#",
		"a&b", "a|b", "a>b", "{a,b}", "a\nb", "-n", "--account", "=x", "नेपाल", "\"", "%s", "!$",
	} {
		cmd := exec.CommandContext(t.Context(), sh, "-c", Line("printf", "%s", word))
		cmd.Dir = t.TempDir()
		got, err := cmd.CombinedOutput()
		if err != nil || string(got) != word {
			t.Errorf("%q became %q (%v)", word, got, err)
		}
	}
}

// A line is divided into the same words again, by a model of a shell.
func TestLineKeepsWords(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[-a-c '"$;\\]{0,6}`), 1, 4).Draw(t, "words")
		read := split(Line(words...))
		if strings.Join(read, "\x00") != strings.Join(words, "\x00") {
			t.Fatalf("%q became %q", words, read)
		}
	})
}

// split reads the only quoting that Line writes, as a shell does.
func split(line string) (words []string) {
	word, within := "", false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'':
			within = !within
		case within:
			word += string(c)
		case c == '\\':
			i++
			word += string(line[i])
		case c == ' ':
			words, word = append(words, word), ""
		default:
			word += string(c)
		}
	}
	return append(words, word)
}
