package query

import (
	"fmt"
	"testing"
)

func TestViewThatIsMadeHasAShortName(t *testing.T) {
	t.Parallel()
	others := []SavedView{{Name: "Failed", Filter: FailedQuery}, {Name: "apply", Filter: "apply"}}
	for filter, want := range map[string]string{
		"is:failed ended:<15m region:aws-eu":   "failed <15m aws-eu",
		`is:failed error:"no answer within …"`: "failed no answer within…",
		"is:failed -region:aws-eu":             "failed -aws-eu",
		"failed":                               "failed 2", // the other one has another filter
		"apply":                                "apply",    // it is the view of this filter
		"is:unfinished project:a-name-that-is-rather-long": "unfinished a-name-that-…",
	} {
		if got := ViewName(filter, others); got != want {
			t.Errorf("%q is named %q", filter, got)
		}
	}
}

// What changed in the saved views is taken over, and what was not saved stays.
func TestReloadedViews(t *testing.T) {
	t.Parallel()
	views := func(all ...string) (out []SavedView) {
		for i := 0; i < len(all); i += 2 {
			out = append(out, SavedView{Name: all[i], Filter: all[i+1]})
		}
		return out
	}
	for name, tc := range map[string]struct{ now, saved, read, want []SavedView }{
		"added":                      {nil, nil, views("a", "1"), views("a", "1")},
		"changed":                    {views("a", "1"), views("a", "1"), views("a", "2"), views("a", "2")},
		"removed":                    {views("a", "1", "b", "1"), views("a", "1", "b", "1"), views("b", "1"), views("b", "1")},
		"not saved":                  {views("a", "1", "b", "1"), views("a", "1"), views("a", "1"), views("a", "1", "b", "1")},
		"not saved, and then added":  {views("a", "1"), nil, views("A", "2"), views("A", "2")},
		"a change that is not saved": {views("A", "2"), views("a", "1"), views("a", "1"), views("A", "2")},
		"the same, changed":          {views("a", "2"), views("a", "1"), views("a", "3"), views("a", "3")},
		"deleted, but not there":     {nil, views("a", "1"), views("a", "1"), nil},
	} {
		if got := ReloadedViews(tc.now, tc.saved, tc.read); fmt.Sprint(got) != fmt.Sprint(tc.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}
