package query_test

import (
	"slices"
	"testing"

	"pgtower/models/query"
)

// A name that begins with the typed text comes before one that contains it, and that before a match elsewhere.
func TestRank(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typed, name, title string
		want               int
	}{
		{"theme", "Theme", "", 0},
		{"all pro", "all projects", "", 1},
		{"all pro", "show all projects", "", 2},
		{"all pro", "watch all unfinished of this project", "", 3},
		{"fil", "switch profile", "", 4},
		{"look fil", "filter", "look filter", 5},
		{"wauo", "watch all unfinished of this project", "", 6},
		{"東", "東京", "", 1},
	} {
		if got := query.Rank(c.typed, c.name, c.title); got != c.want {
			t.Errorf("%q in %q: %d, want %d", c.typed, c.name, got, c.want)
		}
	}
}

// A field with offered values suggests only these; others can be written.
func TestCompleteOffersValues(t *testing.T) {
	t.Parallel()
	fields := []query.Field[string]{
		query.Text("status", func(s string) string { return s }).Offering(func() []string {
			return []string{"failed", "finished", "running", "f, odd"}
		}),
	}
	const typed = "status:running,"
	if got := query.Complete(typed+"f", fields, slices.Values([]string(nil))); !slices.Equal(got, []string{typed + "failed", typed + "finished"}) {
		t.Errorf("%q", got)
	}
	if _, err := query.Parse("status:other", fields); err != nil {
		t.Errorf("what is not offered cannot be written: %v", err)
	}
}

// What looks like a regular expression is offered in quotes, and what only resembles one needs none.
func TestRegularExpressionsThatAreTexts(t *testing.T) {
	t.Parallel()
	fields := []query.Field[string]{query.Text("status", func(s string) string { return s })}
	values := []string{"a|b", "^main", "cost$", `C:\data`, "v.*", "/x{y}/", "plain"}
	offered := query.Complete("status:", fields, slices.Values(values))
	if len(offered) < len(values) {
		t.Errorf("offered are %q", offered)
	}
	for _, filter := range slices.Concat(offered, []string{
		"(/v1 or /v2) /pay", "/a (x or y) /b", "/orders1 (failed or running) billing/prod", "/etc/x1? y/", "/a b/c/", `CORP\daniel`, `\\server\share`, "US$",
	}) {
		if _, err := query.Parse(filter, fields); err != nil {
			t.Errorf("%s: %v", filter, err)
		}
	}
}
