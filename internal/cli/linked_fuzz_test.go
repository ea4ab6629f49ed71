package cli

import (
	"strings"
	"testing"
	"unicode"
)

// The file of a link may come with a downloaded folder. It gives an error or ids, and no text that acts on a terminal or on the
// path of a request.
func FuzzLink(f *testing.F) {
	for _, seed := range []string{
		`{"orgId":"org-calm-1","projectId":"calm-lake-1","branch":"main"}`, `{"projectId":"../api_keys"}`, `{"projectId":".."}`,
		`{"projectId":"a\u001b[2J"}`, `{"projectId":7}`, `{"projectId":"a","projectId":"%2e%2e"}`, `[]`, `null`, ``, `{"projectId":"\ud800"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Add([]byte(`{"projectId":"calm-lake-1","branchId":"br-cool-1"}`))
	f.Add([]byte(`{"projectId":"calm-lake-1","branch":"a\u001b[2J"}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		l, err := parseLink(doc)
		if strings.Trim(l.ProjectID, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || len(l.ProjectID) > 60 {
			t.Errorf("%q gives the project %q", doc, l.ProjectID)
		}
		if strings.ContainsFunc(l.Branch, unicode.IsControl) || len(l.Branch) > 1000 {
			t.Errorf("%q gives the branch %q", doc, l.Branch)
		}
		if err != nil && (l != linked{} || strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' || r > '~' })) {
			t.Errorf("%q: %+v, %q", doc, l, err)
		}
	})
}
