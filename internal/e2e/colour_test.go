//go:build unix

package e2e

import (
	"regexp"
	"strings"
	"testing"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// With NO_COLOR there are no colours, but still styles.
func TestColours(t *testing.T) {
	t.Parallel()
	for env, wanted := range map[string]bool{"NO_COLOR=": true, "NO_COLOR=0": false} {
		t.Run(env, func(t *testing.T) {
			t.Parallel()
			b := serve(t, mock.Options{})
			b.begin(b.project("storefront"), "create_branch")
			p := start(t, termtest.Options{Env: append(b.env(), strings.Fields(env)...)})
			p.Sees("all projects (12)")
			p.ChooseProject("storefront")
			p.Sees("● live", "running", "finished")
			asked := p.Keys().Revoke()
			asked.Answer()
			asked.Leave()
			p.Press("?")
			p.Dialog("API keys: keys").Leave()
			p.Press("2")
			p.Sees("12 projects")
			p.quit()
			coloured, styled := renditions(p.Wrote())
			if (len(coloured) > 0) != wanted {
				t.Errorf("colours: %q", coloured)
			}
			if styled == 0 {
				t.Error("nothing stands out, not even the selection")
			}
		})
	}
}

// renditions returns the sequences that set a colour, and how many set another style.
func renditions(wrote []byte) (coloured []string, styled int) {
	for _, m := range regexp.MustCompile(`\x1b\[([0-9;:]*)m`).FindAllSubmatch(wrote, -1) {
		for code := range strings.FieldsFuncSeq(string(m[1]), func(r rune) bool { return r == ';' }) {
			code, _, _ = strings.Cut(code, ":")
			switch {
			case regexp.MustCompile(`^(3[0-8]|4[0-8]|58|9[0-7]|10[0-7])$`).MatchString(code):
				coloured = append(coloured, string(m[0]))
			case regexp.MustCompile(`^[1-9]$`).MatchString(code):
				styled++
			}
		}
	}
	return coloured, styled
}
