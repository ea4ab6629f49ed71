package models

import "testing"

// A misspelled or shortened name is recognized; a word that is far from all names is not.
func TestNearest(t *testing.T) {
	t.Parallel()
	known := []string{"base_url", "org_id", "interval", "page_size", "window", "theme", "key_command", "Größe"}
	for word, want := range map[string]string{
		"base_ulr": "base_url", "orgid": "org_id", "Theme": "theme", "key_comand": "key_command", "pagesize": "page_size",
		"intervall": "interval", "key": "key_command", "größ": "Größe", "x": "", "": "", "password": "", "api_key": "",
	} {
		if got := Nearest(word, known); got != want {
			t.Errorf("%s: got %q, want %q", word, got, want)
		}
	}
}
