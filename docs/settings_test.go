package docs_test

import (
	"os"
	"strings"
	"testing"

	"pgtower/models/settings"
)

// The table of the settings has each with its flag, its variable and its name in a profile, as they are declared.
func TestTableOfTheSettings(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{} // the first three cells, by the first
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, "|"); len(cells) > 4 {
			first := strings.TrimSpace(cells[1])
			rows[first] = first + " | " + strings.TrimSpace(cells[2]) + " | " + strings.TrimSpace(cells[3])
		}
	}
	quoted := func(text string) string {
		if text == "" {
			return ""
		}
		return "`" + text + "`"
	}
	for _, s := range new(settings.Run).Settings() {
		key := s.Key
		if s.Flag == "view" {
			key = "default_view" // which is of no profile
		}
		want := "`--" + s.Flag + "` | " + quoted(s.Env) + " | " + quoted(key)
		if got := rows["`--"+s.Flag+"`"]; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
