package ui

import "testing"

// Dialogs about keys name the profile, unless there is only one.
func TestProfileAccount(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]Profile{
		"console.example":                   {Name: unnamed, Host: "console.example"},
		"profile staging · console.example": {Name: "staging", Host: "console.example"},
		"profile demo":                      {Name: "demo", Host: "demo", Demo: true},
	} {
		if got := p.account(); got != want {
			t.Errorf("%s is named %q", p.Name, got)
		}
	}
}
