package query_test

import (
	"slices"
	"testing"

	"pgtower/models/query"
)

// A bell that the user turns on or off in a profile changes nothing in others.
func TestViewRingsInItsProfile(t *testing.T) {
	t.Parallel()
	rings := func(v query.SavedView) (names []string) {
		for _, profile := range []string{"prod", "staging"} {
			if query.InProfile(v, profile).Alert {
				names = append(names, profile)
			}
		}
		return names
	}
	silent, everywhere := query.SavedView{Name: "Trouble"}, query.SavedView{Name: "Trouble", Alert: true}
	program := query.SavedView{Name: "Trouble", Run: []string{"tell"}}
	ring, silence := query.Ring, query.Silence
	prod := ring(silent, "prod")
	for name, test := range map[string]struct {
		view query.SavedView
		want []string
	}{
		"silent":           {silent, nil},
		"everywhere":       {everywhere, []string{"prod", "staging"}},
		"on":               {prod, []string{"prod"}},
		"on again":         {ring(prod, "prod"), []string{"prod"}},
		"on in both":       {ring(prod, "staging"), []string{"prod", "staging"}},
		"off in one":       {silence(ring(prod, "staging"), "prod"), []string{"staging"}},
		"off in another":   {silence(prod, "staging"), []string{"prod"}},
		"off":              {silence(prod, "prod"), nil},
		"off, and on":      {ring(silence(prod, "prod"), "staging"), []string{"staging"}},
		"off everywhere":   {silence(everywhere, "prod"), nil},
		"on everywhere":    {ring(everywhere, "prod"), []string{"prod", "staging"}},
		"on with programs": {ring(program, "prod"), []string{"prod", "staging"}},
	} {
		if got := rings(test.view); !slices.Equal(got, test.want) {
			t.Errorf("%s: rings in %q, want %q", name, got, test.want)
		}
	}
	if run := query.InProfile(ring(program, "prod"), "staging").Run; len(run) == 0 {
		t.Error("its program does not run in another profile any more")
	}
	if v := (query.SavedView{Run: []string{"tell"}, Profiles: []string{"prod"}}); len(query.InProfile(v, "staging").Run) > 0 || len(query.InProfile(v, "prod").Run) == 0 {
		t.Error("its program runs in another profile, or not in its own")
	}
	if len(silence(prod, "prod").Profiles) > 0 || len(silent.Profiles) > 0 {
		t.Error("a view that does not ring has profiles")
	}
}
