package query

import "testing"

// A view for a filter is named by its values, with a number if another filter has the name.
func TestViewNameIsShort(t *testing.T) {
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
