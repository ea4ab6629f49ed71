package script

import (
	"strings"
	"testing"

	"pgtower/models"
)

// The line is pasted into a shell, and the service chooses the id of the organization and the name.
func TestRevokeLine(t *testing.T) {
	t.Parallel()
	for org, want := range map[string]string{
		"":                               "pgtower apikeys revoke 9000 --account --name 'my ci'",
		"org-cool-breeze-12345678":       "pgtower apikeys revoke 9000 --org-id org-cool-breeze-12345678 --name 'my ci'",
		"org-x;touch${IFS}PWN":           "",
		"org-x$(touch PWN)":              "",
		"org-x`touch PWN`":               "",
		"org x":                          "",
		"org-x'":                         "",
		"--account":                      "",
		"-x":                             "",
		"org-\uFFFD":                     "",
		"орг":                            "",
		"org-" + strings.Repeat("x", 64): "",
	} {
		if want == "" { // the flag would refuse it: all lists are searched
			want = "pgtower apikeys revoke 9000 --name 'my ci'"
		}
		got := RevokeLine(models.KeyRef{List: models.ListID{Org: org}, ID: 9000}, "my ci")
		if got != want {
			t.Errorf("%q: %s", org, got)
		}
	}
	const hostile = "pgtower apikeys revoke 1 --account --name 'x'\\'';touch PWN'"
	if got := RevokeLine(models.KeyRef{ID: 1}, "x';touch PWN"); got != hostile {
		t.Error(got)
	}
}
