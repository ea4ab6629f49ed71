package ui

import (
	"testing"

	"pgtower/models/control"
	"pgtower/models/settings"
)

// Dialogs about keys name the profile, unless there is only one.
func TestProfileAccount(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]Profile{
		"console.example": {
			Profile: settings.Profile{Name: unnamed},
			Host:    "console.example",
		},
		"profile staging · console.example": {
			Profile: settings.Profile{Name: "staging"},
			Host:    "console.example",
		},
		"profile demo": {
			Profile: settings.Profile{Name: "demo"},
			Host:    "demo",
			Demo:    true,
		},
	} {
		if got := p.account(); got != want {
			t.Errorf("%s is named %q", p.Name, got)
		}
	}
}

// The form that asks for a key names a variable that should have one.
func TestFormNamesTheUnusedVariables(t *testing.T) {
	t.Parallel()
	const looked = "No other key was found in the environment or the keyring."
	for unused, want := range map[string][2]string{
		"":                    {"", looked},
		"X is set, but empty": {"X is set, but empty.", looked + " X is set, but empty."},
	} {
		a := connected{err: &control.NoKeyError{Unused: unused}}
		if got := [2]string{a.refusal(false), a.refusal(true)}; got != want {
			t.Errorf("%q", got)
		}
	}
}
