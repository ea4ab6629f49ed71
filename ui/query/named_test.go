package query_test

import (
	"testing"

	"pgtower/ui/query"
)

func TestNearness(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typed, name, title string
		want               int
	}{
		{"theme", "Theme", "", 0},
		{"all pro", "all projects", "feed: all projects", 1},
		{"all pro", "watch all unfinished of the project", "", 2},
		{"fil", "switch profile", "", 3},
		{"look fil", "filter", "look: filter", 4},
		{"wauo", "watch all unfinished of the project", "", 5},
		{"東", "東京", "", 1},
	} {
		if got := query.Nearness(c.typed, c.name, c.title); got != c.want {
			t.Errorf("%q in %q: %d, want %d", c.typed, c.name, got, c.want)
		}
	}
}

func TestOfferedValues(t *testing.T) {
	t.Parallel()
	fields := []query.Field[string]{
		query.Text("status", func(s string) string { return s }).Offering(func() []string {
			return []string{"failed", "finished", "running", "f, odd"}
		}),
	}
	in := "status:running,f"
	from, got := query.Complete(in, len(in), fields)
	if in[from:] != "f" || len(got) != 2 || got[0] != "failed" || got[1] != "finished" {
		t.Errorf("%q from %d", got, from)
	}
	if _, err := query.Parse("status:other", fields); err != nil {
		t.Errorf("what is not offered cannot be written: %v", err)
	}
}
